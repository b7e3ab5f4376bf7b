// The colour cache: WebP Lossless Bitstream Specification, 5.2.3.
import { readBits } from './bit-reader'

const MAX_BITS: i32 = 11
const MULTIPLIER: u32 = 0x1e35a7bd

/** u32 for each hash: the last colour that had it. */
const CACHE: usize = memory.data(4 << MAX_BITS, 4)

/** Reads the size of a cache, 2^bits colours: the bits, 0 if there is no cache, -1 if they are not allowed. */
export function readCacheBits(): i32 {
  if (readBits(1) == 0) return 0
  const bits = readBits(4)
  return bits < 1 || bits > MAX_BITS ? -1 : bits
}

/** Forgets all colours. */
export function clearCache(): void {
  memory.fill(CACHE, 0, 4 << MAX_BITS)
}

/** Remembers a colour in the cache of 2^(32 - `shift`) colours. */
export function remember(argb: u32, shift: u32): void {
  store<u32>(CACHE + ((<usize>((MULTIPLIER * argb) >> shift)) << 2), argb)
}

/** The colour remembered as number `i`. */
export function colourAt(i: u32): u32 {
  return load<u32>(CACHE + ((<usize>i) << 2))
}
