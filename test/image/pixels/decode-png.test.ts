import { describe, expect, test } from 'vitest'
import { concat, textBytes } from '../../../src/image/bytes.ts'
import { decodePng } from '../../../src/image/pixels/decode-png.ts'
import { encodePng } from '../../../src/image/pixels/encode-png.ts'
import { probePng } from '../../../src/image/probe/png.ts'
import { noise, type PngParts, pngChunk, pngFile, seededBytes, tiles } from '../pictures.ts'

const WIDTH = 11
const HEIGHT = 9
const SEED = 7

/** Samples a pixel of each colour type (PNG 3rd edition, table 12). */
const SAMPLES: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const DEPTHS: [type: string, colourType: number, depths: number[]][] = [
  ['gray', 0, [1, 2, 4, 8, 16]],
  ['RGB', 2, [8, 16]],
  ['palette', 3, [1, 2, 4, 8]],
  ['gray and alpha', 4, [8, 16]],
  ['RGBA', 6, [8, 16]],
]
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

describe('every colour type, depth and order of rows', () => {
  for (const [type, colourType, depths] of DEPTHS) {
    for (const depth of depths) {
      test.each([
        ['row by row', false],
        ['interlaced', true],
      ])(`${type} of ${depth} bits, %s`, (_, interlaced) => {
        const samples = SAMPLES[colourType] ?? 1
        const picture = randomSamples(WIDTH * HEIGHT * samples, depth)
        const palette = Uint8Array.from({ length: 3 * 2 ** Math.min(8, depth) }, seededBytes(SEED + 1))
        const file = pngFile({
          size: [WIDTH, HEIGHT],
          header: [depth, colourType, interlaced ? 1 : 0],
          chunks: colourType === 3 ? [['PLTE', palette]] : [],
          data: packed(picture, samples, depth, interlaced),
        })
        const expected = toRgba(picture, { colourType, depth, palette })
        expect([...decode(file)]).toEqual(expected)
      })
    }
  }
})

describe('a transparent colour (tRNS)', () => {
  test.each([
    ['gray of 2 bits', [2, 0, 0], [0, 2], [0b00_01_10_11], [255, 255, 0, 255]],
    ['gray of 16 bits: both bytes count', [16, 0, 0], [1, 2], [1, 1, 1, 2, 2, 2, 1, 3], [255, 0, 255, 255]],
    ['RGB', [8, 2, 0], [0, 9, 0, 8, 0, 7], [9, 8, 7, 9, 8, 8, 9, 8, 7, 0, 8, 7], [0, 255, 0, 255]],
    ['palette: alpha for each of the first entries', [2, 3, 0], [0, 128], [0b00_01_10_11], [0, 128, 255, 255]],
  ])('%s', (_, header, transparency, line, alphas) => {
    const chunks: PngParts['chunks'] = [
      ...(header[1] === 3 ? [['PLTE', new Uint8Array(12)] as const] : []),
      ['tRNS', Uint8Array.from(transparency)],
    ]
    const file = pngFile({ size: [4, 1], header, chunks, data: Uint8Array.of(0, ...line) })
    expect([...decode(file)].filter((__, i) => i % 4 === 3)).toEqual(alphas)
  })
})

test.each([0, 1, 2, 3, 4])('filter type %i is undone', (filter) => {
  // A gray picture of two rows. The second row by hand: filtered 10, 20, 30 over the row 50, 60, 80 (PNG 3rd edition, 9.2).
  const second =
    [
      [10, 20, 30],
      [10, 30, 60],
      [60, 80, 110],
      [35, 67, 103],
      [60, 80, 110],
    ][filter] ?? []
  const file = pngFile({ size: [3, 2], header: [8, 0, 0], data: Uint8Array.of(0, 50, 60, 80, filter, 10, 20, 30) })
  expect([...decode(file)].filter((_, i) => i % 4 === 0)).toEqual([50, 60, 80, ...second])
})

test('an index past the end of the palette is black', () => {
  const file = pngFile({
    size: [1, 1],
    header: [8, 3, 0],
    chunks: [['PLTE', Uint8Array.of(1, 2, 3)]],
    data: Uint8Array.of(0, 9),
  })
  expect([...decode(file)]).toEqual([0, 0, 0, 255])
})

