import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { psnr } from '../../../psnr.ts'
import { photoImage, type TestImage } from '../../webp-lossless/decoder/made-images.ts'
import { fromPixels, pixelsOf } from '../../webp-lossless/decoder/sharp.ts'
import { alphasOf } from '../decoder/webp-files.ts'
import { MASKS, mask } from './masks.ts'
import { newWebpEncoder, type WebpEncoderExports, webp } from './webp-encoder.ts'

const encoder = newWebpEncoder()
const photo = await photoImage(200, 150, 9)

/** An image with other alphas. */
function withAlphas(image: TestImage, alpha: (i: number) => number): TestImage {
  const rgba = Buffer.from(image.rgba)
  for (let i = 3; i < rgba.length; i += 4) rgba[i] = alpha(i >> 2)
  return { ...image, rgba }
}

/** An image seen through a mask. */
async function masked(image: TestImage, kind: (typeof MASKS)[number]): Promise<TestImage> {
  const { alphas } = await mask(kind, image.width, image.height)
  return withAlphas(image, (i) => alphas[i] ?? 0)
}

/** Asserts that alphas are the same, and colours within 40 dB or not 2 dB farther than by sharp at the same quality. */
async function assertClose(file: Buffer, meant: TestImage, quality: number): Promise<void> {
  const seen = await pixelsOf(file)
  expect([seen.width, seen.height]).toEqual([meant.width, meant.height])
  expect(alphasOf(seen).equals(alphasOf(meant)), 'other alphas').toBe(true)
  const theirs = await pixelsOf(await fromPixels(meant).webp({ quality, effort: 4 }).toBuffer())
  const [ours, reference] = [psnr(seen.rgba, meant.rgba), psnr(theirs.rgba, meant.rgba)]
  expect(ours > 40 || ours > reference - 2, `${ours.toFixed(1)} dB, sharp ${reference.toFixed(1)} dB`).toBe(true)
}

describe('alpha is exact and colours are as near as with sharp at', async () => {
  for (const [width, height] of [
    [1, 1],
    [3, 2],
    [17, 33],
    [200, 150],
    [401, 303],
  ] as const) {
    const image = await photoImage(width, height, 9)
    for (const kind of MASKS) {
      test(`${width} x ${height}, ${kind}`, async () => {
        const seenThrough = await masked(image, kind)
        await assertClose(webp(encoder, seenThrough), seenThrough, 80)
      })
    }
  }
})

test('an opaque image is a simple file without alpha', async () => {
  const file = webp(encoder, photo)
  expect(file.toString('latin1', 12, 16)).toBe('VP8 ')
  await assertClose(file, photo, 80)
})

test('one pixel that is not opaque, the first or the last, has a chunk', async () => {
  for (const at of [0, 200 * 150 - 1]) {
    const holed = withAlphas(photo, (i) => (i === at ? 254 : 255))
    await assertClose(webp(encoder, holed), holed, 80)
  }
})

test('a wholly transparent image takes less than 5 bits a macroblock', async () => {
  const image = withAlphas(await photoImage(640, 480, 9), () => 0)
  const file = webp(encoder, image)
  expect(file.length * 8, 'bits').toBeLessThan(5 * 40 * 30)
  expect(alphasOf(await pixelsOf(file)).every((alpha) => alpha === 0)).toBe(true)
})

test('colours nobody sees do not change what is seen: the same file, whatever they are', async () => {
  const image = await masked(await photoImage(401, 303, 9), 'hard circles')
  const rgba = Buffer.from(image.rgba)
  for (let i = 0; i < rgba.length; i += 4) if (rgba[i + 3] === 0) rgba.fill(i & 255, i, i + 3)
  expect(rgba.equals(image.rgba)).toBe(false)
  expect(webp(encoder, { ...image, rgba }).equals(webp(encoder, image))).toBe(true)
})

test('transparent surroundings stain no colour: a red disc on nothing is red to its edge', async () => {
  const red = [200, 30, 40]
  const { alphas, width, height } = await mask('hard circles', 400, 300)
  const rgba = Buffer.alloc(width * height * 4)
  for (let i = 0; i < alphas.length; i++) rgba.set([...red, alphas[i] ?? 0], 4 * i)
  const seen = await pixelsOf(webp(encoder, { width, height, rgba }, { quality: 90 }))
  const stained = seen.rgba.findIndex((sample, i) => {
    const isSeen = i % 4 < 3 && rgba[i | 3] !== 0
    return isSeen && Math.abs(sample - (rgba[i] ?? 0)) > 6
  })
  expect(stained, `pixel ${stained >> 2}: ${seen.rgba[stained]}, not ${rgba[stained]}`).toBe(-1)
})

describe('an image is turned upright with its alpha: orientation', async () => {
  for (const [width, height] of [
    [61, 40],
    [40, 61],
    [35, 35],
  ] as const) {
    const image = await masked(await photoImage(width, height, 9), 'circles')
    for (let orientation = 1; orientation <= 8; orientation++) {
      test(`${orientation}, ${width} x ${height}`, async () => {
        const tagged = await fromPixels(image).withMetadata({ orientation }).png().toBuffer()
        const upright = await pixelsOf(await sharp(tagged).autoOrient().png().toBuffer())
        await assertClose(webp(encoder, image, { orientation, quality: 95 }), upright, 95)
      })
    }
  }
})

test('one instance writes the same file for the same image, whatever came in between', async () => {
  const image = await masked(photo, 'feathered photo')
  const first = webp(newWebpEncoder(), image)
  webp(encoder, photo)
  abandon(encoder)
  expect(webp(encoder, image).equals(first)).toBe(true)
  webp(encoder, await masked(await photoImage(333, 77, 9), 'noise'), { orientation: 6 })
  expect(webp(encoder, image).equals(first)).toBe(true)
})

/** Leaves an image of 300 rows after the first. */
function abandon(module: WebpEncoderExports): void {
  module.reset()
  const row = module.allocate(4 * 300 + 64)
  module.toWebp(300, 300, 1, 50)
  module.openRgba(300, 300)
  module.feedRgba(row, 1)
}
