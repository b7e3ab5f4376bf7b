/** The order of the lengths of code lengths (RFC 1951, 3.2.7). */
const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
const END_OF_BLOCK = 256
const ADLER_BYTES = 4

/** A prefix code, by the next bits of the stream: the symbol times 16, plus its bits; 0 for bits that no code begins with. */
interface PrefixCode {
  table: Uint16Array
  bits: number
}

type Codes = [literals: PrefixCode, distances: PrefixCode]

/** The codes of blocks that send none (3.2.6), made when the first such block comes. */
let fixedCodes: Codes | undefined

/**
 * Returns the length of the zlib stream at the start of the bytes of all parts, with its Adler-32 (RFC 1950 and 1951). It decodes
 * symbols and writes nothing. Undefined for a stream that is broken or cut.
 */
export function zlibEnd(parts: readonly Uint8Array[]): number | undefined {
  const reader = new BitReader(parts)
  try {
    reader.read(16)
    while (!skipBlock(reader));
  } catch (error) {
    if (error instanceof BrokenStream) return undefined
    throw error
  }
  const end = reader.byteOffset() + ADLER_BYTES
  return end <= reader.bytes ? end : undefined
}

class BrokenStream extends Error {}

/** Skips a block. Returns whether it is the last. */
function skipBlock(reader: BitReader): boolean {
  const isLast = reader.read(1) === 1
  const type = reader.read(2)
  if (type === 0) reader.skipStored()
  else if (type === 1) reader.skipSymbols(...takeFixedCodes())
  else if (type === 2) reader.skipSymbols(...readCodes(reader))
  else throw new BrokenStream()
  return isLast
}

function takeFixedCodes(): Codes {
  if (fixedCodes) return fixedCodes
  const literals = Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8))
  fixedCodes = [prefixCode(literals), prefixCode(new Array<number>(30).fill(5))]
  return fixedCodes
}

/** Reads the codes of a block (3.2.7). */
function readCodes(reader: BitReader): Codes {
  const [literals, distances, ordered] = [reader.read(5) + 257, reader.read(5) + 1, reader.read(4) + 4]
  const lengths = new Array<number>(CODE_LENGTH_ORDER.length).fill(0)
  for (const at of CODE_LENGTH_ORDER.slice(0, ordered)) lengths[at] = reader.read(3)
  const code = prefixCode(lengths)
  const all: number[] = []
  while (all.length < literals + distances) {
    const symbol = reader.symbol(code)
    if (symbol < 16) all.push(symbol)
    else if (symbol === 16) all.push(...new Array<number>(reader.read(2) + 3).fill(all.at(-1) ?? 0))
    else all.push(...new Array<number>(symbol === 17 ? reader.read(3) + 3 : reader.read(7) + 11).fill(0))
  }
  if (all.length > literals + distances) throw new BrokenStream()
  return [prefixCode(all.slice(0, literals)), prefixCode(all.slice(literals))]
}

/** The code of these lengths, which are 0 for symbols that it lacks (3.2.2). */
function prefixCode(lengths: readonly number[]): PrefixCode {
  const bits = Math.max(1, ...lengths)
  const counts = new Array<number>(bits + 1).fill(0)
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] ?? 0) + 1
  const next = [0, 0]
  for (let length = 1; length <= bits; length++) next[length + 1] = ((next[length] ?? 0) + (counts[length] ?? 0)) << 1
  const table = new Uint16Array(1 << bits)
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue
    const code = next[length] ?? 0
    if (code >= 1 << length) throw new BrokenStream()
    next[length] = code + 1
    // Codes begin with their highest bit, bytes with their lowest.
    for (let at = reversed(code, length); at < table.length; at += 1 << length) table[at] = (symbol << 4) | length
  }
  return { table, bits }
}

function reversed(code: number, bits: number): number {
  let result = 0
  for (let i = 0; i < bits; i++) result |= ((code >> i) & 1) << (bits - 1 - i)
  return result
}

/** The bits of the bytes of all parts, the lowest of each first. Behind the end are zeros. */
class BitReader {
  /** The number of all bytes. */
  readonly bytes: number
  private readonly parts: readonly Uint8Array[]
  private part: Uint8Array = new Uint8Array()
  private nextPart = 0
  private at = 0
  /** The bytes of the parts before this one. */
  private before = 0
  private held = 0
  private count = 0

  constructor(parts: readonly Uint8Array[]) {
    this.parts = parts
    this.bytes = parts.reduce((sum, part) => sum + part.length, 0)
  }

  /** Reads up to 16 bits. */
  read(bits: number): number {
    if (this.count < bits) this.fill()
    const value = this.held & ((1 << bits) - 1)
    this.consume(bits)
    return value
  }

  symbol({ table, bits }: PrefixCode): number {
    if (this.count < bits) this.fill()
    const entry = table[this.held & ((1 << bits) - 1)] ?? 0
    if (entry === 0) throw new BrokenStream()
    this.consume(entry & 15)
    return entry >> 4
  }

  /** Skips the symbols of a block, with the extra bits of lengths and distances (3.2.5). */
  skipSymbols(literals: PrefixCode, distances: PrefixCode): void {
    for (;;) {
      const symbol = this.symbol(literals)
      if (symbol === END_OF_BLOCK) return
      if (symbol < END_OF_BLOCK) continue
      if (symbol > 285) throw new BrokenStream()
      if (symbol > 264 && symbol < 285) this.read((symbol - 261) >> 2)
      const distance = this.symbol(distances)
      if (distance > 29) throw new BrokenStream()
      if (distance > 3) this.read((distance - 2) >> 1)
    }
  }

  /** Skips a stored block (3.2.4). */
  skipStored(): void {
    this.consume(this.count & 7)
    const length = this.read(16)
    if ((length ^ this.read(16)) !== 0xffff) throw new BrokenStream()
    if (this.byteOffset() + length > this.bytes) throw new BrokenStream()
    const held = Math.min(length, this.count >> 3)
    this.consume(8 * held)
    for (let left = length - held; left > 0; ) {
      if (this.at === this.part.length) this.takePart()
      const skipped = Math.min(left, this.part.length - this.at)
      this.at += skipped
      left -= skipped
    }
  }

  /** The offset of the first byte of which no bit was read. */
  byteOffset(): number {
    return this.before + this.at - (this.count >> 3)
  }

  /** Holds 24 bits or more. */
  private fill(): void {
    while (this.count < 24) {
      while (this.at === this.part.length && this.nextPart < this.parts.length) this.takePart()
      this.held |= (this.part[this.at++] ?? 0) << this.count
      this.count += 8
    }
    if (this.byteOffset() > this.bytes) throw new BrokenStream()
  }

  private takePart(): void {
    this.before += this.part.length
    this.at = 0
    this.part = this.parts[this.nextPart++] ?? new Uint8Array()
  }

  private consume(bits: number): void {
    this.held >>>= bits
    this.count -= bits
  }
}
