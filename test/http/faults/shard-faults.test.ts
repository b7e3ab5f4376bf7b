import { afterAll, beforeAll, expect, test } from 'vitest'
import { FLOWS } from './flows.ts'
import { casesOfAll, judge, judgeAlone, prepareIsolate } from './matrix.ts'
import { useOneShard, useSecondShard } from './struck-service.ts'

beforeAll(useSecondShard)
prepareIsolate()
afterAll(useOneShard)

test('whichever call of a flow goes wrong where all is kept on a second shard, and keys on the first, no promise is broken', async () => {
  const cases = await casesOfAll(FLOWS, 9)
  const { problems, unreached } = await judge(cases)
  expect(problems).toEqual([])
  await judgeAlone(cases.filter(({ name }) => unreached.includes(name)))
})
