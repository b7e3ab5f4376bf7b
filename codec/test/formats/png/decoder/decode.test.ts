import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../../../test/support/random.ts'
import { Status } from '../../../../assembly/status.ts'
import { decodeRgba, newDecoder } from './decoder.ts'
import { makeImage, type Wanted } from './made-image.ts'

const decoder = newDecoder()

/** All combinations of colour type and depth that PNG has (11.2.1). */
const KINDS = [
  [0, [1, 2, 4, 8, 16]],
  [2, [8, 16]],
  [3, [1, 2, 4, 8]],
  [4, [8, 16]],
  [6, [8, 16]],
] as const

function assertSimilar(actual: Buffer, expected: Buffer, message: string): void {
  expect(actual.length).toBe(expected.length)
  const off = expected.findIndex((sample, i) => Math.abs((actual[i] ?? 0) - sample) > tolerance(i % 4, expected[i | 3]))
  expect(off, `${message}: the first byte that is off is ${actual[off]}, not ${expected[off]}`).toBe(-1)
}

/** Alpha between 0 and 255 multiplies the colours and divides them again, which costs their low bits. */
function tolerance(channel: number, alpha = 0): number {
  if (channel === 3 || alpha === 255) return 0
  return alpha === 0 ? 255 : Math.ceil(128 / alpha)
}

describe('an image decodes to its pixels', () => {
  for (const [colourType, depths] of KINDS) {
    for (const depth of depths) {
      for (const interlaced of [false, true]) {
        for (const transparent of colourType < 4 ? [false, true] : [false]) {
          const name = `colour type ${colourType}, ${depth} bits${interlaced ? ', Adam7' : ''}${transparent ? ', tRNS' : ''}`
          test(name, () => {
            const seed = colourType * 100 + depth
            const random = seededRandom(seed)
            for (const [width, height] of [
              [1, 1],
              [2, 9],
              [5, 3],
              [8, 8],
              [17, 6],
              [33, 35],
            ] as const) {
              const wanted: Wanted = { width, height, colourType, depth, interlaced, transparent }
              for (const partBytes of [1, 7, 100_000]) {
                const made = makeImage(wanted, partBytes, random)
                const { status, rgba } = decodeRgba(decoder, made, width, height)
                const message = `seed ${seed}, ${width} x ${height} in pieces of ${partBytes}`
                expect(status, message).toBe(Status.Ok)
                assertSimilar(rgba, made.rgba, message)
              }
            }
          })
        }
      }
    }
  }
})

const plain: Wanted = { width: 20, height: 10, colourType: 2, depth: 8, interlaced: false, transparent: false }
const made = makeImage(plain, 1000, seededRandom(1))
const pixels = Buffer.concat([...made.idats])
const indexed = makeImage({ ...plain, colourType: 3, depth: 2 }, 1000, seededRandom(1))

function ihdrWith(offset: number, ...bytes: number[]): Buffer {
  const ihdr = Buffer.from(made.ihdr)
  ihdr.set(bytes, offset)
  return ihdr
}

describe('an image is refused', () => {
  const rows = [
    ['without IHDR', { ...made, ihdr: Buffer.alloc(0) }, Status.Malformed],
    ['whose IHDR is too long', { ...made, ihdr: Buffer.concat([made.ihdr, made.ihdr]) }, Status.Malformed],
    ['of width 0', { ...made, ihdr: ihdrWith(0, 0, 0, 0, 0) }, Status.Malformed],
    ['of height 0', { ...made, ihdr: ihdrWith(4, 0, 0, 0, 0) }, Status.Malformed],
    ['of width 2^31', { ...made, ihdr: ihdrWith(0, 0x80, 0, 0, 0) }, Status.Malformed],
    ['of width 2^31 - 1', { ...made, ihdr: ihdrWith(0, 0x7f, 255, 255, 255) }, Status.OverBudget],
    ['of 3 bits a sample', { ...made, ihdr: ihdrWith(8, 3) }, Status.Malformed],
    ['of colour type 1', { ...made, ihdr: ihdrWith(9, 1) }, Status.Malformed],
    ['of 4 bits a sample in RGB', { ...made, ihdr: ihdrWith(8, 4) }, Status.Malformed],
    ['of compression method 1', { ...made, ihdr: ihdrWith(10, 1) }, Status.Malformed],
    ['of filter method 1', { ...made, ihdr: ihdrWith(11, 1) }, Status.Malformed],
    ['of interlace method 2', { ...made, ihdr: ihdrWith(12, 2) }, Status.Malformed],
    ['whose palette is not there', { ...indexed, plte: undefined }, Status.Malformed],
    ['whose palette has four bytes', { ...indexed, plte: Buffer.alloc(4) }, Status.Malformed],
    ['of filter type 5', { ...made, idats: [Buffer.from(pixels).fill(5, 0, 1)] }, Status.Malformed],
    ['that lacks its last byte', { ...made, idats: [pixels.subarray(0, -1)] }, Status.Malformed],
    ['without pixels', { ...made, idats: [] }, Status.Malformed],
  ] as const
  for (const [name, parts, expected] of rows) {
    test(name, () => expect(decodeRgba(decoder, parts, 20, 10).status).toBe(expected))
  }
})

describe('an image is decoded in spite of', () => {
  const expected = decodeRgba(decoder, made, 20, 10).rgba
  const rows = [
    ['bytes after the last row', { ...made, idats: [pixels, Buffer.alloc(100)] }],
    ['a tRNS chunk of the wrong size', { ...made, trns: Buffer.alloc(5) }],
  ] as const
  for (const [name, parts] of rows) {
    test(name, () => expect(decodeRgba(decoder, parts, 20, 10)).toStrictEqual({ status: Status.Ok, rgba: expected }))
  }
})

test('an index beyond the palette is opaque black', () => {
  const short = { ...indexed, plte: Buffer.from([9, 9, 9]) }
  const { status, rgba } = decodeRgba(decoder, short, 20, 10)
  expect(status).toBe(Status.Ok)
  const colours = new Set(Array.from({ length: 200 }, (_, i) => rgba.readUInt32BE(i * 4).toString(16)))
  expect([...colours].sort()).toEqual(['90909ff', 'ff'])
})

test('an interlaced image is refused if its canvas exceeds the budget, and fits when it is wanted smaller', () => {
  const parts = makeImage({ ...plain, width: 200, height: 100, interlaced: true }, 10_000, seededRandom(2))
  expect(decodeRgba(decoder, parts, 200, 100, 60_000).status).toBe(Status.Ok)
  expect(decodeRgba(decoder, parts, 200, 100, 59_999).status).toBe(Status.OverBudget)
  expect(decodeRgba(decoder, parts, 20, 10, 59_999).status).toBe(Status.Ok)
})
