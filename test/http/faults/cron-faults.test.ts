import { expect, test } from 'vitest'
import { emptyStore } from '../../domain/store.ts'
import { prepareWork, type ReadyFlow, TICKS_AFTER_WORK_MS, WORK_AT_MS } from './flows.ts'
import { Ledger } from './ledger.ts'
import { casesOf, judge, prepareIsolate, service } from './matrix.ts'
import { type StruckService, struckService } from './struck-service.ts'

prepareIsolate()

const DONE = { status: 200, bytes: new Uint8Array() }

/** Runs a tick with work of each kind. Later ticks do the work of a failed call. */
async function tickAtWork(ledger: Ledger): Promise<ReadyFlow> {
  const ready = await prepareWork(service.ask, ledger)
  const act = async (struck: StruckService) => {
    await struck.tick(WORK_AT_MS)
    return DONE
  }
  return { ...ready, act }
}

test('after any failed call of a tick, the next ticks complete its work', async () => {
  const counted = struckService()
  await (await tickAtWork(new Ledger())).act(counted)
  expect(counted.calls.length).toBeGreaterThan(12)
  const cases = casesOf('a tick', counted.calls, { firstFate: 0 }, tickAtWork)
  for (const one of cases) {
    await emptyStore()
    expect(await judge([one], TICKS_AFTER_WORK_MS), one.name).toEqual({ problems: [], unreached: [] })
  }
  console.info(`${cases.length} faults in ${counted.calls.length} calls of a tick`)
})
