// Canonical prefix codes as tables (WebP Lossless Bitstream Specification, chapter 6). The next eight bits find a
// symbol of up to eight bits, or the secondary table for the rest of a longer code.
import { allocate, release } from '../../../arena/memory'

/** The longest code length (6.2.1). */
const MAX_CODE_LENGTH: i32 = 15
const ROOT_BITS: i32 = 8
/** Entries of a table whose codes have up to eight bits. */
export const ROOT_ENTRIES: i32 = 1 << ROOT_BITS

/** Symbols of the largest alphabet: green, lengths and the largest colour cache. */
export const MAX_SYMBOLS: i32 = 256 + 24 + (1 << 11)

/**
 * Codes are sorted by length, so a secondary table has as many entries as symbols, except where the length changes.
 * That happens up to seven times, and such a table has at most 128 entries.
 */
const MAX_ENTRIES: i32 =
  ROOT_ENTRIES + MAX_SYMBOLS + (MAX_CODE_LENGTH - ROOT_BITS) * (1 << (MAX_CODE_LENGTH - ROOT_BITS))

/** u16[16]: codes of each length; u16[16]: where those of each length begin in `SORTED`. */
const COUNTS: usize = memory.data(2 * (MAX_CODE_LENGTH + 1), 2)
const STARTS: usize = memory.data(2 * (MAX_CODE_LENGTH + 1), 2)
/** u16: the symbols in the order of their codes. */
const SORTED: usize = memory.data(2 * MAX_SYMBOLS, 2)
/** u32 for each symbol: the table of the code that has this symbol alone, 0 if there is none yet. */
const SINGLE_SYMBOL_TABLES: usize = memory.data(4 * MAX_SYMBOLS, 4)

/** Forgets all tables; to be called before the first code of an image. */
export function startPrefixCodes(): void {
  memory.fill(SINGLE_SYMBOL_TABLES, 0, 4 * MAX_SYMBOLS)
}

/** `symbol << 4 | bits` of the code at the low end of `window`. */
export function codeAt(table: usize, window: u64): u32 {
  // An entry is symbol << 4 | bits. More than eight bits mean a second table: its first entry instead of the symbol,
  // and beyond the eight as many as index it. There, an entry's bits are those beyond the eight.
  const entry = <u32>load<u16>(table + ((<usize>window & (ROOT_ENTRIES - 1)) << 1))
  const bits = entry & 15
  if (bits <= <u32>ROOT_BITS) return entry
  const index = (<u32>(window >> <u64>ROOT_BITS) & ((1 << (bits - ROOT_BITS)) - 1)) + (entry >> 4)
  return <u32>load<u16>(table + ((<usize>index) << 1)) + ROOT_BITS
}

/** The symbol of a code that has no other, -1 if there are several. */
export function onlySymbol(table: usize): i32 {
  const first = load<u16>(table)
  return (first & 15) == 0 ? <i32>(first >> 4) : -1
}

/**
 * Allocates the table of the code whose `symbols` symbols have the lengths (u8) at `lengths`; 0 if they are no code.
 * Codes of one and the same symbol alone share a table.
 */
export function newPrefixCode(lengths: usize, symbols: i32): usize {
  const table = allocate((<usize>MAX_ENTRIES) << 1)
  const entries = fillPrefixCode(lengths, symbols, table)
  if (entries == 0) return 0
  const alone = onlySymbol(table)
  const shared = SINGLE_SYMBOL_TABLES + ((<usize>max(0, alone)) << 2)
  const isKnown = alone >= 0 && load<u32>(shared) != 0
  release(isKnown ? table : (table + ((<usize>entries) << 1) + 15) & ~15)
  if (isKnown) return load<u32>(shared)
  if (alone >= 0) store<u32>(shared, <u32>table)
  return table
}

/**
 * Writes a code's table at `table` and returns its entries (u16), 0 if the lengths are no complete code. A code of one
 * symbol takes no bits, whatever its length.
 */
export function fillPrefixCode(lengths: usize, symbols: i32, table: usize): i32 {
  const coded = sortSymbols(lengths, symbols)
  if (coded == 1) return fillAll(table, load<u16>(SORTED))
  return coded > 1 && isComplete() ? fillTables(table) : 0
}

