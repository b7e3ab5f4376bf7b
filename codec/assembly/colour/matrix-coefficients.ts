// From Y'CbCr to R'G'B' by the matrix coefficients of ITU-T H.273, table 4: a row of samples to three rows of colours.

/** Matrix coefficients as they are numbered there. */
export const enum Matrix {
  Identity = 0,
  Bt709 = 1,
  Unspecified = 2,
  Fcc = 4,
  Bt470Bg = 5,
  Bt601 = 6,
  Smpte240M = 7,
  YCgCo = 8,
  Bt2020Ncl = 9,
  /** 12 there, with the primaries of P3 (SMPTE EG 432-1). */
  P3Ncl = 12,
}

// Fixed point: samples are shifted left by LUMA_SHIFT and CHROMA_SHIFT, and a product has SUM_BITS fraction bits.
const LUMA_SHIFT: i32 = 6
const CHROMA_SHIFT: i32 = 7
const SUM_BITS: i32 = 5
const HALF: i32 = 1 << (SUM_BITS - 1)
/** Scales 16 to 235 (luma) and 16 to 240 (chroma) to the full range. */
const LUMA_SPREAD: f64 = 255.0 / 219.0
const CHROMA_SPREAD: f64 = 255.0 / 224.0
/** Of q15mulr. */
const Q15: f64 = 32768
const LUMA_UNIT: f64 = Q15 / <f64>(1 << (LUMA_SHIFT - SUM_BITS))
const CHROMA_UNIT: f64 = Q15 / <f64>(1 << (CHROMA_SHIFT - SUM_BITS))

let lumaOffset: i16 = 0
let lumaGain: i16 = 0
let cbToRed: i16 = 0
let cbToGreen: i16 = 0
let cbToBlue: i16 = 0
let crToRed: i16 = 0
let crToGreen: i16 = 0
let crToBlue: i16 = 0

/** The same in 16-bit fractions, for single pixels. */
const PIXEL_BITS: i32 = 16
let pixelGain: i32 = 0
let pixelCbToRed: i32 = 0
let pixelCbToGreen: i32 = 0
let pixelCbToBlue: i32 = 0
let pixelCrToRed: i32 = 0
let pixelCrToGreen: i32 = 0
let pixelCrToBlue: i32 = 0

/** Whether the equations are those of JPEG and of lossy WebP, and of images that do not tell their matrix. */
export function isBt601(matrix: Matrix): bool {
  return matrix == Matrix.Bt601 || matrix == Matrix.Bt470Bg || matrix == Matrix.Unspecified
}

/**
 * Prepares `toRgb` and `yuvToRgba` for samples of all 256 values, or of 16 to 235 (chroma 240). Unknown matrices are taken for
 * BT.601's.
 */
export function setMatrix(matrix: Matrix, isFullRange: bool): void {
  lumaOffset = isFullRange ? 0 : 16
  lumaGain = <i16>Math.round((isFullRange ? 1 : LUMA_SPREAD) * LUMA_UNIT)
  pixelGain = <i32>Math.round((isFullRange ? 1 : LUMA_SPREAD) * <f64>(1 << PIXEL_BITS))
  const spread = isFullRange ? 1 : CHROMA_SPREAD
  if (matrix == Matrix.YCgCo) return useChroma(-spread, spread, -spread, spread, 0, -spread)
  const red = kr(matrix)
  const blue = kb(matrix)
  const green = 1 - red - blue
  const b = 2 * (1 - blue) * spread
  const r = 2 * (1 - red) * spread
  useChroma(0, (-b * blue) / green, b, r, (-r * red) / green, 0)
}

function useChroma(bRed: f64, bGreen: f64, bBlue: f64, rRed: f64, rGreen: f64, rBlue: f64): void {
  cbToRed = inVectors(bRed)
  cbToGreen = inVectors(bGreen)
  cbToBlue = inVectors(bBlue)
  crToRed = inVectors(rRed)
  crToGreen = inVectors(rGreen)
  crToBlue = inVectors(rBlue)
  pixelCbToRed = inPixels(bRed)
  pixelCbToGreen = inPixels(bGreen)
  pixelCbToBlue = inPixels(bBlue)
  pixelCrToRed = inPixels(rRed)
  pixelCrToGreen = inPixels(rGreen)
  pixelCrToBlue = inPixels(rBlue)
}

function inVectors(coefficient: f64): i16 {
  return <i16>Math.round(coefficient * CHROMA_UNIT)
}

function inPixels(coefficient: f64): i32 {
  return <i32>Math.round(coefficient * <f64>(1 << PIXEL_BITS))
}

