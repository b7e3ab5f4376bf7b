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

/** Fraction bits of single pixels. */
const PIXEL_BITS: i32 = 16

/** Factors and offsets of luma for each channel. */
@unmanaged
class LumaScale {
  offset: i16
  gain: i16
  pixelGain: i32
}

/** The shares of Cb and Cr in a channel. */
@unmanaged
class Channel {
  ofCb: i16
  ofCr: i16
  pixelOfCb: i32
  pixelOfCr: i32
}

const scale: LumaScale = changetype<LumaScale>(memory.data(8, 4))
const red: Channel = changetype<Channel>(memory.data(12, 4))
const green: Channel = changetype<Channel>(memory.data(12, 4))
const blue: Channel = changetype<Channel>(memory.data(12, 4))

/** Whether the equations are those of JPEG and of lossy WebP, and of images that do not tell their matrix. */
export function isBt601(matrix: Matrix): bool {
  return matrix == Matrix.Bt601 || matrix == Matrix.Bt470Bg || matrix == Matrix.Unspecified
}

/**
 * Prepares `toRgb` and `yuvToRgba` for samples of all 256 values, or of 16 to 235 (chroma 240). Unknown matrices are taken for
 * BT.601's.
 */
export function setMatrix(matrix: Matrix, isFullRange: bool): void {
  scale.offset = isFullRange ? 0 : 16
  scale.gain = <i16>Math.round((isFullRange ? 1 : LUMA_SPREAD) * LUMA_UNIT)
  scale.pixelGain = <i32>Math.round((isFullRange ? 1 : LUMA_SPREAD) * <f64>(1 << PIXEL_BITS))
  const spread = isFullRange ? 1 : CHROMA_SPREAD
  if (matrix == Matrix.YCgCo) {
    setChannel(red, -spread, spread)
    setChannel(green, spread, 0)
    setChannel(blue, -spread, -spread)
    return
  }
  const ofRed = kr(matrix)
  const ofBlue = kb(matrix)
  const ofGreen = 1 - ofRed - ofBlue
  const cb = 2 * (1 - ofBlue) * spread
  const cr = 2 * (1 - ofRed) * spread
  setChannel(red, 0, cr)
  setChannel(green, (-cb * ofBlue) / ofGreen, (-cr * ofRed) / ofGreen)
  setChannel(blue, cb, 0)
}

function setChannel(channel: Channel, ofCb: f64, ofCr: f64): void {
  channel.ofCb = inVectors(ofCb)
  channel.ofCr = inVectors(ofCr)
  channel.pixelOfCb = inPixels(ofCb)
  channel.pixelOfCr = inPixels(ofCr)
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
 * Converts `count` pixels to rows of red, green and blue, `stride` bytes apart. With `isHalved`, two pixels share each chroma
 * sample. Up to 15 more are read and written.
 */
export function toRgb(y: usize, cb: usize, cr: usize, count: i32, isHalved: bool, rgb: usize, stride: usize): void {
  for (let x: usize = 0; x < <usize>count; x += 8) {
    const chromaAt = isHalved ? x >> 1 : x
    let b = chroma(cb + chromaAt)
    let r = chroma(cr + chromaAt)
    if (isHalved) {
      b = lowTwice(b)
      r = lowTwice(r)
    }
    const scaledLuma = luma(y + x, scale.offset, scale.gain)
    const to = rgb + x
    storeSum(to, scaledLuma, b, r, red)
    storeSum(to + stride, scaledLuma, b, r, green)
    storeSum(to + 2 * stride, scaledLuma, b, r, blue)
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
  const luma = (y - <i32>scale.offset) * scale.pixelGain + (1 << (PIXEL_BITS - 1))
  const b = cb - 128
  const r = cr - 128
  const rgb = pixelOf(red, luma, b, r) | (pixelOf(green, luma, b, r) << 8) | (pixelOf(blue, luma, b, r) << 16)
  return <u32>rgb | 0xff000000
}

function pixelOf(channel: Channel, luma: i32, b: i32, r: i32): i32 {
  return max(0, min(255, (luma + b * channel.pixelOfCb + r * channel.pixelOfCr) >> PIXEL_BITS))
}

/** From 64ths of a level, times a coefficient of single pixels, to a level. */
const DEEP_UNIT: f32 = 1.0 / <f32>((<i32>1) << (PIXEL_BITS + 6))

/** The level of red of a pixel whose samples are 64ths of a level; beyond 0 and 255 where it is out of the gamut. */
export function deepRed(y: i32, cb: i32, cr: i32): f32 {
  return deepLevel(red, y, cb, cr)
}

/** The level of green, as `deepRed`. */
export function deepGreen(y: i32, cb: i32, cr: i32): f32 {
  return deepLevel(green, y, cb, cr)
}

/** The level of blue, as `deepRed`. */
export function deepBlue(y: i32, cb: i32, cr: i32): f32 {
  return deepLevel(blue, y, cb, cr)
}

function deepLevel(channel: Channel, y: i32, cb: i32, cr: i32): f32 {
  const luma = <f32>(y - ((<i32>scale.offset) << 6)) * <f32>scale.pixelGain
  const ofCb = <f32>(cb - (128 << 6)) * <f32>channel.pixelOfCb
  return (luma + ofCb + <f32>(cr - (128 << 6)) * <f32>channel.pixelOfCr) * DEEP_UNIT
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

function storeSum(to: usize, scaledLuma: v128, b: v128, r: v128, channel: Channel): void {
  const ofB = i16x8.q15mulr_sat_s(b, i16x8.splat(channel.ofCb))
  const colour = i16x8.add(ofB, i16x8.q15mulr_sat_s(r, i16x8.splat(channel.ofCr)))
  const sum = i16x8.shr_s(i16x8.add_sat_s(scaledLuma, colour), SUM_BITS)
  v128.store64_lane(to, i8x16.narrow_i16x8_u(sum, sum), 0)
}
