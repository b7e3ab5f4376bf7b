// The modes of all macroblocks. They are stored until the end, since the probability of skipped macroblocks precedes them in
// the first partition (RFC 6386 §19.2, §19.3). They are also the contexts of subblock modes (§11.3).
import { allocate } from '../../../arena/memory'
import {
  B_DC_PRED,
  B_PRED,
  BMODE_COUNT,
  BMODE_OF_YMODE,
  BMODE_TREE,
  KF_BMODE_PROBS,
  KF_UV_MODE_PROBS,
  KF_YMODE_PROBS,
  KF_YMODE_TREE,
  SEGMENT_TREE,
  UV_MODE_TREE,
} from '../tables'
import { drainQueue, makeRoom, putBool, putTreeLeaf } from './bool-encoder'
import { chromaModeRate, lumaModeRate, subblockModeRates } from './mode-rates'
import { probabilityOf } from './probability'
import { hasSegments, SEGMENT_PROBS } from './segments'

/** A record is one byte, luma mode | chroma mode << 3 | skipped << 5 | segment << 6, and for B_PRED 8 bytes of two modes each. */
const RECORD_BYTES: usize = 9
/** Decisions of a macroblock's modes: at most 9 for each subblock and some for the rest. */
const MAX_DECISIONS: i32 = 16 * 9 + 10

let records: usize = 0
let recordsEnd: usize = 0
let macroblocks: i32 = 0
let skipped: i32 = 0
let columns: i32 = 0
/** Rate of the modes so far, in 256ths of a bit. */
let bitsSpent: u64 = 0

/** Subblock modes: the row above, four a macroblock; of the current macroblock, raster order; and left of it. */
let aboveRow: usize = 0
let above: usize = 0
const current: usize = memory.data(16, 16)
const left: usize = memory.data(4)

/** Prepares for a frame, with its columns and rows of macroblocks. */
export function startModes(frameColumns: i32, rows: i32): void {
  columns = frameColumns
  aboveRow = allocate(<usize>columns * 4)
  records = allocate(<usize>columns * <usize>rows * RECORD_BYTES)
  recordsEnd = records
  macroblocks = 0
  skipped = 0
  bitsSpent = 0
  memory.fill(aboveRow, <u8>B_DC_PRED, <usize>columns * 4)
}

/** Prepares for the first macroblock of a row. */
export function startModeRow(): void {
  memory.fill(left, <u8>B_DC_PRED, 4)
}

/** Uses the modes above a column. */
export function enterModeColumn(column: i32): void {
  above = aboveRow + <usize>column * 4
}

/** The mode of the subblock above the one at a row and column of the current macroblock. */
// @ts-ignore: decorator
@inline
export function aboveMode(row: i32, column: i32): i32 {
  return row == 0 ? load<u8>(above + column) : load<u8>(current + 4 * row + column - 4)
}

/** The mode of the subblock to the left of it. */
// @ts-ignore: decorator
@inline
export function leftMode(row: i32, column: i32): i32 {
  return column == 0 ? load<u8>(left + row) : load<u8>(current + 4 * row + column - 1)
}

/** Sets a subblock's mode, for the subblocks after it and, if the macroblock ends as B_PRED, for its record. */
// @ts-ignore: decorator
@inline
export function setSubblockMode(row: i32, column: i32, mode: i32): void {
  store<u8>(current + 4 * row + column, <u8>mode)
}

/** Records the macroblock's modes and makes them the contexts of its neighbours. */
export function addModes(segment: i32, lumaMode: i32, chromaMode: i32, skip: bool): void {
  macroblocks++
  if (skip) skipped++
  bitsSpent += lumaModeRate(lumaMode) + chromaModeRate(chromaMode)
  store<u8>(recordsEnd++, <u8>(lumaMode | (chromaMode << 3) | (skip ? 32 : 0) | (segment << 6)))
  if (lumaMode == B_PRED) {
    for (let n = 0; n < 16; n++) {
      const mode = <i32>load<u8>(current + n)
      bitsSpent += load<u16>(subblockModeRates(aboveMode(n >> 2, n & 3), leftMode(n >> 2, n & 3)) + 2 * mode)
    }
    for (let n = 0; n < 16; n += 2) {
      store<u8>(recordsEnd++, load<u8>(current + n) | (load<u8>(current + n, 1) << 4))
    }
  } else {
    memory.fill(current, load<u8>(BMODE_OF_YMODE + lumaMode), 16)
  }
  leaveMacroblock()
}

function leaveMacroblock(): void {
  store<u32>(above, load<u32>(current, 12))
  for (let row = 0; row < 4; row++) store<u8>(left + row, load<u8>(current + 4 * row + 3))
}

/** Bytes that the modes so far need, without skip flags. */
export function modeBytes(): u32 {
  return <u32>(bitsSpent >> 11)
}

/** Returns the number of skipped macroblocks. */
export function skippedCount(): i32 {
  return skipped
}

/** prob_skip_false (§9.11): the chance in 256ths that a macroblock is not skipped. */
export function skipFalseProbability(): i32 {
  return probabilityOf(macroblocks - skipped, skipped)
}

/** Codes all modes (§19.3), with skip flags if any macroblock is skipped. */
export function putModes(): void {
  const skipProbability = skipFalseProbability()
  const segmented = hasSegments()
  let at = records
  memory.fill(aboveRow, <u8>B_DC_PRED, <usize>columns * 4)
  for (let n = 0; n < macroblocks; n++) {
    const column = n % columns
    if (column == 0) startModeRow()
    enterModeColumn(column)
    makeRoom(MAX_DECISIONS)
    const record = <i32>load<u8>(at++)
    const lumaMode = record & 7
    if (segmented) putTreeLeaf(SEGMENT_TREE, SEGMENT_PROBS, record >> 6)
    if (skipped > 0) putBool(skipProbability, (record >> 5) & 1)
    putTreeLeaf(KF_YMODE_TREE, KF_YMODE_PROBS, lumaMode)
    if (lumaMode == B_PRED) {
      putSubblockModes(at)
      at += 8
    } else {
      memory.fill(current, load<u8>(BMODE_OF_YMODE + lumaMode), 16)
    }
    putTreeLeaf(UV_MODE_TREE, KF_UV_MODE_PROBS, (record >> 3) & 3)
    leaveMacroblock()
  }
  drainQueue()
}

function putSubblockModes(packed: usize): void {
  for (let n = 0; n < 16; n++) {
    const mode = (<i32>load<u8>(packed + (n >> 1)) >> (4 * (n & 1))) & 15
    const context = aboveMode(n >> 2, n & 3) * BMODE_COUNT + leftMode(n >> 2, n & 3)
    putTreeLeaf(BMODE_TREE, KF_BMODE_PROBS + 9 * context, mode)
    store<u8>(current + n, <u8>mode)
  }
}
