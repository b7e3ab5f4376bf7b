// The predictor transform (WebP Lossless Bitstream Specification, 4.1): rows of blocks, each block with the mode whose
// residuals cost least.
import { averageRoundedDown } from '../../../arena/simd'
import { costsOf, learntCost, PREDICTED } from './residual-cost'

const MODES: i32 = 14
const OPAQUE: u32 = 0xff000000
/** The mode of blocks that cost the same with all: left. */
const LEFT_MODE: i32 = 1
/** Minimum gain of another mode than that of the previous block, in quarters of a bit. */
const CHANGE: i32 = 12

/** i32[14]: what a block costs by each mode. */
const COSTS: usize = memory.data(4 * MODES, 16)

/** u32[15]: the number of blocks with each mode, and of all. */
const TIMES: usize = memory.data(4 * (MODES + 1), 16)
/** Whether costs were learnt. */
export let isLearnt = false
/** The additional bits of the first block with a mode. */
const NEW_BITS: f32 = 4

let left = i32x4.splat(0)
let above = i32x4.splat(0)
let aboveRight = i32x4.splat(0)
let aboveLeft = i32x4.splat(0)

/**
 * Chooses the mode of the block of `columns` x `rows` pixels at `block`, in the image's column `x` and row `y`, after one
 * with mode `before`. Its pixels lie in rows of `stride` bytes without gaps, the row above too, and 16 bytes beyond them are
 * readable.
 */
export function chooseMode(block: usize, stride: usize, columns: i32, rows: i32, x: i32, y: i32, before: i32): i32 {
  memory.fill(COSTS, 0, 4 * MODES)
  // Of the first row and column the mode is fixed.
  const skip = x == 0 ? 1 : 0
  for (let row = y == 0 ? 1 : 0; row < rows; row++) {
    const at = block + <usize>row * stride
    for (let i = skip; i < columns; i += 4) {
      if (isLearnt) addLearntCosts(at + ((<usize>i) << 2), stride, columns - i)
      else addCosts(at + ((<usize>i) << 2), stride, columns - i)
    }
  }
  let best = before
  let least = load<i32>(COSTS + ((<usize>before) << 2)) - CHANGE
  if (isLearnt) least += modeCost(before)
  for (let mode = 0; mode < MODES; mode++) {
    const cost = load<i32>(COSTS + ((<usize>mode) << 2)) + (isLearnt ? modeCost(mode) : 0)
    if (cost >= least) continue
    least = cost
    best = mode
  }
  return best
}

/** Counts the mode of a block. */
export function countMode(mode: i32): void {
  const at = TIMES + ((<usize>mode) << 2)
  store<u32>(at, load<u32>(at) + 1)
  store<u32>(TIMES, load<u32>(TIMES, 4 * MODES) + 1, 4 * MODES)
}

/** Begins an image: its first modes are chosen without knowing what residuals cost. */
export function startModes(): void {
  memory.fill(TIMES, 0, 4 * (MODES + 1))
  isLearnt = false
}

/** From now on modes are chosen by the costs that were learnt (residual-cost.ts), and by those of the modes. */
export function useLearntCosts(): void {
  isLearnt = true
}

/** The cost of sending a mode, in 8ths of a bit: more if it is a new one. */
function modeCost(mode: i32): i32 {
  const times = load<u32>(TIMES + ((<usize>mode) << 2))
  const bits = Mathf.log2((<f32>load<u32>(TIMES, 4 * MODES) + 7) / (<f32>times + 0.5)) + (times == 0 ? NEW_BITS : 0)
  return <i32>(bits * 8)
}

/** The mode that precedes the first block. */
export function firstMode(): i32 {
  return LEFT_MODE
}

/** Writes the residuals of `columns` pixels at `from`, one row of a block, by a mode. */
export function predictRow(
  mode: i32,
  from: usize,
  stride: usize,
  columns: i32,
  isFirstColumn: bool,
  isFirstRow: bool,
  to: usize,
): void {
  let i: usize = 0
  if (isFirstColumn) {
    const expected = isFirstRow ? OPAQUE : load<u32>(from - stride)
    v128.store_lane<u32>(to, i8x16.sub(v128.load_zero<u32>(from), i32x4.splat(expected)), 0)
    i = 4
  }
  const end = (<usize>columns) << 2
  const own = isFirstRow ? LEFT_MODE : mode
  for (; i < end; i += 16) {
    loadNeighbours(from + i, stride)
    v128.store(to + i, i8x16.sub(v128.load(from + i), predicted(own)))
  }
}

