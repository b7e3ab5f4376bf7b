// The rows of one macroblock row, in which the loop filter works. The filter changes the last three rows only when the
// next macroblock row is there, and looks one row further: the last four rows are kept above the new ones.
import { allocate } from '../../../arena/memory'

/** Rows retained above the macroblock row. */
const CONTEXT_ROWS: usize = 4
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

/** Allocates the buffer for rows of `columns` macroblocks. */
export function allocateRowBuffer(columns: i32): void {
  stride = ((<usize>columns) << 4) + 2 * MARGIN
  chromaStride = ((<usize>columns) << 3) + 2 * MARGIN
  yRows = allocate((CONTEXT_ROWS + 16) * stride) + CONTEXT_ROWS * stride + MARGIN
  uRows = allocate((CONTEXT_ROWS + 8) * chromaStride) + CONTEXT_ROWS * chromaStride + MARGIN
  vRows = allocate((CONTEXT_ROWS + 8) * chromaStride) + CONTEXT_ROWS * chromaStride + MARGIN
}

/** Moves the last rows up, to make room for the next macroblock row. */
export function keepLastRows(): void {
  moveUp(yRows, 16, stride)
  moveUp(uRows, 8, chromaStride)
  moveUp(vRows, 8, chromaStride)
}

function moveUp(plane: usize, rows: usize, bytes: usize): void {
  memory.copy(
    plane - MARGIN - CONTEXT_ROWS * bytes,
    plane - MARGIN + (rows - CONTEXT_ROWS) * bytes,
    CONTEXT_ROWS * bytes,
  )
}
