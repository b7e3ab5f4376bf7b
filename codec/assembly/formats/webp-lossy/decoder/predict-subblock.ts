// Prediction of a 4x4 luma subblock: RFC 6386 §12.3. The pixels round a subblock form one edge, from the bottom left
// up to the corner P and on to the right. Here both of its ends are doubled.
//       L3 L3 L2 L1 L0 P A0 A1 A2 A3 A4 A5 A6 A7 A7
// Every directional mode copies averages along this edge, of two neighbours or (1 2 1)/4 of three. All of them are
// computed at once, and a mode is a table of the average for each pixel.
import { averageRoundedDown } from '../../../arena/simd'
import { STRIDE } from '../predict-plane'
import { B_DC_PRED, B_TM_PRED } from '../tables'
import { DIRECTIONS } from './directions'

/** The prediction of the subblock at `at` in the workspace: 16 pixels in raster order. */
export function predictSubblock(mode: i32, at: usize): v128 {
  const left = i32x4.splat(
    <u32>load<u8>(at - 1) |
      ((<u32>load<u8>(at + STRIDE - 1)) << 8) |
      ((<u32>load<u8>(at + 2 * STRIDE - 1)) << 16) |
      ((<u32>load<u8>(at + 3 * STRIDE - 1)) << 24),
  )
  const above = v128.load(at - STRIDE - 1)
  if (mode == B_DC_PRED) return predictDc(left, above)
  if (mode == B_TM_PRED) return predictTrueMotion(left, above)

  const edge = v128.shuffle<i8>(left, above, 3, 3, 2, 1, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 24, 24)
  const second = v128.shuffle<i8>(edge, edge, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15)
  const third = v128.shuffle<i8>(edge, edge, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15, 15)
  const ofTwo = i8x16.avgr_u(edge, second)
  // (x + 2y + z + 2) >> 2 is the rounded mean of y and of the mean of x and z rounded down.
  const ofThree = i8x16.avgr_u(second, averageRoundedDown(edge, third))
  const direction = DIRECTIONS + <usize>(mode - B_TM_PRED - 1) * 32
  return v128.or(i8x16.swizzle(ofTwo, v128.load(direction)), i8x16.swizzle(ofThree, v128.load(direction, 16)))
}

/** B_DC_PRED: the mean of four pixels above and four to the left. `above` begins with the corner. */
function predictDc(left: v128, above: v128): v128 {
  const both = v128.shuffle<i8>(left, above, 0, 1, 2, 3, 17, 18, 19, 20, 0, 1, 2, 3, 17, 18, 19, 20)
  const sums = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(both))
  const sum = i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1)
  return i8x16.splat(<i8>((sum + 4) >> 3))
}

/** B_TM_PRED: left + above - corner, clamped. `above` begins with the corner. */
function predictTrueMotion(left: v128, above: v128): v128 {
  const lefts = v128.shuffle<i8>(left, left, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3)
  const aboves = v128.shuffle<i8>(above, above, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4)
  const corner = i16x8.splat(<i16>i8x16.extract_lane_u(above, 0))
  const slope = i16x8.sub(i16x8.extend_low_i8x16_u(aboves), corner)
  return i8x16.narrow_i16x8_u(
    i16x8.add(slope, i16x8.extend_low_i8x16_u(lefts)),
    i16x8.add(slope, i16x8.extend_high_i8x16_u(lefts)),
  )
}
