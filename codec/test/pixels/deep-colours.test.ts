import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { ihdrChunk, pngChunk, pngOfChunks, uint32 } from '../../../test/support/png.ts'
import { lightToSrgb } from '../../src/srgb.ts'
import { codec } from '../codec.ts'
import { corpusImages } from '../corpus.ts'
import { isWithoutChromium, useChromium } from '../in-chromium.ts'
import { psnr } from '../psnr.ts'

/** Samples of more than 8 bits keep them until they are light: bytes of linear light or of PQ would be too coarse in the dark. */

const [WIDTH, HEIGHT] = [1024, 24]
/** Half a level of rounding, and as much of the tables. */
const MOST_LEVELS = 1
const LINEAR = 8

/** Values of 16 bits that rise to the right, in pixels of so many samples; the last of 2 or 4 are alphas. */
function ramp(samples: number, alpha = 65535): Uint16Array {
  return Uint16Array.from({ length: WIDTH * HEIGHT * samples }, (_, i) => {
    const x = Math.floor(i / samples) % WIDTH
    return samples % 2 === 0 && i % samples === samples - 1 ? alpha : Math.round((x * 65535) / (WIDTH - 1))
  })
}

/** The most levels by which a row of pixels is off what linear light of the ramp is in sRGB. */
function farthest({ rgba, width, height }: { rgba: Uint8ClampedArray; width: number; height: number }): number {
  const row = rgba.subarray((height >> 1) * width * 4)
  const off = Array.from({ length: width }, (_, x) => {
    const light = (((x + 0.5) * WIDTH) / width - 0.5) / (WIDTH - 1)
    const expected = 255 * lightToSrgb(Math.max(0, light))
    return Math.max(...[0, 1, 2].map((channel) => Math.abs((row[4 * x + channel] ?? 0) - expected)))
  })
  // At the ends of a ramp that is made smaller, its edges are mixed in.
  return Math.max(...off.slice(4, -4))
}

describe('a ramp of linear light', () => {
  const SIZES = [{}, { width: WIDTH / 2 }, { width: WIDTH / 8 }]

  /** A PNG of 16 bits a sample whose values are light. */
  function png(colourType: number, samples: number, { alpha = 65535, key = false } = {}): Uint8Array {
    const rows = Buffer.alloc(HEIGHT * (1 + WIDTH * samples * 2))
    ramp(samples, alpha).forEach((value, i) => {
      const y = Math.floor(i / (WIDTH * samples))
      rows.writeUInt16BE(value, y + 1 + 2 * i)
    })
    return pngOfChunks([
      ihdrChunk({ width: WIDTH, height: HEIGHT, depth: 16, colourType }),
      pngChunk('gAMA', uint32(100_000)),
      ...(key ? [pngChunk('tRNS', Buffer.alloc(2 * samples, 0))] : []),
      pngChunk('IDAT', deflateSync(rows)),
      pngChunk('IEND'),
    ])
  }

  test.each([
    ['grey', png(0, 1)],
    ['grey with a colour that is transparent', png(0, 1, { key: true })],
    ['grey with alpha', png(4, 2, { alpha: 40_000 })],
    ['RGB', png(2, 3)],
    ['RGB with a colour that is transparent', png(2, 3, { key: true })],
    ['RGBA', png(6, 4, { alpha: 40_000 })],
  ])('in a PNG of 16 bits: %s', async (_, file) => {
    for (const box of SIZES) {
      const raster = await codec.pixels(file, box)
      expect(farthest(raster), `${raster.width} pixels wide`).toBeLessThan(MOST_LEVELS + (box.width ? 1 : 0))
    }
  })

  /** Encodes the ramp as an AVIF whose nclx box says that values are light. */
  async function avif(bitdepth: 10 | 12, samples: 3 | 4): Promise<Uint8Array> {
    const raw = { width: WIDTH, height: HEIGHT, channels: samples }
    const image = sharp(ramp(samples, 40_000), { raw }).toColourspace('rgb16')
    const file = await image.avif({ bitdepth, lossless: true, chromaSubsampling: '4:4:4', effort: 0 }).toBuffer()
    const nclx = file.indexOf('colrnclx', 0, 'latin1')
    file.writeUInt16BE(1, nclx + 8)
    file.writeUInt16BE(LINEAR, nclx + 10)
    return new Uint8Array(file)
  }

  test.each([
    ['10 bits, RGB', 10, 3],
    ['12 bits, RGB', 12, 3],
    ['10 bits, RGBA', 10, 4],
  ] as const)('in an AVIF of %s', async (_, depth, samples) => {
    const file = await avif(depth, samples)
    for (const box of SIZES) {
      const raster = await codec.pixels(file, box)
      expect(farthest(raster), `${raster.width} pixels wide`).toBeLessThan(MOST_LEVELS + (box.width ? 1 : 0))
    }
  })
})

const show = useChromium()
const hdr = corpusImages('avif').filter(({ path }) => /colors_text_hdr|seine_hdr/.test(path))

describe.skipIf(isWithoutChromium || hdr.length === 0)(
  'HDR has the pixels of Chromium, to 50 dB (needs a Chromium)',
  () => {
    test.each(hdr.map(({ path, file }) => [path, file] as const))('%s', async (_, file) => {
      const png = await show(new Uint8Array(file), 'image/avif')
      const { rgba } = await codec.pixels(new Uint8Array(file))
      const theirs = await sharp(png).ensureAlpha().raw().toBuffer()
      expect(psnr(new Uint8Array(rgba), theirs), 'dB').toBeGreaterThan(50)
    })
  },
)
