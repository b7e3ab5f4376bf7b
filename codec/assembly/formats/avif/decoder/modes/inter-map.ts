// Properties of inter and IntraBC blocks for later blocks, for each 4x4 luma samples: AV1 specification, 5.11.5. A ring
// of rows: at most five rows above are read, or those of the superblock.
import { allocate } from '../../../../arena/memory'
import { block } from '../blocks/block'
import { frame } from '../frames/frame-header'

const ROWS: i32 = 64
const ENTRY_BYTES: usize = 16

// Bytes of an entry from its address on: Mvs, a u32 each (packVector); RefFrames, i8 each; MiSizes, YModes, InterpFilters and
// flags.
export const VECTOR_0: usize = 0
export const VECTOR_1: usize = 4
export const REF_0: usize = 8
export const REF_1: usize = 9
export const SIZE: usize = 10
export const MODE: usize = 11
export const FILTERS: usize = 12
export const FLAGS: usize = 14

/** The block has been decoded. */
export const WRITTEN: u32 = 1
/** IsInters */
export const INTER: u32 = 2
/** SkipModes */
export const SKIP_MODE: u32 = 4
/** CompGroupIdxs */
export const COMP_GROUP: u32 = 8
/** CompoundIdxs */
export const COMPOUND: u32 = 16

/** The ring of rows of the frame, set by `startInterMap`. */
@unmanaged
class InterMap {
  entries: usize
  stride: i32
}

const interMap: InterMap = changetype<InterMap>(memory.data(offsetof<InterMap>(), 4))

/** Takes the memory. */
export function startInterMap(): void {
  interMap.stride = frame.miCols
  interMap.entries = allocate(<usize>(interMap.stride * ROWS) * ENTRY_BYTES)
}

/** Forgets what the rows held that come now. */
export function clearInterRows(row: i32, rows: i32): void {
  memory.fill(interAt(row, 0), 0, <usize>(interMap.stride * rows) * ENTRY_BYTES)
}

/** Address of an entry. */
export function interAt(row: i32, col: i32): usize {
  return interMap.entries + <usize>((row & (ROWS - 1)) * interMap.stride + col) * ENTRY_BYTES
}

/** A motion vector in one number: its row in the lower half, its column in the upper. */
export function packVector(row: i32, col: i32): u32 {
  return (<u32>row & 0xffff) | ((<u32>col) << 16)
}

/** The row of a packed vector. */
export function rowOf(vector: u32): i32 {
  return <i32>(<i16>vector)
}

/** Its column. */
export function colOf(vector: u32): i32 {
  return <i32>(<i16>(vector >> 16))
}

/** Enters the block. */
export function mapInter(): void {
  const first = interAt(block.miRow, block.miCol)
  store<u32>(first, block.vector0, VECTOR_0)
  store<u32>(first, block.vector1, VECTOR_1)
  store<i8>(first, <i8>block.refFrame0, REF_0)
  store<i8>(first, <i8>block.refFrame1, REF_1)
  store<u8>(first, <u8>block.miSize, SIZE)
  store<u8>(first, <u8>block.yMode, MODE)
  store<u8>(first, <u8>block.filter0, FILTERS)
  store<u8>(first, <u8>block.filter1, FILTERS + 1)
  let flags = WRITTEN
  if (block.isInter) flags |= INTER
  if (block.skipMode) flags |= SKIP_MODE
  if (block.compGroupIdx != 0) flags |= COMP_GROUP
  if (block.compoundIdx != 0) flags |= COMPOUND
  store<u16>(first, <u16>flags, FLAGS)
  const entry = v128.load(first)
  const w = min(block.bw4, frame.miCols - block.miCol)
  const h = min(block.bh4, frame.miRows - block.miRow)
  for (let y = 0; y < h; y++) {
    let at = interAt(block.miRow + y, block.miCol)
    for (let x = 0; x < w; x++) {
      v128.store(at, entry)
      at += ENTRY_BYTES
    }
  }
}
