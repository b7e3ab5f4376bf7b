import { describe, expect, test } from 'vitest'
import type { SizedImage } from '../../src/probed-image.ts'
import { megabytes, memoriesOf } from '../codec-memories.ts'
import { large, made } from './join/made.ts'
import { sized } from './join/side-by-side.ts'
import { madeAvif } from './made-avif.ts'

/** Joins two images on new cores; returns the megabytes that these have grown to, beyond `files`. */
async function megabytesOf(left: SizedImage, right: SizedImage, format: 'jpeg' | 'png', files = 0): Promise<number> {
  const memories = await memoriesOf(async () => {
    const { joinSideBySide } = await import('../encode.ts')
    await joinSideBySide(left, right, format)
  })
  expect(memories.length).toBe(2)
  return megabytes(memories) - files / 1e6
}

describe('a JPEG is joined in little more memory than the files', () => {
  /** Of rows on their way the width counts alone. */
  const LOW = { width: 6000, height: 1000 }
  const SMALL = { width: 1500, height: 1000 }
  const HIGH = { width: 6000, height: 4000 }

  test.each([
    ['10 MB with another as wide, 6000 pixels', LOW, LOW, 1000, 10],
    ['26 MB with one of 24 MP turned by 90 degrees', SMALL, { ...HIGH, orientation: 6 }, 4000, 26],
    ['67 MB with a progressive one of 24 MP', SMALL, { ...HIGH, options: { progressive: true } }, 4000, 67],
  ])('%s', async (_, first, second, height, limit) => {
    const [one, other] = [await large(first), await large(second)]
    const taken = await megabytesOf(sized(one, height), sized(other, height), 'jpeg', one.length + other.length)
    expect(taken, 'MB').toBeLessThanOrEqual(limit)
  })
})

test('two progressive JPEGs share 72 MB, at the cost of sharpness', async () => {
  const progressive = sized(await large({ width: 4000, height: 3000, options: { progressive: true } }), 3000)
  const taken = await megabytesOf(progressive, progressive, 'jpeg')
  expect(taken, 'MB').toBeLessThanOrEqual(72)
})

test('two AVIF files 4032 pixels wide and of 10 bits are joined within 16 MB more than the files', async () => {
  // Either held whole takes 12 MB.
  const [width, height] = [4032, 1008]
  const avif = sized(await madeAvif({ width, height, chroma: '4:2:0', quality: 30, depth: 10 }), height)
  const taken = await megabytesOf(avif, avif, 'jpeg', 2 * avif.image.bytes.length)
  expect(taken, 'MB').toBeLessThanOrEqual(16)
})

test('turned images are held within 48 MB, those of more pixels are refused', async () => {
  const { image } = sized(await made({ width: 64, height: 64, orientation: 6 }), 64)
  const half = { image, size: { width: 4000, height: 4000 } }
  const over = { image, size: { width: 4001, height: 4000 } }
  await megabytesOf(half, half, 'jpeg')
  await expect(megabytesOf(half, over, 'jpeg')).rejects.toMatchObject({ reason: 'over_budget' })
  await expect(megabytesOf(half, half, 'png')).rejects.toMatchObject({ reason: 'over_budget' })
})

describe('a cover is at most 65,535 pixels wide', async () => {
  const { image } = sized(await made({ width: 64, height: 1 }), 1)
  const wide = (pixels: number) => ({ image, size: { width: pixels, height: 1 } })
  test.each(['jpeg', 'png'] as const)('as %s', async (format) => {
    await megabytesOf(wide(32_768), wide(32_767), format)
    await expect(megabytesOf(wide(32_768), wide(32_768), format)).rejects.toMatchObject({ reason: 'over_budget' })
  })
})
