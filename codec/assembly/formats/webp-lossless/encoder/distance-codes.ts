// Lengths and distances as prefix symbols: WebP Lossless Bitstream Specification, 5.2.2.
import { distanceOf } from '../distances'

/** Distance codes up to this one mean a pixel nearby. */
const NEIGHBOUR_CODES: i32 = 120
/** Such a pixel lies at most so many rows up and columns aside. */
const NEIGHBOUR_ROWS: i32 = 7
const NEIGHBOUR_COLUMNS: i32 = 8
const SPAN: i32 = 2 * NEIGHBOUR_COLUMNS + 1

/** u8[8][17]: the code of each pixel nearby, 0 if it has none. */
const CODE_OF_NEIGHBOUR: usize = memory.data((NEIGHBOUR_ROWS + 1) * SPAN)

/** Prepares `distanceCode`. */
export function prepareDistances(): void {
  for (let code = 1; code <= NEIGHBOUR_CODES; code++) {
    // With 64 columns, a distance determines its column and row offsets.
    const distance = distanceOf(code, 64)
    const up = (distance + NEIGHBOUR_COLUMNS) >> 6
    store<u8>(CODE_OF_NEIGHBOUR + up * SPAN + (distance - (up << 6)) + NEIGHBOUR_COLUMNS, <u8>code)
  }
}

/** The code for a way of `distance` pixels back in an image of `width` columns. */
export function distanceCode(distance: i32, width: i32): i32 {
  const far = distance + NEIGHBOUR_CODES
  if (distance > NEIGHBOUR_ROWS * width + NEIGHBOUR_COLUMNS) return far
  const up = distance / width
  const aside = distance - up * width
  const left = neighbourCode(aside, up)
  const right = neighbourCode(aside - width, up + 1)
  return min(left == 0 ? far : left, right == 0 ? far : right)
}

function neighbourCode(aside: i32, up: i32): i32 {
  return up <= NEIGHBOUR_ROWS && abs(aside) <= NEIGHBOUR_COLUMNS
    ? load<u8>(CODE_OF_NEIGHBOUR + up * SPAN + aside + NEIGHBOUR_COLUMNS)
    : 0
}

/** The prefix symbol of a length or distance code. */
// @ts-ignore: decorator
@inline
export function prefixSymbol(value: i32): i32 {
  const rest = value - 1
  if (rest < 4) return rest
  const highest = 31 - clz(rest)
  return 2 * highest + ((rest >> (highest - 1)) & 1)
}
