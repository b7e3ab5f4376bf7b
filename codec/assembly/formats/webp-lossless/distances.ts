// Backward distances: WebP Lossless Bitstream Specification, 5.2.2.

/** Distance codes up to this one mean a pixel nearby. */
const NEIGHBOUR_CODES: i32 = 120

// biome-ignore format: as in the specification
/** i8[120][2]: columns to the left and rows up. */
const NEIGHBOURS: usize = memory.data<i8>([
  0, 1, 1, 0, 1, 1, -1, 1, 0, 2, 2, 0, 1, 2, -1, 2,
  2, 1, -2, 1, 2, 2, -2, 2, 0, 3, 3, 0, 1, 3, -1, 3,
  3, 1, -3, 1, 2, 3, -2, 3, 3, 2, -3, 2, 0, 4, 4, 0,
  1, 4, -1, 4, 4, 1, -4, 1, 3, 3, -3, 3, 2, 4, -2, 4,
  4, 2, -4, 2, 0, 5, 3, 4, -3, 4, 4, 3, -4, 3, 5, 0,
  1, 5, -1, 5, 5, 1, -5, 1, 2, 5, -2, 5, 5, 2, -5, 2,
  4, 4, -4, 4, 3, 5, -3, 5, 5, 3, -5, 3, 0, 6, 6, 0,
  1, 6, -1, 6, 6, 1, -6, 1, 2, 6, -2, 6, 6, 2, -6, 2,
  4, 5, -4, 5, 5, 4, -5, 4, 3, 6, -3, 6, 6, 3, -6, 3,
  0, 7, 7, 0, 1, 7, -1, 7, 5, 5, -5, 5, 7, 1, -7, 1,
  4, 6, -4, 6, 6, 4, -6, 4, 2, 7, -2, 7, 7, 2, -7, 2,
  3, 7, -3, 7, 7, 3, -7, 3, 5, 6, -5, 6, 6, 5, -6, 5,
  8, 0, 4, 7, -4, 7, 7, 4, -7, 4, 8, 1, 8, 2, 6, 6,
  -6, 6, 8, 3, 5, 7, -5, 7, 7, 5, -7, 5, 8, 4, 6, 7,
  -6, 7, 7, 6, -7, 6, 8, 5, 7, 7, -7, 7, 8, 6, 8, 7,
])

/** Returns the number of pixels that a distance code leads back in an image of `width` columns. */
export function distanceOf(code: i32, width: i32): i32 {
  if (code > NEIGHBOUR_CODES) return code - NEIGHBOUR_CODES
  const neighbour = NEIGHBOURS + ((<usize>(code - 1)) << 1)
  return max(1, <i32>load<i8>(neighbour) + <i32>load<i8>(neighbour, 1) * width)
}

/** Returns the number of bits after the prefix symbol of a length or distance. */
export function extraBits(symbol: i32): i32 {
  return symbol < 4 ? 0 : (symbol - 2) >> 1
}

/** The length or distance code of a prefix symbol and its extra bits. */
export function lz77Value(symbol: i32, extra: i32): i32 {
  return symbol < 4 ? symbol + 1 : ((2 + (symbol & 1)) << ((symbol - 2) >> 1)) + extra + 1
}
