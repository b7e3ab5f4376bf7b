import { KIB, MIB } from 'tintype-codec/units'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Failure } from '../../../src/domain/failure.ts'
import { type Admission, createAdmission } from '../../../src/http/body/admission.ts'
import { createRateGuard } from '../../../src/http/body/minimum-rate.ts'
import { BODY_ADMISSION, BODY_WINDOW_BYTES } from '../../../src/limits.ts'
import { MINUTE_MS, SECOND_MS } from '../../../src/units.ts'

/** The clock of these tests advances when all possible work is done. */
const realNow = Date.now
let nowMs = 0
let timers = new Map<object, { dueMs: number; act: () => void }>()

beforeEach(() => {
  nowMs = 0
  timers = new Map()
  // A spy would remember every call.
  Date.now = () => nowMs
  vi.stubGlobal('setTimeout', (act: () => void, ms: number) => {
    const timer = {}
    timers.set(timer, { dueMs: nowMs + ms, act })
    return timer
  })
  vi.stubGlobal('clearTimeout', (timer: object) => timers.delete(timer))
  // The clock does not lag, so no I/O is needed to update it.
  vi.stubGlobal('IdentityTransformStream', undefined)
})
afterEach(() => {
  Date.now = realNow
  vi.unstubAllGlobals()
})

/** Lets everything proceed that can, then advances the clock to the next timer. */
async function passOn() {
  for (let step = 0; step < 40; step++) await Promise.resolve()
  if (timers.size === 0) return
  let nextMs = Number.POSITIVE_INFINITY
  for (const { dueMs } of timers.values()) nextMs = Math.min(nextMs, dueMs)
  nowMs = nextMs
  for (const [timer, { dueMs, act }] of timers) {
    if (dueMs > nowMs) continue
    timers.delete(timer)
    act()
  }
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** In the first third nobody is known yet. The rest counts. */
const CROWD_MS = 1.5 * MINUTE_MS
const STALLING = 50
const HONEST_BYTES = [0.2, 10, 2.4, 4.5, 1.2, 0.5, 2, 6].map((megabytes) => megabytes * 1_000_000)
const STALLING_BYTES = 10_000_000

/** A connection of 160 Mbit/s: the size and the duration of its chunks. */
const LINE = { chunkBytes: 500_000, chunkMs: 25 }

const BYTES = new Uint8Array(LINE.chunkBytes)

const NOTHING = { bytes: 1, everyMs: CROWD_MS }

interface Attack {
  /** The address from which a sender comes for the nth time. */
  address: (sender: number, time: number) => string
  /** The last bytes, sent slowly. */
  drip?: (sender: number) => { bytes: number; everyMs: number }
}

/** Sends a body. Throws if reading it throws. */
async function send(admission: Admission, client: string, bytes: number, stall?: { bytes: number; everyMs: number }) {
  const memory = admission.open({
    client,
    expectedBytes: bytes + 2 * BODY_WINDOW_BYTES,
    signal: new AbortController().signal,
  })
  try {
    const guarded = createRateGuard(memory)
    const read = async (size: number, ms: number) => {
      await memory.take(size)
      await guarded(wait(ms).then(() => ({ done: false, value: BYTES.subarray(0, size) })))
    }
    const quickBytes = stall ? bytes - 100 * KIB : bytes
    for (let come = 0; come < quickBytes; come += LINE.chunkBytes) {
      await read(Math.min(LINE.chunkBytes, quickBytes - come), LINE.chunkMs)
    }
    while (stall) await read(stall.bytes, stall.everyMs)
    memory.settle()
    // The image is stored.
    await wait(200)
  } finally {
    memory.close()
  }
}

/** Returns the durations of honest uploads beside an attack, sorted, including rejected ones. */
async function honestBeside(attack: Attack | undefined, honestAddress: (client: number) => string) {
  const admission = createAdmission(BODY_ADMISSION, { nowMs: () => Date.now(), toPresent: async () => {}, wait })
  const endMs = Date.now() + CROWD_MS
  const firstMs = Date.now() + CROWD_MS / 3
  const tookMs: number[] = []
  let refused = 0
  let mostHeld = 0
  const honest = HONEST_BYTES.map(async (_, client) => {
    for (let turn = client; Date.now() < endMs; turn++) {
      const startedMs = Date.now()
      const bytes = HONEST_BYTES[turn % HONEST_BYTES.length] ?? 0
      for (let done = false; !done; ) {
        done = await send(admission, honestAddress(client), bytes).then(
          () => true,
          async (error) => {
            if (!(error instanceof Failure) || error.retryAfterS === undefined) throw error
            refused++
            await wait(error.retryAfterS * SECOND_MS)
            return false
          },
        )
      }
      if (startedMs >= firstMs) tookMs.push(Date.now() - startedMs)
      await wait(2 * SECOND_MS)
    }
  })
  const stalling = Array.from({ length: attack ? STALLING : 0 }, async (_, sender) => {
    const drip = attack?.drip?.(sender) ?? NOTHING
    for (let time = 0; Date.now() < endMs; time++) {
      const client = attack?.address(sender, time) ?? ''
      await send(admission, client, STALLING_BYTES, drip).catch((error) => {
        if (!(error instanceof Failure)) throw error
      })
    }
  })
  let isOver = false
  void Promise.all([...honest, ...stalling]).then(() => {
    isOver = true
  })
  while (!isOver) {
    await passOn()
    mostHeld = Math.max(mostHeld, admission.heldBytes())
  }
  tookMs.sort((one, other) => one - other)
  const at = (share: number) => tookMs[Math.floor((tookMs.length - 1) * share)] ?? 0
  return { uploads: tookMs.length, p50: at(0.5), p99: at(0.99), refused, mostHeld }
}

/** Without an attack the results are equal in each run, because no real clock is involved. */
const aloneBy = new Map<(client: number) => string, ReturnType<typeof honestBeside>>()

const own = (client: number) => `honest ${client}`
const shared = () => 'everybody'

test.for([
  ['from one address', { address: () => 'stallers' }, own, 'nearly all'],
  ['from a new address each time', { address: (sender, time) => `staller ${sender} ${time}` }, own],
  ['from the address that all share', { address: shared }, shared],
  [
    'that drip, from addresses of their own',
    {
      address: (sender) => `staller ${sender}`,
      drip: (sender) => (sender % 2 ? { bytes: 1, everyMs: 1000 } : { bytes: 16 * KIB, everyMs: 1900 }),
    },
    own,
    'nearly all',
  ],
] satisfies [string, Attack, (client: number) => string, 'nearly all'?][])(
  'beside fifty senders that stall and reconnect at once, %s, half of the uploads take three times as long at most',
  async ([, attack, honestAddress, rest]) => {
    const counted = aloneBy.get(honestAddress) ?? honestBeside(undefined, honestAddress)
    aloneBy.set(honestAddress, counted)
    const alone = await counted
    const beside = await honestBeside(attack, honestAddress)
    expect(beside.p50).toBeLessThanOrEqual(3 * alone.p50)
    if (rest) expect(beside.p99).toBeLessThanOrEqual(3 * alone.p99)
    expect(beside.mostHeld).toBeLessThanOrEqual(32 * MIB)
  },
)
