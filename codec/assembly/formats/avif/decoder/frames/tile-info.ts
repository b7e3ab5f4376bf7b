// tile_info( ): AV1 specification, 5.9.15.
import { readBits, readFlag, readNonSymmetric } from './bits'
import { sequence } from './sequence-header'

const MAX_TILE_WIDTH: i32 = 4096
const MAX_TILE_AREA: i32 = 4096 * 2304
const MAX_TILE_COLS: i32 = 64
const MAX_TILE_ROWS: i32 = 64

/** The tiles of the frame. */
@unmanaged
class TileInfo {
  tileCols: i32
  tileRows: i32
  tileColsLog2: i32
  tileRowsLog2: i32
  tileSizeBytes: i32
  contextUpdateTileId: i32
  miCols: i32
  miRows: i32
  sbCols: i32
  sbRows: i32
  sbShift: i32
}

export const tileInfo: TileInfo = changetype<TileInfo>(memory.data(offsetof<TileInfo>(), 4))

/** Where tile columns and rows start, in units of 4 samples; after the last, where that ends. */
const COL_STARTS: usize = memory.data(4 * 65, 4)
const ROW_STARTS: usize = memory.data(4 * 65, 4)

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
  tileInfo.miCols = columns
  tileInfo.miRows = rows
  tileInfo.sbShift = sequence.use128x128 ? 5 : 4
  tileInfo.sbCols = (tileInfo.miCols + (1 << tileInfo.sbShift) - 1) >> tileInfo.sbShift
  tileInfo.sbRows = (tileInfo.miRows + (1 << tileInfo.sbShift) - 1) >> tileInfo.sbShift
  const maxTileWidthSb = MAX_TILE_WIDTH >> (tileInfo.sbShift + 2)
  const maxTileAreaSb = MAX_TILE_AREA >> (2 * (tileInfo.sbShift + 2))
  const minLog2TileCols = tileLog2(maxTileWidthSb, tileInfo.sbCols)
  const minLog2Tiles = max(minLog2TileCols, tileLog2(maxTileAreaSb, tileInfo.sbRows * tileInfo.sbCols))
  const isRight = readFlag() ? readUniform(minLog2TileCols, minLog2Tiles) : readSizes(maxTileWidthSb, minLog2Tiles)
  if (!isRight) return false
  tileInfo.tileSizeBytes = 0
  tileInfo.contextUpdateTileId = 0
  if (tileInfo.tileColsLog2 > 0 || tileInfo.tileRowsLog2 > 0) {
    tileInfo.contextUpdateTileId = <i32>readBits(tileInfo.tileColsLog2 + tileInfo.tileRowsLog2)
    tileInfo.tileSizeBytes = <i32>readBits(2) + 1
  }
  return true
}

function readUniform(minLog2TileCols: i32, minLog2Tiles: i32): bool {
  tileInfo.tileColsLog2 = readIncrements(minLog2TileCols, tileLog2(1, min(tileInfo.sbCols, MAX_TILE_COLS)))
  tileInfo.tileCols = spread(COL_STARTS, MAX_TILE_COLS, tileInfo.sbCols, tileInfo.tileColsLog2, tileInfo.miCols)
  const minLog2TileRows = max(minLog2Tiles - tileInfo.tileColsLog2, 0)
  tileInfo.tileRowsLog2 = readIncrements(minLog2TileRows, tileLog2(1, min(tileInfo.sbRows, MAX_TILE_ROWS)))
  tileInfo.tileRows = spread(ROW_STARTS, MAX_TILE_ROWS, tileInfo.sbRows, tileInfo.tileRowsLog2, tileInfo.miRows)
  return tileInfo.tileCols > 0 && tileInfo.tileRows > 0
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
    setStart(starts, count++, start << tileInfo.sbShift)
  }
  setStart(starts, count, end)
  return count
}

function readSizes(maxTileWidthSb: i32, minLog2Tiles: i32): bool {
  let widest = 0
  let count = 0
  for (let start = 0; start < tileInfo.sbCols; ) {
    if (count == MAX_TILE_COLS) return false
    setStart(COL_STARTS, count++, start << tileInfo.sbShift)
    const size = readNonSymmetric(min(tileInfo.sbCols - start, maxTileWidthSb)) + 1
    widest = max(widest, size)
    start += size
  }
  setStart(COL_STARTS, count, tileInfo.miCols)
  tileInfo.tileCols = count
  tileInfo.tileColsLog2 = tileLog2(1, count)
  const area =
    minLog2Tiles > 0 ? (tileInfo.sbRows * tileInfo.sbCols) >> (minLog2Tiles + 1) : tileInfo.sbRows * tileInfo.sbCols
  const maxTileHeightSb = max(area / widest, 1)
  count = 0
  for (let start = 0; start < tileInfo.sbRows; ) {
    if (count == MAX_TILE_ROWS) return false
    setStart(ROW_STARTS, count++, start << tileInfo.sbShift)
    start += readNonSymmetric(min(tileInfo.sbRows - start, maxTileHeightSb)) + 1
  }
  setStart(ROW_STARTS, count, tileInfo.miRows)
  tileInfo.tileRows = count
  tileInfo.tileRowsLog2 = tileLog2(1, count)
  return true
}

function setStart(starts: usize, i: i32, start: i32): void {
  store<i32>(starts + ((<usize>i) << 2), start)
}

/** Returns the smallest k for which blkSize << k is at least `target`. */
function tileLog2(blkSize: i32, target: i32): i32 {
  let k = 0
  while (blkSize << k < target) k++
  return k
}
