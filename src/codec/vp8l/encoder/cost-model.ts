// What literals and copies may cost, in 64ths of a bit, as far as what was coded shows.
import { extraBits } from '../distances'
import { DISTANCE_SYMBOLS, GREEN_SYMBOLS, MOST_COPIED } from './histogram'
import { prefixSymbol } from './distance-codes'

const BIT: f32 = 64
/** Of a length's and a distance's symbol as long as nothing is known. */
const FIRST_LENGTH_PRICE: u32 = 5 * 64
const FIRST_DISTANCE_PRICE: u32 = 4 * 64
const MOST: u32 = 15 * 64
/** How often a symbol that never occurred is taken to have. */
const UNSEEN: f32 = 0.4

/** u32[]: the prices of the symbols of green and lengths, of distances, and of each length. */
const SYMBOL_PRICES: usize = memory.data(4 * GREEN_SYMBOLS, 4)
const DISTANCE_PRICES: usize = memory.data(4 * DISTANCE_SYMBOLS, 4)
const LENGTH_PRICES: usize = memory.data(4 * (MOST_COPIED + 1), 4)

/** Guesses for the first of an image's `pixels`. */
export function guessPrices(counts: usize): void {
  priceSymbols(counts, 256, SYMBOL_PRICES)
  for (let symbol = 0; symbol < DISTANCE_SYMBOLS; symbol++) {
    store<u32>(DISTANCE_PRICES + ((<usize>symbol) << 2), FIRST_DISTANCE_PRICE)
    if (symbol < 24) store<u32>(SYMBOL_PRICES + ((<usize>(256 + symbol)) << 2), FIRST_LENGTH_PRICE)
  }
  addExtraBits()
}

/** Prices from counts. */
export function setPrices(counts: usize): void {
  priceSymbols(counts, GREEN_SYMBOLS, SYMBOL_PRICES)
  priceSymbols(counts + 4 * GREEN_SYMBOLS, DISTANCE_SYMBOLS, DISTANCE_PRICES)
  addExtraBits()
}

// @ts-ignore: decorator
@inline
export function literalPrice(value: i32): u32 {
  return load<u32>(SYMBOL_PRICES + ((<usize>value) << 2))
}

// @ts-ignore: decorator
@inline
export function lengthPrice(length: i32): u32 {
  return load<u32>(LENGTH_PRICES + ((<usize>length) << 2))
}

/** Of the distance with this code. */
// @ts-ignore: decorator
@inline
export function distancePrice(code: i32): u32 {
  return load<u32>(DISTANCE_PRICES + ((<usize>prefixSymbol(code)) << 2))
}

function priceSymbols(counts: usize, symbols: i32, prices: usize): void {
  let total: u32 = 0
  for (let symbol = 0; symbol < symbols; symbol++) total += load<u32>(counts + ((<usize>symbol) << 2))
  const all = Mathf.log2(<f32>max(1, total))
  for (let symbol = 0; symbol < symbols; symbol++) {
    const count = <f32>load<u32>(counts + ((<usize>symbol) << 2))
    // A prefix code's bits are whole.
    const bits = max(1, all - Mathf.log2(count == 0 ? UNSEEN : count))
    store<u32>(prices + ((<usize>symbol) << 2), min(MOST, <u32>(bits * BIT)))
  }
}

function addExtraBits(): void {
  for (let length = 1; length <= MOST_COPIED; length++) {
    const symbol = prefixSymbol(length)
    const price = load<u32>(SYMBOL_PRICES + ((<usize>(256 + symbol)) << 2)) + (extraBits(symbol) << 6)
    store<u32>(LENGTH_PRICES + ((<usize>length) << 2), price)
  }
  for (let symbol = 0; symbol < DISTANCE_SYMBOLS; symbol++) {
    const price = DISTANCE_PRICES + ((<usize>symbol) << 2)
    store<u32>(price, load<u32>(price) + (extraBits(symbol) << 6))
  }
}
