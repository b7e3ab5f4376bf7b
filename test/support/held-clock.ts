import { vi } from 'vitest'

/** Shorter waits are those for a turn, which may be waited out; longer ones are time limits. */
const POLL_MAX_MS = 20
/** After so many turns without a timer nothing is going to happen: 15 s at least. */
const STUCK_TURNS = 5000

/** Tells whether a call hangs: only then time limits run out. */
export interface Hung {
  wasStruck: () => boolean
}

/** A clock for `setTimeout` that goes on only when everything waits for it: nothing of the machine's own time is in it. */
class HeldClock {
  #nowMs = 0
  #timers = new Map<number, { atMs: number; act: () => void }>()
  #lastId = 0

  set = (act: () => void, ms = 0): number => {
    this.#timers.set(++this.#lastId, { atMs: this.#nowMs + ms, act })
    return this.#lastId
  }

  clear = (id: number): void => void this.#timers.delete(id)

  /** Lets time pass until this has settled; returns how much did, once a call hangs, or infinity if nothing goes on. */
  async elapsedUntil(settled: Promise<unknown>, hung: Hung): Promise<number> {
    let isSettled = false
    const settle = () => {
      isSettled = true
    }
    void settled.then(settle, settle)
    const startMs = this.#nowMs
    let hungAtMs: number | undefined
    for (let stuck = 0; stuck < STUCK_TURNS; stuck = this.#timers.size > 0 ? 0 : stuck + 1) {
      // Whatever can go on without the clock does.
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

/** Runs this while timers are those of a held clock. */
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
 * Returns the result of what meets a call that hangs, without a wait: the time limits of the service run out by a held clock.
 * Throws where it waits for ever.
 */
export function withoutWaiting<Result>(hung: Hung, act: () => Promise<Result>): Promise<Result> {
  return withHeldClock(async (clock) => {
    const result = act()
    if ((await clock.elapsedUntil(result, hung)) === Number.POSITIVE_INFINITY) throw new Error('it waits for ever')
    return result
  })
}
