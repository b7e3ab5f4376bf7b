// The EXIF orientations 1 to 8 (EXIF 2.32, 4.6.4 A) as geometry: where a coded pixel lies in the upright image.

import { allocate } from '../arena/memory'

/** Whether coded rows become upright columns. */
export function isTransposed(orientation: i32): bool {
  return orientation >= 5
}

/** Whether the left end of a coded row is its right (or lower) end upright. */
export function mirrorsColumns(orientation: i32): bool {
  return orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8
}

/** Whether the first coded row is the last row (or column) upright. */
export function mirrorsRows(orientation: i32): bool {
  return orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7
}

/** An upright plane, and how coded rows get into it. */
@unmanaged
export class UprightPlane {
  orientation: i32
  // In coded orientation.
  columns: i32
  rows: i32
  /** Bytes of a pixel: 1 or 4. */
  pixel: i32
  /** The first upright row, and the bytes from one to the next. */
  at: usize
  stride: i32
}

/** A plane at `at` of `columns` by `rows` coded pixels of one byte or four. */
export function newUprightPlane(
  orientation: i32,
  columns: i32,
  rows: i32,
  pixel: i32,
  at: usize,
  stride: i32,
): UprightPlane {
  const plane = changetype<UprightPlane>(allocate(offsetof<UprightPlane>()))
  plane.orientation = orientation
  plane.columns = columns
  plane.rows = rows
  plane.pixel = pixel
  plane.at = at
  plane.stride = stride
  return plane
}

/** Copies coded row `y` into its plane. */
export function copyUpright(plane: UprightPlane, row: usize, y: i32): void {
  const orientation = plane.orientation
  const columns = plane.columns
  const pixel = plane.pixel
  const stride = plane.stride
  const line = mirrorsRows(orientation) ? plane.rows - 1 - y : y
  let to = plane.at + <usize>(isTransposed(orientation) ? line * pixel : line * stride)
  if (orientation == 1 || orientation == 4) {
    memory.copy(to, row, columns * pixel)
    return
  }
  let step = isTransposed(orientation) ? stride : pixel
  if (mirrorsColumns(orientation)) {
    to += <usize>((columns - 1) * step)
    step = -step
  }
  const end = row + <usize>(columns * pixel)
  if (pixel == 1) for (; row < end; row++, to += step) store<u8>(to, load<u8>(row))
  else for (; row < end; row += 4, to += step) store<u32>(to, load<u32>(row))
}
