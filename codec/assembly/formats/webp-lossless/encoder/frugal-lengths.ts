// Code lengths that are cheap to send: a little worse for the symbols than Huffman's, with longer runs of the same length.
import { allocate, checkpoint, release } from '../../../arena/memory'
import { codeLengths } from './huffman'
import {
  FIRST_PREVIOUS,
  lengthCodeBits,
  MAX_CODE_LENGTH,
  prefixCodeBits,
  REPEAT_PREVIOUS,
  REPEAT_ZERO,
  REPEAT_ZERO_LONG,
} from './prefix-code'

/** Lengths 0 to 15; a node of the search for each that was sent last. */
const STATES: usize = 16
/** Costs by the code of the lengths that the search before led to. */
const ROUNDS: i32 = 2
/** A length that does not occur in that code, in bits. */
const UNSEEN_BITS: f32 = 6
/** In a gap of more symbols that do not occur, none gets a length; in a shorter one that may pay. */
const LONG_GAP: i32 = 8
const LN_2: f32 = 0.6931472
/** Steps with zeros have this bit beside the number of symbols. */
const ZEROS: u16 = 256

/** f32[16]: the weight of each length in the sum that must be 1 (Kraft), as a cost. */
const SHARES: usize = memory.data(4 * 16, 4)
/** f32[19]: the cost of each symbol of the lengths' code. */
const SENT: usize = memory.data(4 * 19, 4)

let symbols: i32 = 0
/** u32[]: the sum of the counts before each symbol. */
let sums: usize = 0
/** f32[][16]: the least cost of all before a symbol, by the length sent last; u16[][16]: the step to it. u8[]: the best state. */
let costs: usize = 0
let steps: usize = 0
let bestStates: usize = 0

/**
 * Writes the code length (u8) of each of `count` symbols at `lengths`: those by which the histogram's (u32) symbols and the lengths
 * together take the fewest bits.
 */
export function frugalLengths(histogram: usize, count: i32, lengths: usize): void {
  codeLengths(histogram, count, MAX_CODE_LENGTH, lengths)
  const end = checkpoint()
  symbols = count
  sums = allocate((<usize>count + 1) << 2)
  costs = allocate((<usize>count + 1) * (4 * STATES))
  steps = allocate((<usize>count + 1) * (2 * STATES))
  bestStates = allocate(count + 1)
  const weights = allocate((<usize>count) << 2)
  const other = allocate(count)
  if (countSums(histogram) > 2) {
    let least = bitsWith(histogram, lengths)
    for (let round = 0; round < ROUNDS; round++) {
      setCosts()
      search(min(MAX_CODE_LENGTH, longestOf(lengths) + 1))
      writeWeights(weights)
      codeLengths(weights, count, MAX_CODE_LENGTH, other)
      const bits = bitsWith(histogram, other)
      if (bits >= least) break
      least = bits
      memory.copy(lengths, other, count)
    }
  }
  release(end)
}

/** Fills `sums`. Returns how many symbols occur. */
function countSums(histogram: usize): i32 {
  let sum: u32 = 0
  let used = 0
  for (let i = 0; i < symbols; i++) {
    const count = load<u32>(histogram + ((<usize>i) << 2))
    store<u32>(sums + ((<usize>i) << 2), sum)
    sum += count
    if (count > 0) used++
  }
  store<u32>(sums + ((<usize>symbols) << 2), sum)
  return used
}

function longestOf(lengths: usize): i32 {
  let longest = 0
  for (let i = 0; i < symbols; i++) longest = max(longest, <i32>load<u8>(lengths + i))
  return longest
}

/** Returns the bits of all symbols and of the lengths. */
function bitsWith(histogram: usize, lengths: usize): u32 {
  let bits: u32 = prefixCodeBits(lengths, symbols)
  for (let i: usize = 0; i < <usize>symbols; i++) bits += load<u32>(histogram + (i << 2)) * load<u8>(lengths + i)
  return bits
}

