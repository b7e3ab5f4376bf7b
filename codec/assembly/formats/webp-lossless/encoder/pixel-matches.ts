// The pixels that were coded last, and where they were seen before: chains of equal hashes.
import { allocate } from '../../../arena/memory'

/** The farthest that a distance code reaches (5.2.2). */
const FARTHEST: i32 = (1 << 20) - 120
const MIN_HASH_BITS: i32 = 8
const MAX_HASH_BITS: i32 = 17
const NONE: u32 = 0xffffffff
const FARTHEST_LINK: u32 = 0xffff
/** What vectors read beyond the pixels. */
const SLACK: usize = 64

/** Where pixel 0 lies, or would lie: pixel i, of those that are kept, is at `pixels` + 4i. */
export let pixels: usize = 0
/** How many were added. */
export let added: i32 = 0
let kept: i32 = 0
let first: i32 = 0
let held: i32 = 0
let capacity: i32 = 0

/** u32[]: the last position of each hash; u16[]: for each position of the window how far before it lies the one before; 0: too far. */
let heads: usize = 0
let links: usize = 0
let linkMask: u32 = 0
let farthest: i32 = 0
let hashShift: u32 = 0
/** A hash is of 2 pixels or of 4. */
let hashed: i32 = 2
let compared: i32 = 0

/** Length and distance of the match that `findFar` found last. */
export let farLength: i32 = 0
export let farDistance: i32 = 0

/**
 * Prepares for an image of `total` pixels, at most `waiting` of which are added before the first of them is parsed. Matches are looked
 * for in the last `window` pixels, a power of two, by hashes of `ofPixels`, comparing `most` of them.
 */
export function startMatches(total: i32, window: i32, waiting: i32, ofPixels: i32, most: i32): void {
  hashed = ofPixels
  compared = most
  kept = 1 << 8
  while (kept < min(window, total)) kept <<= 1
  linkMask = kept - 1
  farthest = min(kept - 1, FARTHEST)
  // What is parsed next lies up to `waiting` before the last, and there are moves for an eighth of the window, and a row, at least.
  held = kept + waiting
  capacity = min(total, held + waiting + (kept >> 3))
  pixels = allocate(((<usize>capacity) << 2) + SLACK)
  memory.fill(pixels + ((<usize>capacity) << 2), 0, SLACK)
  added = 0
  first = 0
  farDistance = 0
  let hashBits = MIN_HASH_BITS
  while (hashBits < MAX_HASH_BITS && 1 << hashBits < total) hashBits++
  hashShift = 32 - hashBits
  heads = allocate((<usize>4) << hashBits)
  links = allocate((<usize>kept) << 1)
  memory.fill(heads, 0xff, (<usize>4) << hashBits)
}

/** Makes room for `count` more pixels, at most those that may wait; gives where they are to be written. */
export function roomForPixels(count: i32): usize {
  if (added + count - first > capacity) {
    const drop = max(0, added - first - held)
    const from = pixels + ((<usize>(first + drop)) << 2)
    memory.copy(pixels + ((<usize>first) << 2), from, (<usize>(added - first - drop)) << 2)
    first += drop
    pixels -= (<usize>drop) << 2
  }
  return pixels + ((<usize>added) << 2)
}

/** Counts pixels that were written. */
export function addPixels(count: i32): void {
  added += count
}

// @ts-ignore: decorator
@inline
export function pixelAt(position: i32): u32 {
  return load<u32>(pixels + ((<usize>position) << 2))
}

/** How many pixels from `position` on equal those `distance` before, up to `end`. */
export function matchLength(position: i32, distance: i32, end: i32): i32 {
  const from = pixels + ((<usize>position) << 2)
  const stop = pixels + ((<usize>end) << 2)
  const back = (<usize>distance) << 2
  for (let at = from; at < stop; at += 16) {
    const differ = i32x4.bitmask(i32x4.ne(v128.load(at), v128.load(at - back)))
    if (differ != 0) return min(end - position, (<i32>(at - from) >> 2) + ctz(differ))
  }
  return end - position
}

/** Whether the pixel before and those of the hash are all the same. */
// @ts-ignore: decorator
@inline
function isInRun(position: i32): bool {
  const at = pixels + ((<usize>position) << 2)
  const pixel = load<u32>(at)
  if (position == 0 || load<u32>(at - 4) != pixel || load<u32>(at, 4) != pixel) return false
  return hashed == 2 || (load<u32>(at, 8) == pixel && load<u32>(at, 12) == pixel)
}

// @ts-ignore: decorator
@inline
function headOf(position: i32): usize {
  const at = pixels + ((<usize>position) << 2)
  let sum = load<u32>(at) * 0x9e3779b1 + load<u32>(at, 4) * 0x85ebca77
  if (hashed == 4) sum += load<u32>(at, 8) * 0xc2b2ae3d + load<u32>(at, 12) * 0x27d4eb2f
  sum = (sum ^ (sum >> 15)) * 0x9e3779b1
  return heads + ((<usize>(sum >> hashShift)) << 2)
}

/** Remembers `position`, unless its hash is of pixels to come. Within a run nothing is: what it equals is one pixel before. */
export function insertPosition(position: i32): void {
  if (position + hashed > added || isInRun(position)) return
  const head = headOf(position)
  // From the first of its hash a link leads to -1, which is none.
  const back = <u32>(position - load<i32>(head))
  store<u16>(links + ((<usize>(position & linkMask)) << 1), back > FARTHEST_LINK ? 0 : <u16>back)
  store<u32>(head, position)
}

/** Looks for a match longer than `length`, and answers whether there is one. */
export function findFar(position: i32, end: i32, length: i32): bool {
  if (position == 0 || end - position <= max(length, hashed) || isInRun(position)) return false
  const least = max(length, hashed - 1)
  farLength = least
  // Patterns that repeat at a distance do so again.
  if (farDistance > 0 && farDistance <= position) compare(position, farDistance, end)
  let other = load<u32>(headOf(position))
  for (let left = compared; left > 0 && other != NONE && position + farLength < end; left--) {
    const distance = position - <i32>other
    if (distance > farthest) break
    compare(position, distance, end)
    const back = <u32>load<u16>(links + ((<usize>(other & linkMask)) << 1))
    if (back == 0) break
    other -= back
  }
  return farLength > least
}

/** Takes the match from `distance` if it is longer than the last. */
// @ts-ignore: decorator
@inline
function compare(position: i32, distance: i32, end: i32): void {
  const here = pixels + ((<usize>position) << 2)
  const there = here - ((<usize>distance) << 2)
  const last = (<usize>farLength) << 2
  if (load<u32>(there + last) != load<u32>(here + last) || load<u32>(there) != load<u32>(here)) return
  const same = matchLength(position, distance, end)
  if (same <= farLength) return
  farLength = same
  farDistance = distance
}
