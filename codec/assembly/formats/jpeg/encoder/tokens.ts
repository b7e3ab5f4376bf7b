// The data to encode as tokens (T.81 F.1.2): a symbol of one of four Huffman tables and its additional bits. Tokens are
// buffered until there are enough of them to choose the tables.
// A token, u32: 16 additional bits, as many as the symbol's low four bits say; the symbol; the table.

import { allocate } from '../../../arena/memory'
import { NATURAL } from '../zigzag'
import { COEFFICIENTS } from './fdct'

/** Tables: DC and AC of luminance, DC and AC of chrominance. */
export const TABLES: i32 = 4
/** Symbols of a table. */
export const SYMBOLS: i32 = 256

const TOKEN: usize = 4
/** An MCU has six blocks of at most 64 coefficients and an end of block. */
const MCU_BYTES: usize = 6 * 65 * TOKEN
/** Sixteen zeros (ZRL), and the end of a block (EOB). */
const ZEROS: i32 = 0xf0

/** The buffered tokens. */
@unmanaged
class Tokens {
  /** Start and end of the tokens, and the end of the room for them. */
  first: usize
  last: usize
  limit: usize
}

export const tokens: Tokens = changetype<Tokens>(memory.data(offsetof<Tokens>(), 4))

/** Prepares to store `bytes` bytes of tokens at most. */
export function startTokens(bytes: usize): void {
  tokens.first = tokens.last = allocate(bytes + MCU_BYTES)
  tokens.limit = tokens.first + bytes
}

/** Whether there is no room for another MCU. */
export function isBufferFull(): bool {
  return tokens.last >= tokens.limit
}

/** All tokens were written. */
export function clearTokens(): void {
  tokens.last = tokens.first
}

/** Counts how often each symbol is in the buffer: u32[TABLES][SYMBOLS] at `counts`. */
export function countSymbols(counts: usize): void {
  const last = tokens.last
  memory.fill(counts, 0, (<usize>(TABLES * SYMBOLS)) << 2)
  for (let token = tokens.first; token < last; token += TOKEN) {
    const at = counts + ((<usize>load<u32>(token) >> 16) << 2)
    store<u32>(at, load<u32>(at) + 1)
  }
}

/** Stores the block in COEFFICIENTS, with the tables from `table` on. Returns its DC, the next block's `prediction`. */
export function storeBlock(table: i32, prediction: i32): i32 {
  const dc = <i32>load<i16>(COEFFICIENTS)
  const difference = dc - prediction
  let to = tokens.last
  store<u32>(to, token(table, sizeOf(difference), difference))
  to += TOKEN
  let zeros = 0
  for (let k: usize = 1; k < 64; k++) {
    const value = <i32>load<i16>(COEFFICIENTS + ((<usize>load<u8>(NATURAL + k)) << 1))
    if (value == 0) {
      zeros++
      continue
    }
    for (; zeros > 15; zeros -= 16, to += TOKEN) store<u32>(to, token(table + 1, ZEROS, 0))
    store<u32>(to, token(table + 1, (zeros << 4) | sizeOf(value), value))
    to += TOKEN
    zeros = 0
  }
  if (zeros > 0) {
    store<u32>(to, token(table + 1, 0, 0))
    to += TOKEN
  }
  tokens.last = to
  return dc
}

/** Tables F.1 and F.2: the bits of the magnitude. */
function sizeOf(value: i32): i32 {
  return 32 - clz(abs(value))
}

/** Negative values are coded as the low bits of the value less one (F.1.2.1). */
function token(table: i32, symbol: i32, value: i32): u32 {
  const size = symbol & 15
  const bits = (value < 0 ? value - 1 : value) & ((1 << size) - 1)
  return <u32>(bits | (symbol << 16) | (table << 24))
}