/** Sets `SHARES`, and `SENT` by the code of the lengths whose size was asked for last. */
function setCosts(): void {
  const share = <f32>sumAt(symbols) / LN_2
  for (let i: usize = 0; i < STATES; i++) store<f32>(SHARES + (i << 2), share / <f32>(1 << (<u32>i)))
  for (let i = 0; i <= REPEAT_ZERO_LONG; i++) {
    const bits = lengthCodeBits(i)
    const extra = i == REPEAT_PREVIOUS ? 2 : i == REPEAT_ZERO ? 3 : i == REPEAT_ZERO_LONG ? 7 : 0
    store<f32>(SENT + ((<usize>i) << 2), (bits == 0 ? UNSEEN_BITS : <f32>bits) + <f32>extra)
  }
}

/** Finds the cheapest lengths up to `longest` for all symbols, from the first on. */
function search(longest: i32): void {
  for (let i: usize = 0; i < (<usize>symbols + 1) * STATES; i++) store<f32>(costs + (i << 2), f32.MAX_VALUE)
  store<f32>(costs + ((<usize>FIRST_PREVIOUS) << 2), 0)
  for (let at = 0, next = 1; at < symbols; at = next, next++) {
    const best = chooseState(at)
    const least = costAt(at, best)
    const zeros = zerosFrom(at)
    if (zeros > LONG_GAP) {
      next = at + zeros
      reach(next, best, least + sent(zeros > 10 ? REPEAT_ZERO_LONG : REPEAT_ZERO), ZEROS | <u16>zeros)
      continue
    }
    if (zeros > 0) reach(at + 1, best, least + sent(0), ZEROS | 1)
    if (zeros > 2) reach(at + zeros, best, least + sent(REPEAT_ZERO), ZEROS | <u16>zeros)
    for (let length = 1; length <= longest; length++) {
      reach(at + 1, length, least + sent(length) + bitsOf(at, 1, length), 0)
      const before = costAt(at, length) + sent(REPEAT_PREVIOUS)
      if (before >= f32.MAX_VALUE) continue
      const most = min(6, symbols - at)
      for (let run = 3; run <= most; run++) reach(at + run, length, before + bitsOf(at, run, length), <u16>run)
    }
  }
  chooseState(symbols)
}

/** Returns the state that costs least before a symbol. */
function chooseState(at: i32): i32 {
  let best = 1
  for (let state = 2; state < <i32>STATES; state++) if (costAt(at, state) < costAt(at, best)) best = state
  store<u8>(bestStates + at, <u8>best)
  return best
}

/** Writes the weight of each symbol (u32): those of which Huffman's construction makes about the lengths found. */
function writeWeights(weights: usize): void {
  let state = <i32>load<u8>(bestStates + symbols)
  for (let at = symbols; at > 0; ) {
    const step = load<u16>(steps + ((<usize>at * STATES + <usize>state) << 1))
    const run = step == 0 ? 1 : <i32>(step & 255)
    const weight: u32 = step >= ZEROS ? 0 : 1 << (MAX_CODE_LENGTH - state)
    at -= run
    for (let i = 0; i < run; i++) store<u32>(weights + ((<usize>(at + i)) << 2), weight)
    if (step == 0) state = load<u8>(bestStates + at)
  }
}

/** The bits of symbols with a length, and what their share of all codes costs the others. */
// @ts-ignore: decorator
@inline
function bitsOf(at: i32, run: i32, length: i32): f32 {
  return <f32>((sumAt(at + run) - sumAt(at)) * length) + <f32>run * load<f32>(SHARES + ((<usize>length) << 2))
}

/** Returns how many symbols from this one on do not occur: 138 at most, which can be sent at once. */
function zerosFrom(at: i32): i32 {
  let end = at
  while (end < symbols && end < at + 138 && sumAt(end + 1) == sumAt(at)) end++
  return end - at
}

// @ts-ignore: decorator
@inline
function sumAt(at: i32): u32 {
  return load<u32>(sums + ((<usize>at) << 2))
}

// @ts-ignore: decorator
@inline
function sent(symbol: i32): f32 {
  return load<f32>(SENT + ((<usize>symbol) << 2))
}

// @ts-ignore: decorator
@inline
function costAt(at: i32, state: i32): f32 {
  return load<f32>(costs + ((<usize>at * STATES + <usize>state) << 2))
}

// @ts-ignore: decorator
@inline
function reach(to: i32, state: i32, cost: f32, step: u16): void {
  const node = <usize>to * STATES + <usize>state
  if (cost >= load<f32>(costs + (node << 2))) return
  store<f32>(costs + (node << 2), cost)
  store<u16>(steps + (node << 1), step)
}
