// Estimates the cost of coding a block. Levels are rounded without a trellis, and their bits are estimated from their
// sizes and the position of the last one (average-rates.ts).
import { LAST_COUNTS, LEVEL_BITS_LIMIT } from './average-rates'
import { Quantizer } from './quantizer'

/** Costs of the pair estimated last: of A and of B, f32, squared luma coefficients + lambda * bits. */
export const PAIR_COSTS: usize = memory.data(8, 16)

/** Estimates the pair of coefficients c0..c3, with the rates of its block type, into `PAIR_COSTS`. */
export function estimatePair(c0: v128, c1: v128, c2: v128, c3: v128, quantizer: Quantizer, rates: usize): void {
  const m0 = i16x8.abs(c0)
  const m1 = i16x8.abs(c1)
  const m2 = i16x8.abs(c2)
  const m3 = i16x8.abs(c3)
  const reciprocals = quantizer.reciprocals
  const deadZone = quantizer.deadZone
  const l0 = i16x8.q15mulr_sat_s(i16x8.sub_sat_u(m0, quantizer.firstDeadZone), quantizer.firstReciprocals)
  const l1 = i16x8.q15mulr_sat_s(i16x8.sub_sat_u(m1, deadZone), reciprocals)
  const l2 = i16x8.q15mulr_sat_s(i16x8.sub_sat_u(m2, deadZone), reciprocals)
  const l3 = i16x8.q15mulr_sat_s(i16x8.sub_sat_u(m3, deadZone), reciprocals)

  const steps = quantizer.steps
  const e0 = i16x8.sub(m0, i16x8.mul(l0, quantizer.firstSteps))
  const e1 = i16x8.sub(m1, i16x8.mul(l1, steps))
  const e2 = i16x8.sub(m2, i16x8.mul(l2, steps))
  const e3 = i16x8.sub(m3, i16x8.mul(l3, steps))
  const error = i32x4.add(
    i32x4.add(i32x4.dot_i16x8_s(e0, e0), i32x4.dot_i16x8_s(e1, e1)),
    i32x4.add(i32x4.dot_i16x8_s(e2, e2), i32x4.dot_i16x8_s(e3, e3)),
  )

  const limit = i8x16.splat(LEVEL_BITS_LIMIT)
  const levels01 = i8x16.min_u(i8x16.narrow_i16x8_u(l0, l1), limit)
  const levels23 = i8x16.min_u(i8x16.narrow_i16x8_u(l2, l3), limit)
  const levelBits = v128.load(rates)
  const bits16 = i16x8.add(
    i16x8.extadd_pairwise_i8x16_u(i8x16.swizzle(levelBits, levels01)),
    i16x8.extadd_pairwise_i8x16_u(i8x16.swizzle(levelBits, levels23)),
  )
  const bits = i32x4.extadd_pairwise_i16x8_u(bits16)

  // The levels in zigzag order (§13), to see which is the last.
  // biome-ignore format: a permutation
  const a = v128.shuffle<u8>(levels01, levels23, 0, 8, 1, 2, 9, 16, 24, 17, 10, 3, 11, 18, 25, 26, 19, 27)
  // biome-ignore format: a permutation
  const b = v128.shuffle<u8>(levels01, levels23, 4, 12, 5, 6, 13, 20, 28, 21, 14, 7, 15, 22, 29, 30, 23, 31)
  const zero = i8x16.splat(0)
  const countA = 32 - clz(i8x16.bitmask(i8x16.ne(a, zero)))
  const countB = 32 - clz(i8x16.bitmask(i8x16.ne(b, zero)))
  const lastCounts = rates + LAST_COUNTS
  const bitsA = i32x4.extract_lane(bits, 0) + i32x4.extract_lane(bits, 2) + <i32>load<u16>(lastCounts + 2 * countA)
  const bitsB = i32x4.extract_lane(bits, 1) + i32x4.extract_lane(bits, 3) + <i32>load<u16>(lastCounts + 2 * countB)

  const errorA = i32x4.extract_lane(error, 0) + i32x4.extract_lane(error, 1)
  const errorB = i32x4.extract_lane(error, 2) + i32x4.extract_lane(error, 3)
  const lambda = quantizer.lambda * (1.0 / 16.0)
  store<f32>(PAIR_COSTS, quantizer.weight * (<f32>errorA + lambda * <f32>bitsA))
  store<f32>(PAIR_COSTS, quantizer.weight * (<f32>errorB + lambda * <f32>bitsB), 4)
}

/** Adds the costs of the pair estimated last to those of a mode in `costs` (f32 for each mode). */
// @ts-ignore: decorator
@inline
export function addPairCosts(costs: usize, mode: i32): void {
  const sum = load<f32>(PAIR_COSTS) + load<f32>(PAIR_COSTS, 4)
  store<f32>(costs + 4 * mode, load<f32>(costs + 4 * mode) + sum)
}
