import { GRID_POINTS } from '../assembly/colour/grid-points.ts'
import { hasText, uint16BE, uint32BE } from './bytes.ts'
import { type Vector, xyzToSrgb } from './cicp.ts'
import { type Curve, fixed, interpolated, readCurve, readTags } from './icc.ts'

// Profiles of scanners and printers: lookup tables from RGB to Lab or XYZ of D50 (ICC.1:2022; sections in brackets).

/** From three numbers to three others, in PCS encoding: 0 to 1 each. */
type Step = (colour: Vector) => Vector

const D50 = [0.9642, 1, 0.8249] as const
/** What 1 is of XYZ, u1Fixed15 (6.3.4.2). */
const XYZ_MOST = 1 + 32767 / 32768
/** Lab of 16 bits in lut16Type has 100 and 255 for 0xff00, not for 0xffff (6.3.4.2). */
const LAB_16_BITS = 0xffff / 0xff00
const CHANNELS = 3

/**
 * What the points of the codec's grid become in sRGB by the tables of a profile for RGB (A2B0, perceptual), as setColourGrid wants
 * them; undefined without such tables, or where they are broken.
 */
export function readTableProfile(profile: Uint8Array): Uint8Array | undefined {
  const at = readTags(profile).get('A2B0')
  if (at === undefined) return undefined
  const isLab = hasText(profile, 20, 'Lab ')
  if (!isLab && !hasText(profile, 20, 'XYZ ')) return undefined
  const steps = readSteps(profile, at, isLab)
  if (!steps) return undefined
  const toXyz = isLab ? labToXyz : scaledXyz
  const points = new Int16Array(GRID_POINTS ** 3 * 4)
  let next = 0
  for (let red = 0; red < GRID_POINTS; red++) {
    for (let green = 0; green < GRID_POINTS; green++) {
      for (let blue = 0; blue < GRID_POINTS; blue++) {
        const most = GRID_POINTS - 1
        let colour: Vector = [red / most, green / most, blue / most]
        for (const step of steps) colour = step(colour)
        for (const value of xyzToSrgb(toXyz(colour))) {
          if (Number.isNaN(value)) return undefined
          points[next++] = Math.max(-0x8000, Math.min(0x7fff, Math.round(value * 255 * 64)))
        }
        next++
      }
    }
  }
  return new Uint8Array(points.buffer)
}

function readSteps(profile: Uint8Array, at: number, isLab: boolean): Step[] | undefined {
  if (profile[at + 8] !== CHANNELS || profile[at + 9] !== CHANNELS) return undefined
  if (hasText(profile, at, 'mft1')) return readLut(profile, at, 1, 1)
  if (hasText(profile, at, 'mft2')) return readLut(profile, at, 2, isLab ? LAB_16_BITS : 1)
  return hasText(profile, at, 'mAB ') ? readLutAToB(profile, at) : undefined
}

/** lut8Type and lut16Type (10.10, 10.11): curves, a table, curves. Their matrix is for XYZ alone. */
function readLut(profile: Uint8Array, at: number, sampleBytes: number, gain: number): Step[] {
  const points = profile[at + 10] ?? 0
  const [inputs, outputs] = sampleBytes === 1 ? [256, 256] : [48, 50].map((offset) => uint16BE(profile, at + offset))
  const inputsAt = at + (sampleBytes === 1 ? 48 : 52)
  const tableAt = inputsAt + CHANNELS * (inputs ?? 0) * sampleBytes
  const outputsAt = tableAt + points ** 3 * CHANNELS * sampleBytes
  const sample = sampler(profile, sampleBytes)
  const curves = (from: number, count = 0) =>
    [0, 1, 2].map((i) => interpolated(count, (entry) => sample(from + (i * count + entry) * sampleBytes)))
  const scaled: Step = ([a, b, c]) => [a * gain, b * gain, c * gain]
  return [
    byCurves(curves(inputsAt, inputs)),
    byTable([points, points, points], (entry) => sample(tableAt + entry * sampleBytes)),
    byCurves(curves(outputsAt, outputs)),
    scaled,
  ]
}

