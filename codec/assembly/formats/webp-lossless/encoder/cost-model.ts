// What literals and copies may cost, in 64ths of a bit, as far as what was coded shows.
import { allocate } from '../../../arena/memory'
import { extraBits } from '../distances'
import { prefixSymbol } from './distance-codes'
import { GREEN_SYMBOLS } from './histogram'
import { DISTANCE_SYMBOLS, MAX_COPIED } from './symbols'

const BIT: f32 = 64
/** Of a length's and a distance's symbol as long as nothing is known. */
const FIRST_LENGTH_COST: u32 = 5 * 64
const FIRST_DISTANCE_COST: u32 = 4 * 64
const MAX_COST: u32 = 15 * 64
/** How often a symbol that never occurred is taken to have. */
const UNSEEN: f32 = 0.4

/** u32[]: the costs of the symbols of green and lengths, of distances, and of each length. */
let symbolCosts: usize = 0
let distanceCosts: usize = 0
let lengthCosts: usize = 0

/** Prepares for an image. */
export function startCosts(): void {
  symbolCosts = allocate(4 * GREEN_SYMBOLS)
  distanceCosts = allocate(4 * DISTANCE_SYMBOLS)
  lengthCosts = allocate(4 * (MAX_COPIED + 1))
}

/** Guesses for the first of an image's `pixels`. */
export function guessCosts(histogram: usize): void {
  setSymbolCosts(histogram, 256, symbolCosts)
  for (let symbol = 0; symbol < DISTANCE_SYMBOLS; symbol++) {
    store<u32>(distanceCosts + ((<usize>symbol) << 2), FIRST_DISTANCE_COST)
    if (symbol < 24) store<u32>(symbolCosts + ((<usize>(256 + symbol)) << 2), FIRST_LENGTH_COST)
  }
  addExtraBits()
}

/** Costs by a histogram. */
export function setCosts(histogram: usize): void {
  setSymbolCosts(histogram, GREEN_SYMBOLS, symbolCosts)
  setSymbolCosts(histogram + 4 * GREEN_SYMBOLS, DISTANCE_SYMBOLS, distanceCosts)
  addExtraBits()
}

/** The cost of a literal. */
// @ts-ignore: decorator
@inline
export function literalCost(value: i32): u32 {
  return load<u32>(symbolCosts + ((<usize>value) << 2))
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
  return load<u32>(distanceCosts + ((<usize>prefixSymbol(code)) << 2))
}

function setSymbolCosts(histogram: usize, symbols: i32, costs: usize): void {
  let total: u32 = 0
  for (let symbol = 0; symbol < symbols; symbol++) total += load<u32>(histogram + ((<usize>symbol) << 2))
  const all = Mathf.log2(<f32>max(1, total))
  for (let symbol = 0; symbol < symbols; symbol++) {
    const count = <f32>load<u32>(histogram + ((<usize>symbol) << 2))
    // A prefix code's bits are whole.
    const bits = max(1, all - Mathf.log2(count == 0 ? UNSEEN : count))
    store<u32>(costs + ((<usize>symbol) << 2), min(MAX_COST, <u32>(bits * BIT)))
  }
}

function addExtraBits(): void {
  for (let length = 1; length <= MAX_COPIED; length++) {
    const symbol = prefixSymbol(length)
    const cost = load<u32>(symbolCosts + ((<usize>(256 + symbol)) << 2)) + (extraBits(symbol) << 6)
    store<u32>(lengthCosts + ((<usize>length) << 2), cost)
  }
  for (let symbol = 0; symbol < DISTANCE_SYMBOLS; symbol++) {
    const cost = distanceCosts + ((<usize>symbol) << 2)
    store<u32>(cost, load<u32>(cost) + (extraBits(symbol) << 6))
  }
}
