// Trellis quantization: the final levels of a block. Candidates are each coefficient's nearest level and the one below it,
// and all ends of the block. Viterbi's algorithm finds the path through the tokens' contexts (RFC 6386 §13.3) with the
// least squared error + lambda * bits.
import {
  COSTS_ROW,
  costRowsAt,
  END_COST,
  endCostsAfter,
  largeLevelCosts,
  levelsLambda,
  quantizerOfType,
  TABLE_LEVELS,
  UNREACHABLE,
} from './level-costs'
import { Quantizer } from './quantizer'
import { AFTER_ZERO } from './tokens'
import { firstVectors, lastVectors } from './transform'

/** Squared error + lambda * bits of the block quantized last, less the squared error of a block of zeros. */
export let blockCost: i32 = 0

/** The block's coefficients in zigzag order: twice their magnitudes (i32), nearest levels (i16), and offsets in `choices` (u16). */
const magnitudes: usize = memory.data(16 * 4, 16)
const nearestLevels: usize = memory.data(16 * 2, 16)
const choiceOffsets: usize = memory.data(16 * 2, 16)

/**
 * A path is two flags for each position n: bit 16 + n that its level is not 0, bit n that it is the one below the nearest.
 * These are the flags of position 0.
 */
const NEAREST: i32 = 1 << 16
const BELOW: i32 = NEAREST + 1

/**
 * The candidates of a coefficient: two rows for each nearest level 0 to 3, where 3 is 3 or more, the second if it was
 * rounded up. Candidates are levels 0 to 3, or, of levels above 3, the nearest (last) and the three below it. A row has what
 * is added to the cost of each, 0 or `UNREACHABLE` if it is not tried, then the flags of each. A level that was rounded
 * up may become the one below. One or two may become 0.
 */
// biome-ignore format: a table
const choices: usize = memory.data<i32>([
  0, UNREACHABLE, UNREACHABLE, UNREACHABLE, 0, 0, 0, 0,
  0, UNREACHABLE, UNREACHABLE, UNREACHABLE, 0, 0, 0, 0,
  0, 0, UNREACHABLE, UNREACHABLE, 0, NEAREST, 0, 0,
  0, 0, UNREACHABLE, UNREACHABLE, 0, NEAREST, 0, 0,
  0, UNREACHABLE, 0, UNREACHABLE, 0, 0, NEAREST, 0,
  0, 0, 0, UNREACHABLE, 0, BELOW, NEAREST, 0,
  UNREACHABLE, UNREACHABLE, UNREACHABLE, 0, 0, 0, 0, NEAREST,
  UNREACHABLE, UNREACHABLE, 0, 0, 0, 0, BELOW, NEAREST,
], 16)

/**
 * The weight of a squared error of luma by its position in zigzag order, in 64ths, tuned on photos: the higher the frequency, the
 * less it is seen.
 */
export const LUMA_WEIGHTS: usize = memory.data<i32>(
  [64, 62, 62, 61, 61, 61, 59, 59, 59, 59, 58, 58, 58, 56, 56, 54],
  16,
)

/**
 * Quantizes a block of `type`. `half` is the address of its half of a pair (transform.ts), where its dequantized
 * coefficients take the place of the coefficients; `context` is the number of coded neighbours, 0..2. The levels, with
 * signs and in zigzag order, go to `levels` (16 x i16). Returns the count of coefficients up to the last, 0 if none.
 */
