// The uncompressed chunk and the frame header of a key frame: RFC 6386 §9, §19.1 and §19.2.
import { Status } from '../../../status'
import { BoolDecoder, openPartition, ranOut, readFlag, readLiteral, readOptionalSigned } from './bool-decoder'
import { littleEndian24, modePartition, openTokenPartitions } from './partitions'
import { readTokenProbs } from './token-probs'

/** The frame header that was read last. */
@unmanaged
class FrameHeader {
  /** Image size in pixels. */
  width: i32
  height: i32
  /** Segmentation (§9.3). */
  segmentationEnabled: bool
  segmentMapSent: bool
  /** The segment values replace the frame's instead of being added to them. */
  segmentValuesAbsolute: bool
  /** Loop filter (§9.6). */
  simpleFilter: bool
  filterLevel: i32
  sharpness: i32
  /** Deltas of the levels of all macroblocks in an intra frame, and of B_PRED macroblocks; 0 if deltas are off. */
  intraFrameDelta: i32
  bPredDelta: i32
  /** Quantizer indices (§9.6): the base and what each kind adds to it. */
  yAcIndex: i32
  yDcDelta: i32
  y2DcDelta: i32
  y2AcDelta: i32
  uvDcDelta: i32
  uvAcDelta: i32
  /** Whether macroblocks say that they have no coefficients, and the probability that they have some (§9.11). */
  skipFlagSent: bool
  skipFalseProb: i32
}

export const header: FrameHeader = changetype<FrameHeader>(memory.data(offsetof<FrameHeader>(), 4))

/** i8[4] each: quantizer index and filter level of the segments. */
export const SEGMENT_QUANTIZERS: usize = memory.data(4)
export const SEGMENT_FILTER_LEVELS: usize = memory.data(4)
/** u8[3]: node probabilities of the segment tree. */
export const SEGMENT_TREE_PROBS: usize = memory.data(3)

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
  header.skipFlagSent = readFlag(d)
  header.skipFalseProb = header.skipFlagSent ? readLiteral(d, 8) : 0
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
  header.width = <i32>load<u16>(frame + 6) & 0x3fff
  header.height = <i32>load<u16>(frame + 8) & 0x3fff
  if (header.width == 0 || header.height == 0) return Status.Malformed
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
  header.segmentValuesAbsolute = true
  header.segmentMapSent = false
  header.segmentationEnabled = readFlag(d)
  if (!header.segmentationEnabled) return
  header.segmentMapSent = readFlag(d)
  const dataSent = readFlag(d)
  if (dataSent) {
    header.segmentValuesAbsolute = readFlag(d)
    for (let i = 0; i < 4; i++) store<i8>(SEGMENT_QUANTIZERS + i, <i8>readOptionalSigned(d, 7))
    for (let i = 0; i < 4; i++) store<i8>(SEGMENT_FILTER_LEVELS + i, <i8>readOptionalSigned(d, 6))
  }
  if (header.segmentMapSent) {
    for (let i = 0; i < 3; i++) if (readFlag(d)) store<u8>(SEGMENT_TREE_PROBS + i, <u8>readLiteral(d, 8))
  }
}

/** §9.6, first part. Only the deltas of intra frames and of B_PRED matter to a key frame. */
function readLoopFilter(d: BoolDecoder): void {
  header.simpleFilter = readFlag(d)
  header.filterLevel = readLiteral(d, 6)
  header.sharpness = readLiteral(d, 3)
  header.intraFrameDelta = 0
  header.bPredDelta = 0
  const deltasEnabled = readFlag(d)
  if (!deltasEnabled || !readFlag(d)) return
  for (let i = 0; i < 4; i++) {
    const delta = readOptionalSigned(d, 6)
    if (i == 0) header.intraFrameDelta = delta
  }
  for (let i = 0; i < 4; i++) {
    const delta = readOptionalSigned(d, 6)
    if (i == 0) header.bPredDelta = delta
  }
}

/** §9.6, second part. */
function readQuantizerIndices(d: BoolDecoder): void {
  header.yAcIndex = readLiteral(d, 7)
  header.yDcDelta = readOptionalSigned(d, 4)
  header.y2DcDelta = readOptionalSigned(d, 4)
  header.y2AcDelta = readOptionalSigned(d, 4)
  header.uvDcDelta = readOptionalSigned(d, 4)
  header.uvAcDelta = readOptionalSigned(d, 4)
}
