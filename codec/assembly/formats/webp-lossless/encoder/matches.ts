// The samples that were coded last, and where they were seen before: chains of equal hashes. Samples are pixels, or the bytes of a
// plane, which are pixels of green alone. Of each function the compiler makes one for either, u32 or u8.
import { allocate } from '../../../arena/memory'

/** The farthest that a distance code reaches (5.2.2). */
const FARTHEST: i32 = (1 << 20) - 120
const MIN_HASH_BITS: i32 = 8
const MIN_BYTE_HASH_BITS: i32 = 10
const MAX_HASH_BITS: i32 = 17
const MAX_RUN_HASH_BITS: u32 = 16
/** Hashes of runs are of the starts and the last pixels of runs, of so many at most. */
const RUN_TAIL: i32 = 8
const MAX_RUN: i32 = 4096
const MAX_SECOND_RUN: i32 = 16
const NONE: u32 = 0xffffffff
/** Matches of bytes: the last so many are looked through, by hashes of so many, comparing so many places. */
const BYTE_WINDOW: i32 = 1 << 18
const BYTES_HASHED: i32 = 4
const BYTES_COMPARED: i32 = 8
/** Bytes that vectors read beyond the pixels. */
const SLACK: usize = 64

/** Address of sample 0, even if it was dropped: retained samples lie relative to it. */
let samples: usize = 0
/** The number that were added. */
export let added: i32 = 0
let first: i32 = 0
let held: i32 = 0
let capacity: i32 = 0

/** u32[]: the last position of each hash; for each position of the window the one before with its hash. NONE: there is none. */
let heads: usize = 0
let links: usize = 0
/** Heads and links of hashes of three runs of equal pixels. */
let runHeads: usize = 0
let runLinks: usize = 0
let linkMask: u32 = 0
let farthest: i32 = 0
let hashShift: u32 = 0
/** A hash is of 2 samples or of 4. */
let hashed: i32 = 2
let compared: i32 = 0

/** Length and distance of the match that `findFar` found last. */
export let farLength: i32 = 0
export let farDistance: i32 = 0
/** Length and distance of the first match that it found, which most often is the nearest. */
export let firstLength: i32 = 0
export let firstDistance: i32 = 0

/**
 * Prepares for an image of `total` pixels, at most `waiting` of which are added before the first of them is parsed. Matches are
 * looked for in the last `window` pixels, a power of two, by hashes of `ofPixels`, comparing `most` of them.
 */
export function startPixelMatches(total: i32, window: i32, waiting: i32, ofPixels: i32, most: i32): void {
  const stored = startChains<u32>(total, window, ofPixels, most)
  // The next parse starts up to `waiting` before the last. There are moves for at least an eighth of the window, and a
  // row.
  held = stored + waiting
  capacity = min(total, held + waiting + (stored >> 3))
  samples = allocate(((<usize>capacity) << 2) + SLACK)
  memory.fill(samples + ((<usize>capacity) << 2), 0, SLACK)
  added = 0
  first = 0
}

/** Prepares for the `total` bytes at `data`, which must be readable for 16 more. */
export function startByteMatches(data: usize, total: i32): void {
  startChains<u8>(total, BYTE_WINDOW, BYTES_HASHED, BYTES_COMPARED)
  samples = data
  added = total
}

/** Returns how many samples the window has. */
function startChains<Sample>(total: i32, window: i32, ofSamples: i32, most: i32): i32 {
  hashed = ofSamples
  compared = most
  let stored = 1 << 8
  while (stored < min(window, total)) stored <<= 1
  linkMask = stored - 1
  farthest = min(stored - 1, FARTHEST)
  farDistance = 0
  let hashBits = sizeof<Sample>() == 1 ? MIN_BYTE_HASH_BITS : MIN_HASH_BITS
  while (hashBits < MAX_HASH_BITS && 1 << hashBits < total) hashBits++
  hashShift = 32 - hashBits
  heads = allocate((<usize>4) << hashBits)
  links = allocate((<usize>stored) << 2)
  memory.fill(heads, 0xff, (<usize>4) << hashBits)
  if (sizeof<Sample>() == 4) {
    const runHashBits = min(<i32>MAX_RUN_HASH_BITS, hashBits)
    runHeads = allocate((<usize>4) << runHashBits)
    runLinks = allocate((<usize>stored) << 2)
    memory.fill(runHeads, 0xff, (<usize>4) << runHashBits)
  }
  return stored
}

/** Makes room for `count` more pixels, at most those that may wait; returns where they are to be written. */
export function roomForPixels(count: i32): usize {
  if (added + count - first > capacity) {
    const drop = max(0, added - first - held)
    const from = samples + ((<usize>(first + drop)) << 2)
    memory.copy(samples + ((<usize>first) << 2), from, (<usize>(added - first - drop)) << 2)
    first += drop
    samples -= (<usize>drop) << 2
  }
  return samples + ((<usize>added) << 2)
}

/** Counts pixels that were written. */
export function addPixels(count: i32): void {
  added += count
}

/** Where a sample lies. */
// @ts-ignore: decorator
@inline
export function addressOf<Sample>(position: i32): usize {
  return samples + <usize>position * sizeof<Sample>()
}

/** The sample at a position. */
// @ts-ignore: decorator
@inline
export function sampleAt<Sample>(position: i32): Sample {
  return load<Sample>(addressOf<Sample>(position))
}

