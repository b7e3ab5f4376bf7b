import { describe, expect, test } from 'vitest'
import { below, seededRandom } from '../../../../../test/support/random.ts'
import { Status } from '../../../../assembly/status.ts'
import { decodeRgba, newDecoder } from './decoder.ts'
import { type Coding, makeGif, type Wanted } from './made-gif.ts'

const decoder = newDecoder()
const random = seededRandom(14)
const colours = Buffer.from(Array.from({ length: 768 }, () => below(256, random)))

/** Runs of random indices, so that strings get long. */
function someIndices(count: number, limit: number): number[] {
  const indices: number[] = []
  while (indices.length < count) {
    const index = below(limit, random)
    for (let run = below(random() < 0.1 ? 60 : 3, random); run >= 0 && indices.length < count; run--)
      indices.push(index)
  }
  return indices
}

/** The screen, enlarged to an image that reaches beyond it. */
function shownSize({ screen, image }: Wanted): [width: number, height: number] {
  const [left, top, across, down] = image
  return [Math.max(screen[0], left + across), Math.max(screen[1], top + down)]
}

/** Returns the expected pixels: a screen without an image is transparent. */
function appearance(wanted: Wanted): Buffer {
  const { image, indices, globalColours, localColours, transparent } = wanted
  const [width, height] = shownSize(wanted)
  const [left, top, across, down] = image
  const isOpaque = transparent === undefined && left === 0 && top === 0 && across >= width && down >= height
  const rgba = Buffer.alloc(width * height * 4)
  const table = localColours ?? globalColours ?? Buffer.from([0, 0, 0, 255, 255, 255])
  for (let pixel = 0; pixel < width * height; pixel++) {
    const x = (pixel % width) - left
    const y = Math.floor(pixel / width) - top
    const inside = x >= 0 && x < across && y >= 0 && y < down
    const index = inside ? (indices[y * across + x] ?? 0) : -1
    const seen = inside && index !== transparent
    const colour = seen ? [0, 1, 2].map((c) => table[index * 3 + c] ?? 0) : [0, 0, 0]
    rgba.set([...colour, seen || isOpaque ? 255 : 0], pixel * 4)
  }
  return rgba
}

function assertDecodes(wanted: Wanted): void {
  const [width, height] = shownSize(wanted)
  const { status, rgba } = decodeRgba(decoder, makeGif(wanted), width, height)
  const expected = appearance(wanted)
  expect(status).toBe(Status.Ok)
  expect(
    rgba.findIndex((sample, at) => sample !== expected[at]),
    'the first byte that differs',
  ).toBe(-1)
}

describe('an image decodes to its pixels when it', () => {
  const plain = {
    screen: [30, 20],
    image: [0, 0, 30, 20],
    indices: someIndices(600, 256),
    globalColours: colours,
  } as const
  const four = { ...plain, indices: someIndices(600, 4), globalColours: colours.subarray(0, 12) } as const
  const rows: [string, Wanted][] = [
    ['fills the screen', plain],
    ['has a local colour table', { ...plain, localColours: Buffer.from(colours).reverse() }],
    ['has only a local colour table', { ...four, globalColours: undefined, localColours: colours.subarray(0, 12) }],
    ['has no colour table', { screen: [4, 2], image: [0, 0, 4, 2], indices: [0, 1, 1, 0, 1, 0, 0, 1] }],
    ['has indices beyond its colour table', { ...plain, globalColours: colours.subarray(0, 24) }],
    ['has a transparent index', { ...four, transparent: 2 }],
    ['has a transparent index beyond its colours', { ...four, transparent: 200 }],
    ['is smaller than the screen', { ...four, screen: [41, 33], image: [7, 9, 30, 20] }],
    [
      'is smaller than the screen and transparent',
      { ...four, screen: [41, 33], image: [7, 9, 30, 20], transparent: 0 },
    ],
    ['reaches beyond the screen', { ...four, screen: [25, 15], image: [10, 5, 30, 20] }],
    ['lies to the right of the screen', { ...four, screen: [9, 9], image: [9, 0, 30, 20] }],
    ['lies below the screen', { ...four, screen: [9, 9], image: [0, 9, 30, 20] }],
    ['is a single pixel', { screen: [1, 1], image: [0, 0, 1, 1], indices: [3], globalColours: colours }],
  ]
  for (const [name, wanted] of rows) test(name, () => assertDecodes(wanted))
})

describe('an interlaced image decodes to its pixels when it has', () => {
  for (const height of [1, 2, 3, 4, 5, 7, 8, 9, 16, 23]) {
    test(`${height} rows`, () => {
      const indices = someIndices(19 * height, 16)
      const image = [0, 0, 19, height] as const
      assertDecodes({ screen: [19, height], image, indices, globalColours: colours, interlaced: true })
    })
  }
  test('more rows than the screen', () => {
    const indices = someIndices(30 * 20, 4)
    assertDecodes({ screen: [21, 11], image: [2, 3, 30, 20], indices, globalColours: colours, interlaced: true })
  })
})

