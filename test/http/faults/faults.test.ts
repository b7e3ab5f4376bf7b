import { expect, test } from 'vitest'
import { FLOWS, LONE_FLOWS, OPERATOR_FLOWS } from './flows.ts'
import { casesOfAll, judge, judgeAlone, prepareIsolate } from './matrix.ts'

prepareIsolate()

test('after any failed call of a flow, every acknowledged effect holds', async () => {
  // The others are struck on a second shard (shard-faults.test.ts).
  const cases = await casesOfAll(FLOWS, { firstFate: 0, calls: 'even' })
  const { problems, unreached } = await judge(cases)
  expect(problems).toEqual([])
  // Concurrent flows may sweep for each other. Alone, each makes all its calls.
  const alone = cases.filter(({ name }) => unreached.includes(name))
  await judgeAlone(alone)
  console.info(`${cases.length} faults in ${Object.keys(FLOWS).length} flows, ${alone.length} of them met alone`)
})

test('the same for uploads that services of the operator check or hear of, whatever becomes of the calls to these', async () => {
  const cases = await casesOfAll(OPERATOR_FLOWS, { firstFate: 3, allFatesOf: 'fetch' })
  const { problems, unreached } = await judge(cases)
  expect(problems).toEqual([])
  await judgeAlone(cases.filter(({ name }) => unreached.includes(name)))
})

test('the same for flows that run alone: deletes of cached content, and comparisons', async () => {
  await judgeAlone(await casesOfAll(LONE_FLOWS, { firstFate: 0 }))
})
