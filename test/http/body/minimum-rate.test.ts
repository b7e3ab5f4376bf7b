import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createRateGuard } from '../../../src/http/body/minimum-rate.ts'
import { BODY_ADMISSION, BODY_FLOOR_BYTES, BODY_FLOOR_MS } from '../../../src/limits.ts'
import { SECOND_MS } from '../../../src/units.ts'

beforeEach(() => {
  vi.useFakeTimers()
  // The clock does not lag, so no I/O is needed to update it.
  vi.stubGlobal('IdentityTransformStream', undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Memory for which other bodies wait, with this grace period. */
const waitedFor = (graceMs: number) => ({
  minimumRate: () => (graceMs < BODY_FLOOR_MS ? { bytesPerMs: BODY_ADMISSION.pressedBytesPerMs, graceMs } : undefined),
  stall: () => 7,
})

const never = new Promise<never>(() => {})

/**
 * Returns the milliseconds after which a sender of `bytes` each `everyMs` is cancelled, or undefined if it is not
 * within five minutes.
 */
async function givenUpAfter(
  bytes: number,
  everyMs: number,
  graceMs = Number.POSITIVE_INFINITY,
): Promise<number | undefined> {
  const startMs = Date.now()
  const guarded = createRateGuard(waitedFor(graceMs))
  const sending = (async () => {
    for (;;) {
      const chunk = new Promise<ReadableStreamReadResult<Uint8Array>>((resolve) => {
        setTimeout(() => resolve({ done: false, value: new Uint8Array(bytes) }), everyMs)
      })
      await guarded(chunk)
    }
  })()
  let endMs: number | undefined
  sending.catch((error) => {
    expect(error.code).toBe(graceMs < BODY_FLOOR_MS ? 'overloaded' : 'body_too_slow')
    endMs = Date.now()
  })
  for (let second = 0; second < (graceMs < BODY_FLOOR_MS ? 30 : 300) && endMs === undefined; second++)
    await vi.advanceTimersByTimeAsync(SECOND_MS)
  return endMs === undefined ? undefined : endMs - startMs
}

describe('a body that hardly progresses is cancelled', () => {
  test('no bytes: after the time of the minimum rate', async () => {
    expect(await givenUpAfter(1, 1_000_000)).toBe(BODY_FLOOR_MS)
  })

  test.for([
    [16 * 1024, 2000, 'goes on'],
    [16 * 1024, 1990, 'goes on'],
    [32 * 1024, 3900, 'goes on'],
    [16 * 1024, 4000, 'is given up'],
    [1024, 200, 'is given up'],
  ] as const)('%i bytes each %i ms: %s', async ([bytes, everyMs, expected]) => {
    expect((await givenUpAfter(bytes, everyMs)) === undefined ? 'goes on' : 'is given up').toBe(expected)
  })

  test('earlier quick bytes do not count later', async () => {
    const guarded = createRateGuard(waitedFor(Number.POSITIVE_INFINITY))
    await guarded(Promise.resolve({ done: false, value: new Uint8Array(BODY_FLOOR_BYTES) }))
    const stalled = guarded(never).then(
      () => undefined,
      (error) => error.code,
    )
    await vi.advanceTimersByTimeAsync(2 * BODY_FLOOR_MS)
    expect(await stalled).toBe('body_too_slow')
  })

  test('a sender that stalls while others wait: at once', async () => {
    expect(await givenUpAfter(1, 1_000_000, 2000)).toBeLessThanOrEqual(3000)
  })

  test.for([
    [130 * 1024, 1000, 'goes on'],
    [64 * 1024, 450, 'goes on'],
    [120 * 1024, 1000, 'is given up'],
    [16 * 1024, 200, 'is given up'],
  ] as const)('while others wait, %i bytes each %i ms: %s', async ([bytes, everyMs, expected]) => {
    expect((await givenUpAfter(bytes, everyMs, 2000)) === undefined ? 'goes on' : 'is given up').toBe(expected)
  })

  test('its client is charged, and told when to retry', async () => {
    let stalls = 0
    const guarded = createRateGuard({ ...waitedFor(2000), stall: () => 7 * ++stalls })
    const given = guarded(never).catch(({ code, retryAfterS }) => [code, retryAfterS])
    await vi.advanceTimersByTimeAsync(3000)
    expect([await given, stalls]).toEqual([['overloaded', 7], 1])
  })
})
