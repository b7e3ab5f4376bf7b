import { describe, expect, test } from 'vitest'
import { below, pick, seededRandom } from '../../../test/support/random.ts'
import { Status } from '../../assembly/status.ts'
import { type Arena, newInstance } from '../instance.ts'

interface PlanesExports extends Arena {
  toPlanes(width: number, height: number, orientation: number): number
  openRgba(columns: number, rows: number): void
  feedRgba(pixels: number, rows: number): void
  finish(): number
}

type Colour = readonly [red: number, green: number, blue: number, alpha?: number]
type Pixel = (x: number, y: number) => Colour

/** Planes of luma, and of chroma of half the sides, rounded up; rows without gaps. */
interface Yuv {
  width: number
  height: number
  y: number[]
  u: number[]
  v: number[]
}

const core = newInstance<PlanesExports>()
const seed = Number(process.env.TINTYPE_SEED ?? 12)
const RED: Colour = [255, 0, 0]
const BLUE: Colour = [0, 0, 200]
const BLACK: Colour = [0, 0, 0]
const WHITE: Colour = [255, 255, 255]
const NOTHING: Colour = [0, 0, 0, 0]

/** Returns the encoder's input for an image. */
function madeOf(width: number, height: number, pixel: Pixel, orientation = 1): Yuv {
  core.reset()
  const planes = core.toPlanes(width, height, orientation)
  const [columns, rows] = orientation >= 5 ? [height, width] : [width, height]
  const at = core.allocate(columns * rows * 4 + 64)
  const coded = Array.from({ length: columns * rows }, (_, i) => {
    const [red, green, blue, alpha = 255] = pixel(
      ...upright(i % columns, Math.floor(i / columns), width, height, orientation),
    )
    return [red, green, blue, alpha]
  })
  new Uint8Array(core.memory.buffer).set(coded.flat(), at)
  core.openRgba(columns, rows)
  core.feedRgba(at, rows)
  expect(core.finish()).toBe(Status.Ok)
  const stride = (width + 15) & ~15
  const lines = (height + 15) & ~15
  const [half, halfLines] = [(width + 1) >> 1, (height + 1) >> 1]
  const plane = (start: number, rowBytes: number, across: number, down: number) =>
    Array.from({ length: down }, (_, row) => [
      ...new Uint8Array(core.memory.buffer, planes + start + row * rowBytes, across),
    ]).flat()
  return {
    width,
    height,
    y: plane(0, stride, width, height),
    u: plane(stride * lines, stride / 2, half, halfLines),
    v: plane((stride * lines * 5) / 4, stride / 2, half, halfLines),
  }
}

/** Where a coded pixel lies in the upright image (EXIF 2.32, 4.6.4 A). */
function upright(x: number, y: number, width: number, height: number, orientation: number): [number, number] {
  const [right, down] = [width - 1, height - 1]
  switch (orientation) {
    case 2:
      return [right - x, y]
    case 3:
      return [right - x, down - y]
    case 4:
      return [x, down - y]
    case 5:
      return [y, x]
    case 6:
      return [right - y, x]
    case 7:
      return [right - y, down - x]
    case 8:
      return [y, down - x]
    default:
      return [x, y]
  }
}

/** BT.601 in limited range, chroma the mean of four pixels. */
function averaged(width: number, height: number, pixel: Pixel): Yuv {
  const of = (weights: Colour, [red, green, blue]: Colour) => weights[0] * red + weights[1] * green + weights[2] * blue
  const [half, halfLines] = [(width + 1) >> 1, (height + 1) >> 1]
  const mean = (weights: Colour) =>
    Array.from({ length: half * halfLines }, (_, i) => {
      const [left, top] = [2 * (i % half), 2 * Math.floor(i / half)]
      const four = [0, 1, 2, 3].map((k) =>
        pixel(Math.min(width - 1, left + (k & 1)), Math.min(height - 1, top + (k >> 1))),
      )
      return Math.round(128 + four.reduce((sum, colour) => sum + of(weights, colour), 0) / 4)
    })
  return {
    width,
    height,
    y: Array.from({ length: width * height }, (_, i) =>
      Math.round(16 + of([16839 / 65536, 33059 / 65536, 6420 / 65536], pixel(i % width, Math.floor(i / width)))),
    ),
    u: mean([-9719 / 65536, -19081 / 65536, 28800 / 65536]),
    v: mean([28800 / 65536, -24116 / 65536, -4684 / 65536]),
  }
}

