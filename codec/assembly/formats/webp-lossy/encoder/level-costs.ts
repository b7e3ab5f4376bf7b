// Costs of levels and of ends of blocks for the trellis: lambda * bits, in squared coefficients, as i32. Each segment has its
// own, since lambda depends on its steps.
import { allocate } from '../../../arena/memory'
import { chromaQuantizer, lumaQuantizer, Quantizer, SEGMENTS, useQuantizers, y2Quantizer } from './quantizer'
import {
  END_OF_BLOCK,
  extraBitsOfLevel,
  ROW_COUNT,
  ROW_LENGTH,
  ROWS_PER_TYPE,
  rowAt,
  TOKEN_BITS,
  tokenOfLevel,
} from './tokens'

/** The number of levels in the tables: 0 to 14. Costs of larger ones are computed. */
export const TABLE_LEVELS: i32 = 15
/** Bytes of a row: the costs of the levels, with sign and extra bits, and that of the end of the block. */
export const COSTS_ROW: i32 = 4 * (TABLE_LEVELS + 1)
/** Byte of a row where the cost of the end of the block is. */
export const END_COST: i32 = 4 * TABLE_LEVELS

/**
 * More than any path costs, less what the coefficients' squares are together: at most 16 * 2040 * 2040 * 4, of Y2. Two of
 * these and a path still fit 32 bits.
 */
export const UNREACHABLE: i32 = 1 << 29

/** Lambda of levels in that of modes, tuned on photos. */
const LEVELS_LAMBDA: f32 = 0.7

const COSTS_BYTES: i32 = ROW_COUNT * COSTS_ROW
/** Vectors of each block type, for 0 to 16 coefficients. */
const COUNTS: i32 = 17
const END_COSTS_BYTES: i32 = 4 * COUNTS * 16

/** The tables of all segments: rows as in tokens.ts, then the costs of ends. */
let tables: usize = 0
/** The tables of the segment in use. */
let costs: usize = 0
let endCosts: usize = 0

/** Allocates an image's tables. */
export function startLevelCosts(): void {
  tables = allocate(SEGMENTS * (COSTS_BYTES + END_COSTS_BYTES))
}

/** Uses a segment's quantizers and costs. */
export function useSegment(segment: i32): void {
  useQuantizers(segment)
  costs = tables + segment * (COSTS_BYTES + END_COSTS_BYTES)
  endCosts = costs + COSTS_BYTES
}

/** Computes the costs of all segments from the rates in `TOKEN_BITS`. */
export function updateLevelCosts(): void {
  // The bits first, in the table of segment 0, whose costs replace them last.
  const bits = tables
  for (let row = 0; row < ROW_COUNT; row++) {
    for (let level = 0; level < TABLE_LEVELS; level++) {
      store<i32>(bits + row * COSTS_ROW + 4 * level, bitsOfLevel(row, level))
    }
    store<i32>(bits + row * COSTS_ROW + END_COST, <i32>load<u16>(TOKEN_BITS + 2 * (row * ROW_LENGTH + END_OF_BLOCK)))
  }
  for (let segment = SEGMENTS - 1; segment >= 0; segment--) {
    useSegment(segment)
    for (let type = 0; type < 4; type++) updateCosts(type, bits)
  }
}

/** Computes the costs of a type of the segment in use, of bits in 256ths. */
function updateCosts(type: i32, bits: usize): void {
  const perBit = f32x4.splat(levelsLambda(quantizerOfType(type)) / 256)
  const start = type * ROWS_PER_TYPE * COSTS_ROW
  for (let at = start; at < start + ROWS_PER_TYPE * COSTS_ROW; at += 16) {
    const exact = f32x4.mul(f32x4.convert_i32x4_s(v128.load(bits + at)), perBit)
    v128.store(costs + at, i32x4.trunc_sat_f32x4_s(exact))
  }
  for (let count = 1; count <= 16; count++) {
    const rows = costRowsAt(type, count)
    const afterOne = count < 16 ? load<i32>(rows + COSTS_ROW + END_COST) : 0
    const afterMore = count < 16 ? load<i32>(rows + 2 * COSTS_ROW + END_COST) : 0
    const states = i32x4.replace_lane(i32x4.replace_lane(i32x4.splat(afterMore), 0, UNREACHABLE), 1, afterOne)
    v128.store(endCostsAfter(type, count), states)
  }
}

/** Address of the first row of a type, for the coefficient at a position of the zigzag order. */
// @ts-ignore: decorator
@inline
export function costRowsAt(type: i32, position: i32): usize {
  return costs + <usize>rowAt(type, position) * COSTS_ROW
}

/** Address of the costs of ending a block after 1 to 16 coefficients: a vector by the trellis' state. */
// @ts-ignore: decorator
@inline
export function endCostsAfter(type: i32, count: i32): usize {
  return endCosts + (type * COUNTS + count) * 16
}

function bitsOfLevel(row: i32, level: i32): i32 {
  return <i32>load<u16>(TOKEN_BITS + 2 * (row * ROW_LENGTH + tokenOfLevel(level))) + extraBitsOfLevel(level)
}

/** The cost of a bit of a level, in squared coefficients of its kind. */
// @ts-ignore: decorator
@inline
export function levelsLambda(quantizer: Quantizer): f32 {
  return LEVELS_LAMBDA * quantizer.lambda
}

/** The quantizer in use of a block type. */
export function quantizerOfType(type: i32): Quantizer {
  if (type == 1) return y2Quantizer
  return type == 2 ? chromaQuantizer : lumaQuantizer
}

/** Costs in the row at `row` of a level that is in no table, and of the one below: the last lanes, the lower level first. */
export function largeLevelCosts(row: usize, level: i32, lambda: f32): v128 {
  const index = <i32>(row - costs) / COSTS_ROW
  const below = i32x4.replace_lane(i32x4.splat(0), 2, costOfBits(lambda, bitsOfLevel(index, level - 1)))
  return i32x4.replace_lane(below, 3, costOfBits(lambda, bitsOfLevel(index, level)))
}

function costOfBits(lambda: f32, bits: i32): i32 {
  return <i32>((lambda * <f32>bits) / 256)
}
