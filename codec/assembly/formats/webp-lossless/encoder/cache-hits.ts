// Pixels that the colour cache has, for each of its sizes (5.2.3). What is in it depends on the pixels alone, not on how
// they are coded; and what a small cache has, a larger one has, too.
import { allocateZeroed } from '../../../arena/memory'
import { cacheKey, MAX_CACHE_BITS } from './symbols'

/** The kind of a pixel that no cache has; smaller ones are the bits of the smallest that has it. */
const NOT_CACHED: i32 = MAX_CACHE_BITS + 1

/** u32[]: the caches of 2^1, 2^2, ... 2^10 colours, that of 2^b from 2^b on. */
let caches: usize = 0

/** Empties the caches: an empty one is full of zeros. */
export function startCaches(): void {
  caches = allocateZeroed(4 << (MAX_CACHE_BITS + 1))
}

/** Writes the kinds (u8) of the `count` pixels at `pixels`, the next ones, and remembers them. */
export function findHits(pixels: usize, count: i32, kinds: usize): void {
  let before: u32 = 0
  for (let i = 0; i < count; i++) {
    const pixel = load<u32>(pixels + ((<usize>i) << 2))
    if (i > 0 && pixel == before) {
      store<u8>(kinds + i, 1)
      continue
    }
    before = pixel
    let least = NOT_CACHED
    for (let bits = MAX_CACHE_BITS; bits > 0; bits--) {
      const at = caches + ((<usize>((1 << bits) + cacheKey(pixel, bits))) << 2)
      // All that are larger have it, and those that are smaller need not.
      if (load<u32>(at) == pixel) {
        if (least > bits) least = bits
      } else store<u32>(at, pixel)
    }
    store<u8>(kinds + i, <u8>least)
  }
}
