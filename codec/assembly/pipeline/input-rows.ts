// The row of RGBA that an encoder is to take next, and the one above it: filters and chroma need both.

import { allocateZeroed } from '../arena/memory'

/** Zeros to the left of a row: the pixel that filters find there. */
const MARGIN: usize = 16
/** Room to the right: whole macroblocks of pixels, and a vector. */
const ROOM: usize = 16 * 4 + 16

let even: usize = 0
let odd: usize = 0
let next: i32 = 0

/** Prepares rows of `width` pixels; the row above the first is zero. */
export function startInputRows(width: i32): void {
  const bytes = MARGIN + ((<usize>width) << 2) + ROOM
  even = allocateZeroed(bytes) + MARGIN
  odd = allocateZeroed(bytes) + MARGIN
  next = 0
}

/** Where the host writes the next row. */
export function inputRow(): usize {
  return (next & 1) == 0 ? even : odd
}

/** The row before it. */
export function previousRow(): usize {
  return (next & 1) == 0 ? odd : even
}

/** The row was taken: its room becomes the row above. */
export function nextInputRow(): void {
  next++
}
