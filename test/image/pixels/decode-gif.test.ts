import { describe, expect, test } from 'vitest'
import { decodeGif } from '../../../src/image/pixels/decode-gif.ts'
import { probeGif } from '../../../src/image/probe/gif.ts'
import { type GifFrame, gif, readTiles, seededBytes } from '../pictures.ts'

const CANVAS = { width: 4, height: 4 }

describe('the first frame on its canvas', () => {
  test.each<[string, GifFrame, string[]]>([
    [
      'as large as the canvas',
      { ...CANVAS, indices: rows('0123', '1230', '2301', '3012') },
      ['RGBW', 'GBWR', 'BWRG', 'WRGB'],
    ],
    [
      'smaller: the rest is see-through',
      { left: 1, top: 2, width: 2, height: 1, indices: [0, 3] },
      ['    ', '    ', ' RW ', '    '],
    ],
    [
      'partly outside',
      { left: 3, top: 3, width: 2, height: 2, indices: [0, 1, 2, 3] },
      ['    ', '    ', '    ', '   R'],
    ],
    ['wholly outside', { left: 9, top: 9, width: 1, height: 1, indices: [0] }, ['    ', '    ', '    ', '    ']],
    [
      'with a transparent colour',
      { ...CANVAS, transparentIndex: 1, indices: rows('0101', '1010', '0101', '1010') },
      ['R R ', ' R R', 'R R ', ' R R'],
    ],
    [
      'interlaced',
      { ...CANVAS, interlaced: true, indices: rows('0000', '1111', '2222', '3333') },
      ['RRRR', 'GGGG', 'BBBB', 'WWWW'],
    ],
  ])('%s', (_, frame, expected) => {
    expect(readTiles(decode(gif(CANVAS, [frame])), 4, 4)).toEqual(expected)
  })

  test('interlaced with rows of all four passes', () => {
    const indices = Array.from({ length: 17 }, (_, y) => y % 4)
    const raster = decode(gif({ width: 1, height: 17 }, [{ width: 1, height: 17, interlaced: true, indices }]))
    expect(readTiles(raster, 1, 17).join('')).toBe('RGBWRGBWRGBWRGBWR')
  })

  test('only the first of several', () => {
    const [first, second] = [0, 1].map((index) => ({ ...CANVAS, indices: Array(16).fill(index) }))
    expect(
      readTiles(
        decode(
          gif(
            CANVAS,
            [first, second].flatMap((frame) => frame ?? []),
          ),
        ),
        1,
        1,
      ),
    ).toEqual(['R'])
  })
})

test('codes that stand for strings, also for the one just being defined', () => {
  // Codes of 3, then 4 bits: clear 4, 1, 6 = "1 1" (being defined), 7 = "1 1 1", end 5; low bits first.
  const data = [0b10_001_100, 0b0101_111_1]
  expect(readTiles(decode(gifOfData({ width: 6, height: 1 }, data)), 6, 1)).toEqual(['GGGGGG'])
})

describe('damage', () => {
  test('rows before it are kept', () => {
    const frame = { ...CANVAS, indices: Array(16).fill(2), missingBytes: 5 }
    const [first, , , last] = readTiles(decode(gif(CANVAS, [frame])), 4, 4)
    expect([first, last]).toEqual(['BBBB', '    '])
  })

  test.each([
    ['a code that nothing defined', [0b00_111_100]],
    ['no data', []],
    ['an end code at once', [0b101]],
  ])('without one pixel it is refused: %s', (_, data) => {
    expect(() => decode(gifOfData(CANVAS, data))).toThrow('its first frame has no pixels')
  })

  test.each([0, 12, 255])('a smallest code size of %i bits is refused', (minCodeBits) => {
    expect(() => decode(gifOfData(CANVAS, [0, 0, 0, 0], minCodeBits))).toThrow('its first frame has no pixels')
  })

  const SEED = 20
  test(`random data gives a picture or a refusal (seed ${SEED})`, () => {
    const nextByte = seededBytes(SEED)
    for (let i = 0; i < 300; i++) {
      const bytes = gifOfData(CANVAS, Array.from({ length: 40 }, nextByte), 2 + (i % 7))
      try {
        expect(decode(bytes).rgba.length).toBe(64)
      } catch (error) {
        expect(error).toMatchObject({ name: 'ImageRefusal' })
      }
    }
  })
})

test('a frame over the budget is refused before it is decoded, however small the canvas', () => {
  const bytes = gif(CANVAS, [{ width: 4001, height: 4000, indices: [0] }])
  expect(() => decode(bytes)).toThrow(expect.objectContaining({ reason: 'over_budget' }))
})

function decode(bytes: Uint8Array) {
  const facts = probeGif(bytes)
  if (!facts) throw new Error('the test made no GIF')
  return decodeGif(bytes, facts)
}

function rows(...digits: string[]): number[] {
  return [...digits.join('')].map(Number)
}

/** A GIF with these bytes as the compressed data of its frame, at most 255. */
function gifOfData(size: { width: number; height: number }, data: number[], minCodeBits = 2): Uint8Array {
  const plain = gif(size, [{ ...size, indices: [] }])
  const codeSizeAt = 13 + 12 + 10
  const block = data.length > 0 ? [data.length, ...data] : []
  return Uint8Array.of(...plain.subarray(0, codeSizeAt), minCodeBits, ...block, 0, 0x3b)
}
