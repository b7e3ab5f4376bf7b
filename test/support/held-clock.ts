import { vi } from 'vitest'

/** Shorter waits are polls, and take real time. Longer ones are timeouts. */
const POLL_MAX_MS = 20
/** After this many turns without a timer, 15 s at least, nothing will happen any more. */
const STUCK_TURNS = 5000

/** Reports whether a call hangs. Only then do timeouts expire. */
interface Hung {
  wasStruck: () => boolean
}

/** A clock for `setTimeout` that advances only when everything waits for it, independent of the machine's time. */
class HeldClock {
  #nowMs = 0
  #timers = new Map<number, { atMs: number; act: () => void }>()
  #lastId = 0

  set = (act: () => void, ms = 0): number => {
    this.#timers.set(++this.#lastId, { atMs: this.#nowMs + ms, act })
    return this.#lastId
  }

  clear = (id: number): void => void this.#timers.delete(id)

  /**
   * Advances the clock until the promise has settled. Returns the elapsed time once a call hangs, or infinity if
   * nothing proceeds.
   */
  async elapsedUntil(settled: Promise<unknown>, hung: Hung): Promise<number> {
    let isSettled = false
    const settle = () => {
      isSettled = true
    }
    void settled.then(settle, settle)
    const startMs = this.#nowMs
    let hungAtMs: number | undefined
    for (let stuck = 0; stuck < STUCK_TURNS; stuck = this.#timers.size > 0 ? 0 : stuck + 1) {
      // Lets everything proceed that needs no timer.
      for (let turns = 0; turns < 3; turns++) await scheduler.wait(1)
      if (hung.wasStruck()) hungAtMs ??= this.#nowMs
      if (isSettled) break
      this.#fireNext(hungAtMs === undefined ? POLL_MAX_MS : Number.POSITIVE_INFINITY)
    }
    return isSettled ? this.#nowMs - Math.max(startMs, hungAtMs ?? this.#nowMs) : Number.POSITIVE_INFINITY
  }

  #fireNext(maxMs: number): void {
    const [first] = [...this.#timers].sort(([, one], [, other]) => one.atMs - other.atMs)
    if (!first || first[1].atMs - this.#nowMs > maxMs) return
    const [id, { atMs, act }] = first
    this.#timers.delete(id)
    this.#nowMs = Math.max(this.#nowMs, atMs)
    act()
  }
}

/** Runs a function while timers use a held clock. */
export async function withHeldClock<Result>(run: (clock: HeldClock) => Promise<Result>): Promise<Result> {
  const clock = new HeldClock()
  const restore = [setTimeout, clearTimeout] as const
  vi.stubGlobal('setTimeout', clock.set)
  vi.stubGlobal('clearTimeout', clock.clear)
  try {
    return await run(clock)
  } finally {
    vi.stubGlobal('setTimeout', restore[0])
    vi.stubGlobal('clearTimeout', restore[1])
  }
}

/**
 * Returns the result of an operation that meets a hanging call, without waiting: the timeouts of the service expire by
 * a held clock. Throws if the operation waits forever.
 */
export function withoutWaiting<Result>(hung: Hung, act: () => Promise<Result>): Promise<Result> {
  return withHeldClock(async (clock) => {
    const result = act()
    if ((await clock.elapsedUntil(result, hung)) === Number.POSITIVE_INFINITY) throw new Error('it waits for ever')
    return result
  })
}
