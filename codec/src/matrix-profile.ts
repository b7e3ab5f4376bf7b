import { bytesBE, concat, hasText, textBytes } from './bytes.ts'
import { type Curves, D50, type Matrix } from './cicp.ts'
import { type Curve, fixed, interpolated, readCurve, readTags } from './icc.ts'
import { SRGB_TO_XYZ } from './srgb.ts'

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
/** How far colorants of one space are apart that two programs computed: P3's in profiles differ by up to 0.0003. */
const COLORANT_TOLERANCE = 0.001

/** Reads a profile for RGB; undefined where it has lookup tables, which count more, or is broken. */
export function readMatrixProfile(profile: Uint8Array): MatrixProfile | undefined {
  const tags = readTags(profile)
  if (tags.has('A2B0') || !hasText(profile, 20, 'XYZ ')) return undefined
  const columns = COLORANTS.map((name) => [8, 12, 16].map((at) => fixed(profile, (tags.get(name) ?? Number.NaN) + at)))
  const toXyz = [0, 1, 2].flatMap((row) => columns.map((column) => column[row] ?? Number.NaN))
  const [red, green, blue] = CURVES.map((name) => eightBits(readCurve(profile, tags.get(name) ?? Number.NaN).curve))
  if (!toXyz.every(Number.isFinite) || !red || !green || !blue) return undefined
  return { toLights: [red, green, blue], toXyz }
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

/** A profile of version 4 for the colours that are described so: of 2.1 KB at most, and nothing else is in it (7.2, 7.3). */
export function writeMatrixProfile({ toLights, toXyz }: MatrixProfile): Uint8Array {
  const name = mluc('RGB')
  const entries: [string, Uint8Array][] = [
    ['desc', name],
    ['cprt', name],
    ['wtpt', xyz(D50)],
    ...COLORANTS.map((tag, i): [string, Uint8Array] => [tag, xyz([0, 1, 2].map((row) => toXyz[3 * row + i] ?? 0))]),
    ...CURVES.map((tag, i): [string, Uint8Array] => [tag, curv(toLights[i] ?? toLights[0])]),
  ]
  const directory: Uint8Array[] = [bytesBE(entries.length, 4)]
  const data: Uint8Array[] = []
  const entryOfContent = new Map<string, Uint8Array>()
  let end = 128 + 4 + 12 * entries.length
  for (const [tag, content] of entries) {
    // Tags with equal content share it.
    const key = content.join()
    let entry = entryOfContent.get(key)
    if (!entry) {
      entry = concat([bytesBE(end, 4), bytesBE(content.length, 4)])
      entryOfContent.set(key, entry)
      data.push(content)
      end += content.length
    }
    directory.push(textBytes(tag), entry)
  }
  return concat([header(end), ...directory, ...data])
}

function header(size: number): Uint8Array {
  const bytes = new Uint8Array(128)
  bytes.set(bytesBE(size, 4))
  bytes[8] = 4
  bytes.set(textBytes('mntrRGB XYZ '), 12)
  bytes.set(textBytes('acsp'), 36)
  bytes.set(xyz(D50).subarray(8), 68)
  return bytes
}

function type(signature: string, ...content: Uint8Array[]): Uint8Array {
  return concat([textBytes(signature), new Uint8Array(4), ...content])
}

function xyz(values: readonly number[]): Uint8Array {
  return type('XYZ ', ...values.map((value) => bytesBE(Math.round(value * 65536) >>> 0, 4)))
}

function curv(curve: Curve): Uint8Array {
  const values = Array.from({ length: VALUES }, (_, i) => bytesBE(Math.round(0xffff * curve(i / (VALUES - 1))), 2))
  return type('curv', bytesBE(VALUES, 4), ...values)
}

/** A text in one language (10.15), filled up to whole words. */
function mluc(text: string): Uint8Array {
  const characters = concat([...text].map((character) => bytesBE(character.charCodeAt(0), 2)))
  const record = [bytesBE(1, 4), bytesBE(12, 4), textBytes('enUS'), bytesBE(characters.length, 4), bytesBE(28, 4)]
  return type('mluc', ...record, characters, new Uint8Array(-characters.length & 3))
}
