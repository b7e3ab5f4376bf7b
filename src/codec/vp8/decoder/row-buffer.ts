// The rows of one macroblock row, in which the loop filter works. The filter changes the last three rows only when the
// next macroblock row is there, and looks one row further: the last four rows are kept above the new ones.
import { allocate } from '../../memory'

/** Rows kept above the macroblock row. */
export const KEPT_ROWS: usize = 4
/** Rows that are not final before the next macroblock row is filtered. */
export const PENDING_ROWS: i32 = 3

/** Bytes from a row to the next. */
export let stride: usize = 0
export let chromaStride: usize = 0
/** The first pixels of the macroblock row; 16 bytes to the left of them and beyond the last column may be touched. */
export let yRows: usize = 0
export let uRows: usize = 0
export let vRows: usize = 0

const MARGIN: usize = 16

/** Allocates the band for `columns` macroblocks. */
export function allocateRowBuffer(columns: i32): void {
  stride = ((<usize>columns) << 4) + 2 * MARGIN
  chromaStride = ((<usize>columns) << 3) + 2 * MARGIN
  yRows = allocate((KEPT_ROWS + 16) * stride) + KEPT_ROWS * stride + MARGIN
  uRows = allocate((KEPT_ROWS + 8) * chromaStride) + KEPT_ROWS * chromaStride + MARGIN
  vRows = allocate((KEPT_ROWS + 8) * chromaStride) + KEPT_ROWS * chromaStride + MARGIN
}

/** Moves the last rows up, to make room for the next macroblock row. */
export function keepLastRows(): void {
  memory.copy(yRows - MARGIN - KEPT_ROWS * stride, yRows - MARGIN + (16 - KEPT_ROWS) * stride, KEPT_ROWS * stride)
  memory.copy(uRows - MARGIN - KEPT_ROWS * chromaStride, uRows - MARGIN + (8 - KEPT_ROWS) * chromaStride, KEPT_ROWS * chromaStride)
  memory.copy(vRows - MARGIN - KEPT_ROWS * chromaStride, vRows - MARGIN + (8 - KEPT_ROWS) * chromaStride, KEPT_ROWS * chromaStride)
}
