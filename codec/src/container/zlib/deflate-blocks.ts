import { type BitReader, BrokenStream } from './bit-reader.ts'
import type { Inflated } from './inflated.ts'
import { PrefixCode } from './prefix-code.ts'

/** The order of the lengths of code lengths (RFC 1951, 3.2.7). */
const CODE_LENGTH_ORDER = Uint8Array.of(16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15)
const MAX_LITERALS = 286
const MAX_DISTANCES = 30
const FIXED_LITERALS = 288
export const END_OF_BLOCK = 256
const LONGEST_COPY = 258

/** The codes of a block. */
export interface Codes {
  literals: PrefixCode
  distances: PrefixCode
}

/** A block as far as it was read. */
export interface Block {
  /** The offset of its first bit in the stream. */
  bitOffset: number
  isLast: boolean
  /** Whether reading stopped because `inflated` is full. */
  isFull: boolean
  /** Its codes, or the offset of its bytes if they are stored. */
  body: { codes: Codes } | { byteOffset: number }
}

/** Reads the blocks of a deflate stream (RFC 1951). */
export class DeflateBlocks {
  private readonly own: Codes = { literals: new PrefixCode(MAX_LITERALS), distances: new PrefixCode(MAX_DISTANCES) }
  private readonly ofLengths = new PrefixCode(CODE_LENGTH_ORDER.length)
  private readonly lengths = new Uint8Array(MAX_LITERALS + MAX_DISTANCES)
  /** The codes of blocks that send none (3.2.6), made when the first such block comes. */
  private fixed: Codes | undefined
  private readonly reader: BitReader
  private readonly inflated: Inflated

  constructor(reader: BitReader, inflated: Inflated) {
    this.reader = reader
    this.inflated = inflated
  }

  /** Reads a block, up to the symbol that fills `inflated`. Throws BrokenStream. */
  next(): Block {
    const { reader, inflated } = this
    const bitOffset = reader.bitOffset()
    const isLast = reader.read(1) === 1
    const codes = this.readCodes(reader.read(2))
    const body = codes ? this.inflateSymbols(codes) : this.inflateStored()
    return { bitOffset, isLast, isFull: inflated.isFull, body }
  }

  /** Returns the codes of a block of this type, undefined if it has none. */
  private readCodes(type: number): Codes | undefined {
    if (type === 0) return undefined
    if (type === 1) return this.takeFixed()
    if (type !== 2) throw new BrokenStream()
    this.readDynamic()
    return this.own
  }

  private takeFixed(): Codes {
    if (this.fixed) return this.fixed
    const lengths = new Uint8Array(FIXED_LITERALS).fill(8).fill(9, 144, 256).fill(7, 256, 280)
    const [literals, distances] = [new PrefixCode(FIXED_LITERALS), new PrefixCode(32)]
    literals.assign(lengths, 0, lengths.length)
    distances.assign(new Uint8Array(32).fill(5), 0, 32)
    this.fixed = { literals, distances }
    return this.fixed
  }

  /** Reads the codes of a block with codes of its own (3.2.7). */
  private readDynamic(): void {
    const { reader, lengths, ofLengths } = this
    const [literals, distances, ordered] = [reader.read(5) + 257, reader.read(5) + 1, reader.read(4) + 4]
    if (literals > MAX_LITERALS || distances > MAX_DISTANCES) throw new BrokenStream()
    lengths.fill(0, 0, CODE_LENGTH_ORDER.length)
    for (let i = 0; i < ordered; i++) lengths[CODE_LENGTH_ORDER[i] ?? 0] = reader.read(3)
    if (!ofLengths.assign(lengths, 0, CODE_LENGTH_ORDER.length)) throw new BrokenStream()
    const total = literals + distances
    for (let at = 0; at < total; ) {
      const symbol = reader.symbol(ofLengths)
      if (symbol < 16) {
        lengths[at++] = symbol
        continue
      }
      if (symbol === 16 && at === 0) throw new BrokenStream()
      const value = symbol === 16 ? (lengths[at - 1] ?? 0) : 0
      const end = at + (symbol === 16 ? 3 + reader.read(2) : symbol === 17 ? 3 + reader.read(3) : 11 + reader.read(7))
      if (end > total) throw new BrokenStream()
      lengths.fill(value, at, end)
      at = end
    }
    const isValid = lengths[END_OF_BLOCK] !== 0 && this.own.literals.assign(lengths, 0, literals)
    if (!isValid || !this.own.distances.assign(lengths, literals, total)) throw new BrokenStream()
  }

  /** Reads symbols up to the end of the block, with the extra bits of lengths and distances (3.2.5). */
  private inflateSymbols(codes: Codes): Block['body'] {
    const { reader, inflated } = this
    while (!inflated.isFull) {
      const symbol = reader.symbol(codes.literals)
      if (symbol === END_OF_BLOCK) break
      if (symbol < END_OF_BLOCK) inflated.addLiteral(symbol)
      else {
        const length = this.lengthOf(symbol)
        const distance = this.distanceOf(reader.symbol(codes.distances))
        inflated.addCopy(length, distance)
      }
    }
    return { codes }
  }

  private lengthOf(symbol: number): number {
    if (symbol < 265) return symbol - 254
    if (symbol === 285) return LONGEST_COPY
    if (symbol > 285) throw new BrokenStream()
    const extraBits = (symbol - 261) >> 2
    return ((4 + ((symbol - 261) & 3)) << extraBits) + 3 + this.reader.read(extraBits)
  }

  private distanceOf(symbol: number): number {
    if (symbol < 4) return symbol + 1
    if (symbol >= MAX_DISTANCES) throw new BrokenStream()
    const extraBits = (symbol - 2) >> 1
    return ((2 + (symbol & 1)) << extraBits) + 1 + this.reader.read(extraBits)
  }

  /** Reads the bytes of a stored block (3.2.4). */
  private inflateStored(): Block['body'] {
    const { reader, inflated } = this
    reader.align()
    const length = reader.read(16)
    if ((length ^ reader.read(16)) !== 0xffff) throw new BrokenStream()
    const byteOffset = reader.byteOffset()
    reader.readBytes(Math.min(length, inflated.room), (bytes) => inflated.addBytes(bytes))
    return { byteOffset }
  }
}