describe('indices are read when they are coded', () => {
  const rows: [string, number, Coding][] = [
    ['by codes of 2 bits and more', 2, { minimumBits: 1 }],
    ['by codes of 3 bits and more', 4, { minimumBits: 2 }],
    ['by codes of 9 bits and more', 256, { minimumBits: 8 }],
    ['by codes of 12 bits', 256, { minimumBits: 11 }],
    ['without a clear code at the start', 16, { minimumBits: 4, withoutFirstClear: true }],
    ['without an end of information code', 16, { minimumBits: 4, withoutEnd: true }],
    ['with many clear codes', 16, { minimumBits: 4, clearAfter: 3 }],
    ['with a full table that is never cleared', 256, { neverCleared: true }],
    ['in sub-blocks of one byte', 16, { minimumBits: 4, blockBytes: 1 }],
  ]
  for (const [name, limit, coding] of rows) {
    test(name, () => {
      const indices = someIndices(300 * 100, limit)
      assertDecodes({ screen: [300, 100], image: [0, 0, 300, 100], indices, globalColours: colours, coding })
    })
  }
  test('as one string longer than several rows', () => {
    const indices = new Array<number>(7 * 2000).fill(5)
    assertDecodes({ screen: [7, 2000], image: [0, 0, 7, 2000], indices, globalColours: colours })
  })
})

describe('a file that ends early', () => {
  const wanted = {
    screen: [40, 40],
    image: [0, 0, 40, 40],
    indices: someIndices(1600, 256),
    globalColours: colours,
  } as const
  const file = makeGif(wanted)
  test('keeps the rows that came, and the rest is transparent', () => {
    const { status, rgba } = decodeRgba(decoder, file.subarray(0, 1500), 40, 40)
    expect(status).toBe(Status.Ok)
    const whole = appearance(wanted)
    let came = 0
    while (came < rgba.length && rgba[came] === whole[came]) came++
    expect(came).toBeGreaterThan(40 * 4 * 4)
    expect(came).toBeLessThan(rgba.length)
    expect([...rgba.subarray(-4)]).toEqual([0, 0, 0, 0])
  })
  test('is transparent where nothing came if it has a transparent index', () => {
    const { rgba } = decodeRgba(decoder, makeGif({ ...wanted, transparent: 7 }).subarray(0, 1500), 40, 40)
    expect([...rgba.subarray(-4)]).toEqual([0, 0, 0, 0])
  })
})

describe('a file is refused', () => {
  const wanted = { screen: [4, 4], image: [0, 0, 4, 4], indices: someIndices(16, 4), globalColours: colours } as const
  const file = makeGif(wanted)
  const changed = (at: number, ...bytes: number[]): Buffer => {
    const copy = Buffer.from(file)
    copy.set(bytes, at)
    return copy
  }
  const imageAt = file.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 4, 0, 4, 0]))
  const dataAt = imageAt + 10
  const rows: [string, Buffer, number][] = [
    ['without bytes', Buffer.alloc(0), Status.Malformed],
    ['of version 88a', changed(4, 0x38), Status.Malformed],
    ['whose screen has no width', changed(6, 0, 0), Status.Malformed],
    ['whose screen has no height', changed(8, 0, 0), Status.Malformed],
    ['that ends in its colour table', file.subarray(0, 100), Status.NoPixels],
    ['that ends before its image', file.subarray(0, imageAt), Status.NoPixels],
    ['that ends in its image descriptor', file.subarray(0, dataAt - 1), Status.NoPixels],
    ['that ends before its data', file.subarray(0, dataAt), Status.NoPixels],
    ['that has no data', file.subarray(0, dataAt + 1), Status.NoPixels],
    ['that has something unknown in the place of its image', changed(imageAt, 0x77), Status.NoPixels],
    ['whose image has no width', changed(imageAt + 5, 0, 0), Status.NoPixels],
    ['whose image has 65535 by 65535 pixels', changed(imageAt + 5, 255, 255, 255, 255), Status.OverBudget],
    ['of minimum code size 0', changed(dataAt, 0), Status.Malformed],
    ['of minimum code size 12', changed(dataAt, 12), Status.Malformed],
    ['whose first code cannot be', changed(dataAt + 2, 0xff, 0xff), Status.NoPixels],
  ]
  for (const [name, bytes, status] of rows) {
    test(name, () => expect(decodeRgba(decoder, bytes, 4, 4).status).toBe(status))
  }
})