describe('what is damaged', () => {
  const good = encodePng(noise({ width: 20, height: 20 }))
  const idatAt = 33
  test.each([
    ['a pixel byte, so that the checksum is wrong', changed(good, idatAt + 40)],
    ['the checksum itself', changed(good, good.length - 14)],
    ['the last bytes of the pixels are missing', good.subarray(0, good.length - 20)],
    ['half of the file is missing', good.subarray(0, good.length / 2)],
    ['a row too few', pngFile({ size: [3, 2], header: [8, 0, 0], data: Uint8Array.of(0, 1, 2, 3) })],
    ['an unknown filter', pngFile({ size: [1, 1], header: [8, 0, 0], data: Uint8Array.of(5, 0) })],
    ['no palette', pngFile({ size: [1, 1], header: [8, 3, 0], data: Uint8Array.of(0, 0) })],
    ['pixels that are no zlib data', withPixels(Uint8Array.of(1, 2, 3, 4))],
  ])('is refused: %s', (_, bytes) => {
    expect(() => decode(bytes)).toThrow(expect.objectContaining({ name: 'ImageRefusal', reason: 'unreadable' }))
  })

  test('an ancillary chunk is passed over', () => {
    const text = pngChunk('tEXt', textBytes('a\0b'))
    text[text.length - 1] = (text.at(-1) ?? 0) ^ 1
    expect(decode(concat([good.subarray(0, 33), text, good.subarray(33)]))).toEqual(decode(good))
  })

  test('a missing end is no damage', () => {
    expect(decode(good.subarray(0, good.length - 12))).toEqual(decode(good))
  })
})

test('data that inflates to far more than the picture is refused, not kept', () => {
  const bomb = pngFile({ size: [1, 1], header: [8, 0, 0], data: new Uint8Array(10_000_000) })
  expect(() => decode(bomb)).toThrow('cannot be read')
})

describe('encodePng', () => {
  test.each([
    ['opaque', noise({ width: 13, height: 7 })],
    ['with alpha', tiles(['R ', ' B'], { width: 5, height: 4 })],
    ['1 x 1', tiles(['G'], { width: 1, height: 1 })],
  ])('a picture comes back as it was: %s', (_, raster) => {
    expect(decode(encodePng(raster))).toEqual(raster.rgba)
  })
})

function decode(bytes: Uint8Array): Uint8ClampedArray {
  const facts = probePng(bytes)
  if (!facts) throw new Error('the test made no PNG')
  return decodePng(bytes, facts).rgba
}

function withPixels(compressed: Uint8Array): Uint8Array {
  const file = pngFile({ size: [1, 1], header: [8, 0, 0], data: new Uint8Array() })
  return concat([file.subarray(0, 33), pngChunk('IDAT', compressed)])
}

function changed(bytes: Uint8Array, at: number): Uint8Array {
  const copy = bytes.slice()
  copy[at] = (copy[at] ?? 0) ^ 0xff
  return copy
}

function randomSamples(count: number, depth: number): number[] {
  const nextByte = seededBytes(SEED)
  return Array.from({ length: count }, () => ((nextByte() << 8) | nextByte()) >> (16 - depth))
}

/** Unfiltered rows, those of the passes one after the other when interlaced, their samples packed high bits first. */
function packed(samples: number[], perPixel: number, depth: number, interlaced: boolean): Uint8Array {
  const rows: Uint8Array[] = []
  for (const [x0, y0, stepX, stepY] of interlaced ? PASSES : [[0, 0, 1, 1] as const]) {
    for (let y = y0; y < HEIGHT; y += stepY) {
      let bits = ''
      for (let x = x0; x < WIDTH; x += stepX) {
        const pixel = samples.slice((y * WIDTH + x) * perPixel, (y * WIDTH + x + 1) * perPixel)
        bits += pixel.map((sample) => sample.toString(2).padStart(depth, '0')).join('')
      }
      if (bits === '') continue
      const bytes = bits.match(/.{1,8}/g) ?? []
      rows.push(Uint8Array.of(0, ...bytes.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2))))
    }
  }
  return concat(rows)
}

function toRgba(
  samples: number[],
  { colourType, depth, palette }: { colourType: number; depth: number; palette: Uint8Array },
): number[] {
  const perPixel = SAMPLES[colourType] ?? 1
  const pixels = Array.from({ length: samples.length / perPixel }, (_, i) =>
    samples.slice(i * perPixel, (i + 1) * perPixel),
  )
  if (colourType === 3) return pixels.flatMap(([index = 0]) => [...palette.subarray(index * 3, index * 3 + 3), 255])
  return pixels
    .map((pixel) => pixel.map((sample) => Math.round((sample * 255) / (2 ** depth - 1))))
    .flatMap(([a = 0, b = 0, c = 0, d = 255]) => {
      if (colourType === 0) return [a, a, a, 255]
      return colourType === 4 ? [a, a, a, b] : [a, b, c, d]
    })
}
