import { expect, test } from 'vitest'
import { FLOWS, LONE_FLOWS } from './flows.ts'
import { casesOfAll, judge, judgeAlone, prepareIsolate } from './matrix.ts'

prepareIsolate()

test('whichever call of a flow goes wrong, no promise is broken', async () => {
  const cases = await casesOfAll(FLOWS)
  const { problems, unreached } = await judge(cases)
  expect(problems).toEqual([])
  // Flows that run at once may sweep for one another. Alone, each makes all its calls.
  const alone = cases.filter(({ name }) => unreached.includes(name))
  await judgeAlone(alone)
  console.info(`${cases.length} faults in ${Object.keys(FLOWS).length} flows, ${alone.length} of them met alone`)
})

test('so it is with what has to be alone: deletes of what the edge cache holds, and comparisons', async () => {
  await judgeAlone(await casesOfAll(LONE_FLOWS))
})