/** Returns a decoder's colour of a pixel, with its chroma from the four nearest samples: 9, 3, 3 and 1 of 16. */
function shown({ width, height, y, u, v }: Yuv, column: number, row: number): Colour {
  const [half, halfLines] = [(width + 1) >> 1, (height + 1) >> 1]
  const [closer, line] = [column >> 1, row >> 1]
  const far = Math.max(0, Math.min(half - 1, closer + ((column & 1) === 0 ? -1 : 1)))
  const farLine = Math.max(0, Math.min(halfLines - 1, line + ((row & 1) === 0 ? -1 : 1)))
  const chroma = (plane: number[]) => {
    const at = (x: number, down: number) => plane[down * half + x] ?? Number.NaN
    const sum = 9 * at(closer, line) + 3 * at(far, line) + 3 * at(closer, farLine) + at(far, farLine)
    return ((sum + 8) >> 4) - 128
  }
  const grey = (255 / 219) * ((y[row * width + column] ?? Number.NaN) - 16)
  const [b, r] = [chroma(u), chroma(v)]
  const within = (sample: number) => Math.max(0, Math.min(255, Math.round(sample)))
  return [within(grey + 1.596 * r), within(grey - 0.3918 * b - 0.813 * r), within(grey + 2.0172 * b)]
}

