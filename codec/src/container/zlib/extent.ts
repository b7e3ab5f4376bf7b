import { BitReader, BrokenStream, HEADER_BITS } from './bit-reader.ts'
import { DeflateBlocks } from './deflate-blocks.ts'
import { InflatedLength, InflatedStart } from './inflated.ts'

const ADLER_BYTES = 4

/** The sizes of a zlib stream, in bytes. */
export interface ZlibExtent {
  /** Its length, with its Adler-32. */
  bytes: number
  inflatedBytes: number
}

/**
 * Measures the zlib stream at the start of the bytes of all parts (RFC 1950 and 1951). It decodes symbols and writes nothing.
 * Undefined for a stream that is broken or cut.
 */
export function measureZlib(parts: readonly Uint8Array[]): ZlibExtent | undefined {
  const reader = new BitReader(parts)
  const inflated = new InflatedLength()
  try {
    reader.read(HEADER_BITS)
    const blocks = new DeflateBlocks(reader, inflated)
    while (!blocks.next().isLast);
  } catch (error) {
    if (error instanceof BrokenStream) return undefined
    throw error
  }
  const bytes = reader.byteOffset() + ADLER_BYTES
  return bytes <= reader.bytes ? { bytes, inflatedBytes: inflated.length } : undefined
}

/** Inflates the first bytes of a zlib stream; undefined if it has fewer, or is broken before. */
export function inflateStart(stream: Uint8Array, count: number): Uint8Array | undefined {
  const reader = new BitReader([stream])
  const inflated = new InflatedStart(count)
  try {
    reader.read(HEADER_BITS)
    const blocks = new DeflateBlocks(reader, inflated)
    while (!inflated.isFull) if (blocks.next().isLast) break
  } catch (error) {
    if (error instanceof BrokenStream) return undefined
    throw error
  }
  return inflated.isFull ? inflated.bytes : undefined
}
