// Tables that decode Huffman codes of deflate (RFC 1951, 3.2.2): the next bits of the input are the index. Codes that are longer
// than that have a table of their own behind a pointer.

// An entry: bits 0..5 how many bits the code has, those that follow a length or distance included; then, by its kind:
/**
 * In bits 6..10: the number of bits of a length's or distance's code, without those that follow, plus `INDEX_SHIFT`; or the
 * width of the table behind.
 */
export const WIDTH_SHIFT: u32 = 6
export const WIDTH_MASK: u32 = 31
/** In bits 11..: a literal, a base, or where the table behind begins. */
export const VALUE_SHIFT: u32 = 11
/** The sign bit. */
export const IS_LITERAL: u32 = 0x80000000
export const IS_POINTER: u32 = 0x40000000
export const IS_END: u32 = 0x20000000
/** An index times the 4 bytes of an entry is its offset in the table. */
export const INDEX_SHIFT: u32 = 2
/** No code, or one that the specification keeps back. */
export const BAD_CODE: u32 = 0x10000000
/** Four of it are an entry that is BAD_CODE, and nothing else. */
const BAD_BYTE: u8 = 0x10
/** Of where a table begins: the longest has 4336 entries. */
export const INDEX_MASK: u32 = 0x1fff

export const enum Codes {
  OfLengths,
  OfLiterals,
  OfDistances,
}

const MAX_BITS: u32 = 15
const END_OF_BLOCK: u32 = 256

/** RFC 1951, 3.2.5: of the symbols 257 to 285 the least length, of those above 0 the least distance; and their extra bits. */
const LENGTH_BASE: usize = memory.data<u16>([
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
])
const LENGTH_EXTRA: usize = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
])
const DISTANCE_BASE: usize = memory.data<u16>([
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
  8193, 12289, 16385, 24577,
])
const DISTANCE_EXTRA: usize = memory.data<u8>([
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
])

const COUNTS: usize = memory.data(4 * 16)
const NEXT: usize = memory.data(4 * 16)
/** u16[320]: the symbols of a code, shorter codes first. */
const SORTED: usize = memory.data(2 * 320)

/** Of each symbol of a kind the entry, without the length of its code: u32[288], u32[32] and u32[19]. */
const LITERAL_BASES: usize = memory.data(4 * 288)
const DISTANCE_BASES: usize = memory.data(4 * 32)
const LENGTH_BASES: usize = memory.data(4 * 19)
/** An entry has the length of its code twice. */
const LENGTHS_IN_ENTRY: u32 = 1 + (1 << WIDTH_SHIFT)

/** Prepares the entries of all symbols. */
export function prepareSymbols(): void {
  for (let i: u32 = 0; i < 288; i++) store<u32>(LITERAL_BASES + (i << 2), baseOfLiteral(i))
  for (let i: u32 = 0; i < 32; i++) {
    const base = i < 30 ? baseOf(load<u16>(DISTANCE_BASE + (i << 1)), load<u8>(DISTANCE_EXTRA + i)) : BAD_CODE
    store<u32>(DISTANCE_BASES + (i << 2), base)
  }
  for (let i: u32 = 0; i < 19; i++) store<u32>(LENGTH_BASES + (i << 2), baseOf(i, 0))
}

function baseOfLiteral(symbol: u32): u32 {
  if (symbol < END_OF_BLOCK) return baseOf(symbol, 0) | IS_LITERAL
  if (symbol == END_OF_BLOCK) return IS_END
  const i = symbol - END_OF_BLOCK - 1
  return i < 29 ? baseOf(load<u16>(LENGTH_BASE + (i << 1)), load<u8>(LENGTH_EXTRA + i)) : BAD_CODE
}

function baseOf(value: u32, extraBits: u32): u32 {
  return (value << VALUE_SHIFT) | (INDEX_SHIFT << WIDTH_SHIFT) | extraBits
}

/**
 * Fills `table` for `symbols` symbols whose code lengths are at `lengths`, with an index of `most` bits or as few as the
 * longest code has; there is room for `entries`. Returns the width of the index, 0 if the lengths are no prefix code. Codes may
 * be left unused only where there is one at most.
 */
