import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createRateGuard } from '../../../src/http/body/minimum-rate.ts'
import { BODY_ADMISSION, BODY_FLOOR_BYTES, BODY_FLOOR_MS } from '../../../src/limits.ts'
import { SECOND_MS } from '../../../src/units.ts'

beforeEach(() => {
  vi.useFakeTimers()
  // Its clock does not lag: no I/O is needed to bring it to the present.
  vi.stubGlobal('IdentityTransformStream', undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** The memory of a body for which others wait, with this grace period. */
const waitedFor = (graceMs: number) => ({
  minimumRate: () => (graceMs < BODY_FLOOR_MS ? { bytesPerMs: BODY_ADMISSION.pressedBytesPerMs, graceMs } : undefined),
  stall: () => 7,
})

const never = new Promise<never>(() => {})

/** When a sender is given up that gives `bytes` each `everyMs`, in milliseconds; undefined if it is not, within five minutes. */
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

describe('a body that hardly moves is given up', () => {
  test('nothing at all: after the time of the floor', async () => {
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

  test('what came quickly before does not count for later', async () => {
    const guarded = createRateGuard(waitedFor(Number.POSITIVE_INFINITY))
    await guarded(Promise.resolve({ done: false, value: new Uint8Array(BODY_FLOOR_BYTES) }))
    const stalled = guarded(never).then(
      () => undefined,
      (error) => error.code,
    )
    await vi.advanceTimersByTimeAsync(2 * BODY_FLOOR_MS)
    expect(await stalled).toBe('body_too_slow')
  })

  test('one that stands still while others wait: at once', async () => {
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

  test('and its client is charged, and told when it may come again', async () => {
    let stalls = 0
    const guarded = createRateGuard({ ...waitedFor(2000), stall: () => 7 * ++stalls })
    const given = guarded(never).catch(({ code, retryAfterS }) => [code, retryAfterS])
    await vi.advanceTimersByTimeAsync(3000)
    expect([await given, stalls]).toEqual([['overloaded', 7], 1])
  })
})
