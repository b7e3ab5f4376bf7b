// Estimates the cost of residuals: bytes around zero, rarer the larger they are.
import { allocate, allocateZeroed } from '../../../arena/memory'

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

/** u32[2][4][256]: how often each value of a channel was chosen; u8[2][4][256]: what it costs by that, in 8ths of a bit. */
let counts: usize = 0
let learnt: usize = 0
const TABLE: usize = 4 * 256
/** Two sets of tables: of what is predicted, and of what is left of that by the colour transform. */
export const PREDICTED: usize = 0
export const TRANSFORMED: usize = TABLE

/** Forgets what was chosen. */
export function startLearning(): void {
  counts = allocateZeroed(4 * 2 * TABLE)
  learnt = allocate(2 * TABLE)
}

/** Counts a residual in a set of tables. */
// @ts-ignore: decorator
@inline
export function countResidual(set: usize, residual: u32): void {
  for (let channel: usize = 0; channel < 4; channel++) {
    const at = counts + ((set + (channel << 8) + ((residual >> ((<u32>channel) << 3)) & 255)) << 2)
    store<u32>(at, load<u32>(at) + 1)
  }
}

/** Sets the costs of a set of tables by what was counted. */
export function learnCosts(set: usize): void {
  for (let channel: usize = 0; channel < 4; channel++) {
    const from = set + (channel << 8)
    let total: f32 = 0
    for (let value: usize = 0; value < 256; value++) total += smoothed(from, value)
    const all = Mathf.log2(total)
    for (let value: usize = 0; value < 256; value++) {
      store<u8>(learnt + from + value, <u8>min<f32>(255, (all - Mathf.log2(smoothed(from, value))) * 8))
    }
  }
}

/** Returns the expected frequency of a value: its own, and a little of its neighbours'. */
function smoothed(from: usize, value: usize): f32 {
  const own = load<u32>(counts + ((from + value) << 2))
  const before = load<u32>(counts + ((from + ((value - 1) & 255)) << 2))
  const after = load<u32>(counts + ((from + ((value + 1) & 255)) << 2))
  return 0.25 + <f32>own + 0.125 * <f32>(before + after)
}

/** The cost of a residual by what was learnt, in 8ths of a bit. */
// @ts-ignore: decorator
@inline
export function learntCost(set: usize, residual: u32): i32 {
  const at = learnt + set
  return (
    <i32>load<u8>(at + (residual & 255)) +
    <i32>load<u8>(at + ((residual >> 8) & 255), 256) +
    <i32>load<u8>(at + ((residual >> 16) & 255), 512) +
    <i32>load<u8>(at + (residual >> 24), 768)
  )
}

/** The cost of a channel's residual, its lowest 8 bits, by what was learnt. */
// @ts-ignore: decorator
@inline
export function channelCost(set: usize, channel: usize, residual: u32): i32 {
  return load<u8>(learnt + set + (channel << 8) + (residual & 255))
}

/** Makes the costs of a set those of another. */
export function copyCosts(to: usize, from: usize): void {
  memory.copy(learnt + to, learnt + from, TABLE)
}
