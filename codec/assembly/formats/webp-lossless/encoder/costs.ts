// Estimated costs of literals, cache colours and copies, in 64ths of a bit, from what was coded so far. Histograms are
// of pixels (u32), or of bytes (u8), with green and distances only.
import { allocate } from '../../../arena/memory'
import { extraBits } from '../distances'
import { prefixSymbol } from './distance-codes'
import { bitsOfCount, clearLargest, findHeavy, takeCount } from './heavy-symbols'
import { GREEN_SYMBOLS } from './histogram'
import { sampleAt } from './matches'
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
const FIRST_LENGTH_COST: u32 = 7 * 64
const FIRST_DISTANCE_COST: u32 = 7 * 64
const FIRST_BYTE_DISTANCE_COST: u32 = 4 * 64
const MAX_COST: u32 = 15 * 64
/** The assumed count of symbols that never occurred. */
const UNSEEN: f32 = 0.4

/** u32[]: the costs of the symbols, and of each length. */
let costs: usize = 0
let lengthCosts: usize = 0

let cacheBits: i32 = 0

/** Prepares for an image. */
export function startCosts<Sample>(): void {
  costs = allocate(4 * (sizeof<Sample>() == 1 ? GREEN_SYMBOLS + DISTANCE_SYMBOLS : SYMBOLS))
  lengthCosts = allocate(4 * (MAX_COPIED + 1))
}

/** Sets the costs of bytes by a histogram (u32[]); `guessed`: it counted literals alone. */
export function setByteCosts(histogram: usize, guessed: bool): void {
  setSymbolCosts<u8>(histogram, 0, GREEN_SYMBOLS)
  setSymbolCosts<u8>(histogram, GREEN_SYMBOLS, DISTANCE_SYMBOLS)
  setCopyCosts<u8>(guessed)
}

/** Sets those of pixels with a cache of 2^bits colours. */
export function setPixelCosts(histogram: usize, bits: i32, guessed: bool): void {
  cacheBits = bits
  setSymbolCosts<u32>(histogram, 0, greenSymbols(bits))
  setSymbolCosts<u32>(histogram, RED, 256)
  setSymbolCosts<u32>(histogram, BLUE, 256)
  setSymbolCosts<u32>(histogram, ALPHA, 256)
  setSymbolCosts<u32>(histogram, DISTANCE, DISTANCE_SYMBOLS)
  setCopyCosts<u32>(guessed)
}

/** The cost of the sample at a position that is no copy; `kind`: what the cache makes of a pixel (cache-hits.ts). */
// @ts-ignore: decorator
@inline
export function literalCost<Sample>(position: i32, kind: i32): u32 {
  const sample = sampleAt<Sample>(position)
  return sizeof<Sample>() == 1 ? costOf(sample) : pixelCost(sample, kind)
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
export function distanceCost<Sample>(code: i32): u32 {
  return costOf(distancesFrom<Sample>() + prefixSymbol(code))
}

// @ts-ignore: decorator
@inline
function pixelCost(argb: u32, kind: i32): u32 {
  if (kind <= cacheBits) return costOf(CACHE_FROM + cacheKey(argb, cacheBits))
  const green = <i32>((argb >> 8) & 255)
  const red = <i32>((argb >> 16) & 255)
  const blue = <i32>(argb & 255)
  return costOf(green) + costOf(RED + red) + costOf(BLUE + blue) + costOf(ALPHA + <i32>(argb >> 24))
}

/** The first symbol of distances. */
// @ts-ignore: decorator
@inline
function distancesFrom<Sample>(): i32 {
  return sizeof<Sample>() == 1 ? GREEN_SYMBOLS : DISTANCE
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

function setCopyCosts<Sample>(guessed: bool): void {
  const distances = distancesFrom<Sample>()
  if (guessed) {
    const first = sizeof<Sample>() == 1 ? FIRST_BYTE_DISTANCE_COST : FIRST_DISTANCE_COST
    for (let symbol = LENGTHS_FROM; symbol < CACHE_FROM; symbol++) setCost(symbol, FIRST_LENGTH_COST)
    for (let symbol = 0; symbol < DISTANCE_SYMBOLS; symbol++) setCost(distances + symbol, first)
  }
  for (let length = 1; length <= MAX_COPIED; length++) {
    const symbol = prefixSymbol(length)
    store<u32>(lengthCosts + ((<usize>length) << 2), costOf(LENGTHS_FROM + symbol) + (extraBits(symbol) << 6))
  }
  for (let symbol = 0; symbol < DISTANCE_SYMBOLS; symbol++) {
    setCost(distances + symbol, costOf(distances + symbol) + (extraBits(symbol) << 6))
  }
}

function setSymbolCosts<Sample>(histogram: usize, from: i32, symbols: i32): void {
  let total: u32 = 0
  let used = 0
  clearLargest()
  for (let symbol = from; symbol < from + symbols; symbol++) {
    const count = load<u32>(histogram + ((<usize>symbol) << 2))
    total += count
    if (count == 0) continue
    used++
    takeCount(count)
  }
  findHeavy(max(1, total))
  for (let symbol = from; symbol < from + symbols; symbol++) {
    const count = <f32>load<u32>(histogram + ((<usize>symbol) << 2))
    // A prefix code's bits are whole, and a symbol alone takes none; of bytes it would be copied no more.
    const bits: f32 =
      sizeof<Sample>() == 4 && used == 1 && count > 0 ? 0 : max<f32>(1, bitsOfCount(count == 0 ? UNSEEN : count))
    setCost(symbol, min(MAX_COST, <u32>(bits * BIT)))
  }
}
