// intra_segment_id( ) and inter_segment_id( ): AV1 specification, 5.11.8, 5.11.9 and 5.11.19.
import { SEGMENT_ID_CDF, SEGMENT_ID_PREDICTED_CDF } from '../../tables/cdf'
import { block } from '../blocks/block'
import { segmentAt } from '../blocks/block-map'
import { aboveBlocks, leftBlocks, leftRow } from '../blocks/neighbours'
import { readBool, readSymbol } from '../blocks/symbol-decoder'
import { tile } from '../blocks/tile'
import { isLossless } from '../frames/quantization-params'
import { segmentation } from '../frames/segmentation'
import { previousSegmentId } from './keep'

/** Reads segment_id, and finds whether the block is lossless. */
export function readIntraSegmentId(): void {
  block.segmentId = segmentation.enabled ? readSegmentId() : 0
  block.lossless = isLossless(block.segmentId)
}

/** Reads segment_id before or after skip, in a frame that is predicted from others. */
export function readInterSegmentId(preSkip: bool): void {
  block.segmentId = interSegmentId(preSkip)
  block.lossless = isLossless(block.segmentId)
}

function interSegmentId(preSkip: bool): i32 {
  if (!segmentation.enabled) return 0
  if (!segmentation.updateMap) return previousSegmentId()
  if (preSkip && !segmentation.segIdPreSkip) return 0
  if (!preSkip && block.skip) {
    tellPrediction(0)
    return readSegmentId()
  }
  if (!segmentation.temporalUpdate) return readSegmentId()
  const above = aboveBlocks.segPreds + block.miCol
  const ctx = <usize>load<u8>(leftBlocks.segPreds + leftRow(block.miRow)) + load<u8>(above)
  const isPredicted = readBool(tile.cdfs + SEGMENT_ID_PREDICTED_CDF + ctx * 6)
  const id = isPredicted != 0 ? previousSegmentId() : readSegmentId()
  tellPrediction(isPredicted)
  return id
}

/** AboveSegPredContext and LeftSegPredContext. */
function tellPrediction(isPredicted: i32): void {
  memory.fill(aboveBlocks.segPreds + block.miCol, <u8>isPredicted, block.bw4)
  memory.fill(leftBlocks.segPreds + leftRow(block.miRow), <u8>isPredicted, block.bh4)
}

function readSegmentId(): i32 {
  const r = block.miRow
  const c = block.miCol
  const prevUL = block.availU && block.availL ? segmentAt(r - 1, c - 1) : -1
  const prevU = block.availU ? segmentAt(r - 1, c) : -1
  const prevL = block.availL ? segmentAt(r, c - 1) : -1
  let pred = prevUL == prevU ? prevU : prevL
  if (prevU == -1) pred = prevL == -1 ? 0 : prevL
  else if (prevL == -1) pred = prevU
  if (block.skip) return pred
  const ctx: usize = contextOf(prevUL, prevU, prevL)
  const diff = readSymbol(tile.cdfs + SEGMENT_ID_CDF + ctx * 18, 8)
  return max(0, min(segmentation.lastActiveSegId, negDeinterleave(diff, pred, segmentation.lastActiveSegId + 1)))
}

function contextOf(prevUL: i32, prevU: i32, prevL: i32): i32 {
  if (prevUL < 0) return 0
  if (prevUL == prevU && prevUL == prevL) return 2
  return prevUL == prevU || prevUL == prevL || prevU == prevL ? 1 : 0
}

/** neg_deinterleave( ) */
function negDeinterleave(diff: i32, ref: i32, most: i32): i32 {
  if (ref == 0) return diff
  if (ref >= most - 1) return most - diff - 1
  const isInterleaved = 2 * ref < most ? diff <= 2 * ref : diff <= 2 * (most - ref - 1)
  if (isInterleaved) return (diff & 1) != 0 ? ref + ((diff + 1) >> 1) : ref - (diff >> 1)
  return 2 * ref < most ? diff : most - (diff + 1)
}
