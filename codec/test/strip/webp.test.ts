import { expect, test } from 'vitest'
import { anmf, join, orientationExif, vp8, vp8l, vp8x, webp, webpChunk } from '../probe/made.ts'
import { strip } from './strip.ts'

const [ICC, ALPHA, EXIF, XMP, ANIMATION] = [0x20, 0x10, 0x08, 0x04, 0x02]
const exif = (...more: string[]) => webpChunk('EXIF', orientationExif(6), ...more)

test.each([
  ['lossy', webp(vp8())],
  ['lossless', webp(vp8l())],
  ['of odd length', webp(webpChunk('VP8 ', vp8().subarray(8), 'x'))],
  ['extended', webp(vp8x(ICC | ALPHA), webpChunk('ICCP', 'profile'), webpChunk('ALPH', 'a'), vp8())],
  ['animated', webp(vp8x(ANIMATION), webpChunk('ANIM', 'colour'), anmf(vp8()), anmf(vp8()))],
])('a WebP %s without metadata stays as it is', (_, bytes) => {
  expect(strip(bytes)).toEqual(bytes)
})

test('upright EXIF, XMP and unknown chunks go, and their flags', () => {
  const dropped = [webpChunk('EXIF', orientationExif(1)), webpChunk('XMP ', '<x/>'), webpChunk('SECR', 'secret')]
  expect(strip(webp(vp8x(ICC | EXIF | XMP), webpChunk('ICCP', 'profile'), vp8(), ...dropped))).toEqual(
    webp(vp8x(ICC), webpChunk('ICCP', 'profile'), vp8()),
  )
})

test('a turned WebP keeps nothing of EXIF but its orientation', () => {
  const bytes = webp(vp8x(EXIF | XMP), vp8(), webpChunk('XMP ', '<x/>'), exif('MakerNote'))
  expect(strip(bytes)).toEqual(webp(vp8x(EXIF), vp8(), exif()))
})

test('a flag is put right for EXIF that had none', () => {
  expect(strip(webp(vp8x(0), vp8(), exif('MakerNote')))).toEqual(webp(vp8x(EXIF), vp8(), exif()))
})

test('what follows the RIFF size goes', () => {
  expect(strip(join(webp(vp8()), 'more'))).toEqual(webp(vp8()))
})

test('chunks that do not belong beside a simple image go', () => {
  expect(strip(webp(vp8(), exif()))).toEqual(webp(vp8()))
})

test('a WebP whose image is cut short is refused', () => {
  expect(() => strip(webp(vp8()).subarray(0, -4))).toThrow('the WebP is cut short')
})
