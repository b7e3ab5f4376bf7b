import { expect, test } from 'vitest'
import { emptyStore } from '../../domain/store.ts'
import { FLOWS, type Flow, LONE_FLOWS } from './flows.ts'
import { Ledger } from './ledger.ts'
import { type Case, casesOf, judge, prepareIsolate, service } from './matrix.ts'
import { struckService } from './struck-service.ts'

prepareIsolate()

/** Where nothing goes wrong, every flow tells which calls it makes: each of them is struck in its turn. */
async function casesOfAll(flows: Record<string, Flow>, outOf: number): Promise<Case[]> {
  const cases: Case[] = []
  for (const [name, flow] of Object.entries(flows)) {
    const counted = struckService()
    const ready = await flow(service.ask, new Ledger())
    await ready.act(counted)
    cases.push(...casesOf(name, counted.calls, outOf, (ledger) => flow(service.ask, ledger)))
    await emptyStore()
  }
  return cases
}

async function judgeAlone(cases: readonly Case[]): Promise<void> {
  for (const one of cases) {
    await emptyStore()
    expect(await judge([one]), one.name).toEqual({ problems: [], unreached: [] })
  }
}

test('whichever call of a flow goes wrong, no promise is broken', async () => {
  const cases = await casesOfAll(FLOWS, 5)
  const { problems, unreached } = await judge(cases)
  expect(problems).toEqual([])
  // Flows that run at once may sweep for one another. Alone, each makes all its calls.
  const alone = cases.filter(({ name }) => unreached.includes(name))
  await judgeAlone(alone)
  console.info(`${cases.length} faults in ${Object.keys(FLOWS).length} flows, ${alone.length} of them met alone`)
})

test('so it is with what has to be alone: deletes of what the edge cache holds, and comparisons', async () => {
  await judgeAlone(await casesOfAll(LONE_FLOWS, 9))
})
