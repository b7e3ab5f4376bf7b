import { expect, test } from 'vitest'
import { probe } from '../../src/probe.ts'
import { anmf, join, orientationExif, vp8, vp8l, vp8x, webp, webpChunk } from './made.ts'

const ANIMATION = 0x02
const EXIF = 0x08
const ALPHA = 0x10
const ALPH = webpChunk('ALPH', 'alpha')

test('a WebP tells its size and coding', () => {
  expect(probe(webp(vp8()))).toEqual({
    format: 'webp',
    size: { width: 24, height: 16 },
    coding: 'lossy',
    orientation: 1,
    animated: false,
    alpha: false,
  })
})

/** The file with a RIFF size of one less. */
function shorterRiff(file: Uint8Array): Uint8Array {
  return file.with(4, (file[4] ?? 0) - 1)
}

test.each([
  ['lossless', [vp8l()], { coding: 'lossless', size: { width: 24, height: 16 }, alpha: false }],
  ['lossless with alpha', [vp8l(24, 16, true)], { coding: 'lossless', alpha: true }],
  ['as wide as can be', [vp8l(16384, 6000)], { size: { width: 16384, height: 6000 } }],
  ['scaled by its reader', [vp8(24 + 0x4000, 16 + 0x8000)], { size: { width: 24, height: 16 } }],
  ['extended', [vp8x(0), vp8()], { size: { width: 24, height: 16 }, coding: 'lossy', alpha: false }],
  ['with an alpha flag', [vp8x(ALPHA), vp8()], { alpha: true }],
  ['with an alpha chunk', [vp8x(0), ALPH, vp8()], { coding: 'lossy', alpha: true }],
  ['turned', [vp8x(EXIF), vp8(), webpChunk('EXIF', orientationExif(6))], { orientation: 6 }],
  [
    'turned, with the prefix of JPEG',
    [vp8x(EXIF), vp8(), webpChunk('EXIF', 'Exif\0\0', orientationExif(6))],
    { orientation: 6 },
  ],
  [
    'with an animation of one frame',
    [vp8x(ANIMATION), anmf(vp8())],
    { animated: false, coding: 'lossy', alpha: false },
  ],
  [
    'with an animation of two frames',
    [vp8x(ANIMATION), anmf(vp8l()), anmf(vp8())],
    { animated: true, coding: 'lossless' },
  ],
  [
    'whose first frame is smaller',
    [vp8x(ANIMATION), anmf(vp8(8, 8))],
    { size: { width: 24, height: 16 }, alpha: true },
  ],
  ['whose first frame has alpha', [vp8x(ANIMATION), anmf(ALPH, vp8())], { alpha: true }],
  ['with frames but no animation', [vp8x(0), anmf(vp8()), anmf(vp8()), vp8()], { animated: false }],
])('a WebP %s is read', (_, chunks, facts) => {
  expect(probe(webp(...chunks))).toMatchObject(facts)
})

test.each([
  ['16383 x 16383 pixels in 28 bytes', webp(vp8l(16383, 16383)).subarray(0, 28), 'over_budget'],
  ['a canvas over 100 megapixels', webp(vp8x(ANIMATION, 10_001, 10_000), anmf(vp8())), 'over_budget'],
  ['a first frame over 100 megapixels', webp(vp8x(ANIMATION), anmf(vp8l(16384, 16384))), 'over_budget'],
  ['no width', webp(vp8(0, 16)), 'unreadable'],
  ['an interframe', webp(vp8().with(8, 1)), 'unreadable'],
  ['a wrong start code', webp(vp8().with(11, 0)), 'unreadable'],
  ['a wrong lossless signature', webp(vp8l().with(8, 0)), 'unreadable'],
  ['lossless version 1', webp(vp8l().with(12, 0x20)), 'unreadable'],
  ['another first chunk', webp(webpChunk('ICCP', 'profile'), vp8()), 'unreadable'],
  ['no chunk', webp(), 'unreadable'],
  ['no picture', webp(vp8x(0), ALPH), 'unreadable'],
  ['an animation of no frame', webp(vp8x(ANIMATION), vp8()), 'unreadable'],
  ['a picture smaller than its canvas', webp(vp8x(0, 25, 16), vp8()), 'unreadable'],
  ['a last chunk without its padding byte', webp(vp8(), webpChunk('EXIF', 'odd')).subarray(0, -1), 'unreadable'],
  ['a RIFF size without that byte', shorterRiff(webp(vp8(), webpChunk('EXIF', 'odd'))), 'unreadable'],
  ['a picture after its RIFF size', join(webp(vp8x(0)), vp8()), 'unreadable'],
])('a WebP with %s is refused', (_, bytes, reason) => {
  expect(() => probe(bytes)).toThrow(expect.objectContaining({ reason }))
})

test.each([
  ['RIFF of another kind', join(webp(vp8()).subarray(0, 8), 'WAVE')],
  ['RIFF alone', webp(vp8()).subarray(0, 9)],
])('%s is no known signature', (_, bytes) => {
  expect(probe(bytes)).toBeUndefined()
})