export function buildTable(lengths: usize, symbols: u32, table: usize, most: u32, entries: u32, kind: Codes): u32 {
  const longest = sortSymbols(lengths, symbols, kind)
  if (longest == 0) return 0
  const primary = min(most, longest)
  const bases = kind == Codes.OfLiterals ? LITERAL_BASES : kind == Codes.OfDistances ? DISTANCE_BASES : LENGTH_BASES
  memory.fill(table, BAD_BYTE, 8)
  let sorted = SORTED
  let code: u32 = 0
  let length: u32 = 1
  // The table of all codes up to a length, twice, is that of the next length without its own codes.
  while (true) {
    for (let i = countOf(length); i > 0; i--, sorted += 2) {
      store<u32>(table + (reverse(code++, length) << INDEX_SHIFT), entryOf(bases, sorted, length))
    }
    if (length == primary) break
    memory.copy(table + (4 << length), table, 4 << length)
    length++
    code <<= 1
  }
  return addLongCodes(table, primary, longest, entries, bases, sorted, code) ? primary : 0
}

/** Adds the codes that are longer than `primary`. Their symbols begin at `sorted`, after codes up to `code`. */
function addLongCodes(
  table: usize,
  primary: u32,
  longest: u32,
  entries: u32,
  bases: usize,
  sorted: usize,
  code: u32,
): bool {
  const width = longest - primary
  let end = (<u32>1) << primary
  for (let length = primary + 1; length <= longest; length++) {
    code <<= 1
    for (let i = countOf(length); i > 0; i--, sorted += 2) {
      const reversed = reverse(code++, length)
      const pointerAt = table + ((reversed & ((1 << primary) - 1)) << INDEX_SHIFT)
      if ((load<u32>(pointerAt) & IS_POINTER) == 0) {
        if (end + ((<u32>1) << width) > entries) return false
        store<u32>(pointerAt, IS_POINTER | (end << VALUE_SHIFT) | (width << WIDTH_SHIFT))
        memory.fill(table + (end << INDEX_SHIFT), BAD_BYTE, 4 << width)
        end += (<u32>1) << width
      }
      const start = (load<u32>(pointerAt) >> VALUE_SHIFT) & INDEX_MASK
      const entry = entryOf(bases, sorted, length)
      for (let j = reversed >> primary; j < (<u32>1) << width; j += (<u32>1) << (length - primary)) {
        store<u32>(table + ((start + j) << INDEX_SHIFT), entry)
      }
    }
  }
  return true
}

/** Fills `COUNTS` and `SORTED`. Returns the length of the longest code, 0 if the lengths are no prefix code. */
function sortSymbols(lengths: usize, symbols: u32, kind: Codes): u32 {
  memory.fill(COUNTS, 0, 4 * 16)
  for (let i: u32 = 0; i < symbols; i++) {
    const at = COUNTS + ((<usize>load<u8>(lengths + i)) << 2)
    store<u32>(at, load<u32>(at) + 1)
  }
  const used = symbols - countOf(0)
  let code: u32 = 0
  let longest: u32 = 1
  let next: u32 = 0
  for (let length: u32 = 1; length <= MAX_BITS; length++) {
    const count = countOf(length)
    store<u32>(NEXT + (length << 2), next)
    next += count
    code = (code << 1) + count
    if (code > (<u32>1) << length) return 0
    if (count > 0) longest = length
  }
  const isComplete = code == (<u32>1) << MAX_BITS
  if (!isComplete && (kind == Codes.OfLengths || used > 1)) return 0
  for (let i: u32 = 0; i < symbols; i++) {
    const length = <usize>load<u8>(lengths + i)
    if (length == 0) continue
    const at = NEXT + (length << 2)
    const to = load<u32>(at)
    store<u16>(SORTED + (to << 1), <u16>i)
    store<u32>(at, to + 1)
  }
  return longest
}

// @ts-ignore: decorator
@inline
function countOf(length: u32): u32 {
  return load<u32>(COUNTS + (length << 2))
}

// @ts-ignore: decorator
@inline
function entryOf(bases: usize, sorted: usize, length: u32): u32 {
  return load<u32>(bases + ((<usize>load<u16>(sorted)) << 2)) + length * LENGTHS_IN_ENTRY
}

/** Returns the lowest `length` bits of `code`, at most 16, in reverse order. */
function reverse(code: u32, length: u32): u32 {
  code = ((code & 0x5555) << 1) | ((code >> 1) & 0x5555)
  code = ((code & 0x3333) << 2) | ((code >> 2) & 0x3333)
  code = ((code & 0x0f0f) << 4) | ((code >> 4) & 0x0f0f)
  return (((code & 0xff) << 8) | (code >> 8)) >> (16 - length)
}
