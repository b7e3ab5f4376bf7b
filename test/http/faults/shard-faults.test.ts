import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyStore } from '../../domain/store.ts'
import { FLOWS } from './flows.ts'
import { casesOfAll, IS_WHOLE, judge, judgeAlone, prepareIsolate } from './matrix.ts'
import { useOneShard, useSecondShard } from './struck-service.ts'

beforeAll(useSecondShard)
prepareIsolate()
afterAll(useOneShard)

test('after any failed call of a flow, every acknowledged effect holds, with content on a second shard and keys on the first', async () => {
  // All faults of all flows at once have more images than may wait.
  const groups = IS_WHOLE ? Object.entries(FLOWS).map(([name, flow]) => ({ [name]: flow })) : [FLOWS]
  for (const group of groups) {
    // The calls that faults.test.ts leaves out.
    const cases = await casesOfAll(group, { firstFate: 5, calls: 'odd' })
    const { problems, unreached } = await judge(cases)
    expect(problems).toEqual([])
    await judgeAlone(cases.filter(({ name }) => unreached.includes(name)))
    await emptyStore()
  }
})
