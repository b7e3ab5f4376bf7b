// Histograms (u32[SYMBOLS]) and what they let expect.
import { extraBits } from '../distances'
import { prefixSymbol } from './distance-codes'
import { clearLargest, findHeavy, heavy, heavyCount, lightTotal, takeCount } from './heavy-symbols'
import { increment } from './histogram'
import { codeOf, lengthOf } from './optimal-parse'
import {
  ALPHA,
  BLUE,
  CACHE_FROM,
  cacheKey,
  DISTANCE,
  DISTANCE_SYMBOLS,
  greenSymbols,
  LENGTHS_FROM,
  RED,
} from './symbols'

/** The kind of a token that is a copy; all others are those of pixels that are none (cache-hits.ts). */
export const COPY: i32 = 255

/**
 * Estimated cost of a prefix code's lengths in bits: with at most two symbols; with more, for the code and per symbol.
 */
const SIMPLE_BITS: f32 = 12
const CODE_BITS: f32 = 36
const SYMBOL_BITS: f32 = 3.5
/** And for each gap, of symbols that do not occur. */
const GAP_BITS: f32 = 5

/** Counts a token, a pixel or a step (optimal-parse.ts), in a histogram of u32 or u16. */
// @ts-ignore: decorator
@inline
export function countToken<Count>(histogram: usize, value: u32, kind: i32, cacheBits: i32): void {
  if (kind == COPY) {
    increment<Count>(histogram, LENGTHS_FROM + prefixSymbol(lengthOf(value)))
    increment<Count>(histogram, DISTANCE + prefixSymbol(codeOf(value)))
  } else if (kind <= cacheBits) {
    increment<Count>(histogram, CACHE_FROM + cacheKey(value, cacheBits))
  } else {
    increment<Count>(histogram, <i32>((value >> 8) & 255))
    increment<Count>(histogram, RED + <i32>((value >> 16) & 255))
    increment<Count>(histogram, BLUE + <i32>(value & 255))
    increment<Count>(histogram, ALPHA + <i32>(value >> 24))
  }
}

/** Takes a step that is a copy out of a histogram of u32. */
export function uncountCopy(histogram: usize, step: u32): void {
  const length = histogram + ((<usize>(LENGTHS_FROM + prefixSymbol(lengthOf(step)))) << 2)
  const distance = histogram + ((<usize>(DISTANCE + prefixSymbol(codeOf(step)))) << 2)
  store<u32>(length, load<u32>(length) - 1)
  store<u32>(distance, load<u32>(distance) - 1)
}

/** About how many bits these symbols take with prefix codes of their own, the codes included. */
export function estimatedBits(histogram: usize, cacheBits: i32): f32 {
  return (
    codedBits(histogram, 0, greenSymbols(cacheBits)) +
    codedBits(histogram, RED, 256) +
    codedBits(histogram, BLUE, 256) +
    codedBits(histogram, ALPHA, 256) +
    codedBits(histogram, DISTANCE, DISTANCE_SYMBOLS)
  )
}

/** Returns the number of bits that follow the symbols of lengths and distances. */
export function extraBitsOf(histogram: usize): f32 {
  let bits: u32 = 0
  for (let symbol = LENGTHS_FROM; symbol < CACHE_FROM; symbol++) {
    bits += countOf(histogram, symbol) * extraBits(symbol - LENGTHS_FROM)
  }
  for (let symbol = 0; symbol < DISTANCE_SYMBOLS; symbol++) {
    bits += countOf(histogram, DISTANCE + symbol) * extraBits(symbol)
  }
  return <f32>bits
}

/** About how many bits the lengths of a prefix code take whose symbols have these counts. */
export function codeBits(histogram: usize, from: i32, symbols: i32): f32 {
  let used = 0
  let gaps = 0
  let last = from - 1
  for (let symbol = from; symbol < from + symbols; symbol++) {
    if (countOf(histogram, symbol) == 0) continue
    used++
    if (symbol > last + 1) gaps++
    last = symbol
  }
  return used <= 2 ? SIMPLE_BITS : CODE_BITS + SYMBOL_BITS * <f32>used + GAP_BITS * <f32>gaps
}

/** Returns the count of a symbol. */
// @ts-ignore: decorator
@inline
function countOf(histogram: usize, symbol: i32): u32 {
  return load<u32>(histogram + ((<usize>symbol) << 2))
}

/** About how many bits these symbols take with a prefix code of their own, that included. */
export function codedBits(histogram: usize, from: i32, symbols: i32): f32 {
  let total: u32 = 0
  let used = 0
  let entropy: f32 = 0
  clearLargest()
  for (let symbol = from; symbol < from + symbols; symbol++) {
    const count = countOf(histogram, symbol)
    if (count == 0) continue
    total += count
    used++
    entropy -= <f32>count * Mathf.log2(<f32>count)
    takeCount(count)
  }
  if (total == 0) return SIMPLE_BITS
  findHeavy(total)
  let bits: f32 = 0
  for (let i = 0; i < heavy; i++) {
    const count = <f32>heavyCount(i)
    bits += <f32>(i + 1) * count
    entropy += count * Mathf.log2(count)
  }
  bits += <f32>heavy * <f32>lightTotal
  return (
    codeBits(histogram, from, symbols) + bits + max<f32>(0, entropy + <f32>lightTotal * Mathf.log2(<f32>lightTotal))
  )
}
