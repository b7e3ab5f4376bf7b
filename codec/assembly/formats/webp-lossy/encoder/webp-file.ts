// The finished file: RIFF container, frame tag and header (RFC 6386 §9, §19.1, §19.2), modes, coefficients.
import { allocate } from '../../../arena/memory'
import { COEFF_PROB_COUNT, COEFF_UPDATE_PROBS, DEFAULT_COEFF_PROBS } from '../tables'
import {
  finishPartition,
  makeRoom,
  partitionBytes,
  partitionStart,
  putBool,
  putLiteral,
  startPartition,
} from './bool-encoder'
import { putModes, skipFalseProbability, skippedCount } from './modes'
import { filterLevel, SHARPNESS } from './quality'
import { CHROMA_AC_DELTA, CHROMA_DC_DELTA, LUMA_DC_DELTA, SEGMENTS, Y2_AC_DELTA, Y2_DC_DELTA } from './quantizer'
import { chooseSegmentProbabilities, frameIndex, hasSegments, SEGMENT_PROBS, segmentIndex } from './segments'
import { bytesBefore } from './token-buffer'
import { CODED_PROBS } from './token-probabilities'

const CONTAINER_BYTES: usize = 20
const TAG_BYTES: usize = 10
/** The frame tag has 19 bits for the length of the first partition. */
export const FIRST_PARTITION_LIMIT: usize = 1 << 19

let start: usize = 0
let bytes: usize = 0

/** Address of the file that `writeWebpFile` made last. */
export function fileStart(): usize {
  return start
}

/** Length of the file in bytes. */
export function fileBytes(): usize {
  return bytes
}

/** Ends the partition of coefficients and writes the file. Returns false if the modes do not fit the first partition. */
export function writeWebpFile(width: i32, height: i32): bool {
  finishPartition()
  const coefficients = partitionStart()
  const coefficientBytes = partitionBytes()
  startPartition()
  putHeader()
  putModes()
  finishPartition()
  const firstBytes = partitionBytes()
  if (firstBytes >= FIRST_PARTITION_LIMIT) return false

  // The token buffer, empty by now, is before the coefficients: the head fits there.
  const headBytes = CONTAINER_BYTES + TAG_BYTES + firstBytes
  const frameBytes = TAG_BYTES + firstBytes + coefficientBytes
  const padding = frameBytes & 1
  if (bytesBefore(coefficients) >= headBytes) {
    start = coefficients - headBytes
  } else {
    start = allocate(headBytes + coefficientBytes + 1)
    memory.copy(start + headBytes, coefficients, coefficientBytes)
  }
  bytes = CONTAINER_BYTES + frameBytes + padding
  if (padding == 1) store<u8>(start + bytes - 1, 0)
  memory.copy(start + CONTAINER_BYTES + TAG_BYTES, partitionStart(), firstBytes)
  putContainer(<u32>frameBytes)
  putTag(width, height, <u32>firstBytes)
  return true
}

/** The simple file format: one chunk "VP8 " in a RIFF file of kind WEBP. */
function putContainer(frameBytes: u32): void {
  store<u32>(start, 0x46464952) // RIFF
  store<u32>(start, <u32>bytes - 8, 4)
  store<u32>(start, 0x50424557, 8) // WEBP
  store<u32>(start, 0x20385056, 12) // VP8 and a space
  store<u32>(start, frameBytes, 16)
}

/** The uncompressed chunk (§9.1): a shown key frame of version 0, no scaling. */
function putTag(width: i32, height: i32, firstBytes: u32): void {
  const at = start + CONTAINER_BYTES
  const showFrame: u32 = 1 << 4
  const word = showFrame | (firstBytes << 5)
  store<u16>(at, <u16>word)
  store<u8>(at, <u8>(word >> 16), 2)
  store<u8>(at, 0x9d, 3)
  store<u8>(at, 0x01, 4)
  store<u8>(at, 0x2a, 5)
  store<u16>(at, <u16>width, 6)
  store<u16>(at, <u16>height, 8)
}

/** The frame header (§19.2): the normal filter, one partition of coefficients. */
function putHeader(): void {
  const segmented = hasSegments()
  putLiteral(0, 1) // color_space
  putLiteral(0, 1) // clamping_type
  putLiteral(segmented ? 1 : 0, 1) // segmentation_enabled
  if (segmented) putSegments()
  putLiteral(0, 1) // filter_type
  putLiteral(filterLevel(frameIndex()), 6)
  putLiteral(SHARPNESS, 3)
  putLiteral(0, 1) // loop_filter_adj_enable
  putLiteral(0, 2) // log2_nbr_of_dct_partitions
  putLiteral(frameIndex(), 7)
  putDelta(LUMA_DC_DELTA)
  putDelta(Y2_DC_DELTA)
  putDelta(Y2_AC_DELTA)
  putDelta(CHROMA_DC_DELTA)
  putDelta(CHROMA_AC_DELTA)
  putLiteral(0, 1) // refresh_entropy_probs
  for (let n = 0; n < COEFF_PROB_COUNT; n++) {
    makeRoom(9)
    const probability = load<u8>(CODED_PROBS + n)
    const changed = probability != load<u8>(DEFAULT_COEFF_PROBS + n)
    putBool(load<u8>(COEFF_UPDATE_PROBS + n), changed ? 1 : 0)
    if (changed) putLiteral(probability, 8)
  }
  const skips = skippedCount() > 0
  putLiteral(skips ? 1 : 0, 1)
  if (skips) putLiteral(skipFalseProbability(), 8)
}

/** update_segmentation() (§19.2): each segment's quantizer index and filter level, and the probabilities of their tree. */
function putSegments(): void {
  putLiteral(1, 1) // update_mb_segmentation_map
  putLiteral(1, 1) // update_segment_feature_data
  putLiteral(1, 1) // segment_feature_mode: absolute values
  for (let segment = 0; segment < SEGMENTS; segment++) {
    putLiteral(1, 1) // quantizer_update
    putLiteral(segmentIndex(segment), 7)
    putLiteral(0, 1) // its sign
  }
  for (let segment = 0; segment < SEGMENTS; segment++) {
    putLiteral(1, 1) // loop_filter_update
    putLiteral(filterLevel(segmentIndex(segment)), 6)
    putLiteral(0, 1) // its sign
  }
  chooseSegmentProbabilities()
  for (let n = 0; n < 3; n++) {
    putLiteral(1, 1)
    putLiteral(load<u8>(SEGMENT_PROBS + n), 8)
  }
}

function putDelta(delta: i32): void {
  putLiteral(delta == 0 ? 0 : 1, 1)
  if (delta == 0) return
  putLiteral(abs(delta), 4)
  putLiteral(delta < 0 ? 1 : 0, 1)
}
