import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyStore } from '../../domain/store.ts'
import { FLOWS } from './flows.ts'
import { casesOfAll, IS_WHOLE, judge, judgeAlone, prepareIsolate } from './matrix.ts'
import { useOneShard, useSecondShard } from './struck-service.ts'

beforeAll(useSecondShard)
prepareIsolate()
afterAll(useOneShard)

test('whichever call of a flow goes wrong where all is kept on a second shard, and keys on the first, no promise is broken', async () => {
  // All faults of all flows at once are more pictures than may wait.
  const groups = IS_WHOLE ? Object.entries(FLOWS).map(([name, flow]) => ({ [name]: flow })) : [FLOWS]
  for (const group of groups) {
    // Other faults than those that the calls meet on the first shard.
    const cases = await casesOfAll(group, 5)
    const { problems, unreached } = await judge(cases)
    expect(problems).toEqual([])
    await judgeAlone(cases.filter(({ name }) => unreached.includes(name)))
    await emptyStore()
  }
})