export function quantizeBlock(half: usize, type: i32, context: i32, levels: usize): i32 {
  const quantizer = quantizerOfType(type)
  const left = firstVectors(half)
  const right = lastVectors(half)
  const z0 = v128.shuffle<i16>(left, right, 0, 4, 1, 2, 5, 8, 12, 9)
  const z1 = v128.shuffle<i16>(left, right, 6, 3, 7, 10, 13, 14, 11, 15)
  const m0 = i16x8.abs(z0)
  const m1 = i16x8.abs(z1)
  let l0 = i16x8.q15mulr_sat_s(m0, quantizer.zigzagReciprocals)
  let l1 = i16x8.q15mulr_sat_s(m1, quantizer.reciprocals)
  const first = type == 0 ? 1 : 0
  if (first == 1) l0 = i16x8.replace_lane(l0, 0, 0)
  const nonzero = i8x16.bitmask(i8x16.ne(i8x16.narrow_i16x8_u(l0, l1), i8x16.splat(0)))
  if (nonzero == 0) {
    blockCost = load<i32>(costRowsAt(type, first) + <usize>context * COSTS_ROW + END_COST)
    return clearBlock(half, levels)
  }
  const three = i16x8.splat(3)
  v128.store(choiceOffsets, choicesOf(l0, m0, quantizer.zigzagSteps))
  v128.store(choiceOffsets, choicesOf(l1, m1, quantizer.steps), 16)
  v128.store(magnitudes, twice(i32x4.extend_low_i16x8_s(m0)))
  v128.store(magnitudes, twice(i32x4.extend_high_i16x8_s(m0)), 16)
  v128.store(magnitudes, twice(i32x4.extend_low_i16x8_s(m1)), 32)
  v128.store(magnitudes, twice(i32x4.extend_high_i16x8_s(m1)), 48)
  const end = 32 - clz(nonzero)
  let path: u32
  if (v128.any_true(i16x8.ge_s(i16x8.max_s(l0, l1), three))) {
    v128.store(nearestLevels, l0)
    v128.store(nearestLevels, l1, 16)
    path = bestPath(quantizer, type, first, end, context, false)
  } else {
    path = bestPath(quantizer, type, first, end, context, true)
  }
  if (path == 0) return clearBlock(half, levels)

  const s0 = i16x8.shr_s(z0, 15)
  const s1 = i16x8.shr_s(z1, 15)
  l0 = v128.and(i16x8.add(l0, flagged(path)), flagged(path >> 16))
  l1 = v128.and(i16x8.add(l1, flagged(path >> 8)), flagged(path >> 24))
  l0 = i16x8.sub(v128.xor(l0, s0), s0)
  l1 = i16x8.sub(v128.xor(l1, s1), s1)
  v128.store(levels, l0)
  v128.store(levels, l1, 16)
  const d0 = i16x8.mul(l0, quantizer.zigzagSteps)
  const d1 = i16x8.mul(l1, quantizer.steps)
  const columns01 = v128.shuffle<i16>(d0, d1, 0, 2, 3, 9, 1, 4, 8, 10)
  const columns23 = v128.shuffle<i16>(d0, d1, 5, 7, 11, 14, 6, 12, 13, 15)
  v128.store64_lane(half, columns01, 0)
  v128.store64_lane(half + 16, columns01, 1)
  v128.store64_lane(half + 32, columns23, 0)
  v128.store64_lane(half + 48, columns23, 1)
  return countOf(path)
}

/** Offsets in `choices` of the nearest levels of magnitudes. */
// @ts-ignore: decorator
@inline
function choicesOf(levels: v128, magnitudes: v128, steps: v128): v128 {
  const roundedUp = v128.and(i16x8.gt_s(i16x8.mul(levels, steps), magnitudes), i16x8.splat(32))
  return i16x8.add(i16x8.shl(i16x8.min_s(levels, i16x8.splat(3)), 6), roundedUp)
}

// @ts-ignore: decorator
@inline
function twice(x: v128): v128 {
  return i32x4.add(x, x)
}

/** -1 in the lanes of the low 8 bits that are set, the lowest first. */
// @ts-ignore: decorator
@inline
function flagged(bits: u32): v128 {
  const bitMasks = i16x8(1, 2, 4, 8, 16, 32, 64, 128)
  return i16x8.eq(v128.and(i16x8.splat(<i16>bits), bitMasks), bitMasks)
}

/** Returns the number of coefficients of a path up to its last level that is not 0. */
// @ts-ignore: decorator
@inline
function countOf(path: u32): i32 {
  return max(0, 16 - <i32>clz(path))
}

function clearBlock(half: usize, levels: usize): i32 {
  for (let i: usize = 0; i < 64; i += 16) store<u64>(half + i, 0)
  v128.store(levels, i16x8.splat(0))
  v128.store(levels, i16x8.splat(0), 16)
  return 0
}

/**
 * The best path through a block (see `NEAREST`), whose nearest levels are 0 from `end` on and, if `areSmall`, below 3. The
 * lanes of vectors are candidates, and then the states they lead to: the last level was 0, 1, or more.
 */
