import { bytesBE, join } from './probe/made.ts'

/** ICC profiles for tests (ICC.1:2022). */

export type Tag = [name: string, data: Uint8Array]

/** A profile of these tags. */
export function profile(tags: Tag[], { colourSpace = 'RGB ', pcs = 'XYZ ', version = 4 } = {}): Uint8Array {
  const dataAt = 132 + 12 * tags.length
  const whole = tags.map(([, data]) => join(data, new Uint8Array(-data.length & 3)))
  const table = tags.map(([name, data], i) => {
    const offset = dataAt + whole.slice(0, i).reduce((sum, { length }) => sum + length, 0)
    return join(name, bytesBE(offset, 4), bytesBE(data.length, 4))
  })
  const body = join(bytesBE(tags.length, 4), ...table, ...whole)
  const kind = join([0, 0, 0, 0, version, 0, 0, 0], 'scnr', colourSpace, pcs, new Uint8Array(12), 'acsp')
  const illuminant = join(...[0.9642, 1, 0.8249].map(fixed))
  const header = join(bytesBE(128 + body.length, 4), kind, new Uint8Array(28), illuminant)
  return join(header, new Uint8Array(128 - header.length), body)
}

export const fixed = (value: number) => bytesBE((Math.round(value * 65536) + 2 ** 32) % 2 ** 32, 4)
export const xyz = (...values: number[]) => join('XYZ ', [0, 0, 0, 0], ...values.map(fixed))
export const parametric = (kind: number, ...values: number[]) =>
  join('para', [0, 0, 0, 0], bytesBE(kind, 2), [0, 0], ...values.map(fixed))
export const sampled = (...values: number[]) =>
  join('curv', [0, 0, 0, 0], bytesBE(values.length, 4), ...values.map((value) => bytesBE(Math.round(value), 2)))

