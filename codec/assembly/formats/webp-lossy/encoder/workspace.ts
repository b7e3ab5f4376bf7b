// The reconstructed macroblock, with the pixels round it that prediction reads (RFC 6386 §12). Lines are 32 bytes. Luma:
// the line above, then 16 lines, column 0 at byte 16. The four pixels above and to the right of a subblock of column 3
// are the first bytes of the next line. Chroma: the line above, then 8 lines, U's column 0 at byte 8, V's at byte 24.
import { allocate } from '../../../arena/memory'
import { moveRightToLeft, STRIDE, setLeftBorder } from '../predict-plane'
import { BORDER_ABOVE, BORDER_LEFT } from '../tables'

const pixels: usize = memory.data(27 * 32 + 16, 16)
/** The top left pixels of the macroblock. */
export const LUMA: usize = pixels + 32 + 16
export const U: usize = pixels + 18 * 32 + 8
export const V: usize = U + 16

let lumaAbove: usize = 0
let uAbove: usize = 0
let vAbove: usize = 0

/** Allocates the line above the current row of `columns` macroblocks, which begins as the frame's border. */
export function startPixels(columns: i32): void {
  const width = <usize>columns * 16
  lumaAbove = allocate(width + 16)
  uAbove = allocate(width)
  vAbove = uAbove + width / 2
  memory.fill(lumaAbove, <u8>BORDER_ABOVE, width + 16)
  memory.fill(uAbove, <u8>BORDER_ABOVE, width)
}

/** Address of the reconstructed line above the current row, 16 bytes a macroblock. After a row, it is its last line. */
export function lumaLineAbove(): usize {
  return lumaAbove
}

/** Likewise of U; V's lies behind it. 8 bytes a macroblock. */
export function chromaLineAbove(): usize {
  return uAbove
}

/** Sets the pixels to the left of a row's first macroblock, and the corner. */
export function startPixelRow(topRow: bool): void {
  const corner = <u8>(topRow ? BORDER_ABOVE : BORDER_LEFT)
  setLeftBorder(LUMA, 16, corner)
  setLeftBorder(U, 8, corner)
  setLeftBorder(V, 8, corner)
}

/** Whether there are macroblocks above and to the left of this one: DC_PRED is the mean of their pixels. */
export let hasAbove = false
export let hasLeft = false

/** Copies the pixels above the macroblock of a column to the workspace. */
export function enterColumn(column: i32, lastColumn: bool, topRow: bool): void {
  hasAbove = !topRow
  hasLeft = column > 0
  const x = <usize>column
  v128.store(LUMA - STRIDE, v128.load(lumaAbove + 16 * x))
  store<u64>(U - STRIDE, load<u64>(uAbove + 8 * x))
  store<u64>(V - STRIDE, load<u64>(vAbove + 8 * x))
  const above = lumaAbove + 16 * x
  // Right of the frame the last pixel above is repeated; in the top row all are 127 already.
  const aboveRight = lastColumn ? <u32>load<u8>(above, 15) * 0x01010101 : load<u32>(above, 16)
  for (let y = 0; y < 16; y += 4) store<u32>(LUMA + y * STRIDE - 16, aboveRight)
}

/** Stores the pixels that the macroblocks to the right and below are predicted from. */
export function leaveColumn(column: i32): void {
  const x = <usize>column
  v128.store(lumaAbove + 16 * x, v128.load(LUMA + 15 * STRIDE))
  store<u64>(uAbove + 8 * x, load<u64>(U + 7 * STRIDE))
  store<u64>(vAbove + 8 * x, load<u64>(V + 7 * STRIDE))
  moveRightToLeft(LUMA, 16)
  moveRightToLeft(U, 8)
  moveRightToLeft(V, 8)
}
