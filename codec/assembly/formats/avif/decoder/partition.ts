// decode_partition( ): AV1 specification, 5.11.4 and 8.3.2.
import { MI_HEIGHT_LOG2, MI_WIDTH_LOG2, NUM_4X4_BLOCKS_WIDE, PARTITION_SUBSIZE } from '../tables/block'
import {
  PARTITION_W8_CDF,
  PARTITION_W16_CDF,
  PARTITION_W32_CDF,
  PARTITION_W64_CDF,
  PARTITION_W128_CDF,
} from '../tables/cdf'
import { BLOCK_8X8, BLOCK_128X128 } from './blocks/block'
import { aboveBlocks, leftBlocks, leftRow } from './blocks/neighbours'
import { BLOCK_INVALID } from './blocks/residual-size'
import { readFixedBool, readSymbol } from './blocks/symbol-decoder'
import { isInside, tile } from './blocks/tile'
import { decodeBlock } from './decode-block'
import { frame } from './frames/frame-header'

const PARTITION_NONE: i32 = 0
const PARTITION_HORZ: i32 = 1
const PARTITION_VERT: i32 = 2
const PARTITION_SPLIT: i32 = 3
const PARTITION_HORZ_A: i32 = 4
const PARTITION_HORZ_B: i32 = 5
const PARTITION_VERT_A: i32 = 6
const PARTITION_VERT_B: i32 = 7
const PARTITION_HORZ_4: i32 = 8
const PARTITION_VERT_4: i32 = 9
const SIZES: i32 = 22

/** Decodes what a square of size `bSize` at (`r`, `c`) is divided into; false if it is divided as it cannot be. */
export function decodePartition(r: i32, c: i32, bSize: i32): bool {
  if (r >= frame.miRows || c >= frame.miCols) return true
  const half = <i32>load<u8>(NUM_4X4_BLOCKS_WIDE + bSize) >> 1
  const hasRows = r + half < frame.miRows
  const hasCols = c + half < frame.miCols
  const partition = readPartition(r, c, bSize, hasRows, hasCols)
  const subSize = subsizeOf(partition, bSize)
  if (subSize == BLOCK_INVALID) return false
  if (partition == PARTITION_SPLIT) {
    return (
      decodePartition(r, c, subSize) &&
      decodePartition(r, c + half, subSize) &&
      decodePartition(r + half, c, subSize) &&
      decodePartition(r + half, c + half, subSize)
    )
  }
  return decodeParts(partition, r, c, half, subSize, subsizeOf(PARTITION_SPLIT, bSize))
}

function subsizeOf(partition: i32, bSize: i32): i32 {
  return load<u8>(PARTITION_SUBSIZE + (partition * SIZES + bSize))
}

/** The blocks of any partition that is not into four squares. */
function decodeParts(partition: i32, r: i32, c: i32, half: i32, subSize: i32, splitSize: i32): bool {
  if (partition == PARTITION_NONE) return decodeBlock(r, c, subSize)
  if (partition == PARTITION_HORZ) {
    return decodeBlock(r, c, subSize) && (r + half >= frame.miRows || decodeBlock(r + half, c, subSize))
  }
  if (partition == PARTITION_VERT) {
    return decodeBlock(r, c, subSize) && (c + half >= frame.miCols || decodeBlock(r, c + half, subSize))
  }
  if (partition == PARTITION_HORZ_A) {
    return decodeBlock(r, c, splitSize) && decodeBlock(r, c + half, splitSize) && decodeBlock(r + half, c, subSize)
  }
  if (partition == PARTITION_HORZ_B) {
    const below = r + half
    return decodeBlock(r, c, subSize) && decodeBlock(below, c, splitSize) && decodeBlock(below, c + half, splitSize)
  }
  if (partition == PARTITION_VERT_A) {
    return decodeBlock(r, c, splitSize) && decodeBlock(r + half, c, splitSize) && decodeBlock(r, c + half, subSize)
  }
  if (partition == PARTITION_VERT_B) {
    const right = c + half
    return decodeBlock(r, c, subSize) && decodeBlock(r, right, splitSize) && decodeBlock(r + half, right, splitSize)
  }
  return decodeStrips(r, c, half >> 1, subSize, partition == PARTITION_HORZ_4)
}

/** PARTITION_HORZ_4 and PARTITION_VERT_4. */
function decodeStrips(r: i32, c: i32, quarter: i32, subSize: i32, areRows: bool): bool {
  for (let i = 0; i < 4; i++) {
    const row = areRows ? r + quarter * i : r
    const col = areRows ? c : c + quarter * i
    if (i == 3 && (row >= frame.miRows || col >= frame.miCols)) break
    if (!decodeBlock(row, col, subSize)) return false
  }
  return true
}

/** partition, split_or_horz or split_or_vert. */
function readPartition(r: i32, c: i32, bSize: i32, hasRows: bool, hasCols: bool): i32 {
  if (bSize < BLOCK_8X8) return PARTITION_NONE
  if (!hasRows && !hasCols) return PARTITION_SPLIT
  const bsl = <i32>load<u8>(MI_WIDTH_LOG2 + bSize)
  const cdf = tile.cdfs + partitionCdf(r, c, bsl)
  if (hasRows && hasCols) return readSymbol(cdf, bsl == 1 ? 4 : bsl == 5 ? 8 : 10)
  const isSplit = readFixedBool(chanceOfSplit(cdf, bSize, hasCols)) != 0
  if (isSplit) return PARTITION_SPLIT
  return hasCols ? PARTITION_HORZ : PARTITION_VERT
}

function partitionCdf(r: i32, c: i32, bsl: i32): usize {
  const above = isInside(r - 1, c) && <i32>load<u8>(MI_WIDTH_LOG2 + load<u8>(aboveBlocks.sizes + c)) < bsl
  const left = isInside(r, c - 1) && <i32>load<u8>(MI_HEIGHT_LOG2 + load<u8>(leftBlocks.sizes + leftRow(r))) < bsl
  const ctx = (left ? 2 : 0) + (above ? 1 : 0)
  if (bsl == 1) return PARTITION_W8_CDF + ctx * 10
  if (bsl == 2) return PARTITION_W16_CDF + ctx * 22
  if (bsl == 3) return PARTITION_W32_CDF + ctx * 22
  return bsl == 4 ? PARTITION_W64_CDF + ctx * 22 : PARTITION_W128_CDF + ctx * 18
}

/** psum: the chance, of 32768, of the partitions that split_or_horz or split_or_vert takes for a split. */
function chanceOfSplit(cdf: usize, bSize: i32, isHorz: bool): u32 {
  let sum = chance(cdf, isHorz ? PARTITION_VERT : PARTITION_HORZ) + chance(cdf, PARTITION_SPLIT)
  if (bSize == BLOCK_8X8) return sum
  sum += chance(cdf, PARTITION_HORZ_A) + chance(cdf, PARTITION_VERT_A)
  sum += chance(cdf, isHorz ? PARTITION_VERT_B : PARTITION_HORZ_B)
  if (bSize != BLOCK_128X128) sum += chance(cdf, isHorz ? PARTITION_VERT_4 : PARTITION_HORZ_4)
  return sum
}

/** The chance of one symbol other than the first. */
function chance(cdf: usize, symbol: i32): u32 {
  const at = cdf + ((<usize>symbol) << 1)
  return <u32>load<u16>(at - 2) - <u32>load<u16>(at)
}
