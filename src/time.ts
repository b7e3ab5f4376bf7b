/**
 * Time on Workers. Each request has a clock of its own:
 *
 * - It does not advance while the Worker computes, and is updated when I/O arrives:
 *   https://developers.cloudflare.com/workers/runtime-apis/web-standards/ ("returns the time of the last I/O").
 * - In the callback of a timer it shows the time for which the timer was set, however late the callback runs. A new timer
 *   counts from there. `setImmediate` is such a timer. After four seconds of work between timers, all timers of up to four
 *   seconds fire at once. Source: `IoContext::now` and `setTimeoutImpl` in
 *   https://github.com/cloudflare/workerd/blob/main/src/workerd/io/io-context.c++
 * - A round trip of I/O updates it. Timers and digests do not.
 *
 * Local versions of workerd since February 2026 behave differently: docs/architecture.md#time.
 *
 * So nothing here sets a timer while the clock lags, and every wait ends with an updated clock. A request that has computed calls
 * `toPresent` before it compares its time with that of another request.
 */

/** Sets the service's clock. */
export interface ClockSettings {
  /** Milliseconds added to the platform's time (D3); absent in production. */
  CLOCK_OFFSET_MS?: string
}

/** Returns the service's time in milliseconds since 1970, as this request's clock shows it. */
export function nowMs(settings: ClockSettings): number {
  return Date.now() + Number(settings.CLOCK_OFFSET_MS ?? 0)
}

/** A clock that several requests share, and ways to wait by it. Simulations of tests are others. */
export interface Clock {
  /** Returns the present as far as it is known, in milliseconds: never the future, never less than before. */
  nowMs(): number
  /** Brings the clock of this request to the present. */
  toPresent(): Promise<void>
  /** Resolves after this time, with a clock of the present. */
  wait(ms: number): Promise<void>
}

/** No request computes for so long without I/O. An isolate's clock that is further ahead of one was set back. */
const MAX_LAG_MS = 10_000

let latestMs = 0

/**
 * Returns the latest time that a request of this isolate has seen, in milliseconds since 1970. The clock of any request may lag but
 * none is ahead, so the latest is the nearest to the present.
 */
export function isolateNowMs(): number {
  const ownMs = Date.now()
  if (ownMs > latestMs || ownMs < latestMs - MAX_LAG_MS) latestMs = ownMs
  return latestMs
}

const BYTE = new Uint8Array(1)

/** Node.js and browsers have no such stream. */
interface Runtime {
  IdentityTransformStream?: new () => { readable: ReadableStream<Uint8Array>; writable: WritableStream<Uint8Array> }
  Date: unknown
}

/**
 * Brings the clock of this request to the present by one round trip of I/O: a byte through a stream of the runtime, in 20 to 60 µs.
 * Where there is no such stream, in Node.js, clocks do not lag.
 */
export async function toPresent(): Promise<void> {
  const { IdentityTransformStream }: Runtime = globalThis
  if (!IdentityTransformStream) return
  const { readable, writable } = new IdentityTransformStream()
  const written = writable.getWriter().write(BYTE)
  await readable.getReader().read()
  await written
}

/** Resolves after this time, with a clock of the present. It may be sooner if the clock lagged before. */
export async function wait(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
  await toPresent()
}

/** The clock of this isolate. */
export const isolateClock: Clock = { nowMs: isolateNowMs, toPresent, wait }

/** A timeout for one promise, or for several one after the other. */
export interface Timeout {
  isOver(): boolean
  /** Returns the value of a promise; undefined if the time is over before it settles. */
  limit<Value>(promise: Promise<Value>): Promise<{ value: Value } | undefined>
}

const TICK_MS = 250

/**
 * Starts a timeout. It counts ticks, and the clock is updated before each tick. Time in which the isolate was busy
 * counts as at most one tick, so its own delay is not mistaken for one of the storage.
 */
export function createTimeout(ms: number, tickMs = TICK_MS): Timeout {
  let ticksLeft = Math.ceil(ms / tickMs)
  const lastMs = ms - (ticksLeft - 1) * tickMs
  const isOver = () => ticksLeft <= 0
  return {
    isOver,
    async limit(promise) {
      let timer: ReturnType<typeof setTimeout> | undefined
      let isSettled = false
      const timeOver = async () => {
        await toPresent()
        while (!isOver() && !isSettled) {
          ticksLeft--
          await new Promise((resolve) => {
            timer = setTimeout(resolve, isOver() ? lastMs : tickMs)
          })
          // Results that have arrived meanwhile settle first.
          await toPresent()
        }
        return undefined
      }
      try {
        return await Promise.race([promise.then((value) => ({ value })), timeOver()])
      } finally {
        isSettled = true
        clearTimeout(timer)
      }
    },
  }
}

/** Returns the value of a promise; undefined if it takes longer than this time. */
export async function within<Value>(ms: number, promise: Promise<Value>): Promise<Value | undefined> {
  return (await createTimeout(ms).limit(promise))?.value
}

/** Returns what the call returns. Throws an Error that names `what` if it takes longer than this time. */
export async function inTime<Result>(maxMs: number, what: string, call: () => Promise<Result>): Promise<Result> {
  const inside = await createTimeout(maxMs).limit(call())
  if (!inside) throw new Error(`${what} did not respond in time`)
  return inside.value
}

/** Calls `act` each time that so many milliseconds have passed, with a clock of the present. Returns a function that stops it. */
export function every(ms: number, act: () => void): () => void {
  let isStopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const next = () => {
    timer = setTimeout(async () => {
      await toPresent()
      if (isStopped) return
      next()
      act()
    }, ms)
  }
  next()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
