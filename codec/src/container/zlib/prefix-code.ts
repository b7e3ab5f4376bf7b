/** Longer codes are decoded bit by bit. */
const TABLE_BITS = 10
const MAX_BITS = 15

/**
 * A prefix code of deflate (RFC 1951, 3.2.2), which is assigned again for each block. A stream may have a block every 14 bytes, so
 * assignment allocates nothing, and its table is small.
 */
export class PrefixCode {
  /** By the next bits of the stream: the symbol times 16, plus the bits of its code; 0 for longer codes, and where there is none. */
  private readonly table = new Uint16Array(1 << TABLE_BITS)
  /** The bits of the stream that the table is read by. */
  private mask = 0
  /** The number of codes of each length. */
  private readonly counts = new Uint16Array(MAX_BITS + 1)
  /** For each length, where its next symbol is written in `symbols`. */
  private readonly next = new Uint16Array(MAX_BITS + 2)
  /** The offsets of the lengths above 0. */
  private readonly coded: Uint16Array
  /** The symbols in the order of their codes. */
  private readonly symbols: Uint16Array

  constructor(maxSymbols: number) {
    this.coded = new Uint16Array(maxSymbols)
    this.symbols = new Uint16Array(maxSymbols)
  }

  /**
   * Assigns codes to the symbols of `lengths` from `start` to `end`, which are 0 for symbols without a code. Returns whether that
   * is a prefix code. Bits may be left unused only if there is at most one code, of one bit.
   */
  assign(lengths: Uint8Array, start: number, end: number): boolean {
    const { counts, next, symbols, coded } = this
    counts.fill(0)
    next[1] = 0
    let codes = 0
    for (let at = start; at < end; at++) {
      const length = lengths[at] ?? 0
      if (length === 0) continue
      counts[length] = (counts[length] ?? 0) + 1
      coded[codes++] = at
    }
    let unused = 1
    let longest = 1
    for (let length = 1; length <= MAX_BITS; length++) {
      const count = counts[length] ?? 0
      unused = 2 * unused - count
      if (unused < 0) return false
      if (count > 0) longest = length
      next[length + 1] = (next[length] ?? 0) + count
    }
    if (unused > 0 && longest > 1) return false
    for (let i = 0; i < codes; i++) {
      const at = coded[i] ?? 0
      const length = lengths[at] ?? 0
      symbols[next[length] ?? 0] = at - start
      next[length] = (next[length] ?? 0) + 1
    }
    this.fillTable(Math.min(longest, TABLE_BITS))
    return true
  }

  /** Returns the symbol that these 15 bits of the stream begin with, times 16, plus the bits of its code; 0 if there is none. */
  find(bits: number): number {
    return (this.table[bits & this.mask] ?? 0) || this.findLong(bits)
  }

  /** Returns the code of a symbol, its first bit lowest, and its length; undefined if it has none. */
  codeOf(symbol: number): { code: number; bits: number } | undefined {
    let [code, at] = [0, 0]
    for (let bits = 1; bits <= MAX_BITS; bits++) {
      code <<= 1
      for (let left = this.counts[bits] ?? 0; left > 0; left--, code++, at++) {
        if (this.symbols[at] === symbol) return { code: reversed(code, bits), bits }
      }
    }
    return undefined
  }

  /** Fills the table. The table of all codes up to a length, twice, is that of the next length without its own codes. */
  private fillTable(bits: number): void {
    const { table, counts, symbols } = this
    this.mask = (1 << bits) - 1
    table[0] = 0
    let [code, at] = [0, 0]
    for (let length = 1; length <= bits; length++) {
      table.copyWithin(1 << (length - 1), 0, 1 << (length - 1))
      code <<= 1
      // Codes begin with their highest bit, bytes with their lowest.
      for (let left = counts[length] ?? 0; left > 0; left--, code++, at++) {
        table[reversed(code, length)] = ((symbols[at] ?? 0) << 4) | length
      }
    }
  }

  private findLong(bits: number): number {
    let [code, first, at] = [0, 0, 0]
    for (let length = 1; length <= MAX_BITS; length++) {
      const count = this.counts[length] ?? 0
      code |= (bits >> (length - 1)) & 1
      if (code < first + count) return ((this.symbols[at + code - first] ?? 0) << 4) | length
      at += count
      first = (first + count) << 1
      code <<= 1
    }
    return 0
  }
}

function reversed(code: number, bits: number): number {
  let result = 0
  for (let i = 0; i < bits; i++) result |= ((code >> i) & 1) << (bits - 1 - i)
  return result
}
