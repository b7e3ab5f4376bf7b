// A key frame, one macroblock row after the other. Only a few rows are alive at any time.
import { allocate } from '../../../arena/memory'
import { Status } from '../../../status'
import { B_PRED, BORDER_ABOVE } from '../tables'
import { ranOut } from './bool-decoder'
import { levelOf } from './filter-levels'
import { filterNormally, filterSimply } from './filter-macroblock'
import { filterLevel, height, simpleFilter, width } from './frame-header'
import { reconstruct } from './macroblock'
import { readModes, segment, skipped, startModeRow, startModes, yMode } from './modes'
import { modePartition, tokenPartition } from './partitions'
import { prepareSteps, stepsOf } from './quantizer'
import { clearResidual, FLAGS_SIZE, readResidual, skipResidual, startResidualRow } from './residual'
import { allocateRowBuffer, chromaStride, keepLastRows, PENDING_ROWS, stride, uRows, vRows, yRows } from './row-buffer'
import { getBottomLine, getMacroblock, moveRight, setLineAbove, startWorkspaceRow } from './workspace'

let columns: i32 = 0
let rows: i32 = 0
let row: i32 = 0
let filtering: bool = false

// Per macroblock column: what the row above leaves for the one below.
let aboveModes: usize = 0
let aboveFlags: usize = 0
let aboveY: usize = 0
let aboveU: usize = 0
let aboveV: usize = 0

/** The final rows after `decodeRow`: their first pixels and how many there are. U and V have as many rows. */
export let readyY: usize = 0
export let readyU: usize = 0
export let readyV: usize = 0
export let readyRows: i32 = 0
export let readyChromaRows: i32 = 0

/**
 * Prepares the decoding of the frame whose header was read. Prediction starts from unfiltered pixels (RFC 6386 §15), so a
 * frame that is to be scaled down far can be decoded without its loop filter, `filtered` false, and nothing drifts.
 */
export function startFrame(filtered: bool): void {
  columns = (width + 15) >> 4
  rows = (height + 15) >> 4
  row = 0
  filtering = filtered && filterLevel != 0
  prepareSteps()
  clearResidual()
  allocateRowBuffer(columns)
  const count = <usize>columns
  aboveModes = allocate(count * 4)
  aboveFlags = allocate(count * FLAGS_SIZE)
  aboveY = allocate(count * 16 + 16)
  aboveU = allocate(count * 8)
  aboveV = allocate(count * 8)
  startModes(aboveModes, columns)
  memory.fill(aboveFlags, 0, count * FLAGS_SIZE)
  memory.fill(aboveY, <u8>BORDER_ABOVE, count * 16 + 16)
  memory.fill(aboveU, <u8>BORDER_ABOVE, count * 8)
  memory.fill(aboveV, <u8>BORDER_ABOVE, count * 8)
}

/** Whether `decodeRow` has something left to do. */
export function moreRows(): bool {
  return row < rows
}

/**
 * Decodes the next macroblock row. Sets which rows are final. `Malformed` if a partition ended too early: zeros
 * were read in its place (§20.2), and the rows of this call are not to be relied on.
 */
export function decodeRow(): Status {
  const tokens = tokenPartition(row)
  const topRow = row == 0
  if (!topRow) keepLastRows()
  startModeRow()
  startResidualRow()
  startWorkspaceRow(topRow)
  for (let column = 0; column < columns; column++) {
    const flags = aboveFlags + column * FLAGS_SIZE
    readModes(modePartition, aboveModes + column * 4)
    let coded = false
    if (skipped) skipResidual(flags, yMode)
    else coded = readResidual(tokens, flags, yMode, stepsOf(segment))
    reconstructAt(column, topRow)
    if (filtering) filterAt(column, topRow, coded || yMode == B_PRED)
  }
  extendLineAbove()
  row++
  setReady()
  return ranOut(tokens) || ranOut(modePartition) ? Status.Malformed : Status.Ok
}

function reconstructAt(column: i32, topRow: bool): void {
  const x = (<usize>column) << 4
  const chromaX = (<usize>column) << 3
  if (column > 0) moveRight()
  setLineAbove(aboveY + x, aboveU + chromaX, aboveV + chromaX)
  reconstruct(!topRow, column > 0)
  getBottomLine(aboveY + x, aboveU + chromaX, aboveV + chromaX)
  getMacroblock(yRows + x, stride, uRows + chromaX, vRows + chromaX, chromaStride)
}

/** The last macroblock of a row sees the last pixel above it repeated to the right (§12.3). */
function extendLineAbove(): void {
  const end = aboveY + ((<usize>columns) << 4)
  memory.fill(end, load<u8>(end - 1), 4)
}

function filterAt(column: i32, topRow: bool, innerEdges: bool): void {
  const level = levelOf(segment, yMode)
  if (level == 0) return
  const y = yRows + ((<usize>column) << 4)
  const chromaX = (<usize>column) << 3
  if (simpleFilter) filterSimply(y, level, column > 0, !topRow, innerEdges)
  else filterNormally(y, uRows + chromaX, vRows + chromaX, level, column > 0, !topRow, innerEdges)
}

/** After row r the filter still holds back `PENDING_ROWS` rows, and returns out those held back after row r - 1. */
function setReady(): void {
  const held = filtering ? PENDING_ROWS : 0
  const first = row == 1 ? 0 : -held
  const last = row == rows
  readyY = yRows + <usize>first * stride
  readyU = uRows + <usize>first * chromaStride
  readyV = vRows + <usize>first * chromaStride
  readyRows = (last ? height - 16 * (rows - 1) : 16 - held) - first
  readyChromaRows = (last ? ((height + 1) >> 1) - 8 * (rows - 1) : 8 - held) - first
}
