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

/**
 * Fills `table` for `symbols` symbols whose code lengths are at `lengths`, with an index of `most` bits or as few as the
 * longest code has; there is room for `entries`. Returns the width of the index, 0 if the lengths are no prefix code. Codes may
 * be left unused only where there is one at most.
 */
export function buildTable(lengths: usize, symbols: u32, table: usize, most: u32, entries: u32, kind: Codes): u32 {
  memory.fill(COUNTS, 0, 4 * 16)
  for (let i: u32 = 0; i < symbols; i++) {
    const at = COUNTS + ((<usize>load<u8>(lengths + i)) << 2)
    store<u32>(at, load<u32>(at) + 1)
  }
  const used = symbols - load<u32>(COUNTS)
  store<u32>(COUNTS, 0)
  let code: u32 = 0
  let longest: u32 = 1
  for (let length: u32 = 1; length <= MAX_BITS; length++) {
    const count = load<u32>(COUNTS + (length << 2))
    code = (code + load<u32>(COUNTS + ((length - 1) << 2))) << 1
    store<u32>(NEXT + (length << 2), code)
    if (code + count > (<u32>1) << length) return 0
    if (count > 0) longest = length
  }
  const isComplete = code + load<u32>(COUNTS + (MAX_BITS << 2)) == (<u32>1) << MAX_BITS
  if (!isComplete && (kind == Codes.OfLengths || used > 1)) return 0
  const primary = min(most, longest)
  const size = (<u32>1) << primary
  memory.fill(table, BAD_BYTE, (<usize>size) << 2)
  let end = size
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const length = <u32>load<u8>(lengths + symbol)
    if (length == 0) continue
    const at = NEXT + (length << 2)
    const reversed = reverse(load<u32>(at), length)
    store<u32>(at, load<u32>(at) + 1)
    const entry = entryOf(symbol, length, kind)
    if (length <= primary) {
      for (let i = reversed; i < size; i += (<u32>1) << length) store<u32>(table + ((<usize>i) << 2), entry)
      continue
    }
    const width = longest - primary
    const pointerAt = table + ((<usize>(reversed & (size - 1))) << 2)
    if ((load<u32>(pointerAt) & IS_POINTER) == 0) {
      if (end + ((<u32>1) << width) > entries) return 0
      store<u32>(pointerAt, IS_POINTER | (end << VALUE_SHIFT) | (width << WIDTH_SHIFT))
      memory.fill(table + ((<usize>end) << 2), BAD_BYTE, (<usize>4) << width)
      end += (<u32>1) << width
    }
    const start = (load<u32>(pointerAt) >> VALUE_SHIFT) & INDEX_MASK
    for (let i = reversed >> primary; i < (<u32>1) << width; i += (<u32>1) << (length - primary)) {
      store<u32>(table + ((<usize>(start + i)) << 2), entry)
    }
  }
  return primary
}

function entryOf(symbol: u32, length: u32, kind: Codes): u32 {
  if (kind == Codes.OfDistances) {
    if (symbol >= 30) return BAD_CODE
    const base = <u32>load<u16>(DISTANCE_BASE + (symbol << 1))
    return (
      (length + load<u8>(DISTANCE_EXTRA + symbol)) | ((length + INDEX_SHIFT) << WIDTH_SHIFT) | (base << VALUE_SHIFT)
    )
  }
  if (kind == Codes.OfLengths) return length | (symbol << VALUE_SHIFT)
  if (symbol < END_OF_BLOCK) return length | (symbol << VALUE_SHIFT) | IS_LITERAL
  if (symbol == END_OF_BLOCK) return length | IS_END
  const i = symbol - END_OF_BLOCK - 1
  if (i >= 29) return BAD_CODE
  const base = <u32>load<u16>(LENGTH_BASE + (i << 1))
  return (length + load<u8>(LENGTH_EXTRA + i)) | ((length + INDEX_SHIFT) << WIDTH_SHIFT) | (base << VALUE_SHIFT)
}

/** Returns the lowest `length` bits of `code`, at most 16, in reverse order. */
function reverse(code: u32, length: u32): u32 {
  code = ((code & 0x5555) << 1) | ((code >> 1) & 0x5555)
  code = ((code & 0x3333) << 2) | ((code >> 2) & 0x3333)
  code = ((code & 0x0f0f) << 4) | ((code >> 4) & 0x0f0f)
  return (((code & 0xff) << 8) | (code >> 8)) >> (16 - length)
}
