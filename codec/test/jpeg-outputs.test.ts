import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { photo } from '../../test/support/photo.ts'
import { HELD_OUTPUTS_MAX_BYTES, HELD_PREVIEW_MAX_BYTES } from '../src/pixels/budget.ts'
import { passesOf } from '../src/pixels/webp-outputs.ts'
import { probe } from '../src/probe.ts'
import { codec } from './codec.ts'
import { psnr } from './psnr.ts'

/** Outputs that are JPEGs where nothing of them is transparent. */

const [WIDTH, HEIGHT] = [803, 601]
const JPEG = { width: 320, height: 320, quality: 90, prefersJpeg: true }
const THUMBNAIL = { width: 61, height: 61, quality: 80 }
const LARGE = { width: 640, height: 640, quality: 90, keepsProfile: true }

const opaque = (grain?: number) =>
  sharp(photo(WIDTH, HEIGHT, 7, grain), { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
const withAlpha = (alpha: number) =>
  opaque().joinChannel(Buffer.alloc(WIDTH * HEIGHT, alpha), { raw: { width: WIDTH, height: HEIGHT, channels: 1 } })

const rgbOf = (bytes: Uint8Array, change = (image: Sharp) => image) =>
  change(sharp(bytes)).removeAlpha().toColourspace('srgb').raw().toBuffer()

describe.each<[string, () => Sharp]>([
  ['a JPEG', () => opaque().jpeg({ quality: 95 })],
  ['a JPEG on its side', () => opaque().jpeg({ quality: 95 }).withMetadata({ orientation: 6 })],
  ['a progressive JPEG', () => opaque().jpeg({ quality: 95, progressive: true })],
  ['a grey JPEG', () => opaque().greyscale().jpeg({ quality: 95 })],
  ['a PNG whose alpha is opaque', () => withAlpha(255).png()],
  ['a lossy WebP', () => opaque().webp({ quality: 95 })],
  ['a JPEG in Display P3', () => opaque().jpeg({ quality: 95 }).withIccProfile('p3')],
  ['a PNG in Display P3', () => opaque().png().withIccProfile('p3')],
])('of %s', (_, make) => {
  test.each([
    ['beside a thumbnail', [JPEG, THUMBNAIL]],
    ['beside a larger WebP', [LARGE, JPEG, THUMBNAIL]],
    ['alone', [JPEG]],
  ])('it has the right pixels in sRGB and no metadata, %s', async (_case, wanted) => {
    const bytes = await make().toBuffer()
    const files = await codec.outputs(bytes, wanted)
    expect(files.map(({ format }) => format)).toEqual(wanted.map((one) => (one === JPEG ? 'jpeg' : 'webp')))
    const { bytes: made, size } = files[wanted.indexOf(JPEG)] ?? { bytes, size: { width: 0, height: 0 } }
    expect(probe(made)).toMatchObject({ format: 'jpeg', size, orientation: 1 })
    const { icc, exif, ...metadata } = await sharp(made).metadata()
    expect([icc, exif, metadata.chromaSubsampling]).toEqual([undefined, undefined, '4:2:0'])
    const expected = await rgbOf(bytes, (image) => image.autoOrient().resize({ ...size, fit: 'fill' }))
    expect(psnr(await rgbOf(made), expected)).toBeGreaterThan(33)
  })
})

test('an image with transparency becomes a WebP that keeps it', async () => {
  const [file] = await codec.outputs(await withAlpha(128).png().toBuffer(), [JPEG, THUMBNAIL])
  const { data, info } = await sharp(file?.bytes).raw().toBuffer({ resolveWithObject: true })
  expect([file?.format, info.channels, data[3]]).toEqual(['webp', 4, 128])
})

describe('a limit of bytes', () => {
  test.each([
    ['a JPEG', () => opaque(60).png(), 'jpeg'],
    ['a WebP', () => withAlpha(200).png(), 'webp'],
  ])('lowers the quality of %s until it fits', async (_, make, format) => {
    const bytes = await make().toBuffer()
    const [free] = await codec.outputs(bytes, [JPEG, THUMBNAIL])
    const sizes: number[] = []
    for (const share of [0.8, 0.5, 0.25]) {
      const maxBytes = Math.floor((free?.bytes.length ?? 0) * share)
      const [within, thumbnail] = await codec.outputs(bytes, [{ ...JPEG, maxBytes }, THUMBNAIL])
      expect(within?.format).toBe(format)
      expect(within?.bytes.length).toBeLessThanOrEqual(maxBytes)
      expect(thumbnail).toEqual((await codec.outputs(bytes, [THUMBNAIL]))[0])
      sizes.push(within?.bytes.length ?? 0)
    }
    expect(sizes.toSorted((a, b) => b - a)).toEqual(sizes)
  })

  test('that is not reached changes nothing', async () => {
    const bytes = await opaque().jpeg({ quality: 95 }).toBuffer()
    const maxBytes = 1_000_000
    expect(await codec.outputs(bytes, [{ ...JPEG, maxBytes }, THUMBNAIL])).toEqual(
      await codec.outputs(bytes, [JPEG, THUMBNAIL]),
    )
  })
})

test('a preview beside an optimized file and a thumbnail is of one decode, and a thumbnail is as it is without', async () => {
  const of = (edge: number) => ({ size: { width: edge, height: edge }, quality: 80 })
  const [optimized, thumbnail] = [of(3840), of(500)]
  const preview = { ...of(1280), prefersJpeg: true, maxBytes: 300_000 }
  expect(passesOf([optimized, preview, thumbnail], HELD_PREVIEW_MAX_BYTES)).toEqual([[optimized, thumbnail, preview]])
  expect(passesOf([preview, thumbnail], HELD_PREVIEW_MAX_BYTES)).toEqual([[preview, thumbnail]])
  // Where the image leaves less memory, the preview has a decode of its own.
  expect(passesOf([optimized, preview, thumbnail], HELD_OUTPUTS_MAX_BYTES)).toEqual([[optimized, thumbnail], [preview]])
  const bytes = await opaque().jpeg({ quality: 95 }).toBuffer()
  const both = await codec.outputs(bytes, [LARGE, JPEG, THUMBNAIL])
  expect([both[0], both[2]]).toEqual(await codec.outputs(bytes, [LARGE, THUMBNAIL]))
})
