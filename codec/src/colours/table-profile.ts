import { GRID_POINTS } from '../../assembly/colour/grid-points.ts'
import { hasText, uint16BE, uint32BE } from '../bytes.ts'
import { type Vector, xyzToSrgb } from './cicp.ts'
import { type Curve, D50, fixed, interpolated, readCurve, readTag, readTags, writeProfile } from './icc.ts'

// Profiles of scanners and printers: lookup tables from RGB or inks to Lab or XYZ of D50 (ICC.1:2022; sections in brackets).

/**
 * From a colour, 0 to 1 for each channel, to sRGB: 0 to 1, but beyond that where it is outside its gamut. NaN where tables are
 * broken.
 */
type ToSrgb = (colour: readonly number[]) => Vector

/** From some numbers to others, in PCS encoding at the end: 0 to 1 each. */
type Step = (values: readonly number[]) => readonly number[]

/** The value of 1 in XYZ, u1Fixed15 (6.3.4.2). */
const XYZ_MOST = 1 + 32767 / 32768
/** Lab of 16 bits in lut16Type has 100 and 255 for 0xff00, not for 0xffff (6.3.4.2). */
const LAB_16_BITS = 0xffff / 0xff00
/** The channels of RGB and of the PCS. */
const CHANNELS = 3

/**
 * Evaluates the tables of an RGB profile (A2B0, perceptual) at the points of the codec's grid, as sRGB for
 * setColourGrid. Returns undefined if tables are missing or broken.
 */
export function readTableProfile(profile: Uint8Array): Uint8Array | undefined {
  const toSrgb = readTables(profile, CHANNELS)
  if (!toSrgb) return undefined
  const points = new Int16Array(GRID_POINTS ** 3 * 4)
  let next = 0
  for (let red = 0; red < GRID_POINTS; red++) {
    for (let green = 0; green < GRID_POINTS; green++) {
      for (let blue = 0; blue < GRID_POINTS; blue++) {
        const most = GRID_POINTS - 1
        for (const value of toSrgb([red / most, green / most, blue / most])) {
          if (Number.isNaN(value)) return undefined
          points[next++] = Math.max(-0x8000, Math.min(0x7fff, Math.round(value * 255 * 64)))
        }
        next++
      }
    }
  }
  return new Uint8Array(points.buffer)
}

/** The profile for RGB with its tables alone: without those of printing, and all that names devices. */
export function writeTableProfile(profile: Uint8Array): Uint8Array | undefined {
  const tables = readTag(profile, 'A2B0')
  return tables && writeProfile(profile.subarray(8, 24), [['A2B0', tables]])
}

/** Reads the tables of a profile with this number of channels (A2B0, perceptual); undefined without any. */
export function readTables(profile: Uint8Array, channels: number): ToSrgb | undefined {
  const at = readTags(profile).get('A2B0')
  if (at === undefined) return undefined
  const isLab = hasText(profile, 20, 'Lab ')
  if (!isLab && !hasText(profile, 20, 'XYZ ')) return undefined
  const steps = readSteps(profile, at, channels, isLab)
  const toXyz = isLab ? labToXyz : scaledXyz
  return (
    steps && ((colour) => xyzToSrgb(toXyz(steps.reduce<readonly number[]>((values, step) => step(values), colour))))
  )
}

function readSteps(profile: Uint8Array, at: number, channels: number, isLab: boolean): Step[] | undefined {
  if (profile[at + 8] !== channels || profile[at + 9] !== CHANNELS) return undefined
  if (hasText(profile, at, 'mft1')) return readLut(profile, at, channels, 1, 1)
  if (hasText(profile, at, 'mft2')) return readLut(profile, at, channels, 2, isLab ? LAB_16_BITS : 1)
  return hasText(profile, at, 'mAB ') ? readLutAToB(profile, at, channels) : undefined
}

/** lut8Type and lut16Type (10.10, 10.11): curves, a table, curves. Their matrix is for XYZ alone. */
function readLut(profile: Uint8Array, at: number, channels: number, sampleBytes: number, gain: number): Step[] {
  const points = profile[at + 10] ?? 0
  const [inputs, outputs] = sampleBytes === 1 ? [256, 256] : [48, 50].map((offset) => uint16BE(profile, at + offset))
  const inputsAt = at + (sampleBytes === 1 ? 48 : 52)
  const tableAt = inputsAt + channels * (inputs ?? 0) * sampleBytes
  const outputsAt = tableAt + points ** channels * CHANNELS * sampleBytes
  const sample = sampler(profile, sampleBytes)
  const curves = (from: number, of: number, count = 0) =>
    Array.from({ length: of }, (_, i) =>
      interpolated(count, (entry) => sample(from + (i * count + entry) * sampleBytes)),
    )
  return [
    byCurves(curves(inputsAt, channels, inputs)),
    byTable(new Array<number>(channels).fill(points), (entry) => sample(tableAt + entry * sampleBytes)),
    byCurves(curves(outputsAt, CHANNELS, outputs)),
    (values) => values.map((value) => value * gain),
  ]
}

