// Rough rates for rd-estimate.ts, for each block type: the average rate of each level over all contexts, and that of each
// number of coefficients up to the last. They are computed from the rates and occurrences of tokens so far.
import {
  AFTER_ZERO,
  END_OF_BLOCK,
  extraBitsOfLevel,
  ROW_LENGTH,
  ROWS_PER_TYPE,
  rowAt,
  TOKEN_BITS,
  TOKEN_COUNTS,
  tokenOfLevel,
} from './tokens'

/** Levels above this one have the same rate. */
export const LEVEL_BITS_LIMIT: i8 = 15
/** A type's rates are 16 rates of levels (u8, 16ths of a bit, less that of a zero) and from here 17 of counts (u16). */
export const LAST_COUNTS: usize = 16
const TYPE_BYTES: usize = 64

const rates: usize = memory.data(4 * 64, 16)

/** The initial weight of each row: an image begins without occurrences. */
const BASE_WEIGHT: u64 = 2

/** The rates of a block type 0..3. */
// @ts-ignore: decorator
@inline
export function averageRates(type: i32): usize {
  return rates + <usize>type * TYPE_BYTES
}

/** Computes the rates of all types from `TOKEN_BITS` and `TOKEN_COUNTS`. */
export function updateAverageRates(): void {
  for (let type = 0; type < 4; type++) {
    const zero = averageBits(type, 0)
    store<u8>(averageRates(type), 0)
    for (let level = 1; level <= <i32>LEVEL_BITS_LIMIT; level++) {
      const bits = averageBits(type, tokenOfLevel(level)) + extraBitsOfLevel(level) - zero
      store<u8>(averageRates(type) + level, <u8>max(0, min(255, (bits + 8) >> 4)))
    }
    const first = type == 0 ? 1 : 0
    const counts = averageRates(type) + LAST_COUNTS
    for (let count = 0; count <= 16; count++) {
      const zeros = zero * max(0, count - first)
      store<u16>(counts + 2 * count, <u16>((zeros + endBits(type, count <= first ? 0 : count) + 8) >> 4))
    }
  }
}

/** Average rate of a token over the bands and contexts of a type, in 256ths of a bit. */
function averageBits(type: i32, token: i32): i32 {
  let weights: u64 = 0
  let bits: u64 = 0
  for (let row = type * ROWS_PER_TYPE; row < (type + 1) * ROWS_PER_TYPE; row++) {
    const at = row * ROW_LENGTH + token
    const weight = <u64>load<u32>(TOKEN_COUNTS + 4 * at) + BASE_WEIGHT
    weights += weight
    bits += weight * load<u16>(TOKEN_BITS + 2 * at)
  }
  return <i32>(bits / weights)
}

/** Average rate of ending a block after `count` coefficients. */
function endBits(type: i32, count: i32): i32 {
  if (count == 16) return 0
  const position = count == 0 && type == 0 ? 1 : count
  const band = rowAt(type, position)
  let weights: u64 = 0
  let bits: u64 = 0
  // An end inside a block follows a coefficient that is not 0.
  for (let context = count == 0 ? 0 : 1; context < AFTER_ZERO; context++) {
    const at = (band + context) * ROW_LENGTH + END_OF_BLOCK
    const weight = <u64>load<u32>(TOKEN_COUNTS + 4 * at) + BASE_WEIGHT
    weights += weight
    bits += weight * load<u16>(TOKEN_BITS + 2 * at)
  }
  return <i32>(bits / weights)
}
