import { expect, test } from 'vitest'
import { inParallel } from '../../contract/support/in-parallel.ts'
import { emptyStore } from '../../domain/store.ts'
import { FLOWS } from './flows.ts'
import { Ledger } from './ledger.ts'
import { casesOf, judge, prepareIsolate, service } from './matrix.ts'
import { struckService } from './struck-service.ts'

prepareIsolate()

/** Where nothing goes wrong, every flow tells which calls it makes: each of them is struck in its turn. */
test('whichever call of a flow goes wrong, no promise is broken', async () => {
  const cases = (
    await inParallel(Object.entries(FLOWS), 1, async ([name, flow]) => {
      const counted = struckService()
      const ready = await flow(service.ask, new Ledger())
      await ready.act(counted)
      return casesOf(name, counted.calls, 3, (ledger) => flow(service.ask, ledger))
    })
  ).flat()
  await emptyStore()
  const { problems, unreached } = await judge(cases)
  expect(problems).toEqual([])
  // Flows that run at once may sweep for one another. Alone, each makes all its calls.
  const alone = cases.filter(({ name }) => unreached.includes(name))
  for (const one of alone) {
    await emptyStore()
    expect(await judge([one]), one.name).toEqual({ problems: [], unreached: [] })
  }
  console.info(`${cases.length} faults in ${Object.keys(FLOWS).length} flows, ${alone.length} of them met alone`)
})
