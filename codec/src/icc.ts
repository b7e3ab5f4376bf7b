import { fourCC, hasText, uint16BE, uint32BE } from './bytes.ts'

// Reads and writes parts of ICC profiles (ICC.1:2022; sections in brackets).

/** A function of 0 to 1, as of a channel's values to its light. */
export type Curve = (value: number) => number

/** Of what is not there, or cannot be read. */
const UNREADABLE: Curve = () => Number.NaN

const TAG_COUNT_AT = 128
const MAX_TAGS = 100
const TAG_ENTRY_BYTES = 12
/** How many parameters each kind of parametric curve has. */
const PARAMETERS = [1, 3, 4, 5, 7]

/** The offset of each tag's data (7.3). */
export function readTags(profile: Uint8Array): Map<string, number> {
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

/** s15Fixed16Number (4.3); NaN past the end. */
export function fixed(profile: Uint8Array, at: number): number {
  const bits = uint32BE(profile, at)
  return bits === undefined ? Number.NaN : (bits | 0) / 65536
}

/** Reads a curve of either type, and its length. An unreadable curve returns NaN. */
export function readCurve(profile: Uint8Array, at: number): { curve: Curve; bytes: number } {
  if (hasText(profile, at, 'curv')) {
    const count = uint32BE(profile, at + 8) ?? 0
    return { curve: readSampledCurve(profile, at, count), bytes: 12 + 2 * count }
  }
  const kind = hasText(profile, at, 'para') ? (uint16BE(profile, at + 8) ?? -1) : -1
  const parameters = Array.from({ length: PARAMETERS[kind] ?? 0 }, (_, i) => fixed(profile, at + 12 + 4 * i))
  return { curve: parametricCurve(kind, parameters), bytes: 12 + 4 * parameters.length }
}

/** curveType (10.6): without entries linear, one entry is a gamma in 256ths, more are samples. */
function readSampledCurve(profile: Uint8Array, at: number, count: number): Curve {
  const entry = (i: number) => uint16BE(profile, at + 12 + 2 * i) ?? Number.NaN
  if (count === 0) return (x) => x
  if (count === 1) return (x) => x ** (entry(0) / 256)
  return interpolated(count, (i) => entry(i) / 0xffff)
}

/** parametricCurveType (10.18): a power function, below a value linear. */
function parametricCurve(kind: number, parameters: readonly number[]): Curve {
  const [g = Number.NaN, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = parameters
  const power = (x: number) => Math.max(0, a * x + b) ** g
  if (kind === 0) return power
  if (kind === 1 || kind === 2) return (x) => power(x) + c
  if (kind === 3 || kind === 4) return (x) => (x >= d ? power(x) + e : c * x + f)
  return UNREADABLE
}

/** So many samples, straight lines between them. */
export function interpolated(count: number, sample: (i: number) => number): Curve {
  return (x) => {
    const at = Math.max(0, Math.min(1, x)) * (count - 1)
    const i = Math.min(Math.floor(at), Math.max(0, count - 2))
    const low = sample(i)
    return count < 2 ? low : low + (at - i) * (sample(i + 1) - low)
  }
}
