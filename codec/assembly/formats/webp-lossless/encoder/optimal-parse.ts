// Optimal parsing: which literals and copies code some pixels with the fewest bits, the cheapest path through them.
import { allocate } from '../../../arena/memory'
import { distanceCost, lengthCost, literalCost } from './costs'
import { distanceCode } from './distance-codes'
import { farDistance, farLength, findFar, firstDistance, firstLength, insertPosition, matchLength } from './matches'
import { MAX_COPIED } from './symbols'

/** A step is a copy's length - 1 << 20 | distance code; 0 is a literal. */
const CODE_BITS: i32 = 20
const CODE_MASK: u32 = (1 << CODE_BITS) - 1
/** Copies found by hash may have every length up to this one, or all that equals. */
const MAX_CHOSEN: i32 = 24
/** From so many pixels on, of bytes from so many, nothing is looked for inside a match but towards its end. */
const LONG_MATCH: i32 = 256
const LONG_BYTE_MATCH: i32 = 1024
/** Inside a run of one colour as long as this nothing else is looked for but towards its end. */
const LONG_RUN: i32 = 24
const TAIL: i32 = 8
const MANY_MISSES: i32 = 256

/** Distances of pixels nearby: left, above, and above to the right and left. */
const NEIGHBOURS: i32 = 4
const DISTANCES: usize = memory.data(4 * NEIGHBOURS, 4)
const CODES: usize = memory.data(4 * NEIGHBOURS, 4)
/** i32[4]: up to where pixels equal those nearby. */
const ENDS: usize = memory.data(4 * NEIGHBOURS, 4)
/** i32[4]: where the copy from nearby that has come here begins, -1 if none has; u32[4]: its cost, length apart. */
const STARTS: usize = memory.data(4 * NEIGHBOURS, 4)
const START_COSTS: usize = memory.data(4 * NEIGHBOURS, 4)

/** Where copies come from. */
export const enum Search {
  New,
  /** As the last search found them, of the same pixels. */
  Known,
  /** From pixels nearby alone. */
  Nearby,
}

let width: i32 = 0
/** u32[]: the least cost of reaching a pixel; the step to it, later the step from it; the copy found by hash. */
let costs: usize = 0
let steps: usize = 0
let farCopies: usize = 0
let firstCopies: usize = 0
let origin: i32 = 0
/** Consecutive hash lookups without a match. */
let misses: i32 = 0

/** Prepares for an image whose paths have up to `most` pixels each. */
export function startParse(columns: i32, most: i32): void {
  width = columns
  misses = 0
  const bytes = (<usize>most + 1) << 2
  costs = allocate(4 * bytes)
  steps = costs + bytes
  farCopies = steps + bytes
  firstCopies = farCopies + bytes
  for (let n: usize = 0; n < <usize>NEIGHBOURS; n++) {
    const distance = n == 0 ? 1 : width + (n == 1 ? 0 : n == 2 ? -1 : 1)
    store<i32>(DISTANCES + (n << 2), distance)
    store<i32>(CODES + (n << 2), distance > 0 ? distanceCode(distance, columns) : 0)
  }
}

/**
 * Finds the path from `position` to `end` at the present costs, for `stepAt`. `kinds` (u8[]): what the cache makes of each
 * pixel from `position` on. Returns what the path costs.
 */
export function parse<Sample>(position: i32, end: i32, kinds: usize, search: Search): u32 {
  origin = position
  memory.fill(costs, 0xff, (<usize>(end - position) + 1) << 2)
  store<u32>(costs, 0)
  memory.fill(ENDS, 0, 4 * NEIGHBOURS)
  memory.fill(STARTS, 0xff, 4 * NEIGHBOURS)
  const longMatch = sizeof<Sample>() == 1 ? LONG_BYTE_MATCH : LONG_MATCH
  for (let at = position; at < end; ) {
    const cost = costAt(at)
    reach(at + 1, cost + literalCost<Sample>(at, sizeof<Sample>() == 1 ? 0 : load<u8>(kinds + (at - position))), 0)
    const run = copyNeighbour<Sample>(0, at, end, cost)
    let longest = run
    for (let n: usize = 1; n < <usize>NEIGHBOURS; n++)
      longest = max(longest, copyNeighbour<Sample>(n << 2, at, end, cost))
    let next = at + (run < LONG_RUN ? 1 : run - TAIL)
    const far = search == Search.New ? searchFar<Sample>(at, end, longest) : search == Search.Nearby ? 0 : farAt(at)
    if (far != 0) {
      const first = load<u32>(firstCopies + ((<usize>(at - origin)) << 2))
      if (first != 0) reachCopies<Sample>(at, cost, longest + 1, first)
      reachCopies<Sample>(at, cost, longest + 1, far)
      longest = lengthOf(far)
      if (longest >= longMatch) reachCopies<Sample>(at, cost, longest - TAIL, stepOf(longest - TAIL, far & CODE_MASK))
    }
    if (longest >= longMatch) next = at + longest - TAIL
    if (next > at + 1) next = nextReached<Sample>(at + 2, next)
    if (search == Search.New) {
      for (let passed = at; passed < next; passed++) insertPosition<Sample>(passed)
      // By other costs, another search may stop at pixels that this one passes.
      memory.fill(farCopies + ((<usize>(at + 1 - origin)) << 2), 0, (<usize>(next - at - 1)) << 2)
    }
    at = next
  }
  const all = costAt(end)
  reversePath(end - position)
  return all
}

/** The room that a search takes, free from one to the next of other pixels once its steps were read. */
export function parseRoom(): usize {
  return costs
}

/** Its size. */
export function parseRoomBytes(): usize {
  return 4 * (steps - costs)
}

