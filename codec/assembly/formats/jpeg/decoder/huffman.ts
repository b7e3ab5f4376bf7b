// Huffman tables (T.81 B.2.4.2, C.2, F.2.2.3), and look-up tables made from them when a scan first uses one.

import { allocate } from '../../../arena/memory'
import { extend, fill, reader, setWindow } from './bit-reader'
import { typicalTable } from './typical-huffman'

/** Bits looked up at once for a symbol, and for symbols that are only passed over. */
export const SYMBOL_BITS: i32 = 10
export const SKIP_BITS: i32 = 12
export const SKIP_ENDS: i32 = 1024
const SKIP_NONE: i32 = 127

/** The least code that is no more of length n, aligned to 16 bits, and the index of its values minus its first code. */
const LIMITS: usize = 0
const OFFSETS: usize = LIMITS + 18 * 4
const COUNTS: usize = OFFSETS + 18 * 4
const VALUES: usize = COUNTS + 16
/** A State. */
const STATE: usize = VALUES + 256
/** u16: code length << 8 | symbol; 0: longer than SYMBOL_BITS. */
export const SYMBOLS: usize = STATE + 16
/** u32, see `entry`; 0: longer. */
export const ENTRIES: usize = SYMBOLS + (2 << SYMBOL_BITS)
/** u16: bits to drop | coefficients << 5, with SKIP_ENDS added to them where the block ends; more than 64 of them: longer. */
export const SKIPS: usize = ENTRIES + (4 << SYMBOL_BITS)
const TABLE_BYTES: usize = SKIPS + (2 << SKIP_BITS)

const enum State {
  Undefined = 0,
  Defined = 1,
  PreparedDc = 2,
  PreparedAc = 3,
  PreparedToSkip = 4,
}

let tables: usize = 0

/** Forgets all tables of the image before. */
export function resetHuffman(): void {
  tables = allocate(8 * TABLE_BYTES)
  for (let i: usize = 0; i < 8; i++) store<u8>(tables + i * TABLE_BYTES + STATE, <u8>State.Undefined)
}

/** Reads a DHT segment's payload; false if it is not well formed. */
export function readHuffmanTables(from: usize, to: usize): bool {
  while (from < to) {
    if (from + 17 > to) return false
    const id = <i32>load<u8>(from)
    if ((id & 0xef) > 3) return false
    const table = tableAt((id >> 2) | (id & 3))
    let values: usize = 0
    for (let i: usize = 1; i <= 16; i++) values += <usize>load<u8>(from + i)
    if (values > 256 || from + 17 + values > to) return false
    memory.copy(table + COUNTS, from + 1, 16)
    memory.fill(table + VALUES, 0, 256)
    memory.copy(table + VALUES, from + 17, values)
    store<u8>(table + STATE, <u8>State.Defined)
    from += 17 + values
  }
  return true
}

/** The DC table of destination `id`, ready for use, or 0 if it is undefined or no code. */
export function dcTable(id: i32): usize {
  return id > 3 ? 0 : prepared(tableAt(id), State.PreparedDc)
}

/** The AC table of destination `id`, ready for use, with SKIPS if blocks are to be skipped; or 0 if it is undefined or no code. */
export function acTable(id: i32, skips: bool): usize {
  return id > 3 ? 0 : prepared(tableAt(4 | id), skips ? State.PreparedToSkip : State.PreparedAc)
}

/** DECODE (F.2.2.3): the next symbol; a code that the table does not have is passed over as 0. */
export function takeSymbol(table: usize): i32 {
  if (reader.bitsLeft < 16) fill()
  const found = <i32>load<u16>(table + SYMBOLS + ((<usize>(reader.window >> <u64>(64 - SYMBOL_BITS))) << 1))
  const symbol = found == 0 ? longSymbol(table, reader.window) : found
  setWindow(reader.window << (<u64>(symbol >> 8)), reader.bitsLeft - (symbol >> 8))
  return symbol & 255
}

/**
 * An entry for a code and the bits after it: bits 0..4 the number of bits to drop, 5..8 the number of bits still to
 * read for the value. Bits 9..15 are the number of zero coefficients before it, 16..31 the value, if nothing is to be
 * read. An end of block has 64 zeros before it, and its value is the n of EOBn (G.1.2.2). ZRL is a zero after 15.
 */
function entry(length: i32, symbol: i32): u32 {
  const size = symbol & 15
  const plain = <u32>(length | (size << 5))
  if (size == 0 && symbol != 0xf0) return plain | (64 << 9) | <u32>((symbol >> 4) << 16)
  return plain | <u32>((symbol >> 4) << 9)
}

/** The entry of a code longer than SYMBOL_BITS at the top of `bits`. */
export function longEntry(table: usize, bits: u64): u32 {
  const symbol = longSymbol(table, bits)
  return entry(symbol >> 8, symbol & 255)
}

