import { expect, test } from 'vitest'
import { probe } from '../../src/probe.ts'
import { bytesBE, IDAT, IEND, ihdr, join, orientationExif, png, pngChunk } from './made.ts'

const acTL = (frames: number) => pngChunk('acTL', bytesBE(frames, 4), bytesBE(0, 4))

test('a PNG tells its size, colour type and depth', () => {
  expect(probe(png(ihdr(), IDAT, IEND))).toEqual({
    format: 'png',
    size: { width: 24, height: 16 },
    colourType: 2,
    bitDepth: 8,
    interlaced: false,
    transparent: false,
    orientation: 1,
    animated: false,
    alpha: false,
  })
})

test.each([
  ['interlaced', [ihdr({ rest: [0, 0, 1] }), IDAT], { interlaced: true }],
  [
    'RGBA',
    [ihdr({ colourType: 6, depth: 16 }), IDAT],
    { colourType: 6, bitDepth: 16, alpha: true, transparent: false },
  ],
  ['gray and alpha', [ihdr({ colourType: 4 }), IDAT], { alpha: true }],
  ['with a transparent colour', [ihdr(), pngChunk('tRNS', 'rrggbb'), IDAT], { transparent: true, alpha: true }],
  ['with tRNS after its pixels', [ihdr(), IDAT, pngChunk('tRNS', 'rrggbb')], { transparent: false, alpha: false }],
  ['turned', [ihdr(), pngChunk('eXIf', orientationExif(8)), IDAT], { orientation: 8 }],
  [
    'whose pixels come before its orientation',
    [ihdr(), IDAT, pngChunk('eXIf', orientationExif(3))],
    { orientation: 1 },
  ],
  ['with an animation of no frame', [ihdr(), acTL(0), IDAT], { animated: false }],
  ['with an animation of one frame', [ihdr(), acTL(1), IDAT], { animated: false }],
  ['with an animation of two frames', [ihdr(), acTL(2), IDAT], { animated: true }],
  ['with an animation announced too late', [ihdr(), IDAT, acTL(2)], { animated: false }],
  ['of 100 megapixels', [ihdr({ width: 100_000_000, height: 1 }), IDAT], { size: { width: 100_000_000, height: 1 } }],
])('a PNG %s is read', (_, chunks, facts) => {
  expect(probe(png(...chunks, IEND))).toMatchObject(facts)
})

/** PNG 3rd edition, table 12. */
const DEPTHS: [colourType: number, depths: number[]][] = [
  [0, [1, 2, 4, 8, 16]],
  [1, []],
  [2, [8, 16]],
  [3, [1, 2, 4, 8]],
  [4, [8, 16]],
  [5, []],
  [6, [8, 16]],
  [7, []],
]
test.each(DEPTHS)('colour type %i goes with %o bits alone', (colourType, depths) => {
  for (let depth = 0; depth <= 17; depth++) {
    const read = () => probe(png(ihdr({ colourType, depth }), IDAT))
    if (depths.includes(depth)) expect(read()).toMatchObject({ colourType, bitDepth: depth })
    else expect(read).toThrow(`a PNG must not have colour type ${colourType} with ${depth} bits a sample`)
  }
})

const methods = 'a PNG must use the compression, filter and interlace methods of its standard'
const header = 'a PNG must begin with a header chunk whose checksum is right'
test.each([
  [
    'no width',
    [ihdr({ width: 0 }), IDAT],
    'unreadable',
    'each side of a picture must be at least 1 pixel: received 0 x 16',
  ],
  [
    '900 megapixels',
    [ihdr({ width: 30_000, height: 30_000 }), IDAT],
    'over_budget',
    'a picture must have at most 100 megapixels: received 30000 x 30000',
  ],
  [
    'one pixel over 100 megapixels',
    [ihdr({ width: 100_000_001, height: 1 }), IDAT],
    'over_budget',
    /^a picture must have at most 100/,
  ],
  ['compression method 1', [ihdr({ rest: [1, 0, 0] }), IDAT], 'unreadable', methods],
  ['filter method 1', [ihdr({ rest: [0, 1, 0] }), IDAT], 'unreadable', methods],
  ['interlace method 2', [ihdr({ rest: [0, 0, 2] }), IDAT], 'unreadable', methods],
  ['another first chunk', [pngChunk('CgBI', 'four'), ihdr(), IDAT], 'unreadable', header],
  ['a wrong checksum', [ihdr().with(24, 7), IDAT], 'unreadable', header],
  ['nothing but a signature', [], 'unreadable', header],
  ['no pixels', [ihdr(), IEND], 'unreadable', 'the PNG ends before its picture begins'],
  ['pixels after its end', [ihdr(), IEND, IDAT], 'unreadable', 'the PNG ends before its picture begins'],
] as const)('a PNG with %s is refused', (_, chunks, reason, message) => {
  expect(() => probe(png(...chunks))).toThrow(
    expect.objectContaining({ reason, message: expect.stringMatching(message) }),
  )
})

test('a PNG cut within its pixels is read, cut before them refused', () => {
  const whole = png(ihdr(), IDAT, IEND)
  const pixelsAt = 33 + 8
  expect(probe(whole.subarray(0, pixelsAt))).toMatchObject({ format: 'png' })
  expect(() => probe(whole.subarray(0, pixelsAt - 1))).toThrow('the PNG ends before its picture begins')
})

test('seven bytes of its signature are not a PNG', () => {
  expect(probe(join('\x89PNG\r\n\x1a'))).toBeUndefined()
})
