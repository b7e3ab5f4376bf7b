import type { CodecClock } from '../src/clock.ts'

/** Duration of a round trip of I/O. */
const ROUND_TRIP_MS = 0.03

/** A request of a simulated isolate: a clock of its own, which lags while anything computes. */
interface SimulatedRequest extends CodecClock {
  /** Computes: no time passes for any request, but in the world. */
  compute(ms: number): void
  /** Yields to others, as `setImmediate` does. */
  yieldToOthers(): Promise<void>
}

/**
 * The clocks of an isolate's requests, as Cloudflare's are. In the callback of a timer, a request sees the time for
 * which the timer was set, and a new timer counts from there. Only I/O brings the request to the present.
 */
export function simulateIsolate() {
  let worldMs = 0
  let order = 0
  let events: { dueMs: number; order: number; act: () => void }[] = []
  const at = (dueMs: number, act: () => void) => void events.push({ dueMs, order: order++, act })

  function createRequest(): SimulatedRequest {
    let ownMs = worldMs
    const timer = (ms: number) =>
      new Promise<void>((resolve) => {
        const dueMs = ownMs + ms
        at(dueMs, () => {
          ownMs = dueMs
          resolve()
        })
      })
    const toPresent = () =>
      new Promise<void>((resolve) =>
        at(worldMs + ROUND_TRIP_MS, () => {
          ownMs = worldMs
          resolve()
        }),
      )
    return {
      nowMs: () => ownMs,
      toPresent,
      wait: (ms) => timer(ms).then(toPresent),
      compute: (ms) => {
        worldMs += ms
      },
      yieldToOthers: () => timer(0),
    }
  }

  /** Lets all happen that is to happen until then. */
  async function passUntil(endMs: number) {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 0))
      const [next] = events.sort((a, b) => a.dueMs - b.dueMs || a.order - b.order)
      if (!next || next.dueMs > endMs) return
      events = events.filter((event) => event !== next)
      worldMs = Math.max(worldMs, next.dueMs)
      next.act()
    }
  }

  return { createRequest, passUntil, worldMs: () => worldMs }
}
