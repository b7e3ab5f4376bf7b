import { expect, test, vi } from 'vitest'
import { emptyStore } from '../../domain/store.ts'
import { fromCallOn } from '../../support/faulty-bindings.ts'
import { FLOWS } from './flows.ts'
import { Ledger } from './ledger.ts'
import { IS_WHOLE, prepareIsolate, service } from './matrix.ts'
import { type StruckService, struckService } from './struck-service.ts'

prepareIsolate()

/** Within this time every request is answered, whatever hangs (D41). */
const ANSWERED_MS = 10_000
/** After so long the runtime cancels what goes on after a response, and logs the URL of the request. */
const CANCELLED_MS = 30_000
/** Shorter waits are those for a turn, which may be waited out; longer ones are time limits. */
const POLL_MAX_MS = 20
const EACH = IS_WHOLE ? 1 : 5
/** After so many turns without a timer nothing is going to happen: 15 s at least. */
const STUCK_TURNS = 5000

/** A clock that goes on only when everything waits for it: nothing of the machine's own time is in it. */
class HeldClock {
  #nowMs = 0
  #timers = new Map<number, { atMs: number; act: () => void }>()
  #lastId = 0

  set = (act: () => void, ms = 0): number => {
    this.#timers.set(++this.#lastId, { atMs: this.#nowMs + ms, act })
    return this.#lastId
  }

  clear = (id: number): void => void this.#timers.delete(id)

  /** Lets time pass until this has settled; returns how much did, once all calls hang, or infinity if nothing goes on. */
  async elapsedUntil(settled: Promise<unknown>, struck: StruckService): Promise<number> {
    let isSettled = false
    void settled.finally(() => {
      isSettled = true
    })
    const startMs = this.#nowMs
    let struckAtMs: number | undefined
    for (let stuck = 0; stuck < STUCK_TURNS; stuck = this.#timers.size > 0 ? 0 : stuck + 1) {
      // Whatever can go on without the clock does.
      for (let turns = 0; turns < 3; turns++) await scheduler.wait(1)
      if (struck.wasStruck()) struckAtMs ??= this.#nowMs
      if (isSettled) break
      this.#fireNext(struckAtMs === undefined ? POLL_MAX_MS : Number.POSITIVE_INFINITY)
    }
    return isSettled ? this.#nowMs - Math.max(startMs, struckAtMs ?? this.#nowMs) : Number.POSITIVE_INFINITY
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

test('where all calls hang from any of them on, a request is answered within its time, and all after it ends by itself', async () => {
  let longestMs = 0
  let longestAfterMs = 0
  let number = 0
  for (const [name, flow] of Object.entries(FLOWS)) {
    const counted = struckService()
    await (await flow(service.ask, new Ledger())).act(counted)
    for (const at of counted.calls.keys()) {
      if (number++ % EACH !== 0) continue
      const ready = await flow(service.ask, new Ledger())
      const struck = struckService({ fault: 'hangs', strikes: fromCallOn(at + 1) })
      const clock = new HeldClock()
      const restore = [setTimeout, clearTimeout] as const
      vi.stubGlobal('setTimeout', clock.set)
      vi.stubGlobal('clearTimeout', clock.clear)
      const ended = ready.act(struck)
      const elapsedMs = await clock.elapsedUntil(struck.answered, struck)
      const afterMs = await clock.elapsedUntil(ended, struck)
      vi.stubGlobal('setTimeout', restore[0])
      vi.stubGlobal('clearTimeout', restore[1])
      expect(elapsedMs, `${name}: hanging from call ${at + 1}, ${counted.calls[at]}`).toBeLessThanOrEqual(ANSWERED_MS)
      expect(afterMs, `${name}: hanging from call ${at + 1}, after the response`).toBeLessThan(CANCELLED_MS)
      longestMs = Math.max(longestMs, elapsedMs)
      longestAfterMs = Math.max(longestAfterMs, afterMs)
    }
    await emptyStore()
  }
  console.info(`the longest took ${longestMs} ms, and ${longestAfterMs} ms after it`)
})
