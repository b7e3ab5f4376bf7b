// Levels as tokens (RFC 6386 §13.2), their rates, and how often each occurred. Tables of tokens have a row of 16 entries
// for each block type, band and context. The fourth context is "after a zero", where no end of block can come.
import { CATEGORY_BASE, CATEGORY_PROBS, COEFF_BANDS, PROBS_PER_BAND, PROBS_PER_CONTEXT } from '../tables'
import { bitsOfProbability, prepareProbabilities } from './probability'

/** The first token with extra bits, dct_cat1. Tokens below it are levels. */
export const FIRST_CATEGORY: i32 = 5
export const END_OF_BLOCK: i32 = 11

/** The row of a coefficient after a zero. */
export const AFTER_ZERO: i32 = 3
/** Rows of a band, of a block type, and of all. */
export const ROWS_PER_BAND: i32 = 4
export const ROWS_PER_TYPE: i32 = 32
export const ROW_COUNT: i32 = 128
/** Entries of a row. */
export const ROW_LENGTH: i32 = 16

/** Rate of a sign, in 256ths of a bit. */
const SIGN_BITS: i32 = 256
/** The greatest level (§13.2). */
const MAX_LEVEL: i32 = 2048

const levelTokens: usize = memory.data(2049, 16)
const levelBits: usize = memory.data(2 * 2049, 16)
let tablesReady = false

/** Occurrences, u32, of the tokens of each row. */
export const TOKEN_COUNTS: usize = memory.data(128 * 16 * 4, 16)
/** Rate of each token of each row in 256ths of a bit, u16, by `updateTokenBits`. */
export const TOKEN_BITS: usize = memory.data(128 * 16 * 2, 16)

/** The token of a level 0..2048. */
// @ts-ignore: decorator
@inline
export function tokenOfLevel(level: i32): i32 {
  return load<u8>(levelTokens + level)
}

/** Bits of a level's sign and extra bits, in 256ths. */
// @ts-ignore: decorator
@inline
export function extraBitsOfLevel(level: i32): i32 {
  return load<u16>(levelBits + 2 * level)
}

/** The first row of a block type, for the coefficient at a position of the zigzag order. */
// @ts-ignore: decorator
@inline
export function rowAt(type: i32, position: i32): i32 {
  return type * ROWS_PER_TYPE + <i32>load<u8>(COEFF_BANDS + position) * ROWS_PER_BAND
}

/** Address of a row's probabilities in a table of all (§13.4). After a zero they are those of context 0. */
export function rowProbs(probs: usize, row: i32): usize {
  const context = row % ROWS_PER_BAND
  const own = context == AFTER_ZERO ? 0 : context
  return probs + <usize>((row / ROWS_PER_BAND) * PROBS_PER_BAND + own * PROBS_PER_CONTEXT)
}

/** Fills the tables that never change, once an instance. */
export function prepareTokens(): void {
  if (tablesReady) return
  tablesReady = true
  prepareProbabilities()
  for (let level = 0; level <= MAX_LEVEL; level++) {
    let token = level
    let bits = level == 0 ? 0 : SIGN_BITS
    if (level >= FIRST_CATEGORY) {
      let category = 5
      while (<i32>load<u8>(CATEGORY_BASE + category) > level) category--
      token = FIRST_CATEGORY + category
      bits += bitsOfExtra(category, level - <i32>load<u8>(CATEGORY_BASE + category))
    }
    store<u8>(levelTokens + level, <u8>token)
    store<u16>(levelBits + 2 * level, <u16>bits)
  }
}

/** Rate of the extra bits of a category, the highest first, in 256ths of a bit. */
function bitsOfExtra(category: i32, extra: i32): i32 {
  const probs = CATEGORY_PROBS + 12 * category
  let length = 0
  while (load<u8>(probs + length) != 0) length++
  let bits = 0
  for (let i = 0; i < length; i++) {
    const p = <i32>load<u8>(probs + i)
    bits += bitsOfProbability((extra >> (length - 1 - i)) & 1 ? 256 - p : p)
  }
  return bits
}

/** Sets all of `TOKEN_COUNTS` to 0. */
export function clearTokenCounts(): void {
  memory.fill(TOKEN_COUNTS, 0, ROW_COUNT * ROW_LENGTH * 4)
}

/** Sets the rates of all tokens by the probabilities (§13.4) at `probs`. */
export function updateTokenBits(probs: usize): void {
  for (let row = 0; row < ROW_COUNT; row++) {
    const p = rowProbs(probs, row)
    const bits = TOKEN_BITS + row * ROW_LENGTH * 2
    const more = row % ROWS_PER_BAND == AFTER_ZERO ? 0 : oneBits(p, 0)
    store<u16>(bits + 2 * END_OF_BLOCK, <u16>zeroBits(p, 0))
    store<u16>(bits, <u16>(more + zeroBits(p, 1)))
    const nonzero = more + oneBits(p, 1)
    store<u16>(bits + 2, <u16>(nonzero + zeroBits(p, 2)))
    const several = nonzero + oneBits(p, 2)
    const small = several + zeroBits(p, 3)
    store<u16>(bits + 4, <u16>(small + zeroBits(p, 4)))
    store<u16>(bits + 6, <u16>(small + oneBits(p, 4) + zeroBits(p, 5)))
    store<u16>(bits + 8, <u16>(small + oneBits(p, 4) + oneBits(p, 5)))
    const large = several + oneBits(p, 3)
    store<u16>(bits + 10, <u16>(large + zeroBits(p, 6) + zeroBits(p, 7)))
    store<u16>(bits + 12, <u16>(large + zeroBits(p, 6) + oneBits(p, 7)))
    const larger = large + oneBits(p, 6)
    store<u16>(bits + 14, <u16>(larger + zeroBits(p, 8) + zeroBits(p, 9)))
    store<u16>(bits + 16, <u16>(larger + zeroBits(p, 8) + oneBits(p, 9)))
    store<u16>(bits + 18, <u16>(larger + oneBits(p, 8) + zeroBits(p, 10)))
    store<u16>(bits + 20, <u16>(larger + oneBits(p, 8) + oneBits(p, 10)))
  }
}

// @ts-ignore: decorator
@inline
function zeroBits(probs: usize, node: i32): i32 {
  return bitsOfProbability(load<u8>(probs + node))
}

// @ts-ignore: decorator
@inline
function oneBits(probs: usize, node: i32): i32 {
  return bitsOfProbability(256 - <i32>load<u8>(probs + node))
}
