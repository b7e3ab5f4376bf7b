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
/** Shorter waits are those for a turn, which may be waited out; longer ones are time limits. */
const POLL_MAX_MS = 20
const EACH = IS_WHOLE ? 1 : 5

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

  /** Lets time pass until this has settled, and gives how much did, once all calls hang. */
  async elapsedUntil(settled: Promise<unknown>, struck: StruckService): Promise<number> {
    let isSettled = false
    void settled.finally(() => {
      isSettled = true
    })
    let struckAtMs: number | undefined
    for (;;) {
      // Whatever can go on without the clock does.
      for (let turns = 0; turns < 3; turns++) await scheduler.wait(1)
      if (struck.wasStruck()) struckAtMs ??= this.#nowMs
      if (isSettled) break
      this.#fireNext(struckAtMs === undefined ? POLL_MAX_MS : Number.POSITIVE_INFINITY)
    }
    return this.#nowMs - (struckAtMs ?? this.#nowMs)
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

test('where all calls hang from any of them on, a request is answered within its time', async () => {
  let longestMs = 0
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
      // What goes on after the answer is left where it hangs.
      void ready.act(struck)
      const elapsedMs = await clock.elapsedUntil(struck.answered, struck)
      vi.stubGlobal('setTimeout', restore[0])
      vi.stubGlobal('clearTimeout', restore[1])
      expect(elapsedMs, `${name}: hanging from call ${at + 1}, ${counted.calls[at]}`).toBeLessThanOrEqual(ANSWERED_MS)
      longestMs = Math.max(longestMs, elapsedMs)
    }
    await emptyStore()
  }
  console.info(`the longest took ${longestMs} ms`)
})
