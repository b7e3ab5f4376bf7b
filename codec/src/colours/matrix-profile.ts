import { hasText, textBytes } from '../bytes.ts'
import type { Curves, Matrix } from './cicp.ts'
import {
  type Curve,
  fixed,
  interpolated,
  parametricType,
  readCurve,
  readTags,
  sampledType,
  type Tag,
  writeProfile,
  xyzType,
} from './icc.ts'
import { isSameLevel, SRGB_TO_XYZ } from './srgb.ts'

/**
 * A profile of an RGB screen or camera: a curve for each channel, and a matrix to XYZ, adapted to D50 (ICC.1:2022,
 * 8.3.2).
 */
interface MatrixProfile {
  toLights: Curves
  toXyz: Matrix
}

const COLORANTS = ['rXYZ', 'gXYZ', 'bXYZ']
const CURVES = ['rTRC', 'gTRC', 'bTRC']
/** Of images of 8 bits a curve has no more values. */
const VALUES = 256
/** Tolerance between colorants of one colour space from different programs: P3's differ by up to 0.0003. */
const COLORANT_TOLERANCE = 0.001

/** Bytes 8 to 23 of the header of what is written: version 4, a monitor, RGB and XYZ (7.2). */
const RGB_TO_XYZ = textBytes('\x04\0\0\0mntrRGB XYZ ')
/** Of a parametric curve of kind 3, from g to d: IEC 61966-2-1. */
const SRGB_PARAMETERS = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
/** Tolerance between a formula and a curve, in levels of 8 bits. */
const SAME_LEVELS = 0.1

/** Reads a profile for RGB; undefined where it has lookup tables, which count more, or is broken. */
export function readMatrixProfile(profile: Uint8Array): MatrixProfile | undefined {
  const tags = readTags(profile)
  if (tags.has('A2B0') || !hasText(profile, 20, 'XYZ ')) return undefined
  const columns = COLORANTS.map((name) => readXyz(profile, tags.get(name) ?? Number.NaN))
  const toXyz = [0, 1, 2].flatMap((row) => columns.map((column) => column[row] ?? Number.NaN))
  const [red, green, blue] = CURVES.map((name) => eightBits(readCurve(profile, tags.get(name) ?? Number.NaN).curve))
  if (!toXyz.every(Number.isFinite) || !red || !green || !blue) return undefined
  return { toLights: [red, green, blue], toXyz }
}

/** Returns the numbers of an XYZType (10.31); none of another type. */
function readXyz(profile: Uint8Array, at: number): number[] {
  return hasText(profile, at, 'XYZ ') ? [8, 12, 16].map((offset) => fixed(profile, at + offset)) : []
}

/** A profile for RGB that shows greys as this one for grey does, by its kTRC; undefined where it has none, or a broken one. */
export function greyAsRgb(profile: Uint8Array): Uint8Array | undefined {
  const curve = eightBits(readCurve(profile, readTags(profile).get('kTRC') ?? Number.NaN).curve)
  return curve && writeMatrixProfile({ toLights: [curve, curve, curve], toXyz: SRGB_TO_XYZ })
}

/** A curve of no more than 256 values, all of them from 0 to 1; undefined if it cannot be read. */
function eightBits(curve: Curve): Curve | undefined {
  const samples = Array.from({ length: VALUES }, (_, i) => Math.max(0, Math.min(1, curve(i / (VALUES - 1)))))
  return samples.some(Number.isNaN) ? undefined : interpolated(VALUES, (i) => samples[i] ?? 0)
}

/** Whether two profiles describe the same space: no value of 8 bits is half a level brighter or darker by one of them. */
export function isSameSpace(one: MatrixProfile, other: MatrixProfile): boolean {
  const isSameMatrix = one.toXyz.every((value, i) => Math.abs(value - (other.toXyz[i] ?? 0)) < COLORANT_TOLERANCE)
  return isSameMatrix && one.toLights.every((curve, i) => isWithinHalfLevel(curve, other.toLights[i] ?? curve))
}

function isWithinHalfLevel(one: Curve, other: Curve): boolean {
  return Array.from({ length: VALUES }, (_, value) => {
    const light = other(value / (VALUES - 1))
    return one((value - 0.5) / (VALUES - 1)) <= light && light <= one((value + 0.5) / (VALUES - 1))
  }).every(Boolean)
}

/** A profile of version 4 for these colours, and nothing else is in it: 0.4 KB with curves of a formula, 2.1 KB at most (7.2, 7.3). */
export function writeMatrixProfile({ toLights, toXyz }: MatrixProfile): Uint8Array {
  const column = (i: number) => [0, 1, 2].map((row) => toXyz[3 * row + i] ?? 0)
  return writeProfile(RGB_TO_XYZ, [
    ...COLORANTS.map((tag, i): Tag => [tag, xyzType(column(i))]),
    ...CURVES.map((tag, i): Tag => [tag, curveType(toLights[i] ?? toLights[0])]),
  ])
}

/** A curve by the formula of sRGB or a gamma, where that is the same for 8 bits; else by samples (10.6, 10.18). */
function curveType(curve: Curve): Uint8Array {
  const gamma = Math.log(curve(0.5)) / Math.log(0.5)
  const formulas = [
    parametricType(3, SRGB_PARAMETERS),
    ...(gamma > 0.1 && gamma < 10 ? [parametricType(0, [gamma])] : []),
  ]
  const formula = formulas.find((type) => isSameLevel(readCurve(type, 0).curve, curve, SAME_LEVELS))
  return formula ?? sampledType(Array.from({ length: VALUES }, (_, i) => curve(i / (VALUES - 1))))
}
