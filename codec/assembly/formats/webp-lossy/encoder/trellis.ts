// Trellis quantization. The final levels of a block: of each coefficient's nearest level and the one below it, and of all
// places to end the block, the path through the tokens' contexts (RFC 6386 §13.3) of the least squared error + lambda *
// bits, found by Viterbi's algorithm.
import { COEFF_BANDS } from '../tables'
import { chromaQuantizer, lumaQuantizer, Quantizer, y2Quantizer } from './quantizer'
import {
  AFTER_ZERO,
  END_OF_BLOCK,
  extraBitsOfLevel,
  ROW_COUNT,
  ROW_LENGTH,
  ROWS_PER_BAND,
  ROWS_PER_TYPE,
  TOKEN_BITS,
  tokenOfLevel,
} from './tokens'

/**
 * Costs of levels in squared coefficients, rows as in tokens.ts: i32 for each level below `FIRST_UNTABLED`, with its sign
 * and extra bits, then for the end of the block.
 */
const costs: usize = memory.data(128 * 64, 16)
const ROW: i32 = 64
const FIRST_UNTABLED: i32 = 15
const END: i32 = 4 * 15
/** More than any path costs, with room to add the cost of a whole path. */
const UNREACHABLE: i32 = 1 << 30

const magnitudes: usize = memory.data(32, 16)
const nearestLevels: usize = memory.data(32, 16)
/** For each position and state reached: level | previous state << 16. A state is the last level, at most 2. */
const backPointers: usize = memory.data(16 * 3 * 4, 16)

/** Makes the costs from the rates in `TOKEN_BITS`. */
export function updateTrellisCosts(): void {
  for (let row = 0; row < ROW_COUNT; row++) {
    const lambda = quantizerOfType(row / ROWS_PER_TYPE).lambda
    for (let level = 0; level < FIRST_UNTABLED; level++) {
      store<i32>(costs + row * ROW + 4 * level, costOfBits(lambda, bitsOfLevel(row, level)))
    }
    const end = <i32>load<u16>(TOKEN_BITS + 2 * (row * ROW_LENGTH + END_OF_BLOCK))
    store<i32>(costs + row * ROW + END, costOfBits(lambda, end))
  }
}

function bitsOfLevel(row: i32, level: i32): i32 {
  return <i32>load<u16>(TOKEN_BITS + 2 * (row * ROW_LENGTH + tokenOfLevel(level))) + extraBitsOfLevel(level)
}

function costOfBits(lambda: f32, bits: i32): i32 {
  return <i32>((lambda * <f32>bits) / 256)
}

/** The cost of any level in the row at an address. */
// @ts-ignore: decorator
@inline
function levelCost(row: usize, level: i32, lambda: f32): i32 {
  if (level < FIRST_UNTABLED) return load<i32>(row + 4 * level)
  return costOfBits(lambda, bitsOfLevel(<i32>(row - costs) / ROW, level))
}

function quantizerOfType(type: i32): Quantizer {
  if (type == 1) return y2Quantizer
  return type == 2 ? chromaQuantizer : lumaQuantizer
}

/**
 * Quantizes a block of `type`. `half` is the address of its half of a pair (transform.ts), where its dequantized
 * coefficients take the place of the coefficients; `context` is the number of coded neighbours, 0..2. The levels, with
 * signs and in zigzag order, go to `levels` (16 x i16). Gives the count of coefficients up to the last, 0 if none.
 */
export function quantizeBlock(half: usize, type: i32, context: i32, levels: usize): i32 {
  const quantizer = quantizerOfType(type)
  const left = v128.load64_lane(half + 16, v128.load64_zero(half), 1)
  const right = v128.load64_lane(half + 48, v128.load64_zero(half + 32), 1)
  const z0 = v128.shuffle<i16>(left, right, 0, 4, 1, 2, 5, 8, 12, 9)
  const z1 = v128.shuffle<i16>(left, right, 6, 3, 7, 10, 13, 14, 11, 15)
  const m0 = i16x8.abs(z0)
  const m1 = i16x8.abs(z1)
  let l0 = i16x8.q15mulr_sat_s(m0, quantizer.zigzagReciprocals)
  let l1 = i16x8.q15mulr_sat_s(m1, quantizer.reciprocals)
  const first = type == 0 ? 1 : 0
  if (first == 1) l0 = i16x8.replace_lane(l0, 0, 0)
  const nonzero = i8x16.bitmask(i8x16.ne(i8x16.narrow_i16x8_u(l0, l1), i8x16.splat(0)))
  if (nonzero == 0) return clearBlock(half, levels)
  v128.store(magnitudes, m0)
  v128.store(magnitudes, m1, 16)
  v128.store(nearestLevels, l0)
  v128.store(nearestLevels, l1, 16)
  const count = findBestPath(quantizer, type, first, 32 - clz(nonzero), context)
  if (count == 0) return clearBlock(half, levels)

  const s0 = i16x8.shr_s(z0, 15)
  const s1 = i16x8.shr_s(z1, 15)
  l0 = i16x8.sub(v128.xor(v128.load(nearestLevels), s0), s0)
  l1 = i16x8.sub(v128.xor(v128.load(nearestLevels, 16), s1), s1)
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
  return count
}

