// The rows of one macroblock row, in which the loop filter works. The filter changes the last three rows only when the
// next macroblock row is there, and looks one row further: the last four rows are kept above the new ones.
import { allocate } from '../../../arena/memory'

/** Rows retained above the macroblock row. */
const CONTEXT_ROWS: usize = 4
/** Rows that are not final before the next macroblock row is filtered. */
export const PENDING_ROWS: i32 = 3

/** The buffer of a macroblock row, set by `startRowBuffer`. */
@unmanaged
class RowBuffer {
  /** Bytes from a row to the next. */
  stride: usize
  chromaStride: usize
  /** The first pixels of the macroblock row; 16 bytes to the left of them and beyond the last column may be touched. */
  yRows: usize
  uRows: usize
  vRows: usize
}

export const rowBuffer: RowBuffer = changetype<RowBuffer>(memory.data(offsetof<RowBuffer>(), 4))

const MARGIN: usize = 16

/** Allocates the buffer for rows of `columns` macroblocks. */
export function allocateRowBuffer(columns: i32): void {
  rowBuffer.stride = ((<usize>columns) << 4) + 2 * MARGIN
  rowBuffer.chromaStride = ((<usize>columns) << 3) + 2 * MARGIN
  rowBuffer.yRows = allocate((CONTEXT_ROWS + 16) * rowBuffer.stride) + CONTEXT_ROWS * rowBuffer.stride + MARGIN
  rowBuffer.uRows =
    allocate((CONTEXT_ROWS + 8) * rowBuffer.chromaStride) + CONTEXT_ROWS * rowBuffer.chromaStride + MARGIN
  rowBuffer.vRows =
    allocate((CONTEXT_ROWS + 8) * rowBuffer.chromaStride) + CONTEXT_ROWS * rowBuffer.chromaStride + MARGIN
}

/** Moves the last rows up, to make room for the next macroblock row. */
export function keepLastRows(): void {
  moveUp(rowBuffer.yRows, 16, rowBuffer.stride)
  moveUp(rowBuffer.uRows, 8, rowBuffer.chromaStride)
  moveUp(rowBuffer.vRows, 8, rowBuffer.chromaStride)
}

function moveUp(plane: usize, rows: usize, bytes: usize): void {
  memory.copy(
    plane - MARGIN - CONTEXT_ROWS * bytes,
    plane - MARGIN + (rows - CONTEXT_ROWS) * bytes,
    CONTEXT_ROWS * bytes,
  )
}
