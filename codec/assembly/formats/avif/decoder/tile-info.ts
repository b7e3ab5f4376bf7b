// tile_info( ): AV1 specification, 5.9.15.
import { readBits, readFlag, readNonSymmetric } from './bits'
import { sequence } from './sequence-header'

const MAX_TILE_WIDTH: i32 = 4096
const MAX_TILE_AREA: i32 = 4096 * 2304
const MAX_TILE_COLS: i32 = 64
const MAX_TILE_ROWS: i32 = 64

export let tileCols: i32 = 0
export let tileRows: i32 = 0
export let tileColsLog2: i32 = 0
export let tileRowsLog2: i32 = 0
export let tileSizeBytes: i32 = 0
export let contextUpdateTileId: i32 = 0

/** Where tile columns and rows start, in units of 4 samples; after the last, where that ends. */
const COL_STARTS: usize = memory.data(4 * 65, 4)
const ROW_STARTS: usize = memory.data(4 * 65, 4)

let miCols: i32 = 0
let miRows: i32 = 0
let sbCols: i32 = 0
let sbRows: i32 = 0
let sbShift: i32 = 0

/** MiColStarts */
export function colStart(i: i32): i32 {
  return load<i32>(COL_STARTS + ((<usize>i) << 2))
}

/** MiRowStarts */
export function rowStart(i: i32): i32 {
  return load<i32>(ROW_STARTS + ((<usize>i) << 2))
}

/**
 * Reads tile_info( ) of a frame of `columns` x `rows` units of 4 samples; false if there are more tiles than there may be.
 */
export function readTileInfo(columns: i32, rows: i32): bool {
  miCols = columns
  miRows = rows
  sbShift = sequence.use128x128 ? 5 : 4
  sbCols = (miCols + (1 << sbShift) - 1) >> sbShift
  sbRows = (miRows + (1 << sbShift) - 1) >> sbShift
  const maxTileWidthSb = MAX_TILE_WIDTH >> (sbShift + 2)
  const maxTileAreaSb = MAX_TILE_AREA >> (2 * (sbShift + 2))
  const minLog2TileCols = tileLog2(maxTileWidthSb, sbCols)
  const minLog2Tiles = max(minLog2TileCols, tileLog2(maxTileAreaSb, sbRows * sbCols))
  const isRight = readFlag() ? readUniform(minLog2TileCols, minLog2Tiles) : readSizes(maxTileWidthSb, minLog2Tiles)
  if (!isRight) return false
  tileSizeBytes = 0
  contextUpdateTileId = 0
  if (tileColsLog2 > 0 || tileRowsLog2 > 0) {
    contextUpdateTileId = <i32>readBits(tileColsLog2 + tileRowsLog2)
    tileSizeBytes = <i32>readBits(2) + 1
  }
  return true
}

function readUniform(minLog2TileCols: i32, minLog2Tiles: i32): bool {
  tileColsLog2 = readIncrements(minLog2TileCols, tileLog2(1, min(sbCols, MAX_TILE_COLS)))
  tileCols = spread(COL_STARTS, MAX_TILE_COLS, sbCols, tileColsLog2, miCols)
  const minLog2TileRows = max(minLog2Tiles - tileColsLog2, 0)
  tileRowsLog2 = readIncrements(minLog2TileRows, tileLog2(1, min(sbRows, MAX_TILE_ROWS)))
  tileRows = spread(ROW_STARTS, MAX_TILE_ROWS, sbRows, tileRowsLog2, miRows)
  return tileCols > 0 && tileRows > 0
}

function readIncrements(from: i32, to: i32): i32 {
  let log2 = from
  while (log2 < to && readFlag()) log2++
  return log2
}

/** Writes the starts of tiles of one size and returns their number; 0 if they are too many. */
function spread(starts: usize, most: i32, sbs: i32, log2: i32, end: i32): i32 {
  const size = (sbs + (1 << log2) - 1) >> log2
  let count = 0
  for (let start = 0; start < sbs; start += size) {
    if (count == most) return 0
    setStart(starts, count++, start << sbShift)
  }
  setStart(starts, count, end)
  return count
}

function readSizes(maxTileWidthSb: i32, minLog2Tiles: i32): bool {
  let widest = 0
  let count = 0
  for (let start = 0; start < sbCols; ) {
    if (count == MAX_TILE_COLS) return false
    setStart(COL_STARTS, count++, start << sbShift)
    const size = readNonSymmetric(min(sbCols - start, maxTileWidthSb)) + 1
    widest = max(widest, size)
    start += size
  }
  setStart(COL_STARTS, count, miCols)
  tileCols = count
  tileColsLog2 = tileLog2(1, count)
  const area = minLog2Tiles > 0 ? (sbRows * sbCols) >> (minLog2Tiles + 1) : sbRows * sbCols
  const maxTileHeightSb = max(area / widest, 1)
  count = 0
  for (let start = 0; start < sbRows; ) {
    if (count == MAX_TILE_ROWS) return false
    setStart(ROW_STARTS, count++, start << sbShift)
    start += readNonSymmetric(min(sbRows - start, maxTileHeightSb)) + 1
  }
  setStart(ROW_STARTS, count, miRows)
  tileRows = count
  tileRowsLog2 = tileLog2(1, count)
  return true
}

function setStart(starts: usize, i: i32, start: i32): void {
  store<i32>(starts + ((<usize>i) << 2), start)
}

/** The smallest k such that blkSize << k is at least `target`. */
function tileLog2(blkSize: i32, target: i32): i32 {
  let k = 0
  while (blkSize << k < target) k++
  return k
}
