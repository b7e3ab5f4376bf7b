// The quantization of T.81 annex K.1, scaled by a quality as is usual since the first JPEG software: 50 is the annex's
// tables, 100 steps of 1.

import { NATURAL } from '../zigzag'

// Table K.1, luminance, and K.2, chrominance, in natural order.
// biome-ignore format: rows as in the annex
const ANNEX: usize = memory.data<u8>([
  16, 11, 10, 16, 24, 40, 51, 61,
  12, 12, 14, 19, 26, 58, 60, 55,
  14, 13, 16, 24, 40, 57, 69, 56,
  14, 17, 22, 29, 51, 87, 80, 62,
  18, 22, 37, 56, 68, 109, 103, 77,
  24, 35, 55, 64, 81, 104, 113, 92,
  49, 64, 78, 87, 103, 121, 120, 101,
  72, 92, 95, 98, 112, 100, 103, 99,

  17, 18, 24, 47, 99, 99, 99, 99,
  18, 21, 26, 66, 99, 99, 99, 99,
  24, 26, 56, 99, 99, 99, 99, 99,
  47, 66, 99, 99, 99, 99, 99, 99,
  99, 99, 99, 99, 99, 99, 99, 99,
  99, 99, 99, 99, 99, 99, 99, 99,
  99, 99, 99, 99, 99, 99, 99, 99,
  99, 99, 99, 99, 99, 99, 99, 99,
])

const STEPS: usize = memory.data(2 * 64)
const RECIPROCALS: usize = memory.data(2 * 64 * 4, 16)

/** Prepares both tables for a quality of 1 to 100. */
export function setQuality(quality: i32): void {
  const percent = quality < 50 ? 5000 / quality : 200 - 2 * quality
  for (let i: usize = 0; i < 128; i++) {
    const step = max(1, min(255, (<i32>load<u8>(ANNEX + i) * percent + 50) / 100))
    store<u8>(STEPS + i, <u8>step)
    const index = <i32>i & 63
    store<f32>(RECIPROCALS + (i << 2), <f32>((gain(index >> 3) * gain(index & 7)) / <f64>step))
  }
}

/** Returns the factor between a sum of fdct.ts and its coefficient (A.3.3). */
function gain(frequency: i32): f64 {
  return frequency == 0 ? Math.SQRT1_2 / 2 : 0.5
}

/** Returns the factors for the sums of luminance (0) or chrominance (1): f32, natural order. */
export function reciprocals(table: i32): usize {
  return RECIPROCALS + ((<usize>table) << 8)
}

/** The step of coefficient `k` in zigzag order. */
export function stepOf(table: i32, k: i32): i32 {
  return <i32>load<u8>(STEPS + ((<usize>table) << 6) + <usize>load<u8>(NATURAL + <usize>k))
}
