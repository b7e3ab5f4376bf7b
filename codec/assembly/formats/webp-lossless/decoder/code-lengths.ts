// Reads the code lengths of a prefix code: WebP Lossless Bitstream Specification, 6.2.1.
import { readBits, readSymbol } from './bit-reader'
import { fillPrefixCode, MAX_SYMBOLS, newPrefixCode, ROOT_ENTRIES } from './prefix-code'

/** Symbols of the code in which code lengths are coded: lengths 0 to 15 and three repetitions. */
const LENGTH_SYMBOLS: i32 = 19
const REPEAT_PREVIOUS: i32 = 16
const REPEAT_ZERO: i32 = 17
/** The repeated length before any non-zero length. */
const FIRST_PREVIOUS: i32 = 8

/** u8[19]: the order in which the lengths of that code are sent. */
const ORDER: usize = memory.data<u8>([17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
const LENGTHS_OF_LENGTHS: usize = memory.data(LENGTH_SYMBOLS)
/** Lengths of lengths have three bits: no second table. */
const LENGTH_TABLE: usize = memory.data(2 * ROOT_ENTRIES, 2)
/** A simple code may name any byte, also where the alphabet is smaller. */
const LENGTHS: usize = memory.data(MAX_SYMBOLS)

/** Reads a prefix code of an alphabet of `symbols` symbols; returns its table, or 0 if it is none. */
export function readPrefixCode(symbols: i32): usize {
  memory.fill(LENGTHS, 0, MAX_SYMBOLS)
  const simple = readBits(1) == 1
  if (simple) readSimple()
  else if (!readNormal(symbols)) return 0
  return newPrefixCode(LENGTHS, symbols)
}

/** (i): one or two symbols. */
function readSimple(): void {
  const two = readBits(1) == 1
  const firstHas8Bits = readBits(1) == 1
  store<u8>(LENGTHS + readBits(firstHas8Bits ? 8 : 1), 1)
  if (two) store<u8>(LENGTHS + readBits(8), 1)
}

/** (ii): lengths in a prefix code of their own, with runs. */
function readNormal(symbols: i32): bool {
  memory.fill(LENGTHS_OF_LENGTHS, 0, LENGTH_SYMBOLS)
  const sent = 4 + readBits(4)
  for (let i = 0; i < sent; i++) store<u8>(LENGTHS_OF_LENGTHS + load<u8>(ORDER + i), <u8>readBits(3))
  const limited = readBits(1) == 1
  const limit = limited ? 2 + readBits(2 + 2 * readBits(3)) : symbols
  if (limit > symbols) return false
  return fillPrefixCode(LENGTHS_OF_LENGTHS, LENGTH_SYMBOLS, LENGTH_TABLE) != 0 && readLengths(symbols, limit)
}

/** Reads up to `limit` codes, as long as symbols are left. */
function readLengths(symbols: i32, limit: i32): bool {
  let previous = FIRST_PREVIOUS
  for (let symbol = 0; symbol < symbols && limit > 0; limit--) {
    const code = readSymbol(LENGTH_TABLE)
    if (code < REPEAT_PREVIOUS) {
      store<u8>(LENGTHS + symbol++, <u8>code)
      if (code != 0) previous = code
      continue
    }
    const repeated = code == REPEAT_PREVIOUS ? previous : 0
    let times = 0
    if (code == REPEAT_PREVIOUS) times = 3 + readBits(2)
    else if (code == REPEAT_ZERO) times = 3 + readBits(3)
    else times = 11 + readBits(7)
    if (times > symbols - symbol) return false
    memory.fill(LENGTHS + symbol, <u8>repeated, times)
    symbol += times
  }
  return true
}
