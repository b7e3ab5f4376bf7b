import { bytesBE, concat, fourCC, hasText, textBytes, uint16BE, uint32BE } from '../bytes.ts'

// Reads and writes parts of ICC profiles (ICC.1:2022; sections in brackets).

/** A function of 0 to 1, as of a channel's values to its light. */
export type Curve = (value: number) => number

/** Of what is not there, or cannot be read. */
const UNREADABLE: Curve = () => Number.NaN

const TAG_COUNT_AT = 128
const MAX_TAGS = 100
const TAG_ENTRY_BYTES = 12
/** Larger tags are tables, of which there is one. */
const SHARED_MAX_BYTES = 4096
/** The number of parameters of each kind of parametric curve. */
const PARAMETERS = [1, 3, 4, 5, 7]

/** A tag to be written. */
export type Tag = readonly [name: string, content: Uint8Array]

/** XYZ of the white of all profiles (7.2.16). */
export const D50 = [0.9642, 1, 0.8249] as const

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

/** The data of a tag; undefined without the tag, or where the profile ends before. */
export function readTag(profile: Uint8Array, name: string): Uint8Array | undefined {
  const at = [...readTags(profile).keys()].indexOf(name)
  const entry = TAG_COUNT_AT + 4 + at * TAG_ENTRY_BYTES
  const [from, bytes] = [uint32BE(profile, entry + 4), uint32BE(profile, entry + 8)]
  if (at < 0 || from === undefined || bytes === undefined || from + bytes > profile.length) return undefined
  return profile.subarray(from, from + bytes)
}

/**
 * Writes a profile of these tags and those that all must have (7.2, 7.3, 8.2). `kind` is bytes 8 to 23 of its header. Nothing in
 * it names a device, a program or a date.
 */
export function writeProfile(kind: Uint8Array, tags: readonly Tag[]): Uint8Array {
  const name = textType('RGB')
  const entries: Tag[] = [['desc', name], ['cprt', name], ['wtpt', xyzType(D50)], ...tags]
  const directory: Uint8Array[] = [bytesBE(entries.length, 4)]
  const data: Uint8Array[] = []
  const entryOfContent = new Map<string, Uint8Array>()
  let end = TAG_COUNT_AT + 4 + TAG_ENTRY_BYTES * entries.length
  for (const [tag, content] of entries) {
    // Tags with equal content share it.
    const key = content.length < SHARED_MAX_BYTES ? content.join() : tag
    let entry = entryOfContent.get(key)
    if (!entry) {
      entry = concat([bytesBE(end, 4), bytesBE(content.length, 4)])
      entryOfContent.set(key, entry)
      data.push(content, new Uint8Array(-content.length & 3))
      end += (content.length + 3) & ~3
    }
    directory.push(textBytes(tag), entry)
  }
  return concat([header(end, kind), ...directory, ...data])
}

function header(size: number, kind: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(TAG_COUNT_AT)
  bytes.set(bytesBE(size, 4))
  bytes.set(kind, 8)
  bytes.set(textBytes('acsp'), 36)
  bytes.set(xyzType(D50).subarray(8), 68)
  return bytes
}

function typed(signature: string, ...content: Uint8Array[]): Uint8Array {
  return concat([textBytes(signature), new Uint8Array(4), ...content])
}

function fixedBytes(value: number): Uint8Array {
  return bytesBE(Math.round(value * 65536) >>> 0, 4)
}

/** XYZType (10.31). */
export function xyzType(values: readonly number[]): Uint8Array {
  return typed('XYZ ', ...values.map(fixedBytes))
}

/** curveType (10.6) of samples from 0 to 1. */
export function sampledType(samples: readonly number[]): Uint8Array {
  return typed('curv', bytesBE(samples.length, 4), ...samples.map((sample) => bytesBE(Math.round(0xffff * sample), 2)))
}

/** parametricCurveType (10.18). */
export function parametricType(kind: number, parameters: readonly number[]): Uint8Array {
  return typed('para', bytesBE(kind, 2), new Uint8Array(2), ...parameters.map(fixedBytes))
}

/** multiLocalizedUnicodeType (10.15): a text in one language. */
function textType(text: string): Uint8Array {
  const characters = concat([...text].map((character) => bytesBE(character.charCodeAt(0), 2)))
  const record = [bytesBE(1, 4), bytesBE(12, 4), textBytes('enUS'), bytesBE(characters.length, 4), bytesBE(28, 4)]
  return typed('mluc', ...record, characters)
}
