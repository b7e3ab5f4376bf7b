import { deflateSync, inflateSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { concat } from '../../../src/bytes.ts'
import { measureZlib } from '../../../src/container/zlib/extent.ts'
import { smallBlocks } from './small-blocks.ts'
import { CODINGS, DATA, noise, TAIL } from './streams.ts'

test.each(DATA)('the end of a stream of %s is found, whatever follows', (_, data) => {
  for (const coding of CODINGS) {
    const stream = deflateSync(data, coding)
    const extent = { bytes: stream.length, inflatedBytes: data.length }
    expect(measureZlib([stream]), JSON.stringify(coding)).toEqual(extent)
    expect(measureZlib([concat([stream, TAIL])])).toEqual(extent)
    expect(measureZlib([stream, noise(100)])).toEqual(extent)
    const middle = stream.length >> 1
    const divided = [stream.subarray(0, 1), stream.subarray(1, 1), stream.subarray(1, middle), stream.subarray(middle)]
    expect(measureZlib([...divided, TAIL, TAIL])).toEqual(extent)
    const bytes = Array.from(stream.subarray(0, 5000), (byte) => Uint8Array.of(byte))
    expect(measureZlib([...bytes, stream.subarray(5000), TAIL])).toEqual(extent)
  }
})

test.each(DATA)('a stream of %s that is cut has no end', (_, data) => {
  for (const coding of CODINGS) {
    const stream = deflateSync(data, coding)
    for (let at = 0; at < stream.length; at += 1 + (stream.length >> 4))
      expect(measureZlib([stream.subarray(0, at)])).toBeUndefined()
    expect(measureZlib([stream.subarray(0, -1)])).toBeUndefined()
  }
})

test('a broken stream has none', () => {
  expect(measureZlib([Uint8Array.of(0x78, 0x9c, 0b111, 0, 0, 0, 0, 0)])).toBeUndefined()
  expect(measureZlib([noise(64)])).toBeUndefined()
})

test('very many small blocks with codes of their own allocate nothing each', () => {
  const stream = smallBlocks(1000)
  expect(inflateSync(stream)).toHaveLength(1000)
  const made = vi.spyOn(globalThis, 'Uint16Array')
  expect(measureZlib([stream, TAIL])).toEqual({ bytes: stream.length, inflatedBytes: 1000 })
  expect(made.mock.calls.length).toBeLessThan(30)
  made.mockRestore()
})

test.each([
  ['a literal code with unused bits', { literals: [2, 2] }],
  ['more codes than bits', { literals: [1, 1, 1] }],
  ['a distance code with unused bits', { distances: [2, 2] }],
])('a stream with %s is broken, as for zlib', (_, codes) => {
  const stream = smallBlocks(1, codes)
  expect(() => inflateSync(stream)).toThrow('invalid')
  expect(measureZlib([stream])).toBeUndefined()
})
