// Pixels that the colour cache has, for each of its sizes (5.2.3). What is in it depends on the pixels alone, not on how
// they are coded; and what a small cache has, a larger one has, too.
import { allocate, allocateZeroed } from '../../../arena/memory'
import { addCounts, increment } from './histogram'
import { ALPHA, BLUE, CACHE_FROM, cacheKey, MAX_CACHE_BITS, RED } from './symbols'

/** The kind of a pixel that no cache has; smaller ones are the bits of the smallest that has it. */
const NOT_CACHED: i32 = MAX_CACHE_BITS + 1

/** u32[]: the caches of 2^1, 2^2, ... 2^10 colours, that of 2^b from 2^b on. */
let caches: usize = 0
/**
 * u32[10][2048]: of the pixels of each kind from 1 on, how often their colours occur, by their numbers in the largest cache; then
 * their greens, reds, blues and alphas.
 */
let hits: usize = 0
const COLOURS: i32 = 1 << MAX_CACHE_BITS
const HITS: i32 = COLOURS + 4 * 256

/** Empties the caches: an empty one is full of zeros. */
export function startCaches(): void {
  caches = allocateZeroed(4 << (MAX_CACHE_BITS + 1))
  hits = allocate(4 * HITS * MAX_CACHE_BITS)
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

/** Begins to count the pixels that caches have. */
export function clearCacheCounts(): void {
  memory.fill(hits, 0, 4 * HITS * MAX_CACHE_BITS)
}

/** Counts a pixel of this kind. */
// @ts-ignore: decorator
@inline
export function countHit(pixel: u32, kind: i32): void {
  const own = hitsOf(kind)
  increment<u32>(own, cacheKey(pixel, MAX_CACHE_BITS))
  increment<u32>(own, COLOURS + <i32>((pixel >> 8) & 255))
  increment<u32>(own, COLOURS + 256 + <i32>((pixel >> 16) & 255))
  increment<u32>(own, COLOURS + 512 + <i32>(pixel & 255))
  increment<u32>(own, COLOURS + 768 + <i32>(pixel >> 24))
}

/** Changes a histogram (u32[SYMBOLS]) from a cache of 2^(bits - 1) colours to one of 2^bits: `bits` is 1, then 2 and so on. */
export function moveHits(histogram: usize, bits: i32): void {
  const own = hitsOf(bits)
  takeSymbols(histogram, 0, own + 4 * COLOURS)
  takeSymbols(histogram, RED, own + 4 * (COLOURS + 256))
  takeSymbols(histogram, BLUE, own + 4 * (COLOURS + 512))
  takeSymbols(histogram, ALPHA, own + 4 * (COLOURS + 768))
  const cache = histogram + 4 * CACHE_FROM
  memory.fill(cache, 0, (<usize>4) << bits)
  // Now all hits of smaller caches are with those of this one.
  if (bits > 1) addCounts(own, hitsOf(bits - 1), COLOURS)
  const shift = MAX_CACHE_BITS - bits
  for (let i = 0; i < COLOURS; i++) {
    const at = cache + ((<usize>(i >> shift)) << 2)
    store<u32>(at, load<u32>(at) + load<u32>(own + ((<usize>i) << 2)))
  }
}

function hitsOf(kind: i32): usize {
  return hits + <usize>(kind - 1) * (4 * HITS)
}

function takeSymbols(histogram: usize, from: i32, counts: usize): void {
  const to = histogram + ((<usize>from) << 2)
  for (let i: usize = 0; i < 4 * 256; i += 16) {
    v128.store(to + i, i32x4.sub(v128.load(to + i), v128.load(counts + i)))
  }
}
