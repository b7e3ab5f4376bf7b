// Properties of the blocks of the last superblock rows, for the filters and later blocks. They are rings of rows with
// an entry for each 4x4 luma samples (transform sizes of chroma: 4x4 chroma samples). AV1 specification, 5.11.5 and
// 5.11.34.
import { fillFew } from '../../../../arena/few-bytes'
import { allocateZeroed } from '../../../../arena/memory'

/** The rings of rows of the frame, set by `startBlockMap`. */
@unmanaged
class BlockMap {
  stride: usize
  mask: i32
  skips: usize
  segments: usize
  levels: usize
  lumaTxSizes: usize
  chromaTxSizes: usize
}

const blockMap: BlockMap = changetype<BlockMap>(memory.data(offsetof<BlockMap>(), 4))

// With the size of a transform: that an edge of its block is not filtered.
export const TX_SIZE_MASK: i32 = 0x1f
export const UNFILTERED_LEFT: i32 = 0x20
export const UNFILTERED_TOP: i32 = 0x40

/** Columns that a block may reach beyond the frame. */
const BEYOND: i32 = 32

/** Takes the memory for `rows` rows, a power of two. */
export function startBlockMap(miCols: i32, rows: i32): void {
  blockMap.stride = <usize>(miCols + BEYOND)
  blockMap.mask = rows - 1
  const entries = blockMap.stride * rows
  blockMap.skips = allocateZeroed(entries)
  blockMap.segments = allocateZeroed(entries)
  blockMap.levels = allocateZeroed(4 * entries)
  blockMap.lumaTxSizes = allocateZeroed(entries)
  blockMap.chromaTxSizes = allocateZeroed(entries)
}

function entry(row: i32, col: i32): usize {
  return <usize>(row & blockMap.mask) * blockMap.stride + col
}

/** Skips[ row ][ col ] */
export function skipAt(row: i32, col: i32): bool {
  return load<u8>(blockMap.skips + entry(row, col)) != 0
}

/** SegmentIds[ row ][ col ] */
export function segmentAt(row: i32, col: i32): i32 {
  return load<u8>(blockMap.segments + entry(row, col))
}

/** Address of the four filter levels of a block (7.14.5): luma's vertical and horizontal edges, U, V. */
export function levelsAt(row: i32, col: i32): usize {
  return blockMap.levels + (entry(row, col) << 2)
}

/** Address of LoopfilterTxSizes[ plane ][ row ][ col ], with what edges are not filtered. */
export function txSizesAt(plane: i32, row: i32, col: i32): usize {
  return (plane == 0 ? blockMap.lumaTxSizes : blockMap.chromaTxSizes) + entry(row, col)
}

/** Enters a block of `w` x `h` entries. */
export function mapBlock(row: i32, col: i32, w: i32, h: i32, skip: bool, segment: i32, level: u32): void {
  for (let y = 0; y < h; y++) {
    const at = entry(row + y, col)
    fillFew(blockMap.skips + at, <i32>skip, w)
    fillFew(blockMap.segments + at, segment, w)
    const to = blockMap.levels + (at << 2)
    for (let x = 0; x < w; x++) store<u32>(to + ((<usize>x) << 2), level)
  }
}

/** Enters a transform block of `w` x `h` entries. */
export function mapTransform(plane: i32, row: i32, col: i32, w: i32, h: i32, txSize: i32): void {
  for (let y = 0; y < h; y++) fillFew(txSizesAt(plane, row + y, col), txSize, w)
}
