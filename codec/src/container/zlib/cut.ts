import { bytesBE, bytesLE, concat } from '../../bytes.ts'
import { BitReader, BrokenStream, HEADER_BITS } from './bit-reader.ts'
import { type Block, DeflateBlocks, END_OF_BLOCK } from './deflate-blocks.ts'
import { InflatedChecksum } from './inflated.ts'

const STORED_LENGTH_BYTES = 2

/**
 * Cuts the zlib stream of all parts (RFC 1950 and 1951) after this many inflated bytes, without compressing them again. The copy that
 * reaches them stays whole: it may repeat up to 257 earlier bytes behind them. Undefined for a stream that has fewer, or is broken.
 */
export function cutZlib(parts: readonly Uint8Array[], inflatedBytes: number): Uint8Array | undefined {
  const reader = new BitReader(parts)
  const inflated = new InflatedChecksum(inflatedBytes)
  try {
    reader.read(HEADER_BITS)
    const blocks = new DeflateBlocks(reader, inflated)
    for (let block = blocks.next(); ; block = blocks.next()) {
      if (block.isFull) return concat([endedIn(block, concat(parts), reader), bytesBE(inflated.adler32(), 4)])
      if (block.isLast) return undefined
    }
  } catch (error) {
    if (error instanceof BrokenStream) return undefined
    throw error
  }
}

/** The stream up to the last bit that was read, which ends its last block there. */
function endedIn({ bitOffset, body }: Block, stream: Uint8Array, reader: BitReader): Uint8Array {
  const end = reader.bitOffset()
  const endOfBlock = 'codes' in body ? body.codes.literals.codeOf(END_OF_BLOCK) : { code: 0, bits: 0 }
  if (!endOfBlock) throw new BrokenStream()
  const ended = new Uint8Array(Math.ceil((end + endOfBlock.bits) / 8))
  ended.set(stream.subarray(0, Math.ceil(end / 8)))
  ended[end >> 3] = (ended[end >> 3] ?? 0) & ((1 << (end & 7)) - 1)
  for (let bit = 0; bit < endOfBlock.bits; bit++) if ((endOfBlock.code >> bit) & 1) setBit(ended, end + bit)
  setBit(ended, bitOffset)
  if ('byteOffset' in body) {
    const length = ended.length - body.byteOffset
    const lengths = [bytesLE(length, STORED_LENGTH_BYTES), bytesLE(length ^ 0xffff, STORED_LENGTH_BYTES)]
    ended.set(concat(lengths), body.byteOffset - 2 * STORED_LENGTH_BYTES)
  }
  return ended
}

function setBit(bytes: Uint8Array, at: number): void {
  bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (1 << (at & 7))
}
