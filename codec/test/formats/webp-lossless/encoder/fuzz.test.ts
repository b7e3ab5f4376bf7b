import { execFileSync } from 'node:child_process'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { below, pick, type Random, seededRandom } from '../../../../../test/support/random.ts'
import { webpChunk } from '../../../../../test/support/webp.ts'
import { codec } from '../../../codec.ts'
import { decodePixels, newDecoder } from '../decoder/decoder.ts'
import { dwebp } from '../decoder/libwebp.ts'
import type { TestImage } from '../decoder/made-images.ts'
import { CODINGS, encoder, webp } from './encoder.ts'

const seed = Number(process.env.TINTYPE_SEED ?? 20_261_123)
const rounds = Number(process.env.FUZZ_ROUNDS ?? 20)
/** Beside the stream itself (docs/codec.md): of images of up to 3840 columns, and what each column more adds. */
const MOST_BYTES = 11_200_000
const MOST_BYTES_A_COLUMN = 500
const MAX_SIDE = 16_383
/** `npm run tintype -- fuzz` asks dwebp, too: a process for each image costs more than all else. */
const isLong = process.env.FUZZ_ROUNDS !== undefined

/** Paints a pixel of an image: red, green, blue and alpha. */
type Paint = (x: number, y: number) => readonly number[]

/** Each returns a way to paint a whole image. */
const KINDS: Record<string, (random: Random) => Paint> = {
  flat(random) {
    const colour = colourOf(random)
    return () => colour
  },
  'few colours'(random) {
    const palette = Array.from({ length: 1 + below(300, random) }, () => colourOf(random))
    return () => pick(palette, random)
  },
  patches(random) {
    const palette = Array.from({ length: 2 + below(20, random) }, () => colourOf(random))
    const [across, down] = [1 + below(40, random), 1 + below(40, random)]
    return (x, y) => palette[(Math.floor(x / across) * 7 + Math.floor(y / down) * 3) % palette.length] ?? []
  },
  gradients(random) {
    const steps = Array.from({ length: 12 }, () => random() * 6 - 3)
    const at = (i: number, x: number, y: number) =>
      Math.floor((steps[i] ?? 0) * x + (steps[i + 4] ?? 0) * y + 40 * (steps[i + 8] ?? 0)) & 255
    return (x, y) => [at(0, x, y), at(1, x, y), at(2, x, y), at(3, x, y)]
  },
  noise: (random) => () => Array.from({ length: 4 }, () => below(256, random)),
  'noise of few levels'(random) {
    const colour = colourOf(random)
    const levels = 1 + below(8, random)
    return () => colour.map((value) => (value + below(levels, random)) & 255)
  },
  text(random) {
    const [ink, paper] = [colourOf(random), colourOf(random)]
    const glyphs = Array.from({ length: 26 }, () => Array.from({ length: 8 }, () => below(128, random)))
    const letters = Array.from({ length: 97 }, () => pick(glyphs, random))
    return (x, y) => {
      const row = letters[(Math.floor(x / 8) * 5 + Math.floor(y / 10) * 31) % letters.length]?.[y % 10] ?? 0
      return row & (1 << (x % 8)) ? ink : paper
    }
  },
  'colours under alpha 0': (random) => () => [below(256, random), 9, below(3, random), 0],
}

function colourOf(random: Random): readonly number[] {
  const alpha = pick([255, 255, 0, below(256, random)], random)
  return [below(256, random), below(256, random), below(256, random), alpha]
}

/** Up to 200 x 200 mostly; else lines, and others as wide or as high as the format knows. */
function sizeOf(random: Random): [width: number, height: number] {
  const long = 1 + below(pick([30, 3000, MAX_SIDE], random), random)
  const short = 1 + below(2, random)
  const sides = [1 + below(200, random), 1 + below(200, random)] as const
  return pick([[...sides], [...sides], [...sides], [long, short], [short, long]], random)
}

function drawn(random: Random): { name: string; source: TestImage } {
  const [width, height] = sizeOf(random)
  const names = Object.keys(KINDS)
  const name = pick(names, random)
  const upper = KINDS[name]?.(random) ?? expect.fail(name)
  // Some have another kind from a row on: what fits one part does not fit the next.
  const lower = (random() < 0.3 && KINDS[pick(names, random)]?.(random)) || upper
  const from = below(height, random)
  const rgba = Buffer.alloc(width * height * 4)
  for (let y = 0; y < height; y++) {
    const paint = y < from ? upper : lower
    for (let x = 0; x < width; x++) rgba.set(paint(x, y), 4 * (y * width + x))
  }
  return { name: `${name}, ${width} x ${height}`, source: { width, height, rgba } }
}

function colourCount({ rgba }: TestImage): number {
  const colours = new Set<number>()
  for (let at = 0; at < rgba.length; at += 4) colours.add(rgba.readUInt32LE(at))
  return colours.size
}

const hasDwebp = isLong && isThere('dwebp')

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['-version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test(`${rounds} random lossless images come back to the pixel from our decoder${hasDwebp ? ' and from dwebp' : ''}, within the encoder's memory (seed ${seed})`, () => {
  const random = seededRandom(seed)
  const decoder = newDecoder()
  for (let round = 0; round < rounds; round++) {
    const { name, source } = drawn(random)
    const codings = Object.entries(CODINGS).filter(([coding]) => coding !== 'indexed' || colourCount(source) <= 256)
    const [coding, number] = pick(codings, random)
    const where = `round ${round}, seed ${seed}: ${name}, ${coding}`
    const file = webp(source, number)
    const mostBytes = MOST_BYTES + MOST_BYTES_A_COLUMN * Math.max(0, source.width - 3840)
    expect(encoder.peakBytes() - file.length, where).toBeLessThan(mostBytes)
    const ours = decodePixels(decoder, webpChunk(file, 'VP8L') ?? expect.fail(where))
    expect(ours.status, where).toBe(0)
    expect(ours.rgba.equals(source.rgba), `other pixels: ${where}`).toBe(true)
    const theirs = hasDwebp ? dwebp(file) : undefined
    if (hasDwebp) expect(theirs?.rgba.equals(source.rgba), `other pixels by dwebp: ${where}`).toBe(true)
  }
}, 3_600_000)

test('a PNG of sides that a WebP cannot have becomes one that can be read, lossless or not', async () => {
  const image = sharp({ create: { width: MAX_SIDE + 1, height: 3, channels: 3, background: '#123456' } })
  const png = new Uint8Array(await image.png().toBuffer())
  for (const file of [await codec.lossless(png), await codec.resize(png)]) {
    expect(file?.size).toEqual({ width: MAX_SIDE, height: 2 })
    expect(await sharp(file?.bytes).metadata()).toMatchObject({ width: MAX_SIDE, height: 2 })
  }
})