/** Luminance in linear light (IEC 61966-2-1), 0 to 1. */
function luminance([red, green, blue]: Colour): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((sample) => {
    const x = sample / 255
    return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** By how much a decoder errs, in the root of the mean square: of luminance, and of samples. */
function errors(yuv: Yuv, pixel: Pixel): { light: number; samples: number } {
  let [light, samples] = [0, 0]
  for (let row = 0; row < yuv.height; row++) {
    for (let column = 0; column < yuv.width; column++) {
      const [is, was] = [shown(yuv, column, row), pixel(column, row)]
      light += (luminance(is) - luminance(was)) ** 2
      for (const c of [0, 1, 2] as const) samples += (is[c] - was[c]) ** 2 / 3
    }
  }
  const pixels = yuv.width * yuv.height
  return { light: Math.sqrt(light / pixels), samples: Math.sqrt(samples / pixels) }
}

/** Strokes of one colour on another: upright, level and slanting, 1 and 2 pixels wide. */
const strokes =
  (ink: Colour, paper: Colour): Pixel =>
  (x, y) =>
    x % 11 === 3 || y % 13 < 2 || (x + 2 * y) % 17 < 2 ? ink : paper

/** Patches of random colours, the same for the same seed. */
function patches(from: number): Pixel {
  const random = seededRandom(from)
  const colours = Array.from({ length: 64 }, (): Colour => [below(256, random), below(256, random), below(256, random)])
  const side = 1 + below(5, random)
  return (x, y) => colours[(Math.floor(x / side) * 7 + Math.floor(y / side) * 13) % 64] ?? BLACK
}

describe('at coloured edges', () => {
  test.each([
    ['red on black', RED, BLACK],
    ['red on blue', RED, BLUE],
    ['blue on black', BLUE, BLACK],
    ['red on white', RED, WHITE],
  ])('%s: pixels keep their luminance, where averaging chroma alone errs more than twice as much', (_, ink, paper) => {
    const pixel = strokes(ink, paper)
    const ours = errors(madeOf(90, 70, pixel), pixel)
    const mean = errors(averaged(90, 70, pixel), pixel)
    expect(mean.light / ours.light).toBeGreaterThan(2)
    expect(ours.samples).toBeLessThan(mean.samples * 1.02)
  })

  test('the same in every orientation, of sides even and odd', () => {
    const pixel = strokes(RED, BLUE)
    for (const [width, height] of [
      [64, 48],
      [65, 47],
      [48, 63],
      [33, 34],
    ] as const) {
      const mean = errors(averaged(width, height, pixel), pixel)
      for (let orientation = 1; orientation <= 8; orientation++) {
        const ours = errors(madeOf(width, height, pixel, orientation), pixel)
        expect(mean.light / ours.light, `${width} x ${height}, ${orientation}`).toBeGreaterThan(2)
      }
    }
  })

  test(`patches of any colour and size are nearer in luminance, from seed ${seed} on`, () => {
    const random = seededRandom(seed)
    for (let i = 0; i < 60; i++) {
      const [width, height] = [2 + below(50, random), 2 + below(50, random)]
      const pixel = patches(1 + below(1e6, random))
      const ours = errors(madeOf(width, height, pixel, pick([1, 3, 6, 8], random)), pixel)
      expect(ours.light, `${width} x ${height}`).toBeLessThanOrEqual(
        errors(averaged(width, height, pixel), pixel).light,
      )
    }
  })
})

describe('elsewhere chroma is the mean of four pixels, and luma that of each', () => {
  test.each<[string, Pixel]>([
    ['a flat picture', () => [200, 30, 60]],
    ['black text on white', strokes(BLACK, WHITE)],
    [
      'grey noise',
      (x, y) => [0, 1, 2].map(() => (x * 7919 + y * 104_729 + x * y * 31) & 255) as [number, number, number],
    ],
    ['soft colours', (x, y) => [100 + x, 90 + y, 160 - x]],
    ['one pixel', () => RED],
  ])('%s', (name, pixel) => {
    const [width, height] = name === 'one pixel' ? [1, 1] : [53, 39]
    expect(madeOf(width, height, pixel)).toEqual(averaged(width, height, pixel))
  })

  test('far from an edge nothing changes', () => {
    const pixel: Pixel = (x, y) => (x < 32 ? [90 + y, 100, 80 + x] : strokes(RED, BLUE)(x, y))
    const [ours, mean] = [madeOf(64, 40, pixel), averaged(64, 40, pixel)]
    const left = (plane: number[], width: number, columns: number) => plane.filter((_, i) => i % width < columns)
    expect(left(ours.y, 64, 26)).toEqual(left(mean.y, 64, 26))
    expect(left(ours.u, 32, 13)).toEqual(left(mean.u, 32, 13))
    expect(left(ours.v, 32, 13)).toEqual(left(mean.v, 32, 13))
    expect(ours.y).not.toEqual(mean.y)
  })
})

test('a shape of one colour keeps it up to where nothing is: what is invisible counts for nothing', () => {
  const isInside = (x: number, y: number) => (x - 20) ** 2 + (y - 17) ** 2 < 150
  const pixel: Pixel = (x, y) => (isInside(x, y) ? RED : NOTHING)
  const { y, u, v } = madeOf(41, 35, pixel)
  const red = averaged(1, 1, () => RED)
  y.forEach((luma, i) => {
    if (isInside(i % 41, Math.floor(i / 41))) expect(luma).toBe(red.y[0])
  })
  u.forEach((sample, i) => {
    const [left, top] = [2 * (i % 21), 2 * Math.floor(i / 21)]
    if (![0, 1, 2, 3].some((k) => isInside(left + (k & 1), top + (k >> 1)))) return
    expect([sample, v[i]]).toEqual([red.u[0], red.v[0]])
  })
})

test('edges within a see-through image are corrected where all round them is opaque', () => {
  const pixel: Pixel = (x, y) => (y < 8 ? NOTHING : strokes(RED, BLUE)(x, y))
  const [ours, mean] = [madeOf(48, 48, pixel), averaged(48, 48, pixel)]
  const below = (yuv: Yuv, line: number): Yuv => ({
    width: 48,
    height: 48 - line,
    y: yuv.y.slice(48 * line),
    u: yuv.u.slice(12 * line),
    v: yuv.v.slice(12 * line),
  })
  const shifted: Pixel = (x, y) => pixel(x, y + 12)
  expect(errors(below(mean, 12), shifted).light / errors(below(ours, 12), shifted).light).toBeGreaterThan(2)
})
