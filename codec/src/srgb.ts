import { fixed, readCurve, readTags } from './icc.ts'

/** The colorants of sRGB in profiles, adapted to D50: X, Y and Z of red, green and blue. */
const COLORANTS = {
  rXYZ: [0.4361, 0.2225, 0.0139],
  gXYZ: [0.3851, 0.7169, 0.0971],
  bXYZ: [0.1431, 0.0606, 0.7141],
}
/** From light of red, green and blue to XYZ, row by row. */
export const SRGB_TO_XYZ = [0, 1, 2].flatMap((row) => Object.values(COLORANTS).map((xyz) => xyz[row] ?? 0))
const COLORANT_TOLERANCE = 0.003

/**
 * The tone curve of sRGB at a quarter, a half and three quarters. A gamma of 2.2 is within the tolerance: the difference is
 * invisible.
 */
const CURVE_POINTS = [
  [0.25, 0.0509],
  [0.5, 0.214],
  [0.75, 0.5225],
] as const
const CURVE_TOLERANCE = 0.01

/** Whether an ICC profile has the colorants and tone curves of sRGB, whatever its name (ICC.1:2022, 8.3.2). */
export function isSrgb(profile: Uint8Array): boolean {
  const tags = readTags(profile)
  // Lookup tables take precedence over colorants.
  if (tags.has('A2B0')) return false
  const hasColorants = Object.entries(COLORANTS).every(([tag, xyz]) => isColorant(profile, tags.get(tag), xyz))
  return hasColorants && ['rTRC', 'gTRC', 'bTRC'].every((tag) => isSrgbCurve(profile, tags.get(tag)))
}

function isColorant(profile: Uint8Array, at: number | undefined, xyz: readonly number[]): boolean {
  return (
    at !== undefined && xyz.every((value, i) => Math.abs(fixed(profile, at + 8 + 4 * i) - value) < COLORANT_TOLERANCE)
  )
}

function isSrgbCurve(profile: Uint8Array, at: number | undefined): boolean {
  if (at === undefined) return false
  const { curve } = readCurve(profile, at)
  return CURVE_POINTS.every(([x, y]) => Math.abs(curve(x) - y) < CURVE_TOLERANCE)
}
