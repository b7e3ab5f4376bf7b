import { execFileSync } from 'node:child_process'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { below, pick, type Random, seededRandom } from '../../../test/support/random.ts'
import { Status } from '../../assembly/status.ts'
import { newWebpEncoder, webp } from '../formats/webp-alpha/encoder/webp-encoder.ts'
import { type Arena, newInstance } from '../instance.ts'

interface SharpExports extends Arena {
  toPlanes(width: number, height: number, orientation: number): number
  openRgba(columns: number, rows: number): void
  feedRgba(pixels: number, rows: number): void
  finish(): number
  macroblockRowsTaken(): number
}

/** An image as its file has it. */
interface Coded {
  readonly width: number
  readonly height: number
  readonly rgba: Buffer
}

const seed = Number(process.env.TINTYPE_SEED ?? 20_261_123)
const rounds = Number(process.env.FUZZ_ROUNDS ?? 60)
/** Bytes that must be readable beyond a row. */
const SLACK = 64
/** Beside the module, the rows that were put there and whole planes: in all, and for each column. */
const MOST_BYTES = 40_000
const MOST_BYTES_A_COLUMN = 150

type Paint = (x: number, y: number) => readonly number[]

/** Each returns a way to paint an image; what has edges of colour is most of it. */
const KINDS: Record<string, (random: Random) => Paint> = {
  noise: (random) => () => [below(256, random), below(256, random), below(256, random), below(256, random)],
  'noise of extremes': (random) => () => [255 * below(2, random), 255 * below(2, random), 255 * below(2, random), 255],
  'noise of extremes, seen through': (random) => () => Array.from({ length: 4 }, () => 255 * below(2, random)),
  checks(random) {
    const [one, two] = [colourOf(random), colourOf(random)]
    const side = 1 + below(4, random)
    return (x, y) => ((Math.floor(x / side) + Math.floor(y / side)) % 2 === 0 ? one : two)
  },
  strokes(random) {
    const [ink, paper] = [colourOf(random), colourOf(random)]
    const [across, down, slant] = [2 + below(9, random), 2 + below(9, random), 2 + below(20, random)]
    return (x, y) => (x % across === 0 || y % down === 0 || (x + y) % slant === 0 ? ink : paper)
  },
  'one odd pixel'(random) {
    const [ink, paper] = [colourOf(random), colourOf(random)]
    const [left, top] = [below(70, random), below(70, random)]
    return (x, y) => (x === left && y === top ? ink : paper)
  },
  'a hole': (random) => {
    const [ink, paper] = [colourOf(random), colourOf(random)]
    const [left, top, radius] = [below(70, random), below(70, random), below(900, random)]
    return (x, y) => ((x - left) ** 2 + (y - top) ** 2 < radius ? [...ink.slice(0, 3), 0] : paper)
  },
}

function colourOf(random: Random): number[] {
  const sample = () => pick([0, 255, below(256, random)], random)
  return [sample(), sample(), sample(), pick([255, 255, 255, below(256, random)], random)]
}

function drawn(random: Random): { name: string; image: Coded } {
  const [width, height] = [1 + below(70, random), 1 + below(70, random)]
  const name = pick(Object.keys(KINDS), random)
  const paint = KINDS[name]?.(random) ?? expect.fail(name)
  const rgba = Buffer.alloc(4 * width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rgba.set(paint(x, y), 4 * (y * width + x))
  }
  return { name: `${name}, ${width} x ${height}`, image: { width, height, rgba } }
}

/** Whole bands of rows, of any heights. */
function bandsOf(height: number, random: Random): number[] {
  const bands: number[] = []
  for (let left = height; left > 0; left -= bands.at(-1) ?? left) {
    bands.push(Math.min(left, pick([1, 2, 1 + below(height, random)], random)))
  }
  return bands
}

/** Planes of luma and chroma, padded to whole macroblocks, of an image that comes in bands; before and behind a row lies `filling`. */
function planesOf(core: SharpExports, image: Coded, orientation: number, bands: readonly number[], filling: number) {
  const { width, height, rgba } = image
  const [columns, rows] = orientation < 5 ? [width, height] : [height, width]
  core.reset()
  const moduleBytes = core.peakBytes()
  const planes = core.toPlanes(columns, rows, orientation)
  const luma = ((columns + 15) & ~15) * ((rows + 15) & ~15)
  const at = core.allocate(4 * width * height + 2 * SLACK) + SLACK
  new Uint8Array(core.memory.buffer, at - SLACK, 4 * width * height + 2 * SLACK).fill(filling)
  core.openRgba(width, height)
  let y = 0
  for (const band of bands) {
    const pixels = rgba.subarray(4 * width * y, 4 * width * (y + band))
    new Uint8Array(core.memory.buffer, at, pixels.length + SLACK).fill(filling).set(pixels)
    core.feedRgba(at, band)
    y += band
  }
  expect(core.finish()).toBe(Status.Ok)
  expect(core.macroblockRowsTaken()).toBe((rows + 15) >> 4)
  const own = core.peakBytes() - moduleBytes - 4 * width * height - 2 * 1.5 * luma
  expect(own).toBeLessThan(MOST_BYTES + MOST_BYTES_A_COLUMN * width)
  return Buffer.from(core.memory.buffer.slice(planes, planes + 1.5 * luma))
}

/** `npm run tintype -- fuzz` asks dwebp, too. */
const hasDwebp = process.env.FUZZ_ROUNDS !== undefined && isThere()

function isThere(): boolean {
  try {
    execFileSync('dwebp', ['-version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test(`images of any colours at their edges, of 1 to 70 columns and rows, become the same samples in whatever bands they come, and a file that is decoded${hasDwebp ? ', also by dwebp' : ''} (${rounds} rounds, seed ${seed})`, async () => {
  const random = seededRandom(seed)
  const core = newInstance<SharpExports>()
  const other = newInstance<SharpExports>()
  const encoder = newWebpEncoder()
  for (let round = 0; round < rounds; round++) {
    const { name, image } = drawn(random)
    const orientation = pick([1, 1, 2, 3, 4, 5, 6, 7, 8], random)
    const where = `round ${round}, seed ${seed}: ${name}, orientation ${orientation}`
    try {
      const whole = planesOf(core, image, orientation, [image.height], 0)
      const bands = bandsOf(image.height, random)
      const bandPlanes = planesOf(other, image, orientation, bands, 1 + below(255, random))
      expect(bandPlanes.equals(whole), `other samples in bands of ${bands}`).toBe(true)
      const file = webp(encoder, image, { orientation, quality: below(101, random) })
      const { info } = await sharp(file).raw().toBuffer({ resolveWithObject: true })
      const turned = [image.width, image.height]
      expect([info.width, info.height]).toEqual(orientation < 5 ? turned : turned.reverse())
      if (hasDwebp) execFileSync('dwebp', ['-quiet', '-o', '/dev/null', '--', '-'], { input: file })
    } catch (error) {
      throw new Error(where, { cause: error })
    }
  }
})
