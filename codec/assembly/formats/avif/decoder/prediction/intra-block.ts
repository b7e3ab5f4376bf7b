// The block of intra prediction: AV1 specification, 7.11.2.
import { isDecoded } from '../blocks/block-decoded'
import { frame } from '../frames/frame-header'
import { subsamplingX, subsamplingY } from '../frames/sequence-header'

/** A transform block that is predicted from the samples around it. */
@unmanaged
class IntraBlock {
  plane: i32
  /** The corner of the block. */
  x: i32
  y: i32
  mode: i32
  w: i32
  h: i32
  /** Columns and rows of the plane from the corner on. */
  columns: i32
  rows: i32
  haveLeft: bool
  haveAbove: bool
  haveAboveRight: bool
  haveBelowLeft: bool
}

/** The block that is predicted next, set by `predictIntra`'s callers. */
export const intraBlock: IntraBlock = changetype<IntraBlock>(memory.data(48, 16))

/** Sets a block of `w` by `h` samples at (`x`, `y`) of a plane of the frame. */
export function setIntraBlock(plane: i32, x: i32, y: i32, w: i32, h: i32, mode: i32): void {
  intraBlock.plane = plane
  intraBlock.x = x
  intraBlock.y = y
  intraBlock.mode = mode
  intraBlock.w = w
  intraBlock.h = h
  intraBlock.columns = ((frame.miCols * 4) >> (plane > 0 ? subsamplingX : 0)) - x
  intraBlock.rows = ((frame.miRows * 4) >> (plane > 0 ? subsamplingY : 0)) - y
  intraBlock.haveAboveRight = isDecoded(plane, y >> 2, x >> 2, -1, w >> 2)
  intraBlock.haveBelowLeft = isDecoded(plane, y >> 2, x >> 2, h >> 2, -1)
}
