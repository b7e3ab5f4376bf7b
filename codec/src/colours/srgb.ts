import { type Curve, fixed, readCurve, readTags } from './icc.ts'

/** The colorants of sRGB in profiles, adapted to D50: X, Y and Z of red, green and blue. */
const COLORANTS = {
  rXYZ: [0.4361, 0.2225, 0.0139],
  gXYZ: [0.3851, 0.7169, 0.0971],
  bXYZ: [0.1431, 0.0606, 0.7141],
}
/** From light of red, green and blue to XYZ, row by row. */
export const SRGB_TO_XYZ = [0, 1, 2].flatMap((row) => Object.values(COLORANTS).map((xyz) => xyz[row] ?? 0))
const COLORANT_TOLERANCE = 0.003

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
  return isSameLevel(curve, srgbToLight, 0.5)
}

/** Whether no value of 8 bits is further than `levels` of sRGB from its light by the other curve. */
export function isSameLevel(curve: Curve, other: Curve, levels: number): boolean {
  return Array.from({ length: 256 }, (_, value) => {
    const difference = lightToSrgb(curve(value / 255)) - lightToSrgb(other(value / 255))
    return Math.abs(difference) <= levels / 255
  }).every(Boolean)
}

/** The curve of sRGB (IEC 61966-2-1), from values to light. */
export function srgbToLight(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

/** The inverse of `srgbToLight`. */
export function lightToSrgb(light: number): number {
  return light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055
}
