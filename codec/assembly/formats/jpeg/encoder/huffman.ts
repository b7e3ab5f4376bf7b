// Huffman codes as short as the counts of their symbols allow, and none longer than 16 bits (T.81 K.2 and annex C).

import { SYMBOLS } from './tokens'

const MAX_CODE_LENGTH: i32 = 16
/** Counts of a few millions never need a longer code, before it is shortened. */
const MAX_UNLIMITED_LENGTH: i32 = 32
/** A symbol that is never coded: it takes the code of nothing but ones, which must not be used (K.2). */
const RESERVED: i32 = SYMBOLS

/** For each table u8[17]: how many codes there are of each length. */
const LENGTHS: usize = memory.data(4 * 17)
/** For each table the symbols in the order of their codes. */
const VALUES: usize = memory.data(4 * 256)
/** For each table u32[256]: code << 8 | its length and that of the additional bits. */
const CODES: usize = memory.data(4 * 256 * 4, 4)

// While a tree is made: for each symbol and the reserved one its tree's count, the length of its code, and the next
// symbol of the same tree or -1.
const WEIGHTS: usize = memory.data(257 * 4, 4)
const SIZES: usize = memory.data(257)
const OTHERS: usize = memory.data(257 * 4, 4)
const UNLIMITED: usize = memory.data(33 * 4, 4)

/** Makes the codes of table `table` from u32[256] counts; symbols that were not counted get none. */
export function makeCodes(table: i32, counts: usize): void {
  buildTree(counts)
  limitLengths(table)
  sortSymbols(table)
  assignCodes(table)
}

/** Returns the number of codes of table `table` with `length` bits. */
export function codesOfLength(table: i32, length: i32): i32 {
  return load<u8>(LENGTHS + <usize>(table * 17 + length))
}

/** The symbols of table `table` in the order of their codes. */
export function symbolsInOrder(table: i32): usize {
  return VALUES + ((<usize>table) << 8)
}

/** The code of table and symbol, `table << 8 | symbol`: code << 8 | length with the additional bits. */
export function codeOf(symbol: usize): u32 {
  return load<u32>(CODES + (symbol << 2))
}

/** Figure K.1: the two rarest trees become one, until one is left. */
function buildTree(counts: usize): void {
  memory.copy(WEIGHTS, counts, (<usize>SYMBOLS) << 2)
  store<u32>(WEIGHTS + ((<usize>RESERVED) << 2), 1)
  memory.fill(SIZES, 0, 257)
  memory.fill(OTHERS, 255, 257 * 4)
  while (true) {
    const rarest = findRarest(-1)
    const second = findRarest(rarest)
    if (second < 0) return
    store<u32>(WEIGHTS + ((<usize>rarest) << 2), weight(rarest) + weight(second))
    store<u32>(WEIGHTS + ((<usize>second) << 2), 0)
    const end = lengthen(rarest)
    store<i32>(OTHERS + ((<usize>end) << 2), second)
    lengthen(second)
  }
}

/** The tree of the least count but for one; of equals the last. -1 if there is none. */
function findRarest(except: i32): i32 {
  let found = -1
  for (let symbol = 0; symbol <= RESERVED; symbol++) {
    if (symbol == except || weight(symbol) == 0) continue
    if (found < 0 || weight(symbol) <= weight(found)) found = symbol
  }
  return found
}

function weight(symbol: i32): u32 {
  return load<u32>(WEIGHTS + ((<usize>symbol) << 2))
}

/** Lengthens all codes of a tree by a bit. Returns its last symbol. */
function lengthen(symbol: i32): i32 {
  while (true) {
    store<u8>(SIZES + <usize>symbol, load<u8>(SIZES + <usize>symbol) + 1)
    const other = load<i32>(OTHERS + ((<usize>symbol) << 2))
    if (other < 0) return symbol
    symbol = other
  }
}

/** Count_BITS and Adjust_BITS (T.81 K.2): pairs of codes that are too long move up, next to a shorter one that moves down. */
function limitLengths(table: i32): void {
  memory.fill(UNLIMITED, 0, 33 * 4)
  for (let symbol = 0; symbol <= RESERVED; symbol++) {
    const size = min(MAX_UNLIMITED_LENGTH, <i32>load<u8>(SIZES + <usize>symbol))
    if (size > 0) change(size, 1)
  }
  for (let length = MAX_UNLIMITED_LENGTH; length > MAX_CODE_LENGTH; length--) {
    while (counted(length) > 0) {
      let shorter = length - 2
      while (counted(shorter) == 0) shorter--
      change(length, -2)
      change(length - 1, 1)
      change(shorter + 1, 2)
      change(shorter, -1)
    }
  }
  let longest = MAX_CODE_LENGTH
  while (counted(longest) == 0) longest--
  change(longest, -1)
  for (let length = 0; length <= MAX_CODE_LENGTH; length++) {
    store<u8>(LENGTHS + <usize>(table * 17 + length), <u8>counted(length))
  }
}

function counted(length: i32): i32 {
  return load<i32>(UNLIMITED + ((<usize>length) << 2))
}

function change(length: i32, by: i32): void {
  store<i32>(UNLIMITED + ((<usize>length) << 2), counted(length) + by)
}

/** Figure K.4: by the length that the tree gave, which keeps the order of all. */
function sortSymbols(table: i32): void {
  let to = symbolsInOrder(table)
  for (let length = 1; length <= MAX_UNLIMITED_LENGTH; length++) {
    for (let symbol = 0; symbol < SYMBOLS; symbol++) {
      if (<i32>load<u8>(SIZES + <usize>symbol) == length) store<u8>(to++, <u8>symbol)
    }
  }
}

/** C.2: codes of one length follow each other, and the first of the next length doubles. */
function assignCodes(table: i32): void {
  memory.fill(CODES + ((<usize>table) << 10), 0, 1 << 10)
  let at = symbolsInOrder(table)
  let code = 0
  for (let length = 1; length <= MAX_CODE_LENGTH; length++, code <<= 1) {
    for (let left = codesOfLength(table, length); left > 0; left--, code++) {
      const symbol = <i32>load<u8>(at++)
      const entry = CODES + ((<usize>((table << 8) | symbol)) << 2)
      store<u32>(entry, <u32>((code << 8) | (length + (symbol & 15))))
    }
  }
}