function tableAt(index: i32): usize {
  return tables + <usize>index * TABLE_BYTES
}

/** Code length << 8 | symbol of a code longer than SYMBOL_BITS at the top of `bits`; one that the table does not have is 0. */
export function longSymbol(table: usize, bits: u64): i32 {
  const code = <i32>(bits >> 48)
  for (let n = 1; n <= 16; n++) {
    if (code < load<i32>(table + LIMITS + ((<usize>n) << 2))) {
      const index = (code >> (16 - n)) + load<i32>(table + OFFSETS + ((<usize>n) << 2))
      return (n << 8) | <i32>load<u8>(table + VALUES + <usize>(index & 255))
    }
  }
  return 16 << 8
}

function prepared(table: usize, wanted: State): usize {
  const state = <i32>load<u8>(table + STATE)
  if (state == wanted) return table
  if ((state == State.Undefined && !useTypical(table)) || !generate(table, wanted == State.PreparedDc)) return 0
  if (wanted == State.PreparedToSkip) generateSkips(table)
  store<u8>(table + STATE, <u8>wanted)
  return table
}

/** Generate_code_table (C.2), straight into the look-up tables. */
function generate(table: usize, isDc: bool): bool {
  memory.fill(table + SYMBOLS, 0, 2 << SYMBOL_BITS)
  memory.fill(table + ENTRIES, 0, 4 << SYMBOL_BITS)
  let code = 0
  let k = 0
  for (let n = 1; n <= 16; n++) {
    store<i32>(table + OFFSETS + ((<usize>n) << 2), k - code)
    const count = <i32>load<u8>(table + COUNTS + <usize>(n - 1))
    for (let i = 0; i < count; i++, k++, code++) {
      const symbol = <i32>load<u8>(table + VALUES + <usize>k)
      if (isDc && symbol > 15) return false
      if (n <= SYMBOL_BITS) spread(table, code << (SYMBOL_BITS - n), n, symbol, isDc)
    }
    if (code > 1 << n) return false
    store<i32>(table + LIMITS + ((<usize>n) << 2), code << (16 - n))
    code <<= 1
  }
  return true
}

/** Enters a symbol at every index that begins with its code; values whose bits are in the index too are worked out. */
function spread(table: usize, first: i32, length: i32, symbol: i32, isDc: bool): void {
  const rest = SYMBOL_BITS - length
  const size = symbol & 15
  const plain = isDc ? <u32>(length | (size << 5)) : entry(length, symbol)
  for (let i = 0; i < 1 << rest && first + i < 1 << SYMBOL_BITS; i++) {
    const index = <usize>(first + i)
    store<u16>(table + SYMBOLS + (index << 1), <u16>((length << 8) | symbol))
    let found = plain
    if (size > 0 && size <= rest) {
      const value = extend(i >> (rest - size), size)
      found = (plain & 0xfe00) | <u32>(length + size) | ((<u32>value) << 16)
    }
    store<u32>(table + ENTRIES + (index << 2), found)
  }
}

/** Where no coefficient is retained, as many symbols as begin within SKIP_BITS are skipped at once. */
function generateSkips(table: usize): void {
  for (let index = 0; index < 1 << SKIP_BITS; index++) {
    let drop = 0
    let coefficients = 0
    while (drop < SKIP_BITS && coefficients < 64) {
      const rest = (<u64>index) << (<u64>(64 - SKIP_BITS + drop))
      const found = <i32>load<u16>(table + SYMBOLS + ((<usize>(rest >> <u64>(64 - SYMBOL_BITS))) << 1))
      const symbol = found == 0 ? longSymbol(table, rest) : found
      const length = symbol >> 8
      if (drop + length > SKIP_BITS) break
      const zeros = <i32>((entry(length, symbol & 255) >> 9) & 127)
      if (zeros < 64 && coefficients + zeros + 1 > 64) break
      drop += length + (symbol & 15)
      coefficients += zeros < 64 ? zeros + 1 : SKIP_ENDS + 1
    }
    const skip = drop == 0 ? SKIP_NONE << 5 : drop | (coefficients << 5)
    store<u16>(table + SKIPS + ((<usize>index) << 1), <u16>skip)
  }
}

/** Frames of Motion JPEG leave out the tables of annex K (K.3.3), which then are those of the destinations 0 and 1. */
function useTypical(table: usize): bool {
  const index = <i32>((table - tables) / TABLE_BYTES)
  if ((index & 3) > 1) return false
  const typical = typicalTable(index >> 2, index & 3)
  memory.copy(table + COUNTS, typical, 16)
  memory.fill(table + VALUES, 0, 256)
  memory.copy(table + VALUES, typical + 16, index < 4 ? 12 : 162)
  store<u8>(table + STATE, <u8>State.Defined)
  return true
}
