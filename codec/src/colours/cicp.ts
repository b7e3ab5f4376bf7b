import { D50 } from './icc.ts'
import { lightToSrgb, srgbToLight } from './srgb.ts'

/**
 * Converts colours of an nclx box or an AV1 sequence header (code points of ITU-T H.273) to sRGB, for a screen that
 * shows nothing brighter than white (D39).
 */

/** The code points of an image's colours. */
export interface Cicp {
  /** ColourPrimaries. */
  primaries: number
  /** TransferCharacteristics. */
  transfer: number
}

/** Nine numbers, row by row. */
export type Matrix = readonly number[]
/** Three numbers: a colour of RGB, XYZ or the responses of cones. */
export type Vector = readonly [number, number, number]
/** Of each channel, from a value to light, both 0 to 1. */
export type Curves = readonly [ToLight, ToLight, ToLight]
type ToLight = (value: number) => number
/** x and y of red, green, blue and white. */
export type Chromaticities = readonly [number, number, number, number, number, number, number, number]

const D65 = [0.3127, 0.329] as const
const WHITE_C = [0.31, 0.316] as const
/** Of BT.709, and of sRGB. */
const BT709: Chromaticities = [0.64, 0.33, 0.3, 0.6, 0.15, 0.06, ...D65]
const CHROMATICITY_TOLERANCE = 0.002
const BT601: Chromaticities = [0.63, 0.34, 0.31, 0.595, 0.155, 0.07, ...D65]
const BT2020: Chromaticities = [0.708, 0.292, 0.17, 0.797, 0.131, 0.046, ...D65]

/** H.273, table 2. Any other code point is taken for BT.709, whose primaries are those of sRGB. */
const PRIMARIES: Readonly<Record<number, Chromaticities>> = {
  4: [0.67, 0.33, 0.21, 0.71, 0.14, 0.08, ...WHITE_C],
  5: [0.64, 0.33, 0.29, 0.6, 0.15, 0.06, ...D65],
  6: BT601,
  7: BT601,
  8: [0.681, 0.319, 0.243, 0.692, 0.145, 0.049, ...WHITE_C],
  9: BT2020,
  10: [1, 0, 0, 1, 0, 0, 1 / 3, 1 / 3],
  11: [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.314, 0.351],
  12: [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, ...D65],
  22: [0.63, 0.34, 0.295, 0.605, 0.155, 0.077, ...D65],
}

const PQ = 16
const HLG = 18

/**
 * H.273, table 3: values of 0 to 1 as light, where 1 is white. Those of televisions are shown as sRGB is, as are code points that
 * are missing here.
 */
const TO_LIGHT: Readonly<Record<number, ToLight>> = {
  4: (value) => value ** 2.2,
  5: (value) => value ** 2.8,
  7: (value) => (value < 4 * 0.0228 ? value / 4 : ((value + 0.1115) / 1.1115) ** (1 / 0.45)),
  8: (value) => value,
  [PQ]: pqToLight,
  17: (value) => (value ** 2.6 * 52.37) / 48,
  [HLG]: hlgToScene,
}

/** Luminances in cd/m²: that of white in HDR images (BT.2408), and the most that they have unless they say so. */
const WHITE_NITS = 203
const DEFAULT_PEAK_NITS = 1000
const PQ_PEAK_NITS = 10_000
/** Of BT.2100's HLG on a display of 1000 cd/m². */
const HLG_GAMMA = 1.2

/**
 * Tone mapping darkens HDR images, so that highlights above white stay distinguishable. White becomes at least this
 * dark, and this is the bend of the curve above it. Measured from Chromium 156.
 */
const DARKEST_WHITE = 0.5
const BEND = 0.65

/** Bradford's, from XYZ to cone responses: how whites are adapted to each other. */
const CONES: Matrix = [0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296]

/** From XYZ, adapted to D50, to the light of sRGB. */
const FROM_XYZ = inverse(toXyzD50(BT709))

// As codec/assembly/colour/colour-transform.ts reads them.
const VALUES = 256
const GAINS = 4096
const OUTPUTS = 1024

/**
 * The table by which the codec makes these colours those of sRGB; undefined where they are. `peakNits` is the most that a PQ
 * image has, where it says so (MaxCLL).
 */
