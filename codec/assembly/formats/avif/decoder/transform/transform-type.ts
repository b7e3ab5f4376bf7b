// transform_type( ), get_tx_set( ) and compute_tx_type( ): AV1 specification, 5.11.40, 5.11.47 and 5.11.48.
import { fillFew } from '../../../../arena/few-bytes'
import {
  INTER_TX_TYPE_SET1_CDF,
  INTER_TX_TYPE_SET2_CDF,
  INTER_TX_TYPE_SET3_CDF,
  INTRA_TX_TYPE_SET1_CDF,
  INTRA_TX_TYPE_SET2_CDF,
} from '../../tables/cdf'
import {
  MODE_TO_TXFM,
  TX_SIZE_SQR,
  TX_SIZE_SQR_UP,
  TX_TYPE_IN_SET_INTER,
  TX_TYPE_IN_SET_INTRA,
  TX_TYPE_INTER_INV_SET1,
  TX_TYPE_INTER_INV_SET2,
  TX_TYPE_INTER_INV_SET3,
  TX_TYPE_INTRA_INV_SET1,
  TX_TYPE_INTRA_INV_SET2,
} from '../../tables/transform'
import { block } from '../blocks/block'
import { readSymbol } from '../blocks/symbol-decoder'
import { tile } from '../blocks/tile'
import { frame } from '../frames/frame-header'
import { qindexOf, quantization } from '../frames/quantization-params'
import { subsamplingX, subsamplingY } from '../frames/sequence-header'

const DCT_DCT: i32 = 0
const TX_16X16: i32 = 2
const TX_32X32: i32 = 3
const TX_SET_DCTONLY: i32 = 0

/** TxTypes of the superblock: u8[32][32]. */
const TX_TYPES: usize = memory.data(32 * 32)
/** Filter_Intra_Mode_To_Intra_Dir */
const FILTER_INTRA_DIRECTIONS: usize = memory.data<u8>([0, 1, 2, 6, 0])

/** Sets TxTypes of `w4` x `h4` entries. */
export function setTxType(x4: i32, y4: i32, w4: i32, h4: i32, type: i32): void {
  if (!block.isInter) {
    store<u8>(entry(x4, y4), <u8>type)
    return
  }
  const w = min(w4, 32 - (x4 & 31))
  for (let y = 0; y < h4; y++) fillFew(entry(x4, y4 + y), type, w)
}

function entry(x4: i32, y4: i32): usize {
  return TX_TYPES + <usize>(((y4 & 31) << 5) + (x4 & 31))
}

/** get_tx_set( ) */
function setOf(txSz: i32): i32 {
  const sqrUp = <i32>load<u8>(TX_SIZE_SQR_UP + txSz)
  const is16 = <i32>load<u8>(TX_SIZE_SQR + txSz) == TX_16X16
  if (sqrUp > TX_32X32) return TX_SET_DCTONLY
  if (block.isInter) return frame.reducedTxSet || sqrUp == TX_32X32 ? 3 : is16 ? 2 : 1
  if (sqrUp == TX_32X32) return TX_SET_DCTONLY
  return frame.reducedTxSet || is16 ? 2 : 1
}

/** transform_type( ) */
export function readTransformType(x4: i32, y4: i32, txSz: i32, w4: i32, h4: i32): void {
  const set = setOf(txSz)
  let type = DCT_DCT
  if (set > 0 && qindexOf(block.segmentId, quantization.baseQIdx) > 0) {
    type = block.isInter ? readInterType(set, txSz) : readIntraType(set, txSz)
  }
  setTxType(x4, y4, w4, h4, type)
}

function readIntraType(set: i32, txSz: i32): i32 {
  const size = <usize>load<u8>(TX_SIZE_SQR + txSz)
  let direction: usize = block.yMode
  if (block.useFilterIntra) direction = load<u8>(FILTER_INTRA_DIRECTIONS + block.filterIntraMode)
  const at = size * 13 + direction
  if (set == 1) return load<u8>(TX_TYPE_INTRA_INV_SET1 + readSymbol(tile.cdfs + INTRA_TX_TYPE_SET1_CDF + at * 16, 7))
  return load<u8>(TX_TYPE_INTRA_INV_SET2 + readSymbol(tile.cdfs + INTRA_TX_TYPE_SET2_CDF + at * 12, 5))
}

function readInterType(set: i32, txSz: i32): i32 {
  const size = <usize>load<u8>(TX_SIZE_SQR + txSz)
  if (set == 1) return load<u8>(TX_TYPE_INTER_INV_SET1 + readSymbol(tile.cdfs + INTER_TX_TYPE_SET1_CDF + size * 34, 16))
  if (set == 2) return load<u8>(TX_TYPE_INTER_INV_SET2 + readSymbol(tile.cdfs + INTER_TX_TYPE_SET2_CDF, 12))
  return load<u8>(TX_TYPE_INTER_INV_SET3 + readSymbol(tile.cdfs + INTER_TX_TYPE_SET3_CDF + size * 6, 2))
}

/** compute_tx_type( ) */
export function planeTxType(plane: i32, txSz: i32, x4: i32, y4: i32): i32 {
  if (block.lossless || <i32>load<u8>(TX_SIZE_SQR_UP + txSz) > TX_32X32) return DCT_DCT
  if (plane == 0) return load<u8>(entry(x4, y4))
  const set = setOf(txSz)
  if (block.isInter) {
    const type = load<u8>(entry(max(block.miCol, x4 << subsamplingX), max(block.miRow, y4 << subsamplingY)))
    return load<u8>(TX_TYPE_IN_SET_INTER + ((set << 4) + type)) != 0 ? type : DCT_DCT
  }
  const type = load<u8>(MODE_TO_TXFM + block.uvMode)
  return load<u8>(TX_TYPE_IN_SET_INTRA + ((set << 4) + type)) != 0 ? type : DCT_DCT
}
