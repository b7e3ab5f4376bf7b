// Where pixels were seen before: in the pixels nearby, or anywhere in the last 2^18 by chains of equal hashes.
import { allocate } from '../../../arena/memory'

/** The farthest that is looked back. */
const WINDOW: i32 = 1 << 18
const MIN_HASH_BITS: i32 = 10
const MAX_HASH_BITS: i32 = 17
/** A hash is of so many pixels. */
const LEAST: i32 = 4
/** How many places are compared at most. */
const MAX_COMPARED: i32 = 8
const NONE: u32 = 0xffffffff

/** u32[]: the last position of each hash, and for each position of the window the one before it. */
let heads: usize = 0
let links: usize = 0
let linkMask: u32 = 0
let hashShift: u32 = 0
let start: usize = 0

/** Length and distance of the match that `findFar` found last. */
export let farLength: i32 = 0
export let farDistance: i32 = 0

/** Prepares for the `pixels` bytes at `data`, which must be readable for 16 bytes more. */
export function startMatches(data: usize, pixels: i32): void {
  start = data
  farDistance = 0
  let window = 1 << 10
  while (window < min(WINDOW, pixels)) window <<= 1
  linkMask = window - 1
  let hashBits = MIN_HASH_BITS
  while (hashBits < MAX_HASH_BITS && 1 << hashBits < pixels) hashBits++
  hashShift = 32 - hashBits
  heads = allocate(4 << hashBits)
  links = allocate((<usize>window) << 2)
  memory.fill(heads, 0xff, 4 << hashBits)
}

// @ts-ignore: decorator
@inline
export function byteAt(position: i32): u8 {
  return load<u8>(start + position)
}

/** How many pixels from `position` on equal those `distance` before, up to `end`. */
export function matchLength(position: i32, distance: i32, end: i32): i32 {
  const from = start + position
  const stop = start + end
  for (let at = from; at < stop; at += 16) {
    const differ = i8x16.bitmask(i8x16.ne(v128.load(at), v128.load(at - distance)))
    if (differ != 0) return min(end - position, <i32>(at - from) + ctz(differ))
  }
  return end - position
}

/** Remembers `position`. Within a run nothing is: what it equals is one pixel before. */
export function insertPosition(position: i32): void {
  const four = load<u32>(start + position)
  if (position > 0 && load<u32>(start + position - 1) == four) return
  const head = heads + (hash(four) << 2)
  store<u32>(links + ((<usize>(position & linkMask)) << 2), load<u32>(head))
  store<u32>(head, position)
}

/** Looks for a match longer than `length`, and answers whether there is one. */
export function findFar(position: i32, end: i32, length: i32): bool {
  const four = load<u32>(start + position)
  if (position == 0 || end - position <= max(length, LEAST) || load<u32>(start + position - 1) == four) return false
  const least = max(length, LEAST - 1)
  farLength = least
  // Patterns that repeat at a distance do so again.
  if (farDistance > 0 && farDistance <= position) compare(position, farDistance, end, four)
  let other = load<u32>(heads + (hash(four) << 2))
  for (let left = MAX_COMPARED; left > 0 && other != NONE && position + farLength < end; left--) {
    const distance = position - other
    if (<u32>distance > linkMask) break
    compare(position, distance, end, four)
    const next = load<u32>(links + ((<usize>(other & linkMask)) << 2))
    // A place that has left the window: its link is another's.
    if (next != NONE && next >= other) break
    other = next
  }
  return farLength > least
}

/** Takes the match from `distance` if it is longer than the last. */
// @ts-ignore: decorator
@inline
function compare(position: i32, distance: i32, end: i32, four: u32): void {
  const here = start + position
  const there = here - distance
  if (load<u8>(there + farLength) != load<u8>(here + farLength) || load<u32>(there) != four) return
  const same = matchLength(position, distance, end)
  if (same <= farLength) return
  farLength = same
  farDistance = distance
}

// @ts-ignore: decorator
@inline
function hash(four: u32): usize {
  return (four * 0x9e3779b1) >> hashShift
}
