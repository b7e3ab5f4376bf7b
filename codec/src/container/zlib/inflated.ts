import { BrokenStream } from './bit-reader.ts'

/** Copies reach no further back (RFC 1951, 2). */
const WINDOW_BYTES = 1 << 15
const BUFFER_BYTES = 4 * WINDOW_BYTES
const ADLER_BASE = 65521
/** The number of bytes after which a sum of Adler-32 may have 31 bits. */
const ADLER_BYTES = 3800

/** Inflated bytes: their number alone, or their Adler-32 too, for which the last 32 KiB are held. */
export interface Inflated {
  /** The number of bytes that it has taken. */
  readonly length: number
  /** The number of bytes that it still takes. */
  readonly room: number
  readonly isFull: boolean
  addLiteral(byte: number): void
  addCopy(length: number, distance: number): void
  addBytes(bytes: Uint8Array): void
}

/** The number of inflated bytes. */
export class InflatedLength implements Inflated {
  length = 0
  readonly room = Number.POSITIVE_INFINITY
  readonly isFull = false

  addLiteral(): void {
    this.length++
  }

  addCopy(length: number): void {
    this.length += length
  }

  addBytes(bytes: Uint8Array): void {
    this.length += bytes.length
  }
}

/** The first inflated bytes, as many as are asked for. */
export class InflatedStart implements Inflated {
  length = 0
  readonly bytes: Uint8Array

  constructor(count: number) {
    this.bytes = new Uint8Array(count)
  }

  get room(): number {
    return this.bytes.length - this.length
  }

  get isFull(): boolean {
    return this.room === 0
  }

  addLiteral(byte: number): void {
    this.bytes[this.length++] = byte
  }

  addCopy(length: number, distance: number): void {
    if (distance > this.length) throw new BrokenStream()
    for (let left = Math.min(length, this.room); left > 0; left--) {
      this.addLiteral(this.bytes[this.length - distance] ?? 0)
    }
  }

  addBytes(bytes: Uint8Array): void {
    for (const byte of bytes) this.addLiteral(byte)
  }
}

/** The Adler-32 of inflated bytes, up to a number of them, or up to the end of the copy with which they exceed it. */
export class InflatedChecksum implements Inflated {
  length = 0
  private readonly maxBytes: number
  private readonly buffer = new Uint8Array(BUFFER_BYTES)
  private at = 0
  /** The bytes of the buffer that are in the sums. */
  private summed = 0
  private low = 1
  private high = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  get room(): number {
    return Math.max(0, this.maxBytes - this.length)
  }

  get isFull(): boolean {
    return this.length >= this.maxBytes
  }

  addLiteral(byte: number): void {
    if (this.at === BUFFER_BYTES) this.slide()
    this.buffer[this.at++] = byte
    this.length++
  }

  addCopy(length: number, distance: number): void {
    if (distance > this.length) throw new BrokenStream()
    if (this.at + length > BUFFER_BYTES) this.slide()
    const { buffer } = this
    let from = this.at - distance
    for (const end = this.at + length; this.at < end; from++) buffer[this.at++] = buffer[from] ?? 0
    this.length += length
  }

  addBytes(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) {
      if (this.at === BUFFER_BYTES) this.slide()
      const part = bytes.subarray(from, from + BUFFER_BYTES - this.at)
      this.buffer.set(part, this.at)
      this.at += part.length
      from += part.length
    }
    this.length += bytes.length
  }

  /** The Adler-32 (RFC 1950, 8.2) of all bytes. */
  adler32(): number {
    this.addSums()
    return this.high * 0x10000 + this.low
  }

  private slide(): void {
    this.addSums()
    this.buffer.copyWithin(0, this.at - WINDOW_BYTES, this.at)
    this.at = WINDOW_BYTES
    this.summed = WINDOW_BYTES
  }

  private addSums(): void {
    let { low, high } = this
    for (let at = this.summed; at < this.at; ) {
      const end = Math.min(this.at, at + ADLER_BYTES)
      for (; at < end; at++) {
        low += this.buffer[at] ?? 0
        high += low
      }
      low %= ADLER_BASE
      high %= ADLER_BASE
    }
    Object.assign(this, { low, high, summed: this.at })
  }
}
