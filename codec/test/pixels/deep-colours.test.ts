import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { ihdrChunk, pngChunk, pngOfChunks, uint32 } from '../../../test/support/png.ts'
import { lightToSrgb } from '../../src/colours/srgb.ts'
import { CODEC_MAX_BYTES, heldBytes } from '../../src/pixels/budget.ts'
import { createCodec } from '../../src/workers.ts'
import { codec } from '../codec.ts'
import { corpusImages } from '../corpus.ts'
import { PASSES } from '../formats/png/decoder/made-image.ts'
import { isWithoutChromium, useChromium } from '../in-chromium.ts'
import { curves, P3_COLORANTS, parametric, profile } from '../made-profile.ts'
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

describe('an interlaced PNG of 16 bits has the pixels of one that is not', () => {
  const SIZE = { width: 92, height: 69 }
  const PQ = pngChunk('cICP', Uint8Array.of(9, 16, 0, 1))
  const P3 = pngChunk('cICP', Uint8Array.of(12, 13, 0, 1))
  /** Files in linear light are converted. Other profiles of primaries and curves go into the thumbnail. */
  const LINEAR_P3 = profile([...P3_COLORANTS, ...curves(parametric(0, 1))])
  const P3_PROFILE = pngChunk('iCCP', Buffer.concat([Buffer.from('ICC\0\0'), deflateSync(LINEAR_P3)]))
  const WHOLE = [[0, 0, 1, 1]] as const

  /** A PNG of 16 bits that is dark at the left, with fine differences beside each other, and opaque at the right. */
  function madePng(samples: 1 | 2 | 3 | 4, colours: Uint8Array, passes: typeof PASSES | typeof WHOLE): Uint8Array {
    const { width, height } = SIZE
    const bytes: number[] = []
    for (const [left, top, across, down] of passes) {
      for (let y = top; y < height; y += down) {
        bytes.push(0)
        for (let x = left; x < width; x += across) {
          for (let i = 0; i < samples; i++) {
            const isAlpha = samples % 2 === 0 && i === samples - 1
            const value = isAlpha
              ? Math.min(65535, x * 1000 + y)
              : x * 300 + y * 371 + ((x * 7 + y * 13 + i * 5) % 17) * 40
            bytes.push(value >> 8, value & 255)
          }
        }
      }
    }
    return pngOfChunks([
      ihdrChunk({
        ...SIZE,
        depth: 16,
        colourType: [0, 4, 2, 6][samples - 1] ?? 0,
        methods: [0, 0, passes === PASSES ? 1 : 0],
      }),
      colours,
      pngChunk('IDAT', deflateSync(Uint8Array.from(bytes))),
      pngChunk('IEND'),
    ])
  }

  /** The most by which a sample of one image is off that of another. */
  function mostBetween(one: Uint8ClampedArray, other: Uint8ClampedArray): number {
    expect(one.length).toBe(other.length)
    return one.reduce((most, value, i) => Math.max(most, Math.abs(value - (other[i] ?? 0))), 0)
  }

  /** The samples of pixels that are not transparent. */
  function opaque(rgba: Uint8ClampedArray): Uint8ClampedArray {
    return rgba.filter((_, i) => rgba[i | 3] === 255)
  }

  function psnrOnWhite(one: Uint8ClampedArray, other: Uint8ClampedArray): number {
    const onWhite = (rgba: Uint8ClampedArray) =>
      Uint8Array.from(rgba, (value, i) => (i % 4 < 3 ? 255 - ((255 - value) * (rgba[i | 3] ?? 0)) / 255 : value))
    return psnr(onWhite(one), onWhite(other))
  }

  const KINDS = ([1, 2, 3, 4] as const).flatMap((samples) => [
    [samples, 'PQ', PQ] as const,
    [samples, 'P3', P3] as const,
    ...(samples > 2 ? [[samples, 'a profile of linear light of P3', P3_PROFILE] as const] : []),
  ])

  test.each(KINDS)('with %i samples a pixel, in %s', async (samples, _, colours) => {
    const interlaced = madePng(samples, colours, PASSES)
    const straight = madePng(samples, colours, WHOLE)
    // As large as it is, and made smaller without boxes, with boxes, and with such that are narrower at the edges.
    for (const width of [SIZE.width, 64, 23, 8]) {
      const box = { width, height: Math.round((width * 3) / 4) }
      const [actual, expected] = [await codec.pixels(interlaced, box), await codec.pixels(straight, box)]
      expect(mostBetween(actual.rgba, expected.rgba), `levels, ${width} pixels wide`).toBe(0)
      const [thumbnail, wanted] = [await codec.thumbnail(interlaced, box), await codec.thumbnail(straight, box)]
      expect(Buffer.compare(thumbnail.bytes, wanted.bytes), `thumbnail, ${width} pixels wide`).toBe(0)
    }
  })

  test.each(KINDS)(
    'also where memory suffices for bytes alone, with %i samples a pixel, in %s',
    async (samples, _, colours) => {
      const [interlaced, straight] = [madePng(samples, colours, PASSES), madePng(samples, colours, WHOLE)]
      const working = CODEC_MAX_BYTES - heldBytes('png', CODEC_MAX_BYTES)
      const canvasBytes = SIZE.width * SIZE.height * samples
      const within = (held: number) => createCodec({ maxMemoryBytes: working + held })
      const expected = await codec.pixels(straight)
      for (const held of [canvasBytes, 2 * canvasBytes]) {
        const { rgba } = await within(held).pixels(interlaced)
        // A grey has the mean of rounded channels. Bytes that are multiplied by alpha lose some colour where there is little of it.
        expect(mostBetween(opaque(rgba), opaque(expected.rgba)), 'levels').toBeLessThanOrEqual(samples < 3 ? 1 : 0)
        expect(psnrOnWhite(rgba, expected.rgba), 'dB').toBeGreaterThan(samples % 2 === 0 ? 60 : 80)
      }
      expect(mostBetween((await within(5 * canvasBytes).pixels(interlaced)).rgba, expected.rgba)).toBe(0)
      await expect(within(canvasBytes - 1).pixels(interlaced)).rejects.toMatchObject({ reason: 'over_budget' })
      if (samples === 3) {
        const file = await within(2 * canvasBytes).resize(interlaced)
        expect(Buffer.compare(file.bytes, (await codec.resize(straight)).bytes)).toBe(0)
      }
      // Less than twice as small, colours are mixed after their change, else bytes of the file are.
      for (const width of [64, 40]) {
        const box = { width, height: Math.round((width * 3) / 4) }
        const [reduced, wanted] = [
          await within(2 * canvasBytes).pixels(interlaced, box),
          await codec.pixels(straight, box),
        ]
        expect(psnrOnWhite(reduced.rgba, wanted.rgba), `dB, ${width} pixels wide`).toBeGreaterThan(49)
      }
    },
  )

  test('also where it is cut: pixels of earlier passes fill in', async () => {
    const whole = madePng(3, P3, PASSES)
    for (const share of [0.3, 0.6, 0.9]) {
      const cut = whole.subarray(0, whole.length * share)
      for (const width of [SIZE.width, 23, 8]) {
        const box = { width, height: Math.round((width * 3) / 4) }
        const [part, all] = [await codec.pixels(cut, box), await codec.pixels(whole, box)]
        expect(part.rgba.every((value, i) => i % 4 < 3 || value === 255)).toBe(true)
        expect(psnr(new Uint8Array(part.rgba), new Uint8Array(all.rgba)), `${share}, ${width} pixels`).toBeGreaterThan(
          25,
        )
      }
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
