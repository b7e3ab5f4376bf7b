// The two passes of Lanczos3 on integers: i16 samples times i16 weights, eight products an instruction.

import { interleaveHigh16, interleaveLow16, sumOfLanes32 } from '../arena/simd'
import { WEIGHT_BITS } from './lanczos'

/** Fraction bits of a row between the passes: sums of |weights| stay below 1.7, so 255 keeps within i16. */
const MIDDLE_BITS: i32 = 6
const VERTICAL_SHIFT: i32 = WEIGHT_BITS - MIDDLE_BITS
/** Fraction bits of the sums along a row. */
export const HORIZONTAL_SHIFT: i32 = WEIGHT_BITS + MIDDLE_BITS
/** Two rows' addresses (u32) and their two weights (i16). */
export const PAIR_BYTES: usize = 12

/**
 * Down the columns: the taps lie at `pairs` to `end`. Sixteen columns are made at a time: two rows' bytes side by side
 * are one operand of a dot product, their weights the other.
 */
export function filterVertically(pairs: usize, end: usize, columns: i32, middle: usize): void {
  const half = i32x4.splat(1 << (VERTICAL_SHIFT - 1))
  for (let x: usize = 0; x < <usize>columns; x += 16) {
    let s0 = half
    let s1 = half
    let s2 = half
    let s3 = half
    for (let pair = pairs; pair < end; pair += PAIR_BYTES) {
      const a = v128.load(<usize>load<u32>(pair) + x)
      const b = v128.load(<usize>load<u32>(pair, 4) + x)
      const weights = v128.load32_splat(pair, 8)
      const low = i8x16.shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
      const high = i8x16.shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
      s0 = i32x4.add(s0, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(low), weights))
      s1 = i32x4.add(s1, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(low), weights))
      s2 = i32x4.add(s2, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(high), weights))
      s3 = i32x4.add(s3, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(high), weights))
    }
    const to = middle + (x << 1)
    v128.store(to, i16x8.narrow_i32x4_s(i32x4.shr_s(s0, VERTICAL_SHIFT), i32x4.shr_s(s1, VERTICAL_SHIFT)))
    v128.store(to, i16x8.narrow_i32x4_s(i32x4.shr_s(s2, VERTICAL_SHIFT), i32x4.shr_s(s3, VERTICAL_SHIFT)), 16)
  }
}

/** Filters rows of u16, 64ths of a level, down the columns: eight at a time. */
export function filterDeepVertically(pairs: usize, end: usize, columns: i32, middle: usize): void {
  const half = i32x4.splat(1 << (WEIGHT_BITS - 1))
  for (let x: usize = 0; x < (<usize>columns) << 1; x += 16) {
    let low = half
    let high = half
    for (let pair = pairs; pair < end; pair += PAIR_BYTES) {
      const a = v128.load(<usize>load<u32>(pair) + x)
      const b = v128.load(<usize>load<u32>(pair, 4) + x)
      const weights = v128.load32_splat(pair, 8)
      low = i32x4.add(low, i32x4.dot_i16x8_s(interleaveLow16(a, b), weights))
      high = i32x4.add(high, i32x4.dot_i16x8_s(interleaveHigh16(a, b), weights))
    }
    v128.store(middle + x, i16x8.narrow_i32x4_s(i32x4.shr_s(low, WEIGHT_BITS), i32x4.shr_s(high, WEIGHT_BITS)))
  }
}

/** Filters along a row as `filterHorizontally`, one sample after the other, to u16: 64ths of a level. */
export function filterDeepHorizontally(
  middle: usize,
  starts: usize,
  weights: usize,
  taps: i32,
  outputs: i32,
  to: usize,
): void {
  const bytes = (<usize>taps) << 1
  const end = to + ((<usize>outputs) << 1)
  for (; to < end; to += 2, starts += 4, weights += bytes) {
    const sum = sumOfLanes32(dot(middle + load<u32>(starts), weights, bytes))
    store<u16>(to, <u16>max(0, (sum + (1 << (WEIGHT_BITS - 1))) >> WEIGHT_BITS))
  }
}

/**
 * Along a row: `outputs` samples at `to` out of the columns at `middle`. Each begins at a byte offset (u32) at `starts`
 * and has `taps` weights, a multiple of 8. Four are made at a time, and their sums transposed into one vector.
 */
export function filterHorizontally(
  middle: usize,
  starts: usize,
  weights: usize,
  taps: i32,
  bias: i32,
  outputs: i32,
  to: usize,
): void {
  const bytes = (<usize>taps) << 1
  const biases = i32x4.splat(bias)
  const end = to + outputs
  for (; to < end; to += 4, starts += 16) {
    const a = dot(middle + load<u32>(starts), weights, bytes)
    const b = dot(middle + load<u32>(starts, 4), weights + bytes, bytes)
    const c = dot(middle + load<u32>(starts, 8), weights + 2 * bytes, bytes)
    const d = dot(middle + load<u32>(starts, 12), weights + 3 * bytes, bytes)
    weights += 4 * bytes
    const ab = i32x4.add(
      i8x16.shuffle(a, b, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23),
      i8x16.shuffle(a, b, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31),
    )
    const cd = i32x4.add(
      i8x16.shuffle(c, d, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23),
      i8x16.shuffle(c, d, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31),
    )
    const sums = i32x4.add(
      i8x16.shuffle(ab, cd, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23),
      i8x16.shuffle(ab, cd, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31),
    )
    const samples = i32x4.shr_s(i32x4.add(sums, biases), HORIZONTAL_SHIFT)
    const words = i16x8.narrow_i32x4_s(samples, samples)
    v128.store32_lane(to, i8x16.narrow_i16x8_u(words, words), 0)
  }
}

function dot(samples: usize, weights: usize, bytes: usize): v128 {
  let sum = i32x4.splat(0)
  for (let at: usize = 0; at < bytes; at += 16) {
    sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load(samples + at), v128.load(weights + at)))
  }
  return sum
}
