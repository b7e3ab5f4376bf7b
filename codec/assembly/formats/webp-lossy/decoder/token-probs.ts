// The probabilities by which the tokens of a frame are coded (RFC 6386 §13.3 and §13.4), laid out for the token reader.
import {
  COEFF_BANDS,
  COEFF_UPDATE_PROBS,
  DEFAULT_COEFF_PROBS,
  PROBS_PER_BAND,
  PROBS_PER_CONTEXT,
  PROBS_PER_TYPE,
  ZIGZAG,
} from '../tables'
import { BoolDecoder, readBool, readLiteral } from './bool-decoder'

/**
 * A context begins with the first three nodes, which nearly every token reaches, as factors: probability << 16 and
 * (256 - probability) << 16 (see `splitOf`). From `NODE_3` on follow the probabilities of the other eight.
 */
export const CONTEXT_BYTES: i32 = 32
export const NODE_3: i32 = 24
/** A position has three contexts, and at `COEFFICIENT_OFFSET` by how many bytes its coefficient lies behind the DC (u8). */
export const POSITION_BYTES: i32 = 128
export const COEFFICIENT_OFFSET: i32 = 3 * CONTEXT_BYTES
export const POSITIONS: i32 = 16
/** After the last position of a block type the factors are 0: to a reader of zeros nothing there is a zero. */
export const TYPE_BYTES: i32 = (POSITIONS + 1) * POSITION_BYTES
/** [block type 4][position 17]: the bands are written out for each position, so that the token reader steps by a constant. */
export const TOKEN_PROBS: usize = memory.data(4 * TYPE_BYTES, POSITION_BYTES)
const BAND_PROBS: usize = memory.data(8 * 33)

/** §13.4, and the bands of §13.3 written out. */
export function readTokenProbs(d: BoolDecoder): void {
  for (let type = 0; type < 4; type++) {
    const bands = type * PROBS_PER_TYPE
    for (let i = 0; i < PROBS_PER_TYPE; i++) {
      const replaced = <bool>readBool(d, load<u8>(COEFF_UPDATE_PROBS + bands + i))
      store<u8>(BAND_PROBS + i, replaced ? <u8>readLiteral(d, 8) : load<u8>(DEFAULT_COEFF_PROBS + bands + i))
    }
    let position = TOKEN_PROBS + type * TYPE_BYTES
    for (let n = 0; n < POSITIONS; n++, position += POSITION_BYTES) {
      layOut(BAND_PROBS + <i32>load<u8>(COEFF_BANDS + n) * PROBS_PER_BAND, position)
      store<u8>(position, load<u8>(ZIGZAG + n) << 1, COEFFICIENT_OFFSET)
    }
  }
}

/** The three contexts of a band, as a position has them. */
function layOut(probs: usize, position: usize): void {
  for (let at = position; at < position + COEFFICIENT_OFFSET; at += CONTEXT_BYTES, probs += PROBS_PER_CONTEXT) {
    for (let node = 0; node < 3; node++) {
      const probability = <u32>load<u8>(probs + node)
      store<u32>(at + 8 * node, probability << 16)
      store<u32>(at + 8 * node, (256 - probability) << 16, 4)
    }
    store<u64>(at, load<u64>(probs, 3), NODE_3)
  }
}
