import sharp from 'sharp'
import { expect, test } from 'vitest'
import { photo } from '../../test/support/photo.ts'
import { below, seededRandom } from '../../test/support/random.ts'
import { webpChunks } from '../src/container/webp-chunks.ts'
import type { Raster } from '../src/pixels/raster.ts'
import { codec } from './codec.ts'
import { encodePng } from './encode-png.ts'
import { tiles } from './images.ts'

/** Thumbnails are lossless where that is smaller. */

const BOX = { width: 200, height: 200 }
const FLAG = ['RRWW', 'WWBB', 'GGKK']
const isLossless = (webp: Uint8Array) => [...webpChunks(webp)].some(({ type }) => type === 'VP8L')
const pixelsOf = async (webp: Uint8Array) => new Uint8Array(await sharp(webp).ensureAlpha().raw().toBuffer())

test.each<[string, string[]]>([
  ['opaque', FLAG],
  ['partly transparent', ['RR  ', '  BB', 'GGKK']],
])('a thumbnail of few colours, %s, is lossless and smaller than a lossy one', async (_, rows) => {
  const raster = tiles(rows, { width: 120, height: 90 })
  const { bytes } = await codec.thumbnail(encodePng(raster), BOX)
  const [lossy] = await codec.outputs(encodePng(raster), [{ ...BOX, quality: 80 }])
  expect(isLossless(bytes)).toBe(true)
  expect(bytes.length).toBeLessThan(lossy?.bytes.length ?? 0)
  expect(await pixelsOf(bytes)).toEqual(new Uint8Array(raster.rgba))
})

test('a reduced and rotated one has the pixels of the image at that size', async () => {
  const png = await sharp(encodePng(tiles(FLAG, { width: 1200, height: 900 })))
    .withMetadata({ orientation: 6 })
    .png()
    .toBuffer()
  const { bytes, size } = await codec.thumbnail(png, BOX)
  expect(size).toEqual({ width: 150, height: 200 })
  expect(isLossless(bytes)).toBe(true)
  expect(await pixelsOf(bytes)).toEqual(new Uint8Array((await codec.pixels(png, BOX)).rgba))
})

test('that of a photograph is lossy, and so is one that is not to be lossless', async () => {
  const photograph = sharp(photo(403, 301, 7), { raw: { width: 403, height: 301, channels: 3 } })
  const { bytes } = await codec.thumbnail(await photograph.png().toBuffer(), BOX)
  expect(isLossless(bytes)).toBe(false)
  const [file] = await codec.outputs(encodePng(tiles(FLAG, { width: 120, height: 90 })), [BOX])
  expect(isLossless(file?.bytes ?? new Uint8Array())).toBe(false)
})

/** Lines of two colours, whose chroma a lossy file mixes. One pixel in `every` has a random colour, which makes a lossless file larger. */
function stripes(every: number): Raster {
  const raster = tiles(['R'], { width: 64, height: 64 })
  const random = seededRandom(7)
  for (let i = 0; i < 64 * 64; i++) {
    const line = (i >> 6) & 1 ? [255, 0, 0] : [0, 0, 255]
    const colour = i % every === 0 ? line.map(() => below(256, random)) : line
    raster.rgba.set([...colour, 255], i * 4)
  }
  return raster
}

test('one that is up to a fifth larger is preferred to a lossy one of less than 30 dB', async () => {
  const ratios = []
  for (let every = 2; every < 20; every++) {
    const png = encodePng(stripes(every))
    const { bytes } = await codec.thumbnail(png, BOX)
    const [lossy] = await codec.outputs(png, [{ ...BOX, quality: 80 }])
    ratios.push(isLossless(bytes) ? bytes.length / (lossy?.bytes.length ?? 0) : 0)
  }
  expect(ratios).toContain(0)
  expect(Math.max(...ratios)).toBeGreaterThan(1)
  expect(Math.max(...ratios)).toBeLessThanOrEqual(1.2)
})
