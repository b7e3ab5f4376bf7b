// A row of BT.601 samples of limited range, luma 16 to 235 and chroma 16 to 240 at half resolution, to red, green and blue.
// Each chroma sample is repeated for two pixels and two rows, so coding the image as 4:2:0 again, as WebP does, restores it.
// The conversion of matrix-coefficients.ts, which takes any matrix, needs twice the time for the same.

// Factors for samples from which the offset was taken and which were shifted left by LUMA_SHIFT and CHROMA_SHIFT; a
// product has SUM_BITS fraction bits.
const LUMA_SHIFT: i32 = 6
const CHROMA_SHIFT: i32 = 7
const SUM_BITS: i32 = 5
/** Of q15mulr. */
const Q15: f64 = 32768
const CHROMA_UNIT: f64 = Q15 / <f64>(1 << (CHROMA_SHIFT - SUM_BITS))
const LUMA_GAIN: i16 = <i16>(((255.0 / 219.0) * Q15) / <f64>(1 << (LUMA_SHIFT - SUM_BITS)) + 0.5)
const HALF: i32 = 1 << (SUM_BITS - 1)
const V_TO_RED: i16 = <i16>(1.596027 * CHROMA_UNIT + 0.5)
const U_TO_GREEN: i16 = <i16>(0.391762 * CHROMA_UNIT + 0.5)
const V_TO_GREEN: i16 = <i16>(0.812968 * CHROMA_UNIT + 0.5)
const U_TO_BLUE: i16 = <i16>(2.017232 * CHROMA_UNIT + 0.5)

/** Converts `count` pixels; up to 15 more are read and written. */
export function bt601ToRgb(y: usize, u: usize, v: usize, count: i32, red: usize, green: usize, blue: usize): void {
  for (let x: usize = 0; x < <usize>count; x += 16) {
    const us = chroma(u + (x >> 1))
    const vs = chroma(v + (x >> 1))
    const toRed = i16x8.q15mulr_sat_s(vs, i16x8.splat(V_TO_RED))
    const toGreen = i16x8.add(
      i16x8.q15mulr_sat_s(us, i16x8.splat(U_TO_GREEN)),
      i16x8.q15mulr_sat_s(vs, i16x8.splat(V_TO_GREEN)),
    )
    const toBlue = i16x8.q15mulr_sat_s(us, i16x8.splat(U_TO_BLUE))
    const left = luma(y + x)
    const right = luma(y + x + 8)
    v128.store(red + x, bytes(i16x8.add(left, lowTwice(toRed)), i16x8.add(right, highTwice(toRed))))
    v128.store(green + x, bytes(i16x8.sub(left, lowTwice(toGreen)), i16x8.sub(right, highTwice(toGreen))))
    v128.store(blue + x, bytes(i16x8.add(left, lowTwice(toBlue)), i16x8.add(right, highTwice(toBlue))))
  }
}

/** Eight chroma samples, 0 in the middle. */
function chroma(at: usize): v128 {
  return i16x8.shl(i16x8.sub(v128.load_ext<u8>(at), i16x8.splat(128)), CHROMA_SHIFT)
}

/** Eight luma samples, scaled, with half a unit for rounding. */
function luma(at: usize): v128 {
  const samples = i16x8.shl(i16x8.sub(v128.load_ext<u8>(at), i16x8.splat(16)), LUMA_SHIFT)
  return i16x8.add(i16x8.q15mulr_sat_s(samples, i16x8.splat(LUMA_GAIN)), i16x8.splat(<i16>HALF))
}

function lowTwice(samples: v128): v128 {
  return v128.shuffle<i16>(samples, samples, 0, 0, 1, 1, 2, 2, 3, 3)
}

function highTwice(samples: v128): v128 {
  return v128.shuffle<i16>(samples, samples, 4, 4, 5, 5, 6, 6, 7, 7)
}

function bytes(left: v128, right: v128): v128 {
  return i8x16.narrow_i16x8_u(i16x8.shr_s(left, SUM_BITS), i16x8.shr_s(right, SUM_BITS))
}
