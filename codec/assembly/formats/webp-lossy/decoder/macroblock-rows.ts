// A key frame, one macroblock row after the other. Only a few rows are alive at any time.
import { allocate } from '../../../arena/memory'
import { Status } from '../../../status'
import { B_PRED, BORDER_ABOVE } from '../tables'
import { ranOut } from './bool-decoder'
import { levelOf } from './filter-levels'
import { filterNormally, filterSimply } from './filter-macroblock'
import { header } from './frame-header'
import { predictPlanes, predictSubblocks } from './macroblock'
import { macroblock, readModes, startModeRow, startModes } from './modes'
import { modePartition, tokenPartition } from './partitions'
import { prepareSteps, stepsOf } from './quantizer'
import { clearResidual, FLAGS_SIZE, readResidual, skipResidual, startResidualRow } from './residual'
import { allocateRowBuffer, keepLastRows, PENDING_ROWS, rowBuffer } from './row-buffer'
import { getBottomLine, getMacroblock, moveRight, setLineAbove, startWorkspaceRow } from './workspace'

/** The image, and the rows of it that `decodeRow` finished. */
@unmanaged
class MacroblockRows {
  columns: i32
  rows: i32
  row: i32
  filtering: bool
  // Per macroblock column: what the row above leaves for the one below.
  aboveModes: usize
  aboveFlags: usize
  aboveY: usize
  aboveU: usize
  aboveV: usize
  /** The final rows after `decodeRow`: their first pixels and how many there are. U and V have as many rows. */
  readyY: usize
  readyU: usize
  readyV: usize
  readyRows: i32
  readyChromaRows: i32
}

export const macroblockRows: MacroblockRows = changetype<MacroblockRows>(memory.data(offsetof<MacroblockRows>(), 4))

/**
 * Prepares the decoding of the frame whose header was read. Prediction starts from unfiltered pixels (RFC 6386 §15), so a
 * frame that is to be scaled down far can be decoded without its loop filter, `filtered` false, and nothing drifts.
 */
export function startFrame(filtered: bool): void {
  macroblockRows.columns = (header.width + 15) >> 4
  macroblockRows.rows = (header.height + 15) >> 4
  macroblockRows.row = 0
  macroblockRows.filtering = filtered && header.filterLevel != 0
  prepareSteps()
  clearResidual()
  allocateRowBuffer(macroblockRows.columns)
  const count = <usize>macroblockRows.columns
  macroblockRows.aboveModes = allocate(count * 4)
  macroblockRows.aboveFlags = allocate(count * FLAGS_SIZE)
  macroblockRows.aboveY = allocate(count * 16 + 16)
  macroblockRows.aboveU = allocate(count * 8)
  macroblockRows.aboveV = allocate(count * 8)
  startModes(macroblockRows.aboveModes, macroblockRows.columns)
  memory.fill(macroblockRows.aboveFlags, 0, count * FLAGS_SIZE)
  memory.fill(macroblockRows.aboveY, <u8>BORDER_ABOVE, count * 16 + 16)
  memory.fill(macroblockRows.aboveU, <u8>BORDER_ABOVE, count * 8)
  memory.fill(macroblockRows.aboveV, <u8>BORDER_ABOVE, count * 8)
}

/** Whether `decodeRow` has something left to do. */
export function moreRows(): bool {
  return macroblockRows.row < macroblockRows.rows
}

/**
 * Decodes the next macroblock row. Sets which rows are final. `Malformed` if a partition ended too early: zeros
 * were read in its place (§20.2), and the rows of this call are not to be relied on.
 */
export function decodeRow(): Status {
  const tokens = tokenPartition(macroblockRows.row)
  const topRow = macroblockRows.row == 0
  if (!topRow) keepLastRows()
  startModeRow()
  startResidualRow()
  startWorkspaceRow(topRow)
  for (let column = 0; column < macroblockRows.columns; column++) {
    const flags = macroblockRows.aboveFlags + column * FLAGS_SIZE
    readModes(modePartition, macroblockRows.aboveModes + column * 4)
    let coded = false
    startMacroblock(column)
    predictPlanes(!topRow, column > 0)
    if (!macroblock.skipped) coded = readResidual(tokens, flags, macroblock.yMode, stepsOf(macroblock.segment))
    else {
      skipResidual(flags, macroblock.yMode)
      if (macroblock.yMode == B_PRED) predictSubblocks()
    }
    finishMacroblock(column)
    if (macroblockRows.filtering) filterAt(column, topRow, coded || macroblock.yMode == B_PRED)
  }
  extendLineAbove()
  macroblockRows.row++
  setReady()
  return ranOut(tokens) || ranOut(modePartition) ? Status.Malformed : Status.Ok
}

/** Takes what is above and to the left of a macroblock into the workspace. */
function startMacroblock(column: i32): void {
  const x = (<usize>column) << 4
  const chromaX = (<usize>column) << 3
  if (column > 0) moveRight()
  setLineAbove(macroblockRows.aboveY + x, macroblockRows.aboveU + chromaX, macroblockRows.aboveV + chromaX)
}

/** Copies a macroblock out of the workspace. */
function finishMacroblock(column: i32): void {
  const x = (<usize>column) << 4
  const chromaX = (<usize>column) << 3
  getBottomLine(macroblockRows.aboveY + x, macroblockRows.aboveU + chromaX, macroblockRows.aboveV + chromaX)
  getMacroblock(
    rowBuffer.yRows + x,
    rowBuffer.stride,
    rowBuffer.uRows + chromaX,
    rowBuffer.vRows + chromaX,
    rowBuffer.chromaStride,
  )
}

/** The last macroblock of a row sees the last pixel above it repeated to the right (§12.3). */
function extendLineAbove(): void {
  const end = macroblockRows.aboveY + ((<usize>macroblockRows.columns) << 4)
  memory.fill(end, load<u8>(end - 1), 4)
}

function filterAt(column: i32, topRow: bool, innerEdges: bool): void {
  const level = levelOf(macroblock.segment, macroblock.yMode)
  if (level == 0) return
  const y = rowBuffer.yRows + ((<usize>column) << 4)
  const chromaX = (<usize>column) << 3
  if (header.simpleFilter) filterSimply(y, level, column > 0, !topRow, innerEdges)
  else filterNormally(y, rowBuffer.uRows + chromaX, rowBuffer.vRows + chromaX, level, column > 0, !topRow, innerEdges)
}

/** Sets the rows that are ready. After row r the filter holds back `PENDING_ROWS` rows, and releases those held back after row r - 1. */
function setReady(): void {
  const held = macroblockRows.filtering ? PENDING_ROWS : 0
  const first = macroblockRows.row == 1 ? 0 : -held
  const last = macroblockRows.row == macroblockRows.rows
  macroblockRows.readyY = rowBuffer.yRows + <usize>first * rowBuffer.stride
  macroblockRows.readyU = rowBuffer.uRows + <usize>first * rowBuffer.chromaStride
  macroblockRows.readyV = rowBuffer.vRows + <usize>first * rowBuffer.chromaStride
  macroblockRows.readyRows = (last ? header.height - 16 * (macroblockRows.rows - 1) : 16 - held) - first
  macroblockRows.readyChromaRows =
    (last ? ((header.height + 1) >> 1) - 8 * (macroblockRows.rows - 1) : 8 - held) - first
}
