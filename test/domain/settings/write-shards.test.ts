import { expect, test } from 'vitest'
import { parseWriteShards } from '../../../src/domain/settings/write-shards.ts'

test.each([
  ['0', [0]],
  ['0,2', [0, 2]],
  [' 1 , 31 ', [1, 31]],
])('%j', (setting, shards) => {
  expect(parseWriteShards(setting)).toEqual(shards)
})

test.each(['', ',', 'a', '-1', '1.5', '32', '01', '1;2'])('%j is rejected, and quoted', (setting) => {
  expect(() => parseWriteShards(setting)).toThrow(/^WRITE_SHARDS must be numbers of shards from 0 to 31 .*: received "/)
})