export const SRGB_CURVE = parametric(3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
export const SRGB_COLORANTS: Tag[] = [
  ['rXYZ', xyz(0.4361, 0.2225, 0.0139)],
  ['gXYZ', xyz(0.3851, 0.7169, 0.0971)],
  ['bXYZ', xyz(0.1431, 0.0606, 0.7141)],
]
export const P3_COLORANTS: Tag[] = [
  ['rXYZ', xyz(0.5151, 0.2412, -0.0011)],
  ['gXYZ', xyz(0.292, 0.6922, 0.0419)],
  ['bXYZ', xyz(0.1571, 0.0666, 0.7841)],
]
export const REC2020_COLORANTS: Tag[] = [
  ['rXYZ', xyz(0.6735, 0.279, -0.0019)],
  ['gXYZ', xyz(0.1657, 0.6753, 0.03)],
  ['bXYZ', xyz(0.125, 0.0456, 0.7969)],
]
export const curves = (red: Uint8Array, green = red, blue = red): Tag[] => [
  ['rTRC', red],
  ['gTRC', green],
  ['bTRC', blue],
]

/** Colours of P3's primaries and of a curve for each channel as XYZ of D50. */
function scannedXyz(rgb: readonly number[]): number[] {
  const [r = 0, g = 0, b = 0] = rgb.map((value, i) => value ** (1.7 + 0.2 * i))
  return [
    0.5151 * r + 0.292 * g + 0.1571 * b,
    0.2412 * r + 0.6922 * g + 0.0666 * b,
    -0.0011 * r + 0.0419 * g + 0.7841 * b,
  ]
}

/** The scanned colour as L*, a* and b*. */
const scannedLab = (rgb: readonly number[]) => labOf(scannedXyz(rgb))

const D50 = [0.9642, 1, 0.8249]

/** XYZ of D50 as L*, a* and b*, 0 to 1 for 0 to 100 and for -128 to 127. */
function labOf(xyz: readonly number[]): number[] {
  const cone = (value: number) => (value > (6 / 29) ** 3 ? Math.cbrt(value) : (value * 841) / 108 + 4 / 29)
  const [x = 0, y = 0, z = 0] = xyz.map((value, i) => cone(value / (D50[i] ?? 1)))
  return [(116 * y - 16) / 100, (500 * (x - y) + 128) / 255, (200 * (y - z) + 128) / 255]
}

/** Of so many points along each channel, the last the fastest, what a function makes of them. */
function points(count: number, of: (rgb: readonly number[]) => number[]): number[] {
  const at = (i: number) => (Math.floor(i) % count) / (count - 1)
  return Array.from({ length: count ** 3 }, (_, i) => of([at(i / count ** 2), at(i / count), at(i)])).flat()
}

const clamped = (value: number) => Math.max(0, Math.min(1, value))
const samples = (values: number[], most: number, bytes: number) =>
  join(...values.map((value) => bytesBE(Math.round(clamped(value) * most), bytes)))
const line = (count: number, power = 1) => Array.from({ length: count }, (_, i) => (i / (count - 1)) ** power)
const IDENTITY = join(...[1, 0, 0, 0, 1, 0, 0, 0, 1].map(fixed))

/** Tables of a scanner: curves by which its points lie closer in the dark, and Lab. */
export function lut16Lab(count: number): Uint8Array {
  const table = points(count, (rgb) => scannedLab(rgb.map((value) => value ** 1.25)))
  const head = join('mft2', [0, 0, 0, 0, 3, 3, count, 0], IDENTITY, bytesBE(64, 2), bytesBE(2, 2))
  const inputs = samples([...line(64, 0.8), ...line(64, 0.8), ...line(64, 0.8)], 0xffff, 2)
  return join(head, inputs, samples(table, 0xff00, 2), samples([0, 1, 0, 1, 0, 1], 0xffff, 2))
}

export function lut8Lab(count: number): Uint8Array {
  const head = join('mft1', [0, 0, 0, 0, 3, 3, count, 0], IDENTITY)
  const curve = samples([...line(256), ...line(256), ...line(256)], 255, 1)
  return join(head, curve, samples(points(count, scannedLab), 255, 1), curve)
}

/** Tables of a press, whose paper is white: a cubic law of inks that overlap, each of which takes some light of all colours. */
export function lut16Inks(count: number): Uint8Array {
  const shares = [
    [0.9, 0.2, 0.05, 0.95],
    [0.4, 0.9, 0.15, 0.95],
    [0.1, 0.5, 0.9, 0.95],
  ]
  const light = (inks: readonly number[], of: readonly number[]) =>
    inks.reduce((left, ink, i) => left * (1 - ink * (of[i] ?? 0)), 1)
  const at = (i: number) => (Math.floor(i) % count) / (count - 1)
  const table = Array.from({ length: count ** 4 }, (_, i) => {
    const inks = [at(i / count ** 3), at(i / count ** 2), at(i / count), at(i)]
    return labOf(shares.map((of, xyz) => light(inks, of) * (D50[xyz] ?? 1)))
  }).flat()
  const head = join('mft2', [0, 0, 0, 0, 4, 3, count, 0], IDENTITY, bytesBE(2, 2), bytesBE(2, 2))
  const lines = (channels: number) =>
    samples(
      Array.from({ length: 2 * channels }, (_, i) => i % 2),
      0xffff,
      2,
    )
  return join(head, lines(4), samples(table, 0xff00, 2), lines(3))
}

/** Tables of version 4, with all the parts that they may have: curves A, points, curves M, a matrix, curves B. */
export function lutAToBXyz(count: number): Uint8Array {
  const halves = points(count, (rgb) => scannedXyz(rgb).map((value) => Math.sqrt(value / 2)))
  const [straight, squared] = [parametric(0, 1), parametric(4, 2, 1, 0, 0, 0, 0.1, 0.1)]
  const b = join(straight, straight, straight)
  // 2 of light is 1 + 32767/32768 of XYZ.
  const most = 2 / (1 + 32767 / 32768)
  const matrix = join(...[most, 0, 0, 0, most, 0, 0, 0, most, -0.1 * most, -0.1 * most, -0.1 * most].map(fixed))
  const m = join(squared, squared, squared)
  const table = join([count, count, count], new Uint8Array(13), [2, 0, 0, 0], samples(halves, 0xffff, 2))
  const whole = join(table, new Uint8Array(-table.length & 3))
  const linear = sampled()
  const parts = [b, matrix, m, whole, join(linear, linear, linear)]
  const offsets = parts.map((_, i) => 32 + parts.slice(0, i).reduce((sum, { length }) => sum + length, 0))
  return join('mAB ', [0, 0, 0, 0, 3, 3, 0, 0], ...offsets.map((offset) => bytesBE(offset, 4)), ...parts)
}
