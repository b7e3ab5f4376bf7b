// The prediction modes of the predictor transform: WebP Lossless Bitstream Specification, 4.1. Each function makes
// `bytes` / 4 pixels at `to` from the residues at `from` and the finished row above; the pixel left of `to` is
// finished, too. Where four pixels are made at a time, up to three too many are written.

import { averageRoundedDown } from '../../../arena/simd'

const OPAQUE: u32 = 0xff000000

/** Mode 0, and the numbers beyond 13: black. */
export function addBlack(from: usize, to: usize, bytes: usize): void {
  const black = i32x4.splat(OPAQUE)
  for (let x: usize = 0; x < bytes; x += 16) v128.store(to + x, i8x16.add(v128.load(from + x), black))
}

/** Mode 1: the left pixel; sums of one, two and four pixels. */
export function addLeft(from: usize, to: usize, bytes: usize): void {
  let left = v128.load32_splat(to - 4)
  const zero = i32x4.splat(0)
  for (let x: usize = 0; x < bytes; x += 16) {
    let sum = v128.load(from + x)
    sum = i8x16.add(sum, v128.shuffle<i32>(zero, sum, 0, 4, 5, 6))
    sum = i8x16.add(sum, v128.shuffle<i32>(zero, sum, 0, 0, 4, 5))
    sum = i8x16.add(sum, left)
    v128.store(to + x, sum)
    left = v128.shuffle<i32>(sum, sum, 3, 3, 3, 3)
  }
}

/** Modes 2, 3 and 4: the pixel at `other`, above or beside it. */
export function addOther(from: usize, other: usize, to: usize, bytes: usize): void {
  for (let x: usize = 0; x < bytes; x += 16) v128.store(to + x, i8x16.add(v128.load(from + x), v128.load(other + x)))
}

/** Modes 8 and 9: the mean of the pixels at `a` and `b`. */
export function addMean(from: usize, a: usize, b: usize, to: usize, bytes: usize): void {
  for (let x: usize = 0; x < bytes; x += 16) {
    v128.store(to + x, i8x16.add(v128.load(from + x), averageRoundedDown(v128.load(a + x), v128.load(b + x))))
  }
}

/** Modes 6 and 7: the mean of the left pixel and the one at `other`. */
export function addMeanOfLeft(from: usize, other: usize, to: usize, bytes: usize): void {
  let left = v128.load_zero<u32>(to - 4)
  for (let x: usize = 0; x < bytes; x += 4) {
    left = i8x16.add(averageRoundedDown(left, v128.load_zero<u32>(other + x)), v128.load_zero<u32>(from + x))
    v128.store_lane<u32>(to + x, left, 0)
  }
}

/** Mode 5: the mean of the one above and of the mean of left and above to the right. */
export function addMeanOfThree(from: usize, above: usize, to: usize, bytes: usize): void {
  let left = v128.load_zero<u32>(to - 4)
  for (let x: usize = 0; x < bytes; x += 4) {
    const aboveRight = v128.load_zero<u32>(above + x, 4)
    const predicted = averageRoundedDown(averageRoundedDown(left, aboveRight), v128.load_zero<u32>(above + x))
    left = i8x16.add(predicted, v128.load_zero<u32>(from + x))
    v128.store_lane<u32>(to + x, left, 0)
  }
}

/** Mode 10: the mean of two means, of left and above left, and of above and above right. */
export function addMeanOfFour(from: usize, above: usize, to: usize, bytes: usize): void {
  let left = v128.load_zero<u32>(to - 4)
  for (let x: usize = 0; x < bytes; x += 4) {
    const right = averageRoundedDown(v128.load_zero<u32>(above + x), v128.load_zero<u32>(above + x, 4))
    const predicted = averageRoundedDown(averageRoundedDown(left, v128.load_zero<u32>(above + x - 4)), right)
    left = i8x16.add(predicted, v128.load_zero<u32>(from + x))
    v128.store_lane<u32>(to + x, left, 0)
  }
}

/** Mode 11: left or above, whichever is nearer to left + above - above left over all four channels. */
export function addSelected(from: usize, above: usize, to: usize, bytes: usize): void {
  let left = v128.load_zero<u32>(to - 4)
  let aboveLeft = v128.load_zero<u32>(above - 4)
  for (let x: usize = 0; x < bytes; x += 4) {
    const up = v128.load_zero<u32>(above + x)
    // The estimate's distance from left is that of above and above left, and the other way round.
    const isLeft = i32x4.lt_s(difference(up, aboveLeft), difference(left, aboveLeft))
    left = i8x16.add(v128.bitselect(left, up, isLeft), v128.load_zero<u32>(from + x))
    v128.store_lane<u32>(to + x, left, 0)
    aboveLeft = up
  }
}

/** Mode 12: left + above - above left. */
export function addGradient(from: usize, above: usize, to: usize, bytes: usize): void {
  let left = v128.load_zero<u32>(to - 4)
  let aboveLeft = i16x8.extend_low_i8x16_u(v128.load_zero<u32>(above - 4))
  for (let x: usize = 0; x < bytes; x += 4) {
    const up = i16x8.extend_low_i8x16_u(v128.load_zero<u32>(above + x))
    const sum = i16x8.add(i16x8.extend_low_i8x16_u(left), i16x8.sub(up, aboveLeft))
    left = i8x16.add(i8x16.narrow_i16x8_u(sum, sum), v128.load_zero<u32>(from + x))
    v128.store_lane<u32>(to + x, left, 0)
    aboveLeft = up
  }
}

/** Mode 13: the mean of left and above, and half of its distance from above left, rounded towards zero. */
export function addHalfGradient(from: usize, above: usize, to: usize, bytes: usize): void {
  let left = v128.load_zero<u32>(to - 4)
  for (let x: usize = 0; x < bytes; x += 4) {
    const middle = i16x8.extend_low_i8x16_u(averageRoundedDown(left, v128.load_zero<u32>(above + x)))
    const distance = i16x8.sub(middle, i16x8.extend_low_i8x16_u(v128.load_zero<u32>(above + x - 4)))
    const half = i16x8.shr_s(i16x8.sub(distance, i16x8.shr_s(distance, 15)), 1)
    const sum = i16x8.add(middle, half)
    left = i8x16.add(i8x16.narrow_i16x8_u(sum, sum), v128.load_zero<u32>(from + x))
    v128.store_lane<u32>(to + x, left, 0)
  }
}

/** The sum of the distances of the four channels, in the lowest 32 bits. */
function difference(a: v128, b: v128): v128 {
  const distances = i8x16.sub(i8x16.max_u(a, b), i8x16.min_u(a, b))
  return i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(distances))
}