// @ts-ignore: decorator
@inline
function loadNeighbours(at: usize, stride: usize): void {
  left = v128.load(at - 4)
  above = v128.load(at - stride)
  aboveRight = v128.load(at - stride + 4)
  aboveLeft = v128.load(at - stride - 4)
}

function predicted(mode: i32): v128 {
  switch (mode) {
    case 0:
      return i32x4.splat(OPAQUE)
    case 1:
      return left
    case 2:
      return above
    case 3:
      return aboveRight
    case 4:
      return aboveLeft
    case 5:
      return averageRoundedDown(averageRoundedDown(left, aboveRight), above)
    case 6:
      return averageRoundedDown(left, aboveLeft)
    case 7:
      return averageRoundedDown(left, above)
    case 8:
      return averageRoundedDown(aboveLeft, above)
    case 9:
      return averageRoundedDown(above, aboveRight)
    case 10:
      return averageRoundedDown(averageRoundedDown(left, aboveLeft), averageRoundedDown(above, aboveRight))
    case 11:
      return selected()
    case 12:
      return gradient()
    default:
      return halfGradient()
  }
}

/** Adds the costs of up to four pixels by all modes. */
function addCosts(at: usize, stride: usize, count: i32): void {
  loadNeighbours(at, stride)
  const pixels = v128.load(at)
  const mask = i32x4.gt_s(i32x4.splat(count), i32x4(0, 1, 2, 3))
  for (let mode = 0; mode < MODES; mode++) {
    const costs = costsOf(v128.and(i8x16.sub(pixels, predicted(mode)), mask))
    const pairs = i32x4.extadd_pairwise_i16x8_u(costs)
    const sum = i64x2.add(pairs, v128.shuffle<i64>(pairs, pairs, 1, 0))
    const at = COSTS + ((<usize>mode) << 2)
    store<i32>(at, load<i32>(at) + i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1))
  }
}

/** Adds the costs of up to four pixels by all modes, by what was learnt. */
function addLearntCosts(at: usize, stride: usize, count: i32): void {
  loadNeighbours(at, stride)
  const pixels = v128.load(at)
  for (let mode = 0; mode < MODES; mode++) {
    const residuals = i8x16.sub(pixels, predicted(mode))
    let cost = learntCost(PREDICTED, i32x4.extract_lane(residuals, 0))
    if (count > 1) cost += learntCost(PREDICTED, i32x4.extract_lane(residuals, 1))
    if (count > 2) cost += learntCost(PREDICTED, i32x4.extract_lane(residuals, 2))
    if (count > 3) cost += learntCost(PREDICTED, i32x4.extract_lane(residuals, 3))
    const at = COSTS + ((<usize>mode) << 2)
    store<i32>(at, load<i32>(at) + cost)
  }
}

/** Left or above, whichever is nearer to left + above - above left over all four channels. */
// @ts-ignore: decorator
@inline
function selected(): v128 {
  const isLeft = i32x4.lt_s(difference(above, aboveLeft), difference(left, aboveLeft))
  return v128.bitselect(left, above, isLeft)
}

// @ts-ignore: decorator
@inline
function gradient(): v128 {
  const low = i16x8.add(low16(left), i16x8.sub(low16(above), low16(aboveLeft)))
  const high = i16x8.add(high16(left), i16x8.sub(high16(above), high16(aboveLeft)))
  return i8x16.narrow_i16x8_u(low, high)
}

// @ts-ignore: decorator
@inline
function halfGradient(): v128 {
  const middle = averageRoundedDown(left, above)
  const low = withHalf(low16(middle), low16(aboveLeft))
  return i8x16.narrow_i16x8_u(low, withHalf(high16(middle), high16(aboveLeft)))
}

/** Half the distance rounded towards zero. */
// @ts-ignore: decorator
@inline
function withHalf(middle: v128, corner: v128): v128 {
  const distance = i16x8.sub(middle, corner)
  return i16x8.add(middle, i16x8.shr_s(i16x8.sub(distance, i16x8.shr_s(distance, 15)), 1))
}

// @ts-ignore: decorator
@inline
function low16(bytes: v128): v128 {
  return i16x8.extend_low_i8x16_u(bytes)
}

// @ts-ignore: decorator
@inline
function high16(bytes: v128): v128 {
  return i16x8.extend_high_i8x16_u(bytes)
}

/** The sums of the distances of the four channels. */
// @ts-ignore: decorator
@inline
function difference(a: v128, b: v128): v128 {
  const distances = i8x16.sub(i8x16.max_u(a, b), i8x16.min_u(a, b))
  return i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(distances))
}