/** The step from the path's pixel `i`: a copy's length - 1 << 20 | distance code; 0 is a literal. */
// @ts-ignore: decorator
@inline
export function stepAt(i: i32): u32 {
  return load<u32>(steps + ((<usize>i) << 2))
}

/** Returns the number of pixels that a step codes. */
// @ts-ignore: decorator
@inline
export function lengthOf(step: u32): i32 {
  return (step >> CODE_BITS) + 1
}

/** The distance code of a step, 0 for a literal. */
// @ts-ignore: decorator
@inline
export function codeOf(step: u32): i32 {
  return step & CODE_MASK
}

/**
 * Begins a copy from a neighbour (its index times 4) at `at`, or continues the one from before, whichever is cheaper up to where
 * pixels differ. Returns the number of equal pixels.
 */
// @ts-ignore: decorator
@inline
function copyNeighbour<Sample>(n: usize, at: i32, end: i32, cost: u32): i32 {
  let same = load<i32>(ENDS + n) - at
  if (same <= 0) {
    const distance = load<i32>(DISTANCES + n)
    same = distance < 1 || distance > at ? 0 : matchLength<Sample>(at, distance, end)
    store<i32>(STARTS + n, -1)
    if (same == 0) return 0
    store<i32>(ENDS + n, at + same)
  }
  const start = load<i32>(STARTS + n)
  const own = cost + distanceCost<Sample>(load<i32>(CODES + n))
  const whole = min(same, MAX_COPIED)
  if (
    start < 0 ||
    at + whole - start > MAX_COPIED ||
    own + lengthCost(whole) < load<u32>(START_COSTS + n) + lengthCost(at + whole - start)
  ) {
    store<i32>(STARTS + n, at)
    store<u32>(START_COSTS + n, own)
  }
  reachNeighbour<Sample>(n, at + 1)
  return whole
}

/** Reaches `to` by the copy from nearby, if it comes so far. */
// @ts-ignore: decorator
@inline
function reachNeighbour<Sample>(n: usize, to: i32): void {
  const start = load<i32>(STARTS + n)
  if (start < 0 || to > load<i32>(ENDS + n) || to - start > MAX_COPIED) return
  reach(to, load<u32>(START_COSTS + n) + lengthCost(to - start), stepOf(to - start, load<i32>(CODES + n)))
}

/**
 * Reaches the pixels from `from` to `to` by copies from nearby, up to the first that something else reaches for less: another copy
 * is to begin there. Returns it, or `to`.
 */
function nextReached<Sample>(from: i32, to: i32): i32 {
  for (let at = from; at < to; at++) {
    const cost = costAt(at)
    if (cost == u32.MAX_VALUE) continue
    reachNeighbours<Sample>(at)
    if (costAt(at) == cost) return at
  }
  reachNeighbours<Sample>(to)
  return to
}

// @ts-ignore: decorator
@inline
function costAt(position: i32): u32 {
  return load<u32>(costs + ((<usize>(position - origin)) << 2))
}

// @ts-ignore: decorator
@inline
function reachNeighbours<Sample>(to: i32): void {
  for (let n: usize = 0; n < <usize>NEIGHBOURS; n++) reachNeighbour<Sample>(n << 2, to)
}

/** Looks for a copy by hash, longer than those from nearby. */
// @ts-ignore: decorator
@inline
function searchFar<Sample>(at: i32, end: i32, longest: i32): u32 {
  // In noise, only every eighth pixel is worth looking.
  const found = (misses < MANY_MISSES || (at & 7) == 0) && findFar<Sample>(at, end, longest)
  misses = found ? 0 : misses + 1
  const far = found ? stepOf(min(MAX_COPIED, farLength), distanceCode(farDistance, width)) : 0
  store<u32>(farCopies + ((<usize>(at - origin)) << 2), far)
  const first =
    found && firstDistance != farDistance ? stepOf(min(MAX_COPIED, firstLength), distanceCode(firstDistance, width)) : 0
  store<u32>(firstCopies + ((<usize>(at - origin)) << 2), first)
  return far
}

// @ts-ignore: decorator
@inline
function farAt(at: i32): u32 {
  return load<u32>(farCopies + ((<usize>(at - origin)) << 2))
}

/** Reaches pixels by the copy `step` or by less of it. */
// @ts-ignore: decorator
@inline
function reachCopies<Sample>(at: i32, cost: u32, shortest: i32, step: u32): void {
  const whole = lengthOf(step)
  const code = step & CODE_MASK
  const start = cost + distanceCost<Sample>(code)
  const most = min(whole, MAX_CHOSEN)
  for (let length = shortest; length <= most; length++) {
    reach(at + length, start + lengthCost(length), stepOf(length, code))
  }
  if (whole > most) reach(at + whole, start + lengthCost(whole), step)
}

// @ts-ignore: decorator
@inline
function reach(to: i32, cost: u32, step: u32): void {
  const i = (<usize>(to - origin)) << 2
  if (cost >= load<u32>(costs + i)) return
  store<u32>(costs + i, cost)
  store<u32>(steps + i, step)
}

/** A copy as a step. */
// @ts-ignore: decorator
@inline
export function stepOf(length: i32, code: i32): u32 {
  return ((length - 1) << CODE_BITS) | code
}

/** Moves each step of the path from the pixel that it reaches to that it starts from. */
function reversePath(pixels: i32): void {
  let step = load<u32>(steps + ((<usize>pixels) << 2))
  for (let at = pixels; at > 0; ) {
    const from = at - lengthOf(step)
    const before = load<u32>(steps + ((<usize>from) << 2))
    store<u32>(steps + ((<usize>from) << 2), step)
    step = before
    at = from
  }
}
