import { fourCC, hasText, uint16BE, uint32BE } from './bytes.ts'

/** The colorants of sRGB in profiles, adapted to D50: X, Y and Z of red, green and blue. */
const COLORANTS = {
  rXYZ: [0.4361, 0.2225, 0.0139],
  gXYZ: [0.3851, 0.7169, 0.0971],
  bXYZ: [0.1431, 0.0606, 0.7141],
}
const COLORANT_TOLERANCE = 0.003

/** The tone curve of sRGB at a quarter, a half and three quarters. A gamma of 2.2 is within the tolerance: the difference is invisible. */
const CURVE_POINTS = [
  [0.25, 0.0509],
  [0.5, 0.214],
  [0.75, 0.5225],
] as const
const CURVE_TOLERANCE = 0.01

const TAG_COUNT_AT = 128
const MAX_TAGS = 100
const TAG_ENTRY_BYTES = 12

/** Whether an ICC profile has the colorants and tone curves of sRGB, whatever its name (ICC.1:2022, 8.3.2). */
export function isSrgb(profile: Uint8Array): boolean {
  const tags = readTags(profile)
  // Lookup tables take precedence over colorants.
  if (tags.has('A2B0')) return false
  const hasColorants = Object.entries(COLORANTS).every(([tag, xyz]) => isColorant(profile, tags.get(tag), xyz))
  return hasColorants && ['rTRC', 'gTRC', 'bTRC'].every((tag) => isSrgbCurve(profile, tags.get(tag)))
}

/** The offset of each tag's data (7.3). */
function readTags(profile: Uint8Array): Map<string, number> {
  const count = Math.min(uint32BE(profile, TAG_COUNT_AT) ?? 0, MAX_TAGS)
  const tags = new Map<string, number>()
  for (let i = 0; i < count; i++) {
    const entry = TAG_COUNT_AT + 4 + i * TAG_ENTRY_BYTES
    const name = fourCC(profile, entry)
    const offset = uint32BE(profile, entry + 4)
    if (name !== undefined && offset !== undefined) tags.set(name, offset)
  }
  return tags
}

function isColorant(profile: Uint8Array, at: number | undefined, xyz: readonly number[]): boolean {
  return (
    at !== undefined && xyz.every((value, i) => Math.abs(fixed(profile, at + 8 + 4 * i) - value) < COLORANT_TOLERANCE)
  )
}

function isSrgbCurve(profile: Uint8Array, at: number | undefined): boolean {
  if (at === undefined) return false
  const curve = readCurve(profile, at)
  return CURVE_POINTS.every(([x, y]) => Math.abs(curve(x) - y) < CURVE_TOLERANCE)
}

/** A tone curve as a function of 0 to 1. If it cannot be read, the function returns NaN. */
function readCurve(profile: Uint8Array, at: number): (x: number) => number {
  return hasText(profile, at, 'curv') ? readSampledCurve(profile, at) : readParametricCurve(profile, at)
}

/** curveType (10.6): without entries linear, one entry is a gamma in 256ths, more are samples. */
function readSampledCurve(profile: Uint8Array, at: number): (x: number) => number {
  const count = uint32BE(profile, at + 8) ?? 0
  const entry = (i: number) => uint16BE(profile, at + 12 + 2 * i) ?? Number.NaN
  if (count === 0) return (x) => x
  if (count === 1) return (x) => x ** (entry(0) / 256)
  return (x) => entry(Math.round(x * (count - 1))) / 0xffff
}

/** parametricCurveType (10.18): a power function, below `d` linear. */
function readParametricCurve(profile: Uint8Array, at: number): (x: number) => number {
  const kind = hasText(profile, at, 'para') ? uint16BE(profile, at + 8) : undefined
  const parameter = (i: number) => fixed(profile, at + 12 + 4 * i)
  const [g, a, b, c, d] = [0, 1, 2, 3, 4].map(parameter)
  const gamma = g ?? Number.NaN
  if (kind === 0) return (x) => x ** gamma
  if (kind !== 3 && kind !== 4) return () => Number.NaN
  return (x) => (x >= (d ?? 0) ? ((a ?? 1) * x + (b ?? 0)) ** gamma : (c ?? 0) * x)
}

/** s15Fixed16Number (4.3). */
function fixed(profile: Uint8Array, at: number): number {
  return ((uint32BE(profile, at) ?? Number.NaN) << 0) / 65536
}
