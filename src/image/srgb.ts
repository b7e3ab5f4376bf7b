import { fourCC, hasText, uint16BE, uint32BE } from './bytes.ts'

/** The colorants of sRGB as profiles hold them, adapted to D50: X, Y and Z of red, green and blue. */
const COLORANTS = {
  rXYZ: [0.4361, 0.2225, 0.0139],
  gXYZ: [0.3851, 0.7169, 0.0971],
  bXYZ: [0.1431, 0.0606, 0.7141],
}
const COLORANT_TOLERANCE = 0.003

/** What sRGB makes of a quarter, a half and three quarters of full scale; a gamma of 2.2 is within the tolerance, as none can see it. */
const CURVE_POINTS = [
  [0.25, 0.0509],
  [0.5, 0.214],
  [0.75, 0.5225],
] as const
const CURVE_TOLERANCE = 0.01

const TAG_COUNT_AT = 128
const MAX_TAGS = 100
const TAG_ENTRY_BYTES = 12

/** Whether an ICC profile says the same as sRGB by its colorants and tone curves, whatever it is called (ICC.1:2022, 8.3.2). */
export function isSrgb(profile: Uint8Array): boolean {
  const tags = readTags(profile)
  // Tables go before colorants.
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

/** A tone curve as a function from 0..1; one that cannot be read gives NaN. */
function readCurve(profile: Uint8Array, at: number): (x: number) => number {
  return hasText(profile, at, 'curv') ? readSampledCurve(profile, at) : readParametricCurve(profile, at)
}

/** curveType (10.6): no entry is a straight line, one a gamma in 256ths, more are samples. */
function readSampledCurve(profile: Uint8Array, at: number): (x: number) => number {
  const count = uint32BE(profile, at + 8) ?? 0
  const entry = (i: number) => uint16BE(profile, at + 12 + 2 * i) ?? Number.NaN
  if (count === 0) return (x) => x
  if (count === 1) return (x) => x ** (entry(0) / 256)
  return (x) => entry(Math.round(x * (count - 1))) / 0xffff
}

/** parametricCurveType (10.18): a power of a line, and below d another line. */
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
