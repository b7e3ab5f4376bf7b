// Reference frames and the state saved with each: AV1 specification, 7.20 and 7.21. Intra frames need none of it.
import { allocate, allocateZeroed } from '../../../../arena/memory'
import { TakeRow } from './planes'
import { bitDepth, numPlanes, subsamplingX, subsamplingY } from './sequence-header'

export const NUM_REF_FRAMES: i32 = 8
export const REFS_PER_FRAME: i32 = 7

/** A frame, by the names of the specification without their Ref or Saved. */
@unmanaged
export class Reference {
  /** The frame's number in the data, from 1. */
  number: i32
  frameType: u32
  upscaledWidth: i32
  frameHeight: i32
  miCols: i32
  miRows: i32
  orderHint: i32
  /** Bit depth and chroma sampling. */
  format: u32
  /** Where its film grain parameters are (bits.ts); 0 if it has none. */
  grainAt: u32
  /** Samples, a byte each if the bit depth is 8, else two; 0 until the frame is decoded. */
  plane0: usize
  plane1: usize
  plane2: usize
  stride0: usize
  stride1: usize
  /** The CDFs. */
  cdfs: usize
  /** MfMvs and MfRefFrames of 8x8 luma samples (motion-field.ts); 0 if there are none. */
  motion: usize
  /** SegmentIds; 0 if all are 0. */
  segments: usize
}

const HEADER_BYTES: usize = 128
const ORDER_HINTS: usize = HEADER_BYTES
const GM_PARAMS: usize = ORDER_HINTS + 4 * 8
const LOOP_FILTER_DELTAS: usize = GM_PARAMS + 4 * 6 * 8
const FEATURES: usize = LOOP_FILTER_DELTAS + 16
const FEATURE_BYTES: usize = 64 + 128

/** SavedOrderHints, i32[8]. */
export function savedOrderHints(r: Reference): usize {
  return changetype<usize>(r) + ORDER_HINTS
}

/** SavedGmParams, i32[8][6]. */
export function savedGmParams(r: Reference): usize {
  return changetype<usize>(r) + GM_PARAMS
}

/** loop_filter_ref_deltas, i8[8], and loop_filter_mode_deltas, i8[2]. */
export function savedLoopFilterDeltas(r: Reference): usize {
  return changetype<usize>(r) + LOOP_FILTER_DELTAS
}

/** FeatureEnabled and FeatureData as in segmentation.ts. */
export function savedFeatures(r: Reference): usize {
  return changetype<usize>(r) + FEATURES
}

const SLOTS: usize = memory.data(4 * 8, 4)

/** Forgets all frames. */
export function clearReferences(): void {
  memory.fill(SLOTS, 0, 4 * 8)
}

/** The frame in slot `i`. */
export function slot(i: i32): Reference {
  return changetype<Reference>(<usize>load<u32>(SLOTS + (i << 2)))
}

/** Whether there is a frame in slot `i` (RefValid) that is coded as the present sequence says. */
export function isValid(i: i32): bool {
  return changetype<usize>(slot(i)) != 0 && slot(i).format == presentFormat()
}

/** Puts a frame into slot `i`. */
export function setSlot(i: i32, r: Reference): void {
  store<u32>(SLOTS + (i << 2), <u32>changetype<usize>(r))
}

/** Makes a frame of the present sequence; all else of it is 0. */
export function newReference(): Reference {
  const made = changetype<Reference>(allocateZeroed(FEATURES + FEATURE_BYTES))
  made.format = presentFormat()
  return made
}

function presentFormat(): u32 {
  return bitDepth | (numPlanes << 8) | (subsamplingX << 16) | (subsamplingY << 17)
}

// The samples.

/** Bits to shift an index by for the bytes before a sample. */
export function sampleShift(): usize {
  return bitDepth > 8 ? 1 : 0
}

/** Bytes that the samples of a frame take. */
export function sampleBytes(width: i32, height: i32): u64 {
  const luma = (<u64>width + 16) * height
  const chroma = numPlanes > 1 ? 2 * (((<u64>width + 1) >> subsamplingX) + 16) * ((<u64>height + 1) >> subsamplingY) : 0
  return (luma + chroma + 64) << sampleShift()
}

let target: Reference = changetype<Reference>(0)

/** Takes the memory for the samples of a frame; `storeRow` then puts them there. */
export function startSamples(r: Reference): void {
  target = r
  const shift = sampleShift()
  r.stride0 = (<usize>r.upscaledWidth) << shift
  r.plane0 = allocate(r.stride0 * r.frameHeight + 32)
  if (numPlanes == 1) return
  r.stride1 = (<usize>((r.upscaledWidth + subsamplingX) >> subsamplingX)) << shift
  const bytes = r.stride1 * ((r.frameHeight + subsamplingY) >> subsamplingY) + 32
  r.plane1 = allocate(bytes)
  r.plane2 = allocate(bytes)
}

/** Copies a row of the current frame to its reference frame. */
export const storeRow: TakeRow = (plane: i32, y: i32, row: usize): void => {
  const stride = plane == 0 ? target.stride0 : target.stride1
  const to = planeOf(target, plane) + stride * y
  if (bitDepth > 8) {
    memory.copy(to, row, stride)
    return
  }
  for (let x: usize = 0; x < stride; x++) store<u8>(to + x, load<u8>(row + (x << 1)))
}

/** Address of the first sample of a plane. */
export function planeOf(r: Reference, plane: i32): usize {
  return plane == 0 ? r.plane0 : plane == 1 ? r.plane1 : r.plane2
}
