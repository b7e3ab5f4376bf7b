// What literals, colours of the cache and copies may cost, in 64ths of a bit, as far as what was coded shows.
import { allocate } from '../../../arena/memory'
import { extraBits } from '../distances'
import { prefixSymbol } from './distance-codes'
import {
  ALPHA,
  BLUE,
  CACHE_FROM,
  cacheKey,
  DISTANCE,
  DISTANCE_SYMBOLS,
  greenSymbols,
  LENGTHS_FROM,
  MAX_COPIED,
  RED,
  SYMBOLS,
} from './symbols'

const BIT: f32 = 64
/** Of a length's and a distance's symbol as long as nothing is known. */
const FIRST_LENGTH_COST: u32 = 5 * 64
const FIRST_DISTANCE_COST: u32 = 5 * 64
const MAX_COST: u32 = 15 * 64
/** How often a symbol that never occurred is taken to have. */
const UNSEEN: f32 = 0.4

/** u32[]: the costs of the symbols, and of each length. */
let costs: usize = 0
let lengthCosts: usize = 0

let cacheBits: i32 = 0

/** Prepares for an image. */
export function startCosts(): void {
  costs = allocate(4 * SYMBOLS)
  lengthCosts = allocate(4 * (MAX_COPIED + 1))
}

/** Sets costs by a histogram (u32[]) with a cache of 2^bits colours; `guessed`: it counted literals alone. */
export function setCosts(histogram: usize, bits: i32, guessed: bool): void {
  cacheBits = bits
  setSymbolCosts(histogram, 0, greenSymbols(bits))
  setSymbolCosts(histogram, RED, 256)
  setSymbolCosts(histogram, BLUE, 256)
  setSymbolCosts(histogram, ALPHA, 256)
  setSymbolCosts(histogram, DISTANCE, DISTANCE_SYMBOLS)
  if (guessed) {
    for (let symbol = LENGTHS_FROM; symbol < CACHE_FROM; symbol++) setCost(symbol, FIRST_LENGTH_COST)
    for (let symbol = 0; symbol < DISTANCE_SYMBOLS; symbol++) setCost(DISTANCE + symbol, FIRST_DISTANCE_COST)
  }
  for (let length = 1; length <= MAX_COPIED; length++) {
    const symbol = prefixSymbol(length)
    store<u32>(lengthCosts + ((<usize>length) << 2), costOf(LENGTHS_FROM + symbol) + (extraBits(symbol) << 6))
  }
  for (let symbol = 0; symbol < DISTANCE_SYMBOLS; symbol++) {
    setCost(DISTANCE + symbol, costOf(DISTANCE + symbol) + (extraBits(symbol) << 6))
  }
}

/** The cost of a pixel that is no copy. */
// @ts-ignore: decorator
@inline
export function pixelCost(argb: u32, kind: i32): u32 {
  if (kind <= cacheBits) return costOf(CACHE_FROM + cacheKey(argb, cacheBits))
  const green = <i32>((argb >> 8) & 255)
  const red = <i32>((argb >> 16) & 255)
  const blue = <i32>(argb & 255)
  return costOf(green) + costOf(RED + red) + costOf(BLUE + blue) + costOf(ALPHA + <i32>(argb >> 24))
}

/** The cost of the length of a copy, with its extra bits. */
// @ts-ignore: decorator
@inline
export function lengthCost(length: i32): u32 {
  return load<u32>(lengthCosts + ((<usize>length) << 2))
}

/** The cost of the distance with this code, with its extra bits. */
// @ts-ignore: decorator
@inline
export function distanceCost(code: i32): u32 {
  return costOf(DISTANCE + prefixSymbol(code))
}

// @ts-ignore: decorator
@inline
function costOf(symbol: i32): u32 {
  return load<u32>(costs + ((<usize>symbol) << 2))
}

// @ts-ignore: decorator
@inline
function setCost(symbol: i32, cost: u32): void {
  store<u32>(costs + ((<usize>symbol) << 2), cost)
}

function setSymbolCosts(histogram: usize, from: i32, symbols: i32): void {
  let total: u32 = 0
  let used = 0
  for (let symbol = from; symbol < from + symbols; symbol++) {
    const count = load<u32>(histogram + ((<usize>symbol) << 2))
    total += count
    if (count > 0) used++
  }
  const all = Mathf.log2(<f32>max(1, total))
  for (let symbol = from; symbol < from + symbols; symbol++) {
    const count = <f32>load<u32>(histogram + ((<usize>symbol) << 2))
    // A prefix code's bits are whole, and a symbol alone takes none.
    const bits: f32 = used == 1 && count > 0 ? 0 : max<f32>(1, all - Mathf.log2(count == 0 ? UNSEEN : count))
    setCost(symbol, min(MAX_COST, <u32>(bits * BIT)))
  }
}
