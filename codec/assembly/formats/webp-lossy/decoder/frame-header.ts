// The uncompressed chunk and the frame header of a key frame: RFC 6386 §9, §19.1 and §19.2.
import { Status } from '../../../status'
import { BoolDecoder, openPartition, ranOut, readFlag, readLiteral, readOptionalSigned } from './bool-decoder'
import { littleEndian24, modePartition, openTokenPartitions } from './partitions'
import { readTokenProbs } from './token-probs'

/** Image size in pixels. */
export let width: i32 = 0
export let height: i32 = 0

/** Segmentation (§9.3). */
export let segmentationEnabled: bool = false
export let segmentMapSent: bool = false
/** The segment values replace the frame's instead of being added to them. */
export let segmentValuesAbsolute: bool = false
/** i8[4] each: quantizer index and filter level of the segments. */
export const SEGMENT_QUANTIZERS: usize = memory.data(4)
export const SEGMENT_FILTER_LEVELS: usize = memory.data(4)
/** u8[3]: node probabilities of the segment tree. */
export const SEGMENT_TREE_PROBS: usize = memory.data(3)

/** Loop filter (§9.6). */
export let simpleFilter: bool = false
export let filterLevel: i32 = 0
export let sharpness: i32 = 0
/** Deltas of the levels of all macroblocks in an intra frame, and of B_PRED macroblocks; 0 if deltas are off. */
export let intraFrameDelta: i32 = 0
export let bPredDelta: i32 = 0

/** Quantizer indices (§9.6): the base and what each kind adds to it. */
export let yAcIndex: i32 = 0
export let yDcDelta: i32 = 0
export let y2DcDelta: i32 = 0
export let y2AcDelta: i32 = 0
export let uvDcDelta: i32 = 0
export let uvAcDelta: i32 = 0

/** Whether macroblocks say that they have no coefficients, and the probability that they have some (§9.11). */
export let skipFlagSent: bool = false
export let skipFalseProb: i32 = 0

/** Reads the headers of the frame of `length` bytes at `frame` and opens its partitions. */
export function readFrameHeader(frame: usize, length: usize): Status {
  const status = readUncompressedChunk(frame, length)
  if (status != Status.Ok) return status
  const d = modePartition
  readFlag(d) // color_space
  readFlag(d) // clamping_type: clamping is harmless where it is not needed
  readSegmentation(d)
  readLoopFilter(d)
  const partitionBits = readLiteral(d, 2)
  if (!openTokenPartitions(d.end, frame + length, 1 << partitionBits)) return Status.Malformed
  readQuantizerIndices(d)
  readFlag(d) // refresh_entropy_probs: there is no next frame
  readTokenProbs(d)
  skipFlagSent = readFlag(d)
  skipFalseProb = skipFlagSent ? readLiteral(d, 8) : 0
  return ranOut(d) ? Status.Malformed : Status.Ok
}

/** §9.1, §19.1: ten bytes, then the first partition. */
function readUncompressedChunk(frame: usize, length: usize): Status {
  if (length < 10) return Status.Malformed
  const tag = littleEndian24(frame)
  const keyFrame = (tag & 1) == 0
  const version = (tag >> 1) & 7
  const shown = ((tag >> 4) & 1) == 1
  const firstPartition = <usize>(tag >> 5)
  if (!keyFrame || version > 3 || !shown || littleEndian24(frame + 3) != 0x2a019d) return Status.Malformed
  width = <i32>load<u16>(frame + 6) & 0x3fff
  height = <i32>load<u16>(frame + 8) & 0x3fff
  if (width == 0 || height == 0) return Status.Malformed
  if (firstPartition > length - 10) return Status.Malformed
  openPartition(modePartition, frame + 10, firstPartition)
  return Status.Ok
}

/**
 * §9.3. Where segmentation is on but no data is sent, §20.4 would use the frame's values; like dwebp this takes the
 * segments' zeros as they are.
 */
function readSegmentation(d: BoolDecoder): void {
  memory.fill(SEGMENT_QUANTIZERS, 0, 4)
  memory.fill(SEGMENT_FILTER_LEVELS, 0, 4)
  memory.fill(SEGMENT_TREE_PROBS, 255, 3)
  segmentValuesAbsolute = true
  segmentMapSent = false
  segmentationEnabled = readFlag(d)
  if (!segmentationEnabled) return
  segmentMapSent = readFlag(d)
  const dataSent = readFlag(d)
  if (dataSent) {
    segmentValuesAbsolute = readFlag(d)
    for (let i = 0; i < 4; i++) store<i8>(SEGMENT_QUANTIZERS + i, <i8>readOptionalSigned(d, 7))
    for (let i = 0; i < 4; i++) store<i8>(SEGMENT_FILTER_LEVELS + i, <i8>readOptionalSigned(d, 6))
  }
  if (segmentMapSent) {
    for (let i = 0; i < 3; i++) if (readFlag(d)) store<u8>(SEGMENT_TREE_PROBS + i, <u8>readLiteral(d, 8))
  }
}

/** §9.6, first part. Only the deltas of intra frames and of B_PRED matter to a key frame. */
function readLoopFilter(d: BoolDecoder): void {
  simpleFilter = readFlag(d)
  filterLevel = readLiteral(d, 6)
  sharpness = readLiteral(d, 3)
  intraFrameDelta = 0
  bPredDelta = 0
  const deltasEnabled = readFlag(d)
  if (!deltasEnabled || !readFlag(d)) return
  for (let i = 0; i < 4; i++) {
    const delta = readOptionalSigned(d, 6)
    if (i == 0) intraFrameDelta = delta
  }
  for (let i = 0; i < 4; i++) {
    const delta = readOptionalSigned(d, 6)
    if (i == 0) bPredDelta = delta
  }
}

/** §9.6, second part. */
function readQuantizerIndices(d: BoolDecoder): void {
  yAcIndex = readLiteral(d, 7)
  yDcDelta = readOptionalSigned(d, 4)
  y2DcDelta = readOptionalSigned(d, 4)
  y2AcDelta = readOptionalSigned(d, 4)
  uvDcDelta = readOptionalSigned(d, 4)
  uvAcDelta = readOptionalSigned(d, 4)
}
