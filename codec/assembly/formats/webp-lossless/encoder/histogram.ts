// Symbol counts of green and lengths, and of distances. Red, blue and alpha are always 0.
import { prefixSymbol } from './distance-codes'
import { DISTANCE_SYMBOLS } from './symbols'

/** Literals of green, then 24 lengths. */
export const GREEN_SYMBOLS: i32 = 256 + 24
/** Both, one after the other. */
const SYMBOLS: i32 = GREEN_SYMBOLS + DISTANCE_SYMBOLS
export const HISTOGRAM_BYTES: i32 = 4 * SYMBOLS

/** The largest count of u16: it is multiplied as one with a sign. */
const MAX_SHORT_COUNT: u16 = 0x7fff

/** Estimated cost of a prefix code's lengths in bits: for the code, and per used symbol. */
const CODE_BITS: f32 = 40
const SYMBOL_BITS: f32 = 4.5

/** Counts the literals at `data`. */
export function countLiterals(histogram: usize, data: usize, literals: i32): void {
  for (let i = 0; i < literals; i++) increment<u32>(histogram, load<u8>(data + i))
}

/** Counts a copy of `length` pixels from the distance of `code`. */
export function countCopy(histogram: usize, length: i32, code: i32): void {
  increment<u32>(histogram, 256 + prefixSymbol(length))
  increment<u32>(histogram, GREEN_SYMBOLS + prefixSymbol(code))
}

/** Adds one histogram to another. */
export function addHistogram(to: usize, histogram: usize): void {
  addCounts(to, histogram, SYMBOLS)
}

/** Adds the counts (u32) of so many symbols, a multiple of 4, to others. */
export function addCounts(to: usize, counts: usize, symbols: i32): void {
  for (let i: usize = 0; i < (<usize>symbols) << 2; i += 16) {
    v128.store(to + i, i32x4.add(v128.load(to + i), v128.load(counts + i)))
  }
}

/** About how many bits these symbols take with prefix codes of their own, the codes included. */
export function estimatedBits(histogram: usize): f32 {
  return codedBits(histogram, GREEN_SYMBOLS) + codedBits(histogram + 4 * GREEN_SYMBOLS, DISTANCE_SYMBOLS)
}

function codedBits(histogram: usize, symbols: i32): f32 {
  let total: u32 = 0
  for (let symbol = 0; symbol < symbols; symbol++) total += load<u32>(histogram + ((<usize>symbol) << 2))
  if (total == 0) return 0
  const all = Mathf.log2(<f32>total)
  let bits: f32 = CODE_BITS
  for (let symbol = 0; symbol < symbols; symbol++) {
    const count = load<u32>(histogram + ((<usize>symbol) << 2))
    if (count == 0) continue
    // A symbol alone takes no bits, any other at least one.
    bits += SYMBOL_BITS + (count == total ? 0 : <f32>count * max(1, all - Mathf.log2(<f32>count)))
  }
  return bits
}

/** Counts a symbol in a histogram of u32, or of u16 up to the largest count. */
// @ts-ignore: decorator
@inline
export function increment<Count>(histogram: usize, symbol: i32): void {
  const at = histogram + <usize>symbol * sizeof<Count>()
  const count = load<Count>(at)
  if (sizeof<Count>() == 4 || count < MAX_SHORT_COUNT) store<Count>(at, <Count>(count + 1))
}
