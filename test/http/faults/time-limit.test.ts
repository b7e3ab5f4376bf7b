import { expect, test } from 'vitest'
import { emptyStore } from '../../domain/store.ts'
import { fromCallOn } from '../../support/faulty-bindings.ts'
import { withHeldClock } from '../../support/held-clock.ts'
import { FLOWS } from './flows.ts'
import { Ledger } from './ledger.ts'
import { IS_WHOLE, ONE_OF, prepareIsolate, service } from './matrix.ts'
import { struckService } from './struck-service.ts'

prepareIsolate()

/** Bound of every response, whatever hangs (D41). */
const ANSWERED_MS = 10_000
/** After this long the runtime cancels work after a response, and logs the URL of the request. */
const CANCELLED_MS = 30_000
/** Of so many calls, all hang from one of them on. */
const EACH = IS_WHOLE ? 1 : 5 * ONE_OF
test('if all calls hang from any of them on, the response comes in time, and all work after it ends by itself', async () => {
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
      const { elapsedMs, afterMs } = await withHeldClock(async (clock) => {
        const ended = ready.act(struck)
        return {
          elapsedMs: await clock.elapsedUntil(struck.answered, struck),
          afterMs: await clock.elapsedUntil(ended, struck),
        }
      })
      expect(elapsedMs, `${name}: hanging from call ${at + 1}, ${counted.calls[at]}`).toBeLessThanOrEqual(ANSWERED_MS)
      expect(afterMs, `${name}: hanging from call ${at + 1}, after the response`).toBeLessThan(CANCELLED_MS)
      longestMs = Math.max(longestMs, elapsedMs)
      longestAfterMs = Math.max(longestAfterMs, afterMs)
    }
    await emptyStore()
  }
  console.info(`the longest took ${longestMs} ms, and ${longestAfterMs} ms after it`)
})
