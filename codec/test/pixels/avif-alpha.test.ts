import sharp from 'sharp'
import { expect, test } from 'vitest'
import { readFixture } from '../probe/fixtures.ts'
import { imageOf } from './made-avif.ts'
import { thumbnailOf } from './thumbnail-of.ts'

/** Of 24 x 16 pixels; its alpha is coded at half the size that its item has. */
const STRETCHED = Buffer.from(readFixture('valid', 'avif/stretched-alpha.avif'))
/** A column differs from the next one by 8: repeated samples are 4 off. */
const MAX_LEVELS = 3

test('an alpha that is coded smaller than its item is stretched between its samples', async () => {
  const { width, height, rgba } = await thumbnailOf(imageOf(new Uint8Array(STRETCHED)))
  const whole = await sharp(readFixture('valid', 'avif/8-bit-420-alpha.avif')).ensureAlpha().raw().toBuffer()
  expect([width, height]).toEqual([24, 16])
  const differences = Array.from({ length: width * height }, (_, i) =>
    Math.abs((rgba[4 * i + 3] ?? 0) - (whole[4 * i + 3] ?? 0)),
  )
  expect(Math.max(...differences), 'levels').toBeLessThanOrEqual(MAX_LEVELS)
})

test('an alpha of another size than its image is refused, as no browser shows it', async () => {
  const bytes = new Uint8Array(STRETCHED)
  const ispe = STRETCHED.lastIndexOf('ispe') + 8
  bytes.set([0, 0, 0, 12, 0, 0, 0, 8], ispe)
  await expect(thumbnailOf(imageOf(bytes))).rejects.toMatchObject({
    reason: 'unreadable',
    message: "an AVIF's alpha must be as large as its picture",
  })
})
