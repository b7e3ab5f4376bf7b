// All ten predictions of a 4x4 luma subblock (RFC 6386 §12.3), 16 bytes each in raster order. Eight of them only pick from
// the edge's averages of two and of three neighbours, which are made for the whole edge at once.
import { averageRoundedDown } from '../../../arena/simd'
import { STRIDE } from '../predict-plane'

/** Where `predictSubblock` leaves the predictions, mode after mode. */
export const PREDICTIONS: usize = memory.data(10 * 16, 16)

/** Predicts the subblock whose top left pixel is at `at` in the workspace, by every mode. */
export function predictSubblock(at: usize): void {
  const l0 = <u32>load<u8>(at - 1)
  const l1 = <u32>load<u8>(at + STRIDE - 1)
  const l2 = <u32>load<u8>(at + 2 * STRIDE - 1)
  const l3 = <u32>load<u8>(at + 3 * STRIDE - 1)
  const cornerAndAbove = v128.load(at - STRIDE - 1)
  const left = i32x4.splat(l3 | (l2 << 8) | (l1 << 16) | (l0 << 24))
  // The edge from the bottom left: L3 again, L3 L2 L1 L0, P, A0..A7, A7 again twice.
  const edge = v128.shuffle<u8>(left, cornerAndAbove, 0, 0, 1, 2, 3, 16, 17, 18, 19, 20, 21, 22, 23, 24, 24, 24)
  const before = v128.shuffle<u8>(edge, edge, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)
  const after = v128.shuffle<u8>(edge, edge, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15)
  // avg2 of each and the next; avg3 round each: the mean of the outer two, rounded down, averaged with the middle.
  const two = i8x16.avgr_u(edge, after)
  const three = i8x16.avgr_u(averageRoundedDown(before, after), edge)

  const above = load<u32>(at - STRIDE)
  const sum = (above & 255) + ((above >> 8) & 255) + ((above >> 16) & 255) + (above >> 24) + l0 + l1 + l2 + l3
  v128.store(PREDICTIONS, i8x16.splat(<i8>((sum + 4) >> 3)))

  const corner = i16x8.splat(<i16>load<u8>(at - STRIDE - 1))
  const slope = i16x8.sub(v128.load_ext<u8>(at - STRIDE), corner)
  const slopes = v128.shuffle<i64>(slope, slope, 0, 0)
  const lefts = i16x8.extend_low_i8x16_u(left)
  const top = i16x8.add(slopes, v128.shuffle<i16>(lefts, lefts, 3, 3, 3, 3, 2, 2, 2, 2))
  const bottom = i16x8.add(slopes, v128.shuffle<i16>(lefts, lefts, 1, 1, 1, 1, 0, 0, 0, 0))
  v128.store(PREDICTIONS, i8x16.narrow_i16x8_u(top, bottom), 16)

  // VE, HE, LD, RD, VR, VL, HD, HU. Numbers from 16 on are averages of two.
  pick(2, v128.shuffle<u8>(three, two, 6, 7, 8, 9, 6, 7, 8, 9, 6, 7, 8, 9, 6, 7, 8, 9))
  pick(3, v128.shuffle<u8>(three, two, 4, 4, 4, 4, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1))
  pick(4, v128.shuffle<u8>(three, two, 7, 8, 9, 10, 8, 9, 10, 11, 9, 10, 11, 12, 10, 11, 12, 13))
  pick(5, v128.shuffle<u8>(three, two, 5, 6, 7, 8, 4, 5, 6, 7, 3, 4, 5, 6, 2, 3, 4, 5))
  pick(6, v128.shuffle<u8>(three, two, 21, 22, 23, 24, 5, 6, 7, 8, 4, 21, 22, 23, 3, 5, 6, 7))
  pick(7, v128.shuffle<u8>(three, two, 22, 23, 24, 25, 7, 8, 9, 10, 23, 24, 25, 11, 8, 9, 10, 12))
  pick(8, v128.shuffle<u8>(three, two, 20, 5, 6, 7, 19, 4, 20, 5, 18, 3, 19, 4, 17, 2, 18, 3))
  pick(9, v128.shuffle<u8>(three, two, 19, 3, 18, 2, 18, 2, 17, 1, 17, 1, 0, 0, 0, 0, 0, 0))
}

// @ts-ignore: decorator
@inline
function pick(mode: usize, prediction: v128): void {
  v128.store(PREDICTIONS + 16 * mode, prediction)
}