/** Returns the number of samples from `position` on that equal those `distance` before, up to `end`. */
export function matchLength<Sample>(position: i32, distance: i32, end: i32): i32 {
  const from = addressOf<Sample>(position)
  const stop = addressOf<Sample>(end)
  const back = <usize>distance * sizeof<Sample>()
  for (let at = from; at < stop; at += 16) {
    const here = v128.load(at)
    const there = v128.load(at - back)
    const differ = sizeof<Sample>() == 1 ? i8x16.bitmask(i8x16.ne(here, there)) : i32x4.bitmask(i32x4.ne(here, there))
    if (differ != 0) return min(end - position, <i32>((at - from) / sizeof<Sample>()) + ctz(differ))
  }
  return end - position
}

/** Whether the sample before and those of the hash are all the same. */
// @ts-ignore: decorator
@inline
function isInRun<Sample>(position: i32): bool {
  if (position == 0) return false
  const at = addressOf<Sample>(position)
  if (sizeof<Sample>() == 1) return load<u32>(at) == load<u32>(at - 1)
  const pixel = load<u32>(at)
  if (load<u32>(at - 4) != pixel || load<u32>(at, 4) != pixel) return false
  return hashed == 2 || (load<u32>(at, 8) == pixel && load<u32>(at, 12) == pixel)
}

// @ts-ignore: decorator
@inline
function headOf<Sample>(position: i32): usize {
  const at = addressOf<Sample>(position)
  let sum = load<u32>(at) * 0x9e3779b1
  if (sizeof<Sample>() == 4) {
    sum += load<u32>(at, 4) * 0x85ebca77
    if (hashed == 4) sum += load<u32>(at, 8) * 0xc2b2ae3d + load<u32>(at, 12) * 0x27d4eb2f
    sum = (sum ^ (sum >> 15)) * 0x9e3779b1
  }
  return heads + ((<usize>(sum >> hashShift)) << 2)
}

/** Where the head of the hash of the runs from `position` on is; 0 inside a long run, or where not all of them are there yet. */
function runHeadOf(position: i32): usize {
  const pixel = sampleAt<u32>(position)
  let next = endOfRun(position, RUN_TAIL + 1)
  if (next - position > RUN_TAIL) {
    if (position > 0 && sampleAt<u32>(position - 1) == pixel) return 0
    next = endOfRun(position, MAX_RUN)
  }
  if (next >= added) return 0
  const second = sampleAt<u32>(next)
  const last = endOfRun(next, MAX_SECOND_RUN)
  if (last >= added) return 0
  let sum = pixel * 0x9e3779b1 + <u32>(next - position) * 0x27d4eb2f
  sum += second * 0x85ebca77 + <u32>(last - next) * 0x165667b1 + sampleAt<u32>(last) * 0xc2b2ae3d
  sum = (sum ^ (sum >> 15)) * 0x9e3779b1
  return runHeads + ((<usize>(sum >> max(32 - MAX_RUN_HASH_BITS, hashShift))) << 2)
}

/** The end of the pixels that equal that at `position`, of `most` at most. */
// @ts-ignore: decorator
@inline
function endOfRun(position: i32, most: i32): i32 {
  const next = position + 1
  return next + matchLength<u32>(next, 1, min(added, position + most))
}

/** Remembers `position` by its runs. */
function insertRuns(position: i32): void {
  const head = runHeadOf(position)
  if (head == 0) return
  remember(position, head, runLinks)
}

/** Remembers `position`, unless its hash is of samples to come. Within a run nothing is: what it equals is one before. */
export function insertPosition<Sample>(position: i32): void {
  if (sizeof<Sample>() == 4) insertRuns(position)
  if (position + hashed > added || isInRun<Sample>(position)) return
  remember(position, headOf<Sample>(position), links)
}

// @ts-ignore: decorator
@inline
function remember(position: i32, head: usize, chain: usize): void {
  store<u32>(chain + ((<usize>(position & linkMask)) << 2), load<u32>(head))
  store<u32>(head, position)
}

/** Looks for a match longer than `length`. Returns whether there is one. */
export function findFar<Sample>(position: i32, end: i32, length: i32): bool {
  if (end - position <= max(length, hashed) || position == 0) return false
  const least = max(length, hashed - 1)
  farLength = least
  firstLength = 0
  // Patterns that repeat at a distance do so again.
  if (farDistance > 0 && farDistance <= position) compare<Sample>(position, farDistance, end)
  if (!isInRun<Sample>(position)) follow<Sample>(position, end, headOf<Sample>(position), links)
  if (sizeof<Sample>() == 4) {
    const head = runHeadOf(position)
    if (head != 0) follow<Sample>(position, end, head, runLinks)
  }
  return farLength > least
}

/** Compares the places of a hash. */
// @ts-ignore: decorator
@inline
function follow<Sample>(position: i32, end: i32, head: usize, chain: usize): void {
  let other = load<u32>(head)
  for (let left = compared; left > 0 && other != NONE && position + farLength < end; left--) {
    const distance = position - <i32>other
    if (distance > farthest) break
    compare<Sample>(position, distance, end)
    other = load<u32>(chain + ((<usize>(other & linkMask)) << 2))
  }
}

/** Takes the match from `distance` if it is longer than the last. */
// @ts-ignore: decorator
@inline
function compare<Sample>(position: i32, distance: i32, end: i32): void {
  const here = addressOf<Sample>(position)
  const there = here - <usize>distance * sizeof<Sample>()
  const last = <usize>farLength * sizeof<Sample>()
  if (load<Sample>(there + last) != load<Sample>(here + last) || load<u32>(there) != load<u32>(here)) return
  const same = matchLength<Sample>(position, distance, end)
  if (same <= farLength) return
  if (firstLength == 0) {
    firstLength = same
    firstDistance = distance
  }
  farLength = same
  farDistance = distance
}