/** Returns the number of symbols that have a code. */
function sortSymbols(lengths: usize, symbols: i32): i32 {
  memory.fill(COUNTS, 0, 2 * (MAX_CODE_LENGTH + 1))
  for (let symbol = 0; symbol < symbols; symbol++) {
    const count = COUNTS + ((<usize>load<u8>(lengths + symbol)) << 1)
    store<u16>(count, load<u16>(count) + 1)
  }
  let coded = 0
  for (let length = 1; length <= MAX_CODE_LENGTH; length++) {
    store<u16>(STARTS + (length << 1), <u16>coded)
    coded += load<u16>(COUNTS + (length << 1))
  }
  for (let symbol = 0; symbol < symbols; symbol++) {
    const length = <usize>load<u8>(lengths + symbol)
    if (length == 0) continue
    const start = STARTS + (length << 1)
    const at = <usize>load<u16>(start)
    store<u16>(SORTED + (at << 1), <u16>symbol)
    store<u16>(start, <u16>at + 1)
  }
  return coded
}

/** Whether every sequence of bits is a code. */
function isComplete(): bool {
  let free = 1
  for (let length = 1; length <= MAX_CODE_LENGTH; length++) {
    free = (free << 1) - load<u16>(COUNTS + (length << 1))
    if (free < 0) return false
  }
  return free == 0
}

function fillAll(table: usize, symbol: i32): i32 {
  for (let i = 0; i < ROOT_ENTRIES; i++) store<u16>(table + (i << 1), <u16>(symbol << 4))
  return ROOT_ENTRIES
}

/** Fills the tables from `SORTED` and uses up `COUNTS`. Returns the number of entries. */
function fillTables(table: usize): i32 {
  let entries = ROOT_ENTRIES
  let sorted = SORTED
  // Codes are read from their highest bit, so their bits are reversed in the window.
  let reversed = 0
  let root = -1
  let second = 0
  let secondBits = 0
  for (let length = 1; length <= MAX_CODE_LENGTH; length++) {
    const count = COUNTS + (length << 1)
    for (; load<u16>(count) > 0; store<u16>(count, load<u16>(count) - 1), sorted += 2) {
      const symbol = <i32>load<u16>(sorted)
      if (length <= ROOT_BITS) {
        fillEvery(table, reversed, length, ROOT_BITS, (symbol << 4) | length)
      } else {
        if ((reversed & (ROOT_ENTRIES - 1)) != root) {
          root = reversed & (ROOT_ENTRIES - 1)
          second = entries
          secondBits = bitsOfSecond(length)
          entries += 1 << secondBits
          store<u16>(table + (root << 1), <u16>((second << 4) | (ROOT_BITS + secondBits)))
        }
        const rest = length - ROOT_BITS
        fillEvery(table + (second << 1), reversed >> ROOT_BITS, rest, secondBits, (symbol << 4) | rest)
      }
      reversed = successor(reversed, length)
    }
  }
  return entries
}

/** Fills those of the `1 << bits` entries whose index ends with the `length` bits of `code`. */
function fillEvery(table: usize, code: i32, length: i32, bits: i32, entry: i32): void {
  for (let i = code; i < 1 << bits; i += 1 << length) store<u16>(table + (i << 1), <u16>entry)
}

/** Returns the bits beyond the root's of a table whose first code has `length` bits: until the codes left fill it. */
function bitsOfSecond(length: i32): i32 {
  let free = 1 << (length - ROOT_BITS)
  while (length < MAX_CODE_LENGTH) {
    free -= load<u16>(COUNTS + (length << 1))
    if (free <= 0) break
    free <<= 1
    length++
  }
  return length - ROOT_BITS
}

/** The code after one of `length` bits, both reversed: adds 1 at the highest bit, and carries downwards. */
function successor(reversed: i32, length: i32): i32 {
  let bit = 1 << (length - 1)
  while ((reversed & bit) != 0) bit >>= 1
  return (reversed & (bit - 1)) | bit
}
