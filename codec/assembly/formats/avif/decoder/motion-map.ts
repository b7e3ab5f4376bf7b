// Motion vectors of a frame that may copy from itself: what the search of AV1 7.10.2 looks at, for each 4x4 luma samples.
import { allocateZeroed } from '../../../arena/memory'
import { block } from './block'

let stride: i32 = 0
/** [row, column][Mv row, Mv column], i16, a u32 each. */
let vectors: usize = 0
/** MiSize, COPIED if the block is copied, and WRITTEN. */
let states: usize = 0

const COPIED: u32 = 0x40
const WRITTEN: u32 = 0x80
const SIZE_MASK: u32 = 0x1f

/** Takes the memory for the map of a frame. */
export function startMotionMap(miCols: i32, miRows: i32): void {
  stride = miCols
  vectors = allocateZeroed(<usize>miCols * miRows * 4)
  states = allocateZeroed(<usize>miCols * miRows)
}

/** Whether the block at an entry has been decoded. */
export function isWritten(row: i32, col: i32): bool {
  return (load<u8>(states + (row * stride + col)) & WRITTEN) != 0
}

/** IsInters[ row ][ col ] */
export function isCopied(row: i32, col: i32): bool {
  return (load<u8>(states + (row * stride + col)) & COPIED) != 0
}

/** MiSizes[ row ][ col ] */
export function sizeAt(row: i32, col: i32): i32 {
  return load<u8>(states + (row * stride + col)) & SIZE_MASK
}

/** Mvs[ row ][ col ][ 0 ]: row in the lower half, column in the upper. */
export function vectorAt(row: i32, col: i32): u32 {
  return load<u32>(vectors + ((<usize>(row * stride + col)) << 2))
}

export function packVector(row: i32, col: i32): u32 {
  return (<u32>row & 0xffff) | ((<u32>col) << 16)
}

/** Enters the block, `w` x `h` entries. */
export function mapMotion(row: i32, col: i32, w: i32, h: i32): void {
  const state = WRITTEN | (block.isInter ? COPIED : 0) | block.miSize
  const vector = block.isInter ? packVector(block.mvRow, block.mvCol) : 0
  for (let y = row; y < row + h; y++) {
    const at = <usize>(y * stride + col)
    memory.fill(states + at, <u8>state, w)
    for (let x: usize = 0; x < <usize>w; x++) store<u32>(vectors + ((at + x) << 2), vector)
  }
}
