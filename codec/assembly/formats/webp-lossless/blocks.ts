/** Returns the number of blocks of 2^`bits` pixels along a side of `pixels` pixels (RFC 9649, 4.1: DIV_ROUND_UP). */
export function blocksOf(pixels: i32, bits: i32): i32 {
  return (pixels + (1 << bits) - 1) >> bits
}
