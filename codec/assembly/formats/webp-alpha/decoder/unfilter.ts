// The filters of the ALPH chunk, undone a row at a time: WebP Container Specification, "Alpha". Alphas at the edges are
// predicted from the one above (first column) or to the left (first row), whatever the filter.

/** The filters as they are numbered in the chunk. */
export const enum AlphaFilter {
  None = 0,
  Horizontal = 1,
  Vertical = 2,
  Gradient = 3,
}

/**
 * Undoes `filter` in place for the `count` alphas at `row`, of which `above` are the finished ones above; 0 for the
 * first row.
 */
export function unfilterRow(filter: AlphaFilter, row: usize, above: usize, count: i32): void {
  if (filter == AlphaFilter.None) return
  if (above == 0) {
    addLeft(row, 0, count)
  } else if (filter == AlphaFilter.Horizontal) {
    addLeft(row, load<u8>(above), count)
  } else if (filter == AlphaFilter.Vertical) {
    for (let x = 0; x < count; x++) store<u8>(row + x, load<u8>(row + x) + load<u8>(above + x))
  } else {
    addGradient(row, above, count)
  }
}

function addLeft(row: usize, first: i32, count: i32): void {
  let left = first
  for (let x = 0; x < count; x++) {
    left = (left + load<u8>(row + x)) & 255
    store<u8>(row + x, <u8>left)
  }
}

function addGradient(row: usize, above: usize, count: i32): void {
  let left = <i32>load<u8>(above)
  let aboveLeft = left
  for (let x = 0; x < count; x++) {
    const up = <i32>load<u8>(above + x)
    const predicted = max(0, min(255, left + up - aboveLeft))
    left = (predicted + load<u8>(row + x)) & 255
    store<u8>(row + x, <u8>left)
    aboveLeft = up
  }
}