export function colourTransform(cicp: Cicp, peakNits: number | undefined): Uint8Array | undefined {
  const primaries = PRIMARIES[cicp.primaries]
  const toLight = TO_LIGHT[cicp.transfer]
  if (!primaries && !toLight) return undefined
  return transformTable(toXyzD50(primaries ?? BT709), alike(toLight ?? srgbToLight), cicp.transfer, peakNits)
}

/** BT.1886, the curve of displays for televisions' values. */
const bt1886ToLight: ToLight = (value) => value ** 2.4
/** The transfer functions of televisions: BT.709, BT.601, xvYCC and BT.2020. */
const TELEVISION = [1, 6, 11, 14, 15]
const SRGB = 13

/**
 * Returns the transform for the cICP chunk of a PNG, as in Chromium 156. Values of televisions are shown as on their displays. An image of
 * an unknown code point is taken for sRGB.
 */
export function pngCicpTransform({ primaries, transfer }: Cicp): Uint8Array | undefined {
  const toLight = TELEVISION.includes(transfer) ? bt1886ToLight : transfer === SRGB ? srgbToLight : TO_LIGHT[transfer]
  const known = primaries === 1 ? BT709 : PRIMARIES[primaries]
  if (!known || !toLight || (primaries === 1 && transfer === SRGB)) return undefined
  return transformTable(toXyzD50(known), alike(toLight), transfer, undefined)
}

/**
 * Returns the table for colours with any primaries (default BT.709) and any transfer function from a value to light,
 * both 0 to 1 (default sRGB).
 */
export function displayTransform(primaries: Chromaticities | undefined, toLight: ToLight | undefined): Uint8Array {
  return matrixTransform(toXyzD50(primaries ?? BT709), alike(toLight ?? srgbToLight))
}

/** The table for colours whose light becomes XYZ, adapted to D50, by a matrix. */
export function matrixTransform(toXyz: Matrix, toLights: Curves): Uint8Array {
  return transformTable(toXyz, toLights, 0, undefined)
}

/** From XYZ, adapted to D50, to values of sRGB: 0 to 1, but beyond that where a colour is outside its gamut. */
export function xyzToSrgb(xyz: Vector): Vector {
  const [red, green, blue] = apply(FROM_XYZ, xyz)
  return [signedLightToSrgb(red), signedLightToSrgb(green), signedLightToSrgb(blue)]
}

/** Whether nobody sees the difference between these chromaticities and those of sRGB. */
export function isSrgbGamut(chromaticities: Chromaticities): boolean {
  return chromaticities.every((value, i) => Math.abs(value - (BT709[i] ?? 0)) <= CHROMATICITY_TOLERANCE)
}

/** Whether images of this transfer have more light than a screen's white. */
export function isHdr({ transfer }: Cicp): boolean {
  return transfer === PQ || transfer === HLG
}

function transformTable(toXyz: Matrix, toLights: Curves, transfer: number, peakNits: number | undefined): Uint8Array {
  const toRec2020 = multiply(inverse(toXyzD50(BT2020)), toXyz)
  const fromRec2020 = multiply(FROM_XYZ, toXyzD50(BT2020))
  const lights = toLights.flatMap((toLight) => sampled(VALUES, toLight))
  const defaultPeak = DEFAULT_PEAK_NITS / WHITE_NITS
  const isPq = transfer === PQ
  const isHlg = transfer === HLG
  const systemGains = sampled(GAINS, (root) => (isHlg ? defaultPeak * root ** (2 * (HLG_GAMMA - 1)) : 1))
  const mostLight = isPq ? PQ_PEAK_NITS / WHITE_NITS : defaultPeak
  const peak = isPq && peakNits !== undefined ? peakNits / WHITE_NITS : defaultPeak
  const tone = isPq || isHlg ? toneCurve(peak) : () => 1
  const toneGains = sampled(GAINS, (root) => tone(root ** 2 * mostLight))
  const outputs = sampled(OUTPUTS, (root) => Math.round(255 * lightToSrgb(root ** 2)))
  const floats = [
    ...lights,
    ...toRec2020,
    ...toXyz.slice(3, 6),
    ...systemGains,
    mostLight,
    ...toneGains,
    ...fromRec2020,
  ]
  const table = new Uint8Array(floats.length * 4 + OUTPUTS)
  table.set(new Uint8Array(new Float32Array(floats).buffer))
  table.set(outputs, floats.length * 4)
  return table
}

/**
 * Returns the gain of a colour by the light of its largest channel. Both the light and `peak`, the brightest light of
 * the image, are relative to white.
 */