// @ts-ignore: decorator
@inline
function bestPath(quantizer: Quantizer, type: i32, first: i32, end: i32, context: i32, areSmall: bool): u32 {
  let rows = costRowsAt(type, first)
  const ends = endCostsAfter(type, 1)
  // The neighbours' context is the state before the first coefficient.
  let zeroRow = rows + <usize>context * COSTS_ROW
  let afterZero = i32x4.splat(0)
  let afterOne = i32x4.splat(UNREACHABLE)
  let afterMore = i32x4.splat(UNREACHABLE)
  let paths = i32x4.splat(0)
  let least = v128.load32_splat(zeroRow + END_COST)
  let leastPaths = i32x4.splat(0)
  const isLuma = type == 0 || type == 3
  let multiples = first == 0 ? quantizer.dcMultiples : quantizer.acMultiples

  for (let n = first; n < end; n++) {
    const choice = choices + <usize>load<u16>(choiceOffsets + 2 * n)
    const level = areSmall ? 0 : <i32>load<i16>(nearestLevels + 2 * n)
    const lowest = max(level - 3, 0)
    const step = n == 0 ? quantizer.dcStep : quantizer.acStep
    const values = areSmall ? multiples : i32x4.add(i32x4.splat(lowest * step), multiples)
    let distortions = i32x4.mul(values, i32x4.sub(values, v128.load32_splat(magnitudes + 4 * n)))
    // Not of Y2, whose squares have no room for it.
    if (isLuma) distortions = i32x4.shr_s(i32x4.mul(distortions, v128.load32_splat(LUMA_WEIGHTS + 4 * n)), 6)
    const ownCosts = i32x4.add(distortions, v128.load(choice))
    const oneRow = rows + COSTS_ROW
    const moreRow = rows + 2 * COSTS_ROW
    const isInTable = level < TABLE_LEVELS
    const lambda = levelsLambda(quantizer)
    const zeroCosts = isInTable ? v128.load(zeroRow + 4 * lowest) : largeLevelCosts(zeroRow, level, lambda)
    const oneCosts = isInTable ? v128.load(oneRow + 4 * lowest) : largeLevelCosts(oneRow, level, lambda)
    const moreCosts = isInTable ? v128.load(moreRow + 4 * lowest) : largeLevelCosts(moreRow, level, lambda)
    const viaZero = i32x4.add(afterZero, i32x4.add(zeroCosts, ownCosts))
    const viaOne = i32x4.add(afterOne, i32x4.add(oneCosts, ownCosts))
    const viaMore = i32x4.add(afterMore, i32x4.add(moreCosts, ownCosts))
    let states = i32x4.min_s(viaZero, i32x4.min_s(viaOne, viaMore))

    const pathZero = v128.shuffle<i32>(paths, paths, 0, 0, 0, 0)
    const pathOne = v128.shuffle<i32>(paths, paths, 1, 1, 1, 1)
    const pathMore = v128.shuffle<i32>(paths, paths, 2, 2, 2, 2)
    const pathLess = v128.bitselect(pathOne, pathZero, i32x4.eq(states, viaOne))
    const pathBefore = v128.bitselect(pathMore, pathLess, i32x4.eq(states, viaMore))
    paths = v128.or(pathBefore, i32x4.shl(v128.load(choice, 16), n))
    if (!areSmall) {
      // The last two candidates lead to the same state.
      const exchanged = v128.shuffle<i32>(states, states, 0, 1, 3, 3)
      const exchangedPaths = v128.shuffle<i32>(paths, paths, 0, 1, 3, 3)
      paths = v128.bitselect(paths, exchangedPaths, i32x4.lt_s(states, exchanged))
      states = i32x4.min_s(states, exchanged)
    }
    afterZero = v128.shuffle<i32>(states, states, 0, 0, 0, 0)
    afterOne = v128.shuffle<i32>(states, states, 1, 1, 1, 1)
    afterMore = v128.shuffle<i32>(states, states, 2, 2, 2, 2)

    const whole = i32x4.add(states, v128.load(ends + 16 * n))
    leastPaths = v128.bitselect(paths, leastPaths, i32x4.lt_s(whole, least))
    least = i32x4.min_s(least, whole)
    multiples = quantizer.acMultiples
    rows = costRowsAt(type, n + 1)
    zeroRow = rows + <usize>AFTER_ZERO * COSTS_ROW
  }

  const leastAfterOne = i32x4.extract_lane(least, 1)
  const leastAfterMore = i32x4.extract_lane(least, 2)
  const one = <u32>i32x4.extract_lane(leastPaths, 1)
  const more = <u32>i32x4.extract_lane(leastPaths, 2)
  blockCost = min(leastAfterOne, leastAfterMore)
  if (leastAfterOne == leastAfterMore) return countOf(more) < countOf(one) ? more : one
  return leastAfterMore < leastAfterOne ? more : one
}