/** lutAToBType (10.12): curves A, a table, curves M, a matrix, curves B; all but the last may be missing. */
function readLutAToB(profile: Uint8Array, at: number): Step[] {
  const [b, matrix, m, table, a] = [12, 16, 20, 24, 28].map((offset) => uint32BE(profile, at + offset) ?? 0)
  const steps: Step[] = []
  if (a && table) {
    const tableAt = at + table
    const sampleBytes = profile[tableAt + 16] === 1 ? 1 : 2
    const sample = sampler(profile, sampleBytes)
    const points: Vector = [profile[tableAt] ?? 0, profile[tableAt + 1] ?? 0, profile[tableAt + 2] ?? 0]
    steps.push(byCurves(readCurves(profile, at + a)))
    steps.push(byTable(points, (entry) => sample(tableAt + 20 + entry * sampleBytes)))
  }
  if (m && matrix) steps.push(byCurves(readCurves(profile, at + m)), byMatrix(profile, at + matrix))
  return [...steps, byCurves(readCurves(profile, at + (b ?? 0)))]
}

/** Three curves, one after the other, each filled up to whole words. */
function readCurves(profile: Uint8Array, at: number): Curve[] {
  const curves: Curve[] = []
  for (let next = at; curves.length < CHANNELS; ) {
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

function byCurves([first, second, third]: readonly Curve[]): Step {
  const at = (curve: Curve | undefined, value: number) => Math.max(0, Math.min(1, curve?.(value) ?? Number.NaN))
  return ([a, b, c]) => [at(first, a), at(second, b), at(third, c)]
}

/** Twelve numbers: a matrix, row by row, and what is added. */
function byMatrix(profile: Uint8Array, at: number): Step {
  const number = Array.from({ length: 12 }, (_, i) => fixed(profile, at + 4 * i))
  const e = (i: number) => number[i] ?? Number.NaN
  const row = (i: number, [a, b, c]: Vector) => e(3 * i) * a + e(3 * i + 1) * b + e(3 * i + 2) * c + e(9 + i)
  return (colour) => [row(0, colour), row(1, colour), row(2, colour)]
}

/** A table of so many points along each channel, the last channel the fastest: straight lines between its points. */
function byTable([reds, greens, blues]: Vector, entry: (i: number) => number): Step {
  const isTable = [reds, greens, blues].every((count) => count > 1)
  if (!isTable) return () => [Number.NaN, Number.NaN, Number.NaN]
  const [red, green, blue] = [CHANNELS * greens * blues, CHANNELS * blues, CHANNELS]
  const cellOf = (value: number, count: number) => Math.min(Math.floor(value * (count - 1)), count - 2)
  return ([r, g, b]) => {
    const [cellR, cellG, cellB] = [cellOf(r, reds), cellOf(g, greens), cellOf(b, blues)]
    const corner = cellR * red + cellG * green + cellB * blue
    const [partR, partG, partB] = [r * (reds - 1) - cellR, g * (greens - 1) - cellG, b * (blues - 1) - cellB]
    const between = (from: number, step: number, part: number) =>
      part === 0 ? entry(from) : entry(from) * (1 - part) + entry(from + step) * part
    const output = (i: number) => {
      const side = (at: number) => {
        const near = between(at, blue, partB)
        return partG === 0 ? near : near * (1 - partG) + between(at + green, blue, partB) * partG
      }
      const near = side(corner + i)
      return partR === 0 ? near : near * (1 - partR) + side(corner + i + red) * partR
    }
    return [output(0), output(1), output(2)]
  }
}

function scaledXyz([x, y, z]: Vector): Vector {
  return [x * XYZ_MOST, y * XYZ_MOST, z * XYZ_MOST]
}

/** From Lab, 0 to 1 for L* of 0 to 100 and for a* and b* of -128 to 127 (CIE 15). */
function labToXyz([l, a, b]: Vector): Vector {
  const y = (l * 100 + 16) / 116
  const cube = (f: number) => (f > 6 / 29 ? f ** 3 : (f - 4 / 29) * (108 / 841))
  const [x, z] = [y + (a * 255 - 128) / 500, y - (b * 255 - 128) / 200]
  return [D50[0] * cube(x), D50[1] * cube(y), D50[2] * cube(z)]
}
