// Estimates the cost of residuals: bytes around zero, rarer the larger they are.
import { sumOfLanes32 } from '../../../arena/simd'

// biome-ignore format: a table
/** u8[16]: quarters of a bit of a residual of 0 to 15, and of 0, 16, 32, ... 128; its sign does not matter. */
const SMALL: v128 = i8x16(2, 10, 14, 17, 19, 20, 21, 22, 23, 24, 25, 25, 26, 26, 27, 27)
const LARGE: v128 = i8x16(0, 29, 33, 36, 37, 38, 39, 40, 40, 0, 0, 0, 0, 0, 0, 0)

/** The costs of 16 bytes, summed up by pairs: i16x8. */
// @ts-ignore: decorator
@inline
export function costsOf(residuals: v128): v128 {
  const sizes = i8x16.abs(residuals)
  const small = i8x16.swizzle(SMALL, i8x16.min_u(sizes, i8x16.splat(15)))
  const large = i8x16.swizzle(LARGE, i8x16.shr_u(sizes, 4))
  return i16x8.extadd_pairwise_i8x16_u(i8x16.max_u(small, large))
}

/** The sum of costs. */
// @ts-ignore: decorator
@inline
export function sumOf(costs: v128): i32 {
  return sumOfLanes32(i32x4.extadd_pairwise_i16x8_u(costs))
}
