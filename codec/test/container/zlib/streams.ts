import { constants } from 'node:zlib'

/** Bytes after a stream, which must not stay. */
export const TAIL = Uint8Array.of(0x53, 0x45, 0x43, 0x52, 0x45, 0x54)

/** Bytes of a text that repeats itself, of noise, or of one value. */
export const DATA: [string, Uint8Array][] = [
  ['nothing', new Uint8Array()],
  ['zeros', new Uint8Array(300_000)],
  ['a ramp', Uint8Array.from({ length: 70_000 }, (_, i) => (i >> 3) & 0xff)],
  ['a mixture', Uint8Array.from({ length: 200_000 }, (_, i) => (i % 7 === 0 ? (i * i * 31) >> 5 : i >> 9) & 0xff)],
  ['noise', noise(150_000)],
]

export function noise(length: number): Uint8Array {
  let state = 1
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  })
}

/** Options of zlib that lead to blocks of all kinds. */
export const CODINGS = [
  { level: 0 },
  { level: 1 },
  { level: 6 },
  { level: 9 },
  { strategy: constants.Z_FIXED },
  { strategy: constants.Z_HUFFMAN_ONLY },
  { strategy: constants.Z_RLE, memLevel: 1 },
]
