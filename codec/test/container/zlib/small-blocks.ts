import { bytesBE, concat } from '../../../src/bytes.ts'
import { newBitWriter } from '../../formats/webp-lossless/decoder/bit-writer.ts'

const END_OF_BLOCK = 256
const LITERALS = 257
const CODE_LENGTHS = 19
/** Lengths up to 15 are sent with four bits each. */
const LENGTH_BITS = 4

/** Lengths of the codes of the first symbols; the last of the literals is that of the end of the block. */
interface Lengths {
  literals?: readonly number[]
  distances?: readonly number[]
}

/**
 * A zlib stream of so many blocks with codes of their own (RFC 1951, 3.2.7), of a byte 0 each. The codes of byte 0 and of the end have one
 * bit, also where other lengths are sent.
 */
export function smallBlocks(blocks: number, { literals = [1, 1], distances = [1] }: Lengths = {}): Uint8Array {
  const out = newBitWriter()
  out.put(0x0178, 16)
  const lengths = new Array<number>(LITERALS).fill(0)
  for (const [symbol, length] of literals.slice(0, -1).entries()) lengths[symbol] = length
  lengths[END_OF_BLOCK] = literals.at(-1) ?? 0
  for (let block = 0; block < blocks; block++) {
    out.put(block === blocks - 1 ? 1 : 0, 1)
    out.put(2, 2)
    out.put(0, 5)
    out.put(distances.length - 1, 5)
    out.put(CODE_LENGTHS - 4, 4)
    // Codes of 16, 17 and 18 come first, and are not used.
    for (let i = 0; i < CODE_LENGTHS; i++) out.put(i < 3 ? 0 : LENGTH_BITS, 3)
    for (const length of [...lengths, ...distances])
      for (let bit = LENGTH_BITS - 1; bit >= 0; bit--) out.put(length >> bit, 1)
    out.put(0, 1)
    out.put(1, 1)
  }
  return concat([out.bytes(), bytesBE(blocks * 0x10000 + 1, 4)])
}