/** lutAToBType (10.12): curves A, a table, curves M, a matrix, curves B; all but the last may be missing. */
function readLutAToB(profile: Uint8Array, at: number, channels: number): Step[] {
  const [b, matrix, m, table, a] = [12, 16, 20, 24, 28].map((offset) => uint32BE(profile, at + offset) ?? 0)
  const steps: Step[] = []
  if (a && table) {
    const tableAt = at + table
    const sampleBytes = profile[tableAt + 16] === 1 ? 1 : 2
    const sample = sampler(profile, sampleBytes)
    const points = Array.from({ length: channels }, (_, i) => profile[tableAt + i] ?? 0)
    steps.push(byCurves(readCurves(profile, at + a, channels)))
    steps.push(byTable(points, (entry) => sample(tableAt + 20 + entry * sampleBytes)))
  }
  if (m && matrix) steps.push(byCurves(readCurves(profile, at + m)), byMatrix(profile, at + matrix))
  return [...steps, byCurves(readCurves(profile, at + (b ?? 0)))]
}

/** So many curves, one after the other, each filled up to whole words. */
function readCurves(profile: Uint8Array, at: number, count = CHANNELS): Curve[] {
  const curves: Curve[] = []
  for (let next = at; curves.length < count; ) {
    const { curve, bytes } = readCurve(profile, next)
    curves.push(curve)
    next += (bytes + 3) & ~3
  }
  return curves
}

/** Reads unsigned samples as 0 to 1; NaN past the end. */
function sampler(profile: Uint8Array, sampleBytes: number): (at: number) => number {
  if (sampleBytes === 1) return (at) => (profile[at] ?? Number.NaN) / 0xff
  return (at) => (uint16BE(profile, at) ?? Number.NaN) / 0xffff
}

function byCurves(curves: readonly Curve[]): Step {
  const at = (curve: Curve, value: number) => Math.max(0, Math.min(1, curve(value)))
  return (values) => curves.map((curve, i) => at(curve, values[i] ?? Number.NaN))
}

/** Twelve numbers: a matrix, row by row, and what is added. */
function byMatrix(profile: Uint8Array, at: number): Step {
  const number = Array.from({ length: 12 }, (_, i) => fixed(profile, at + 4 * i))
  const e = (i: number) => number[i] ?? Number.NaN
  const row = (i: number, [a, b, c]: Vector) => e(3 * i) * a + e(3 * i + 1) * b + e(3 * i + 2) * c + e(9 + i)
  return (values) => [0, 1, 2].map((i) => row(i, vectorOf(values)))
}

/** A table of so many points along each channel, the last channel the fastest: straight lines between its points. */
function byTable(counts: readonly number[], entry: (i: number) => number): Step {
  if (counts.some((count) => count < 2)) return () => []
  const steps = counts.map((_, i) => counts.slice(i + 1).reduce((product, count) => product * count, CHANNELS))
  return (values) => {
    // The corners of the cell that the colour lies in, and how much each counts.
    let [corners, weights] = [[0], [1]]
    for (const [i, count] of counts.entries()) {
      const at = (values[i] ?? Number.NaN) * (count - 1)
      const cell = Math.min(Math.floor(at), count - 2)
      const [step, part] = [steps[i] ?? 0, at - cell]
      corners = corners.map((corner) => corner + cell * step)
      if (part === 0) continue
      corners = [...corners, ...corners.map((corner) => corner + step)]
      weights = [...weights.map((weight) => weight * (1 - part)), ...weights.map((weight) => weight * part)]
    }
    const output = (i: number) => corners.reduce((sum, corner, n) => sum + (weights[n] ?? 0) * entry(corner + i), 0)
    return [output(0), output(1), output(2)]
  }
}

function vectorOf([a = Number.NaN, b = Number.NaN, c = Number.NaN]: readonly number[]): Vector {
  return [a, b, c]
}

function scaledXyz(values: readonly number[]): Vector {
  const [x, y, z] = vectorOf(values)
  return [x * XYZ_MOST, y * XYZ_MOST, z * XYZ_MOST]
}

/** From Lab, 0 to 1 for L* of 0 to 100 and for a* and b* of -128 to 127 (CIE 15). */
function labToXyz(values: readonly number[]): Vector {
  const [l, a, b] = vectorOf(values)
  const y = (l * 100 + 16) / 116
  const cube = (f: number) => (f > 6 / 29 ? f ** 3 : (f - 4 / 29) * (108 / 841))
  const [x, z] = [y + (a * 255 - 128) / 500, y - (b * 255 - 128) / 200]
  return [D50[0] * cube(x), D50[1] * cube(y), D50[2] * cube(z)]
}
