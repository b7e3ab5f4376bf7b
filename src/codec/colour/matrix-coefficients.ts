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
}

// Fixed point: samples are shifted left by LUMA_SHIFT and CHROMA_SHIFT, and a product has SUM_BITS fraction bits.
const LUMA_SHIFT: i32 = 6
const CHROMA_SHIFT: i32 = 7
const SUM_BITS: i32 = 5
const HALF: i32 = 1 << (SUM_BITS - 1)
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

/** Whether the equations are those of JPEG and of lossy WebP, and of pictures that do not tell their matrix. */
export function isBt601(matrix: Matrix): bool {
  return matrix == Matrix.Bt601 || matrix == Matrix.Bt470Bg || matrix == Matrix.Unspecified
}

/** Prepares `toRgb` for samples of all 256 values, or of 16 to 235 (chroma 240). Unknown matrices are taken for BT.601's. */
export function setMatrix(matrix: Matrix, isFullRange: bool): void {
  lumaOffset = isFullRange ? 0 : 16
  lumaGain = <i16>Math.round((isFullRange ? 1 : 255.0 / 219.0) * LUMA_UNIT)
  const unit = (isFullRange ? 1 : 255.0 / 224.0) * CHROMA_UNIT
  if (matrix == Matrix.YCgCo) return useChroma(-unit, unit, -unit, unit, 0, -unit)
  const red = kr(matrix)
  const blue = kb(matrix)
  const green = 1 - red - blue
  const b = 2 * (1 - blue) * unit
  const r = 2 * (1 - red) * unit
  useChroma(0, (-b * blue) / green, b, r, (-r * red) / green, 0)
}

function useChroma(bRed: f64, bGreen: f64, bBlue: f64, rRed: f64, rGreen: f64, rBlue: f64): void {
  cbToRed = <i16>Math.round(bRed)
  cbToGreen = <i16>Math.round(bGreen)
  cbToBlue = <i16>Math.round(bBlue)
  crToRed = <i16>Math.round(rRed)
  crToGreen = <i16>Math.round(rGreen)
  crToBlue = <i16>Math.round(rBlue)
}

/** H.273's K_R. */
function kr(matrix: Matrix): f64 {
  if (matrix == Matrix.Bt709) return 0.2126
  if (matrix == Matrix.Bt2020Ncl) return 0.2627
  if (matrix == Matrix.Fcc) return 0.3
  return matrix == Matrix.Smpte240M ? 0.212 : 0.299
}

/** H.273's K_B. */
function kb(matrix: Matrix): f64 {
  if (matrix == Matrix.Bt709) return 0.0722
  if (matrix == Matrix.Bt2020Ncl) return 0.0593
  if (matrix == Matrix.Fcc) return 0.11
  return matrix == Matrix.Smpte240M ? 0.087 : 0.114
}

/**
 * Converts `count` pixels; `isHalved`: each chroma sample stands for two of them. Up to 15 more are read and written.
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
    const scaledLuma = luma(y + x)
    storeSum(red + x, scaledLuma, b, cbToRed, r, crToRed)
    storeSum(green + x, scaledLuma, b, cbToGreen, r, crToGreen)
    storeSum(blue + x, scaledLuma, b, cbToBlue, r, crToBlue)
  }
}

/** Spreads `count` samples of 16 to 235 at `row` over 0 to 255, in place; up to 7 more are touched. */
export function expandRange(row: usize, count: i32): void {
  setMatrix(Matrix.Bt601, false)
  for (let x: usize = 0; x < <usize>count; x += 8) {
    const samples = i16x8.shr_s(luma(row + x), SUM_BITS)
    v128.store64_lane(row + x, i8x16.narrow_i16x8_u(samples, samples), 0)
  }
}

/** Eight luma samples, scaled, with half a unit for rounding. */
function luma(at: usize): v128 {
  const samples = i16x8.shl(i16x8.sub(v128.load_ext<u8>(at), i16x8.splat(lumaOffset)), LUMA_SHIFT)
  return i16x8.add(i16x8.q15mulr_sat_s(samples, i16x8.splat(lumaGain)), i16x8.splat(<i16>HALF))
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
