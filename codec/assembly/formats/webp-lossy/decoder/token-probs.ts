// The probabilities by which the tokens of a frame are coded: RFC 6386 §13.3 and §13.4.
import { COEFF_BANDS, COEFF_UPDATE_PROBS, DEFAULT_COEFF_PROBS, PROBS_PER_BAND, PROBS_PER_TYPE } from '../tables'
import { BoolDecoder, readBool, readLiteral } from './bool-decoder'

/** Stride of one position, and of one block type, in `TOKEN_PROBS`. */
export const PROBS_PER_POSITION: i32 = PROBS_PER_BAND
export const PROBS_PER_POSITION_TYPE: i32 = 17 * PROBS_PER_BAND
/**
 * Token probabilities [block type 4][position 17][context 3][node 11]: those of §13.4, with the bands written out for
 * each coefficient position, so that the token reader steps by a constant.
 */
export const TOKEN_PROBS: usize = memory.data(4 * 17 * 33)
const BAND_PROBS: usize = memory.data(8 * 33)

/** §13.4, and the bands of §13.3 written out. */
export function readTokenProbs(d: BoolDecoder): void {
  for (let type = 0; type < 4; type++) {
    const bands = type * PROBS_PER_TYPE
    const positions = TOKEN_PROBS + type * PROBS_PER_POSITION_TYPE
    for (let i = 0; i < PROBS_PER_TYPE; i++) {
      const replaced = <bool>readBool(d, load<u8>(COEFF_UPDATE_PROBS + bands + i))
      store<u8>(BAND_PROBS + i, replaced ? <u8>readLiteral(d, 8) : load<u8>(DEFAULT_COEFF_PROBS + bands + i))
    }
    for (let n = 0; n < 17; n++) {
      const band = <i32>load<u8>(COEFF_BANDS + n)
      memory.copy(positions + n * PROBS_PER_POSITION, BAND_PROBS + band * PROBS_PER_BAND, PROBS_PER_BAND)
    }
  }
}
