// The filters of an ALPH chunk (WebP container specification, "Alpha"): a sample less what its neighbours let expect.

/** The filtering methods, by their numbers in the chunk. */
export const enum Filter {
  None = 0,
  Horizontal = 1,
  Vertical = 2,
  Gradient = 3,
}

/** Filters a plane of rows without gaps, in place. */
export function filterPlane(filter: Filter, plane: usize, columns: i32, rows: i32): void {
  if (filter == Filter.None) return
  // From the end, so that all neighbours are still as they were.
  for (let y = rows - 1; y > 0; y--) {
    const row = plane + <usize>(y * columns)
    filterRow(filter, row, columns, row)
  }
  for (let x: usize = columns - 1; x > 0; x--) store<u8>(plane + x, load<u8>(plane + x) - load<u8>(plane + x - 1))
}

/** Writes the filtered samples of a row to `to`, which may be the row itself; the row above lies right before it. */
export function filterRow(filter: Filter, row: usize, columns: i32, to: usize): void {
  let x = columns
  while (x > 8) {
    x -= 8
    const sample = v128.load64_zero(row + x)
    v128.store64_lane(to + x, i8x16.sub(sample, expected8(filter, row + x, columns)), 0)
  }
  while (--x > 0) store<u8>(to + x, load<u8>(row + x) - <u8>expected(filter, row + x, columns))
  const above: u8 = filter == Filter.None ? 0 : load<u8>(row - columns)
  store<u8>(to, load<u8>(row) - above)
}

// @ts-ignore: decorator
@inline
function expected(filter: Filter, at: usize, columns: i32): i32 {
  if (filter == Filter.None) return 0
  const left = <i32>load<u8>(at - 1)
  if (filter == Filter.Horizontal) return left
  const above = <i32>load<u8>(at - columns)
  if (filter == Filter.Vertical) return above
  return max(0, min(255, left + above - <i32>load<u8>(at - columns - 1)))
}

/** The expected values of eight samples. */
// @ts-ignore: decorator
@inline
function expected8(filter: Filter, at: usize, columns: i32): v128 {
  if (filter == Filter.None) return i8x16.splat(0)
  if (filter == Filter.Horizontal) return v128.load64_zero(at - 1)
  if (filter == Filter.Vertical) return v128.load64_zero(at - columns)
  const sum = i16x8.add(v128.load8x8_u(at - 1), v128.load8x8_u(at - columns))
  const gradient = i16x8.sub(sum, v128.load8x8_u(at - columns - 1))
  return i8x16.narrow_i16x8_u(gradient, gradient)
}
