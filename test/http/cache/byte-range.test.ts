import { expect, test } from 'vitest'
import { parseByteRange } from '../../../src/http/cache/byte-range.ts'

test.each([
  [null, undefined],
  ['bytes=0-0', { offset: 0, length: 1 }],
  ['bytes=0-99', { offset: 0, length: 100 }],
  ['bytes=0-1000', { offset: 0, length: 100 }],
  ['bytes=99-', { offset: 99, length: 1 }],
  ['Bytes=10-19', { offset: 10, length: 10 }],
  ['bytes=-1', { offset: 99, length: 1 }],
  ['bytes=-1000', { offset: 0, length: 100 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=100-200', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=99999999999999999999-', 'unsatisfiable'],
  ['bytes=5-4', undefined],
  ['bytes=0-1,3-4', undefined],
  ['bytes=-', undefined],
  ['bytes=a-b', undefined],
  ['items=0-1', undefined],
  ['', undefined],
])('%o of 100 bytes is %o (RFC 9110, 14.1.2)', (field, range) => {
  expect(parseByteRange(field, 100)).toEqual(range)
})
