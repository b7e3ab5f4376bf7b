// Header fields of reference frames: AV1 specification, 7.20 and 7.21.
import { frame, KEY_FRAME } from './frame-header'
import { saveGmParams } from './global-motion'
import { grainParams } from './grain-params'
import { LAST_FRAME, orderHintOf, referenceOf } from './inter-params'
import { saveLoopFilterDeltas } from './loop-filter-params'
import {
  NUM_REF_FRAMES,
  newReference,
  REFS_PER_FRAME,
  Reference,
  sampleBytes,
  savedFeatures,
  savedGmParams,
  savedLoopFilterDeltas,
  savedOrderHints,
  setSlot,
} from './references'
import { saveFeatures } from './segmentation'

/** The numbers of the frames that the present one is predicted from, a bit each from number 1 on. */
export function predecessors(): u32 {
  let numbers: u32 = 0
  if (frame.isIntra) return numbers
  for (let i = 0; i < REFS_PER_FRAME; i++) numbers |= 1 << (referenceOf(LAST_FRAME + i).number - 1)
  return numbers
}

/** Bytes that are held of the present frame where others are predicted from it. */
export function frameBytes(): u64 {
  // Motion and segments, CDFs, and all samples where blocks are copied from anywhere.
  const storedBytes =
    sampleBytes(frame.upscaledWidth, frame.height) + 4 * <u64>frame.miCols * <u64>frame.miRows + 40_000
  return frame.allowIntrabc ? 3 * storedBytes : storedBytes
}

/** Returns the record of the current frame, with the fields of its header. */
export function describeFrame(number: i32): Reference {
  const r = newReference()
  r.number = number
  r.frameType = frame.type
  r.upscaledWidth = frame.upscaledWidth
  r.frameHeight = frame.height
  r.miCols = frame.miCols
  r.miRows = frame.miRows
  r.orderHint = frame.orderHint
  r.grainAt = grainParams.position
  for (let i = 0; i < 8; i++) store<i32>(savedOrderHints(r) + (i << 2), frame.isIntra ? 0 : orderHintOf(i))
  saveGmParams(savedGmParams(r))
  saveLoopFilterDeltas(savedLoopFilterDeltas(r))
  saveFeatures(savedFeatures(r))
  return r
}

/** Puts the present frame into the slots that it refreshes (7.20). */
export function refreshReferences(r: Reference): void {
  for (let i = 0; i < NUM_REF_FRAMES; i++) if (((frame.refreshFrameFlags >> i) & 1) != 0) setSlot(i, r)
}

/** Puts a key frame that is shown later into all slots (7.21). */
export function refreshByExisting(r: Reference): void {
  if (r.frameType == KEY_FRAME) for (let i = 0; i < NUM_REF_FRAMES; i++) setSlot(i, r)
}