/** H.273's K_R. */
function kr(matrix: Matrix): f64 {
  if (matrix == Matrix.Bt709) return 0.2126
  if (matrix == Matrix.Bt2020Ncl) return 0.2627
  if (matrix == Matrix.Fcc) return 0.3
  if (matrix == Matrix.P3Ncl) return 0.229
  return matrix == Matrix.Smpte240M ? 0.212 : 0.299
}

/** H.273's K_B. */
function kb(matrix: Matrix): f64 {
  if (matrix == Matrix.Bt709) return 0.0722
  if (matrix == Matrix.Bt2020Ncl) return 0.0593
  if (matrix == Matrix.Fcc) return 0.11
  if (matrix == Matrix.P3Ncl) return 0.0793
  return matrix == Matrix.Smpte240M ? 0.087 : 0.114
}

/**
 * Converts `count` pixels. With `isHalved`, two pixels share each chroma sample. Up to 15 more are read and written.
 */
export function toRgb(
  y: usize,
  cb: usize,
  cr: usize,
  count: i32,
  isHalved: bool,
  red: usize,
  green: usize,
  blue: usize,
): void {
  for (let x: usize = 0; x < <usize>count; x += 8) {
    const chromaAt = isHalved ? x >> 1 : x
    let b = chroma(cb + chromaAt)
    let r = chroma(cr + chromaAt)
    if (isHalved) {
      b = lowTwice(b)
      r = lowTwice(r)
    }
    const scaledLuma = luma(y + x, lumaOffset, lumaGain)
    storeSum(red + x, scaledLuma, b, cbToRed, r, crToRed)
    storeSum(green + x, scaledLuma, b, cbToGreen, r, crToGreen)
    storeSum(blue + x, scaledLuma, b, cbToBlue, r, crToBlue)
  }
}

/** Spreads `count` samples of 16 to 235 at `row` over 0 to 255, in place; up to 7 more are touched. */
export function expandRange(row: usize, count: i32): void {
  const gain = <i16>Math.round(LUMA_SPREAD * LUMA_UNIT)
  for (let x: usize = 0; x < <usize>count; x += 8) {
    const samples = i16x8.shr_s(luma(row + x, 16, gain), SUM_BITS)
    v128.store64_lane(row + x, i8x16.narrow_i16x8_u(samples, samples), 0)
  }
}

/** One pixel as R, G and B from the lowest byte on, opaque. */
export function yuvToRgba(y: i32, cb: i32, cr: i32): u32 {
  const scaled = (y - <i32>lumaOffset) * pixelGain + (1 << (PIXEL_BITS - 1))
  const b = cb - 128
  const r = cr - 128
  const red = (scaled + b * pixelCbToRed + r * pixelCrToRed) >> PIXEL_BITS
  const green = (scaled + b * pixelCbToGreen + r * pixelCrToGreen) >> PIXEL_BITS
  const blue = (scaled + b * pixelCbToBlue + r * pixelCrToBlue) >> PIXEL_BITS
  return <u32>(clamp(red) | (clamp(green) << 8) | (clamp(blue) << 16)) | 0xff000000
}

function clamp(sample: i32): i32 {
  return max(0, min(255, sample))
}

/** Eight luma samples, scaled, with half a unit for rounding. */
// @ts-ignore: decorator
@inline
function luma(at: usize, offset: i16, gain: i16): v128 {
  const samples = i16x8.shl(i16x8.sub(v128.load_ext<u8>(at), i16x8.splat(offset)), LUMA_SHIFT)
  return i16x8.add(i16x8.q15mulr_sat_s(samples, i16x8.splat(gain)), i16x8.splat(<i16>HALF))
}

/** Eight chroma samples, 0 in the middle. */
function chroma(at: usize): v128 {
  return i16x8.shl(i16x8.sub(v128.load_ext<u8>(at), i16x8.splat(128)), CHROMA_SHIFT)
}

function lowTwice(samples: v128): v128 {
  return v128.shuffle<i16>(samples, samples, 0, 0, 1, 1, 2, 2, 3, 3)
}

function storeSum(to: usize, scaledLuma: v128, b: v128, ofB: i16, r: v128, ofR: i16): void {
  const colour = i16x8.add(i16x8.q15mulr_sat_s(b, i16x8.splat(ofB)), i16x8.q15mulr_sat_s(r, i16x8.splat(ofR)))
  const sum = i16x8.shr_s(i16x8.add_sat_s(scaledLuma, colour), SUM_BITS)
  v128.store64_lane(to, i8x16.narrow_i16x8_u(sum, sum), 0)
}
