import { constants, deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { concat } from '../../src/bytes.ts'
import { zlibEnd } from '../../src/container/zlib-end.ts'

const TAIL = Uint8Array.of(0x53, 0x45, 0x43, 0x52, 0x45, 0x54)

/** Bytes of a text that repeats itself, of noise, or of one value. */
const DATA: [string, Uint8Array][] = [
  ['nothing', new Uint8Array()],
  ['zeros', new Uint8Array(300_000)],
  ['a ramp', Uint8Array.from({ length: 70_000 }, (_, i) => (i >> 3) & 0xff)],
  ['a mixture', Uint8Array.from({ length: 200_000 }, (_, i) => (i % 7 === 0 ? (i * i * 31) >> 5 : i >> 9) & 0xff)],
  ['noise', noise(150_000)],
]

function noise(length: number): Uint8Array {
  let state = 1
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  })
}

const CODINGS = [
  { level: 0 },
  { level: 1 },
  { level: 6 },
  { level: 9 },
  { strategy: constants.Z_FIXED },
  { strategy: constants.Z_HUFFMAN_ONLY },
  { strategy: constants.Z_RLE, memLevel: 1 },
]

test.each(DATA)('the end of a stream of %s is found, whatever follows', (_, data) => {
  for (const coding of CODINGS) {
    const stream = deflateSync(data, coding)
    expect(zlibEnd([stream]), JSON.stringify(coding)).toBe(stream.length)
    expect(zlibEnd([concat([stream, TAIL])])).toBe(stream.length)
    expect(zlibEnd([stream, noise(100)])).toBe(stream.length)
    const middle = stream.length >> 1
    const divided = [stream.subarray(0, 1), stream.subarray(1, 1), stream.subarray(1, middle), stream.subarray(middle)]
    expect(zlibEnd([...divided, TAIL, TAIL])).toBe(stream.length)
    const bytes = Array.from(stream.subarray(0, 5000), (byte) => Uint8Array.of(byte))
    expect(zlibEnd([...bytes, stream.subarray(5000), TAIL])).toBe(stream.length)
  }
})

test.each(DATA)('a stream of %s that is cut has no end', (_, data) => {
  for (const coding of CODINGS) {
    const stream = deflateSync(data, coding)
    for (let at = 0; at < stream.length; at += 1 + (stream.length >> 6))
      expect(zlibEnd([stream.subarray(0, at)])).toBeUndefined()
    expect(zlibEnd([stream.subarray(0, -1)])).toBeUndefined()
  }
})

test('a broken stream has none', () => {
  expect(zlibEnd([Uint8Array.of(0x78, 0x9c, 0b111, 0, 0, 0, 0, 0)])).toBeUndefined()
  expect(zlibEnd([noise(64)])).toBeUndefined()
})
