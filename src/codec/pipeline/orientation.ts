// The EXIF orientations 1 to 8 (EXIF 2.32, 4.6.4 A) as geometry: where a coded pixel lies in the upright picture.

/** Whether coded rows become upright columns. */
export function isTransposed(turn: i32): bool {
  return turn >= 5
}

/** Whether the left end of a coded row is its right (or lower) end upright. */
export function mirrorsColumns(turn: i32): bool {
  return turn == 2 || turn == 3 || turn == 7 || turn == 8
}

/** Whether the first coded row is the last row (or column) upright. */
export function mirrorsRows(turn: i32): bool {
  return turn == 3 || turn == 4 || turn == 6 || turn == 7
}

/**
 * Copies a coded row into its place in an upright plane of `rows` coded rows: `columns` pixels of `1 << size` bytes
 * (0 or 2) to `plane`, whose upright rows are `stride` bytes apart.
 */
export function placeRow(
  turn: i32,
  row: usize,
  y: i32,
  columns: i32,
  rows: i32,
  size: i32,
  plane: usize,
  stride: i32,
): void {
  const line = mirrorsRows(turn) ? rows - 1 - y : y
  const pixel = 1 << size
  let to = plane + <usize>(isTransposed(turn) ? line * pixel : line * stride)
  if (turn == 1 || turn == 4) {
    memory.copy(to, row, (<usize>columns) << size)
    return
  }
  let step = isTransposed(turn) ? stride : pixel
  if (mirrorsColumns(turn)) {
    to += <usize>((columns - 1) * step)
    step = -step
  }
  const end = row + ((<usize>columns) << size)
  if (size == 0) for (; row < end; row++, to += step) store<u8>(to, load<u8>(row))
  else for (; row < end; row += 4, to += step) store<u32>(to, load<u32>(row))
}
