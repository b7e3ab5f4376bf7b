// The CDEF direction process: AV1 specification, 7.15.2.
import { sumOfLanes32 } from '../../../../arena/simd'
import { bitDepth } from '../frames/sequence-header'

/** partial: i16[8][15], a direction every 32 bytes, with room for what vectors write beyond. */
const PARTIAL: usize = memory.data(2 * 16 * 8 + 16, 16)
const DIRECTION_BYTES: usize = 32

/** Div_Table by the number of samples of each line: of directions 0 and 4, and of those between. */
const DIAGONAL_WEIGHTS: usize = memory.data<i32>([
  840, 420, 280, 210, 168, 140, 120, 105, 120, 140, 168, 210, 280, 420, 840, 0,
])
const ODD_WEIGHTS: usize = memory.data<i32>([420, 210, 140, 105, 105, 105, 105, 105, 140, 210, 420, 0, 0, 0, 0, 0])
/** Of rows and columns, all with eight samples. */
const STRAIGHT_WEIGHTS: usize = memory.data<i32>([105, 105, 105, 105, 105, 105, 105, 105, 0, 0, 0, 0, 0, 0, 0, 0])

/** var of the block whose direction was found last. */
export let variance: i32 = 0

/** cost, i32[8] */
const COST: usize = memory.data(4 * 8, 16)

/** Finds the direction of the 8x8 samples at `at`. */
export function findDirection(at: usize, stride: usize): i32 {
  memory.fill(PARTIAL, 0, DIRECTION_BYTES * 8)
  sumLines(at, stride)
  for (let i = 0; i < 8; i++) {
    const weights = (i & 1) != 0 ? ODD_WEIGHTS : (i & 2) != 0 ? STRAIGHT_WEIGHTS : DIAGONAL_WEIGHTS
    store<i32>(COST + ((<usize>i) << 2), weigh(PARTIAL + <usize>i * DIRECTION_BYTES, weights))
  }
  let yDir = 0
  let bestCost = 0
  for (let i = 0; i < 8; i++) {
    if (cost(i) <= bestCost) continue
    bestCost = cost(i)
    yDir = i
  }
  variance = (bestCost - cost((yDir + 4) & 7)) >> 10
  return yDir
}

function cost(i: i32): i32 {
  return load<i32>(COST + ((<usize>i) << 2))
}

/** Adds each row, shifted to where its first sample belongs, to the lines of each direction. */
function sumLines(at: usize, stride: usize): void {
  const shift = bitDepth - 8
  for (let i = 0; i < 8; i++) {
    const row = i16x8.sub(i16x8.shr_u(v128.load(at + <usize>i * stride), shift), i16x8.splat(128))
    const turned = v128.shuffle<i16>(row, row, 7, 6, 5, 4, 3, 2, 1, 0)
    const pairs = i32x4.extadd_pairwise_i16x8_s(row)
    const turnedPairs = i32x4.extadd_pairwise_i16x8_s(turned)
    addRow(0, i, row)
    addRow(1, i, i16x8.narrow_i32x4_s(pairs, i32x4.splat(0)))
    addRow(2, i, i16x8.replace_lane(i16x8.splat(0), 0, <i16>sumOfLanes32(pairs)))
    addRow(3, i, i16x8.narrow_i32x4_s(turnedPairs, i32x4.splat(0)))
    addRow(4, i, turned)
    addRow(5, 3 - (i >> 1), row)
    addRow(6, 0, row)
    addRow(7, i >> 1, row)
  }
}

// @ts-ignore: decorator
@inline
function addRow(direction: usize, line: i32, samples: v128): void {
  const to = PARTIAL + direction * DIRECTION_BYTES + ((<usize>line) << 1)
  v128.store(to, i16x8.add(v128.load(to), samples))
}

/** The sum of the squares of sixteen lines, each times its weight. */
function weigh(lines: usize, weights: usize): i32 {
  const low = v128.load(lines)
  const high = v128.load(lines, 16)
  let sum = i32x4.mul(i32x4.extmul_low_i16x8_s(low, low), v128.load(weights))
  sum = i32x4.add(sum, i32x4.mul(i32x4.extmul_high_i16x8_s(low, low), v128.load(weights, 16)))
  sum = i32x4.add(sum, i32x4.mul(i32x4.extmul_low_i16x8_s(high, high), v128.load(weights, 32)))
  sum = i32x4.add(sum, i32x4.mul(i32x4.extmul_high_i16x8_s(high, high), v128.load(weights, 48)))
  return sumOfLanes32(sum)
}
