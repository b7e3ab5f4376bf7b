import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { photo } from '../../../test/support/photo.ts'
import { codec } from '../codec.ts'
import { readFixture } from '../probe/fixtures.ts'
import { psnr } from '../psnr.ts'
import { imageOf, madeAvif } from './made-avif.ts'
import { bySharp } from './other-decoders.ts'
import { thumbnailOf } from './thumbnail-of.ts'

describe.each([
  ['4:2:0', false],
  ['4:4:4', false],
  ['4:2:0', true],
  ['4:4:4', true],
] as const)('a photograph of %s, alpha %s, made smaller is at least 40 dB like sharp’s', (chroma, alpha) => {
  test.each([
    [900, 600],
    [641, 427],
    [333, 500],
  ])('%i x %i', async (width, height) => {
    const bytes = await madeAvif({ width, height, chroma, alpha })
    const ours = await thumbnailOf(imageOf(bytes))
    expect(psnr(new Uint8Array(ours.rgba), await bySharp(bytes, ours)), 'in dB').toBeGreaterThanOrEqual(40)
  })
})

test.each([false, true])(
  'one made eight times smaller, without filters, is like all of it made smaller, alpha %s',
  async (alpha) => {
    const [width, height] = [960, 640]
    const image = imageOf(await madeAvif({ width, height, chroma: '4:2:0', alpha, quality: 40 }))
    const size = { width: width / 8, height: height / 8 }
    const [unfiltered, whole] = [await codec.pixels(image, size), await codec.pixels(image, { width, height })]
    const expected = await sharp(whole.rgba, { raw: { width, height, channels: 4 } })
      .resize(size.width, size.height, { kernel: 'lanczos3' })
      .raw()
      .toBuffer()
    expect(psnr(new Uint8Array(unfiltered.rgba), new Uint8Array(expected)), 'in dB').toBeGreaterThanOrEqual(40)
  },
)

test('colours that were multiplied by their alpha are those that were not', async () => {
  const [straight, multiplied] = await Promise.all(
    ['8-bit-420-alpha', 'premultiplied'].map((name) => {
      const bytes = new Uint8Array(readFixture('valid', `avif/${name}.avif`))
      return thumbnailOf(imageOf(bytes))
    }),
  )
  expect(psnr(new Uint8Array(multiplied?.rgba ?? []), new Uint8Array(straight?.rgba ?? [])), 'dB').toBeGreaterThan(32)
})

test('gray stays gray', async () => {
  const [width, height] = [300, 200]
  const gray = sharp(photo(width, height, 3), { raw: { width, height, channels: 3 } }).grayscale()
  const bytes = new Uint8Array(await gray.avif({ quality: 80, effort: 0 }).toBuffer())
  const { rgba } = await thumbnailOf(imageOf(bytes))
  for (let i = 0; i < rgba.length; i += 4) {
    const [red = 0, green = 0, blue = 0] = rgba.subarray(i, i + 3)
    if (Math.abs(red - green) > 1 || Math.abs(red - blue) > 1) expect([red, green, blue]).toEqual([red, red, red])
  }
})
