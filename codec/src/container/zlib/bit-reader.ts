import type { PrefixCode } from './prefix-code.ts'

/** The size of the header of a zlib stream (RFC 1950, 2.2). */
export const HEADER_BITS = 16

/** The stream is no zlib stream, or is cut. */
export class BrokenStream extends Error {}

/** The bits of the bytes of all parts, the lowest of each first. Behind the end are zeros. */
export class BitReader {
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

  /** Reads the code of a symbol. */
  symbol(code: PrefixCode): number {
    if (this.count < 15) this.fill()
    const found = code.find(this.held)
    if (found === 0) throw new BrokenStream()
    this.consume(found & 15)
    return found >> 4
  }

  /** Drops the bits up to the next whole byte. */
  align(): void {
    this.consume(this.count & 7)
  }

  /** Reads whole bytes, after `align`; calls `take` with them in parts. */
  readBytes(length: number, take: (bytes: Uint8Array) => void): void {
    if (this.byteOffset() + length > this.bytes) throw new BrokenStream()
    let left = length
    for (; left > 0 && this.count > 0; left--) take(Uint8Array.of(this.read(8)))
    while (left > 0) {
      if (this.at === this.part.length) this.takePart()
      const bytes = this.part.subarray(this.at, this.at + left)
      this.at += bytes.length
      left -= bytes.length
      take(bytes)
    }
  }

  /** The offset of the first byte of which no bit was read. */
  byteOffset(): number {
    return this.before + this.at - (this.count >> 3)
  }

  /** The offset of the first bit that was not read. */
  bitOffset(): number {
    return 8 * (this.before + this.at) - this.count
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
