// The symbols of a prefix code group (WebP Lossless Bitstream Specification, 6.2), one alphabet after the other: counts, code
// lengths and costs of them lie in this order.

/** The colour cache has 2^10 colours at most. */
export const MAX_CACHE_BITS: i32 = 10
/** Of green: 256 literals, 24 lengths, and the cache's colours. */
export const LENGTHS_FROM: i32 = 256
export const CACHE_FROM: i32 = 256 + 24
export const GREEN_ROOM: i32 = CACHE_FROM + (1 << MAX_CACHE_BITS)
export const RED: i32 = GREEN_ROOM
export const BLUE: i32 = RED + 256
export const ALPHA: i32 = BLUE + 256
export const DISTANCE: i32 = ALPHA + 256
export const DISTANCE_SYMBOLS: i32 = 40
/** All; a multiple of 16. */
export const SYMBOLS: i32 = DISTANCE + DISTANCE_SYMBOLS

/** The longest copy. */
export const MAX_COPIED: i32 = 4096

/** Returns the number of symbols of green with a cache of 2^bits colours, none if 0. */
export function greenSymbols(cacheBits: i32): i32 {
  return cacheBits == 0 ? CACHE_FROM : CACHE_FROM + (1 << cacheBits)
}

/** The number of a colour in a cache of 2^bits colours (5.2.3). */
// @ts-ignore: decorator
@inline
export function cacheKey(argb: u32, bits: i32): i32 {
  return <i32>((argb * 0x1e35a7bd) >> (32 - bits))
}
