import { type Curves, type Matrix, matrixTransform } from './cicp.ts'
import { isSameSpace, readMatrixProfile, writeMatrixProfile } from './matrix-profile.ts'
import { SRGB_TO_XYZ } from './srgb.ts'
import { readTableProfile, writeTableProfile } from './table-profile.ts'

/** The conversion to sRGB: by a table of colour-transform.ts, or by a grid of colour-grid.ts. */
export interface ColourChange {
  table: Uint8Array
  isGrid: boolean
}

/** The colours of a derived image. */
export interface OutputColours {
  /** The profile that goes into the file. */
  profile?: Uint8Array
  /** The conversion of its colours to sRGB, if they need one. */
  change?: ColourChange
}

/** The first levels of a curve are coarse if this value has more light than by a gamma of 1.4. */
const COARSE_VALUE = 0.05
const COARSE_LIGHT = 0.05 ** 1.4
/** The volume of a wide space in XYZ, of that of sRGB: 1.4 and 1.5 of P3 and Adobe RGB, 2.0 and 2.1 of Rec. 2020 and ProPhoto RGB. */
const WIDE_VOLUME = 1.6
/** A larger profile may be most of a thumbnail. */
const SMALL_PROFILE_MAX_BYTES = 4096

/**
 * The colours of a file that is made of an image with this profile for RGB. All profiles are replaced by new ones that name no device. The colours of larger ones, which have lookup tables, become those of sRGB. A broken one counts for nothing, as in
 * browsers. `unconverted`: the colours of a file that may be larger, in which those of lookup tables stay as they are. `exact`:
 * those of a lossless file.
 */
export function outputColours(
  profile: Uint8Array | undefined,
): Record<'small' | 'unconverted' | 'exact', OutputColours> {
  if (!profile) return { small: {}, unconverted: {}, exact: {} }
  const matrix = readMatrixProfile(profile)
  if (matrix) {
    const exact = { profile: writeMatrixProfile(matrix) }
    const changed = changedColours(profile)
    const unconverted = isDarkCoarse(matrix.toLights) ? changed : exact
    return { small: isWide(matrix.toXyz) ? changed : unconverted, unconverted, exact }
  }
  const changed = changedColours(profile)
  const tables = changed.change && writeTableProfile(profile)
  const exact = tables ? { profile: tables } : changed
  const isSmall = tables && tables.length <= SMALL_PROFILE_MAX_BYTES
  return { small: isSmall ? exact : changed, unconverted: exact, exact }
}

/**
 * Whether the first levels of a curve are so far apart, as those of linear light are, that a lossy file makes dark colours others.
 */
function isDarkCoarse(toLights: Curves): boolean {
  return toLights.some((toLight) => toLight(COARSE_VALUE) > COARSE_LIGHT)
}

/**
 * Whether a space is so wide that the steps of a lossy file with halved chroma show as blocks of other colours on a screen of sRGB.
 */
function isWide(toXyz: Matrix): boolean {
  return determinant(toXyz) > WIDE_VOLUME * determinant(SRGB_TO_XYZ)
}

function determinant([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0]: Matrix): number {
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
}

/** The colours of a file in sRGB. A profile that cannot be read stays with it. */
export function srgbColours(profile: Uint8Array | undefined): OutputColours {
  const changed = changedColours(profile)
  return profile && !changed.change ? { profile } : changed
}

/**
 * The colours of two images in one file: of the same space as they would be of the left one; of different ones, both become
 * sRGB.
 */
export function jointColours(left?: Uint8Array, right?: Uint8Array): [left: OutputColours, right: OutputColours] {
  if (!hasSameColours(left, right)) return [changedColours(left), changedColours(right)]
  const colours = outputColours(left).small
  return [colours, colours]
}

/** By their bytes, for profiles of one space differ in names and dates, or by what curves and matrices say. */
function hasSameColours(left?: Uint8Array, right?: Uint8Array): boolean {
  if (!left || !right) return left === right
  if (left.length === right.length && left.every((byte, i) => byte === right[i])) return true
  const [one, other] = [readMatrixProfile(left), readMatrixProfile(right)]
  return one !== undefined && other !== undefined && isSameSpace(one, other)
}

function changedColours(profile: Uint8Array | undefined): OutputColours {
  if (!profile) return {}
  const matrix = readMatrixProfile(profile)
  if (matrix) return { change: { table: matrixTransform(matrix.toXyz, matrix.toLights), isGrid: false } }
  const table = readTableProfile(profile)
  return table ? { change: { table, isGrid: true } } : {}
}