function clearBlock(half: usize, levels: usize): i32 {
  for (let i: usize = 0; i < 64; i += 16) store<u64>(half + i, 0)
  v128.store(levels, i16x8.splat(0))
  v128.store(levels, i16x8.splat(0), 16)
  return 0
}

/** Replaces `nearestLevels` by the levels of the best path; gives the count of coefficients up to its last. */
function findBestPath(quantizer: Quantizer, type: i32, first: i32, end: i32, context: i32): i32 {
  const typeCosts = costs + <usize>(type * ROWS_PER_TYPE) * ROW
  const lambda = quantizer.lambda
  let rows = typeCosts + <usize>(<i32>load<u8>(COEFF_BANDS + first) * ROWS_PER_BAND) * ROW
  // The neighbours' context stands in for the state before the first coefficient.
  let zeroRow = rows + <usize>context * ROW
  let afterZero = 0
  let afterOne = UNREACHABLE
  let afterMore = UNREACHABLE
  let least = load<i32>(zeroRow + END)
  let leastCount = 0
  let leastState = 0
  let step = first == 0 ? quantizer.dcStep : quantizer.acStep

  for (let n = first; n < end; n++) {
    const oneRow = rows + ROW
    const moreRow = rows + 2 * ROW
    const magnitude = <i32>load<i16>(magnitudes + 2 * n)
    const level = <i32>load<i16>(nearestLevels + 2 * n)
    const trace = backPointers + 12 * n
    let zero = UNREACHABLE
    let one = UNREACHABLE
    let more = UNREACHABLE
    if (level < 3) {
      const viaZero = afterZero + load<i32>(zeroRow)
      const viaOne = afterOne + load<i32>(oneRow)
      const viaMore = afterMore + load<i32>(moreRow)
      zero = min(viaZero, min(viaOne, viaMore))
      store<i32>(trace, bestOrigin(zero, viaOne, viaMore))
    }
    // Below a level that is no rounding up, only 0 is worth a try.
    const lowest = level * step > magnitude ? max(1, level - 1) : level
    for (let candidate = level; candidate > 0 && candidate >= lowest; candidate--) {
      const viaZero = afterZero + levelCost(zeroRow, candidate, lambda)
      const viaOne = afterOne + levelCost(oneRow, candidate, lambda)
      const viaMore = afterMore + levelCost(moreRow, candidate, lambda)
      const via = min(viaZero, min(viaOne, viaMore))
      const origin = bestOrigin(via, viaOne, viaMore)
      const value = candidate * step
      const pathCost = via + value * (value - 2 * magnitude)
      if (candidate == 1) {
        one = pathCost
        store<i32>(trace + 4, 1 | origin)
      } else if (pathCost < more) {
        more = pathCost
        store<i32>(trace + 8, candidate | origin)
      }
    }
    afterZero = zero
    afterOne = one
    afterMore = more
    step = quantizer.acStep
    rows = typeCosts + <usize>(<i32>load<u8>(COEFF_BANDS + n + 1) * ROWS_PER_BAND) * ROW
    zeroRow = rows + <usize>AFTER_ZERO * ROW
    if (level > 0) {
      const stop = n < 15
      const endOne = one + (stop ? load<i32>(rows + ROW + END) : 0)
      const endMore = more + (stop ? load<i32>(rows + 2 * ROW + END) : 0)
      if (endOne < least) {
        least = endOne
        leastCount = n + 1
        leastState = 1
      }
      if (endMore < least) {
        least = endMore
        leastCount = n + 1
        leastState = 2
      }
    }
  }

  for (let n = leastCount; n < end; n++) store<i16>(nearestLevels + 2 * n, 0)
  traceBack(first, leastCount, leastState)
  return leastCount
}

/** Sets `nearestLevels` by the back pointers of the path that ends in `state` after `count` coefficients. */
function traceBack(first: i32, count: i32, state: i32): void {
  for (let n = count - 1; n >= first; n--) {
    const step = load<i32>(backPointers + 12 * n + 4 * state)
    store<i16>(nearestLevels + 2 * n, <i16>step)
    state = step >> 16
  }
}

/** The state that the best path came from, as a back pointer has it. */
// @ts-ignore: decorator
@inline
function bestOrigin(least: i32, viaOne: i32, viaMore: i32): i32 {
  return select(2 << 16, select(1 << 16, 0, viaOne == least), viaMore == least)
}
