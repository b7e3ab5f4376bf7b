// The EXIF orientations 1 to 8 (EXIF 2.32, 4.6.4 A) as geometry: where a coded pixel lies in the upright image.

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

/**
 * Copies a coded row into an upright plane of `rows` coded rows: `columns` pixels of `1 << size` bytes (size 0 or 2)
 * to `plane`. Its upright rows are `stride` bytes apart.
 */
export function copyUpright(
  orientation: i32,
  row: usize,
  y: i32,
  columns: i32,
  rows: i32,
  size: i32,
  plane: usize,
  stride: i32,
): void {
  const line = mirrorsRows(orientation) ? rows - 1 - y : y
  const pixel = 1 << size
  let to = plane + <usize>(isTransposed(orientation) ? line * pixel : line * stride)
  if (orientation == 1 || orientation == 4) {
    memory.copy(to, row, (<usize>columns) << size)
    return
  }
  let step = isTransposed(orientation) ? stride : pixel
  if (mirrorsColumns(orientation)) {
    to += <usize>((columns - 1) * step)
    step = -step
  }
  const end = row + ((<usize>columns) << size)
  if (size == 0) for (; row < end; row++, to += step) store<u8>(to, load<u8>(row))
  else for (; row < end; row += 4, to += step) store<u32>(to, load<u32>(row))
}