function toneCurve(peak: number): (light: number) => number {
  const headroom = Math.log2(peak) / Math.log2(DEFAULT_PEAK_NITS / WHITE_NITS)
  if (headroom <= 0) return () => 1
  const white = 1 - (1 - DARKEST_WHITE) * Math.min(1, headroom)
  // A quadratic Bézier curve from (1, white) to (peak, 1), tangent to the preceding line at its start.
  const [bendX, bendY] = [1 - BEND + BEND / white, (1 - BEND) * white + BEND]
  const [a, b] = [1 - 2 * bendX + peak, 2 * (bendX - 1)]
  return (light) => {
    if (light <= 1) return white
    if (light >= peak) return 1 / light
    const t = (2 * (light - 1)) / (b + Math.sqrt(b * b + 4 * a * (light - 1)))
    return ((1 - t) ** 2 * white + 2 * t * (1 - t) * bendY + t * t) / light
  }
}

/** BT.2100's PQ: white is 203 cd/m². */
function pqToLight(value: number): number {
  const root = value ** (32 / 2523)
  const [c1, c2, c3] = [3424 / 4096, 2413 / 128, 2392 / 128]
  return (PQ_PEAK_NITS / WHITE_NITS) * (Math.max(root - c1, 0) / (c2 - c3 * root)) ** (16384 / 2610)
}

/** BT.2100's HLG: light of the scene, 0 to 1. */
function hlgToScene(value: number): number {
  return value <= 0.5 ? value ** 2 / 3 : (Math.exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12
}

function signedLightToSrgb(light: number): number {
  return Math.sign(light) * lightToSrgb(Math.abs(light))
}

function alike(toLight: ToLight): Curves {
  return [toLight, toLight, toLight]
}

/** From linear RGB of these primaries to XYZ, their white adapted to D50. */
function toXyzD50([rx, ry, gx, gy, bx, by, wx, wy]: Chromaticities): Matrix {
  const white = xyz(wx, wy)
  const colorants = transpose([...xyz(rx, ry), ...xyz(gx, gy), ...xyz(bx, by)])
  const toXyz = multiply(colorants, diagonal(apply(inverse(colorants), white)))
  const [from, to] = [apply(CONES, white), apply(CONES, D50)]
  const scale: Vector = [to[0] / from[0], to[1] / from[1], to[2] / from[2]]
  return multiply(multiply(inverse(CONES), multiply(diagonal(scale), CONES)), toXyz)
}

/** XYZ of a chromaticity; of luminance 1, but where y is 0. */
function xyz(x: number, y: number): Vector {
  return y === 0 ? [x, y, 1 - x - y] : [x / y, 1, (1 - x - y) / y]
}

function diagonal([a, b, c]: Vector): Matrix {
  return [a, 0, 0, 0, b, 0, 0, 0, c]
}

function at(m: Matrix, row: number, column: number): number {
  return m[3 * row + column] ?? 0
}

function apply(m: Matrix, [x, y, z]: Vector): Vector {
  const row = (i: number) => at(m, i, 0) * x + at(m, i, 1) * y + at(m, i, 2) * z
  return [row(0), row(1), row(2)]
}

function transpose(m: Matrix): Matrix {
  return matrixOf((row, column) => at(m, column, row))
}

function multiply(a: Matrix, b: Matrix): Matrix {
  return matrixOf((row, column) => {
    const term = (i: number) => at(a, row, i) * at(b, i, column)
    return term(0) + term(1) + term(2)
  })
}

function inverse(m: Matrix): Matrix {
  const minor = (row: number, column: number) => {
    const [r1, r2, c1, c2] = [(row + 1) % 3, (row + 2) % 3, (column + 1) % 3, (column + 2) % 3]
    return at(m, r1, c1) * at(m, r2, c2) - at(m, r1, c2) * at(m, r2, c1)
  }
  const determinant = at(m, 0, 0) * minor(0, 0) + at(m, 0, 1) * minor(0, 1) + at(m, 0, 2) * minor(0, 2)
  return matrixOf((row, column) => minor(column, row) / determinant)
}

/** A matrix, entry by entry. */
function matrixOf(entry: (row: number, column: number) => number): Matrix {
  return Array.from({ length: 9 }, (_, i) => entry(Math.floor(i / 3), i % 3))
}

/** So many values of a function, from 0 to 1. */
function sampled(count: number, valueAt: (position: number) => number): number[] {
  return Array.from({ length: count }, (_, i) => valueAt(i / (count - 1)))
}
