// The row of RGBA that an encoder is to take next, and the one above it: filters and chroma need both.

import { allocateZeroed } from '../arena/memory'

/** Zeros to the left of a row: the pixel that filters find there. */
const MARGIN: usize = 16
/** Room to the right: whole macroblocks of pixels, and a vector. */
const ROOM: usize = 16 * 4 + 16

/** The two rows that the host fills in turn. */
@unmanaged
class InputRows {
  even: usize
  odd: usize
  next: i32
}

const inputRows: InputRows = changetype<InputRows>(memory.data(offsetof<InputRows>(), 4))

/** Prepares rows of `width` pixels; the row above the first is zero. */
export function startInputRows(width: i32): void {
  const bytes = MARGIN + ((<usize>width) << 2) + ROOM
  inputRows.even = allocateZeroed(bytes) + MARGIN
  inputRows.odd = allocateZeroed(bytes) + MARGIN
  inputRows.next = 0
}

/** Where the host writes the next row. */
export function inputRow(): usize {
  return (inputRows.next & 1) == 0 ? inputRows.even : inputRows.odd
}

/** The row before it. */
export function previousRow(): usize {
  return (inputRows.next & 1) == 0 ? inputRows.odd : inputRows.even
}

/** The row was taken: its room becomes the row above. */
export function nextInputRow(): void {
  inputRows.next++
}
