// Header fields for inter prediction: AV1 specification, 5.9.2, 5.9.7, 5.9.10, 5.9.22 to 5.9.24 and 7.20.

import { readBits, readFlag } from './bits'
import { setFrameRefs } from './frame-refs'
import { readGmParams, resetGmParams } from './global-motion'
import { relativeDistance } from './order-hints'
import { isValid, NUM_REF_FRAMES, REFS_PER_FRAME, Reference, savedGmParams, slot } from './references'
import { sequence } from './sequence-header'

export const INTRA_FRAME: i32 = 0
export const LAST_FRAME: i32 = 1
export const SWITCHABLE: i32 = 4
const PRIMARY_REF_NONE: i32 = 7
const REF_SCALE_SHIFT: i32 = 14

/** The fields of the frame header for inter prediction. */
@unmanaged
class InterParams {
  allowHighPrecisionMv: bool
  interpolationFilter: i32
  isMotionModeSwitchable: bool
  useRefFrameMvs: bool
  referenceSelect: bool
  skipModePresent: bool
  allowWarpedMotion: bool
  /** SkipModeFrame */
  skipModeFrame0: i32
  skipModeFrame1: i32
  /** The frame that CDFs and parameters are taken from; null where primary_ref_frame is PRIMARY_REF_NONE. */
  primaryReference: Reference
  primaryRefFrame: i32
  isIntraFrame: bool
  errorResilientMode: bool
  orderHint: i32
}

export const interParams: InterParams = changetype<InterParams>(memory.data(offsetof<InterParams>(), 4))

/** ref_frame_idx */
const INDICES: StaticArray<i32> = [0, 0, 0, 0, 0, 0, 0]
/** OrderHints and RefFrameSignBias, by reference frame, and scales of 1 << 14 (7.11.3.3). */
const ORDER_HINTS: StaticArray<i32> = [0, 0, 0, 0, 0, 0, 0, 0]
const SIGN_BIAS: StaticArray<bool> = [false, false, false, false, false, false, false, false]
const X_SCALES: StaticArray<i32> = [0, 0, 0, 0, 0, 0, 0, 0]
const Y_SCALES: StaticArray<i32> = [0, 0, 0, 0, 0, 0, 0, 0]

/** The frame that is called `refFrame`, LAST_FRAME to ALTREF_FRAME. */
export function referenceOf(refFrame: i32): Reference {
  return slot(unchecked(INDICES[refFrame - LAST_FRAME]))
}

/** OrderHints[ refFrame ] */
export function orderHintOf(refFrame: i32): i32 {
  return unchecked(ORDER_HINTS[refFrame])
}

/** RefFrameSignBias[ refFrame ] */
export function signBias(refFrame: i32): bool {
  return unchecked(SIGN_BIAS[refFrame])
}

/** xScale of a reference frame (7.11.3.3). */
export function xScaleOf(refFrame: i32): i32 {
  return unchecked(X_SCALES[refFrame])
}

/** Its yScale. */
export function yScaleOf(refFrame: i32): i32 {
  return unchecked(Y_SCALES[refFrame])
}

/** is_scaled( ) (5.11.27). */
export function isScaled(refFrame: i32): bool {
  return xScaleOf(refFrame) != 1 << REF_SCALE_SHIFT || yScaleOf(refFrame) != 1 << REF_SCALE_SHIFT
}

/** primary_ref_frame; what only frames have that are predicted from others is 0 until it is read. */
export function readPrimaryReference(isIntra: bool, isErrorResilient: bool, hint: i32): void {
  interParams.isIntraFrame = isIntra
  interParams.errorResilientMode = isErrorResilient
  interParams.orderHint = hint
  interParams.allowHighPrecisionMv = false
  interParams.useRefFrameMvs = false
  interParams.primaryRefFrame =
    interParams.isIntraFrame || interParams.errorResilientMode ? PRIMARY_REF_NONE : <i32>readBits(3)
  interParams.primaryReference = changetype<Reference>(0)
}

/** Up to delta_frame_id_minus_1; false if there is no such frame. */
export function readReferences(): bool {
  const isShort = sequence.orderHintBits > 0 && readFlag()
  if (isShort) {
    for (let i = 0; i < NUM_REF_FRAMES; i++) if (!isValid(i)) return false
    const last = <i32>readBits(3)
    setFrameRefs(INDICES, last, <i32>readBits(3), interParams.orderHint)
  }
  for (let i = 0; i < REFS_PER_FRAME; i++) {
    if (!isShort) unchecked((INDICES[i] = <i32>readBits(3)))
    if (sequence.frameIdBits > 0) readBits(sequence.deltaFrameIdBits)
    if (!isValid(unchecked(INDICES[i]))) return false
  }
  if (interParams.primaryRefFrame != PRIMARY_REF_NONE)
    interParams.primaryReference = slot(unchecked(INDICES[interParams.primaryRefFrame]))
  return true
}

/** found_ref of frame_size_with_refs( ): the frame whose size it is, or null. */
export function readReferenceSize(): Reference {
  for (let i = 0; i < REFS_PER_FRAME; i++) if (readFlag()) return slot(unchecked(INDICES[i]))
  return changetype<Reference>(0)
}

/** From allow_high_precision_mv on; false if a frame is too large or too small to predict from. */
export function readInterParams(forceIntegerMv: bool, frameWidth: i32, frameHeight: i32): bool {
  interParams.allowHighPrecisionMv = !forceIntegerMv && readFlag()
  interParams.interpolationFilter = readFlag() ? SWITCHABLE : <i32>readBits(2)
  interParams.isMotionModeSwitchable = readFlag()
  interParams.useRefFrameMvs = !interParams.errorResilientMode && sequence.enableRefFrameMvs && readFlag()
  for (let i = 0; i < REFS_PER_FRAME; i++) {
    const r = slot(unchecked(INDICES[i]))
    const refFrame = LAST_FRAME + i
    if (2 * frameWidth < r.upscaledWidth || 2 * frameHeight < r.frameHeight) return false
    if (frameWidth > 16 * r.upscaledWidth || frameHeight > 16 * r.frameHeight) return false
    unchecked((ORDER_HINTS[refFrame] = r.orderHint))
    unchecked((SIGN_BIAS[refFrame] = relativeDistance(r.orderHint, interParams.orderHint) > 0))
    unchecked((X_SCALES[refFrame] = ((r.upscaledWidth << REF_SCALE_SHIFT) + frameWidth / 2) / frameWidth))
    unchecked((Y_SCALES[refFrame] = ((r.frameHeight << REF_SCALE_SHIFT) + frameHeight / 2) / frameHeight))
  }
  return true
}

/** frame_reference_mode( ), skip_mode_params( ) and allow_warped_motion. */
export function readReferenceModes(): void {
  interParams.referenceSelect = !interParams.isIntraFrame && readFlag()
  interParams.skipModePresent =
    interParams.referenceSelect && sequence.orderHintBits > 0 && findSkipModeFrames() && readFlag()
  interParams.allowWarpedMotion =
    !interParams.isIntraFrame && !interParams.errorResilientMode && sequence.enableWarpedMotion && readFlag()
}

/** skipModeAllowed */
function findSkipModeFrames(): bool {
  const forward = latestBefore(interParams.orderHint)
  if (forward < 0) return false
  let other = -1
  for (let i = 0; i < REFS_PER_FRAME; i++) {
    const hint = unchecked(ORDER_HINTS[LAST_FRAME + i])
    if (relativeDistance(hint, interParams.orderHint) <= 0) continue
    if (other < 0 || relativeDistance(hint, unchecked(ORDER_HINTS[LAST_FRAME + other])) < 0) other = i
  }
  if (other < 0) other = latestBefore(unchecked(ORDER_HINTS[LAST_FRAME + forward]))
  if (other < 0) return false
  interParams.skipModeFrame0 = LAST_FRAME + min(forward, other)
  interParams.skipModeFrame1 = LAST_FRAME + max(forward, other)
  return true
}

/** The reference that is shown last before `hint`, less LAST_FRAME; -1 if there is none. */
function latestBefore(before: i32): i32 {
  let found = -1
  for (let i = 0; i < REFS_PER_FRAME; i++) {
    const hint = unchecked(ORDER_HINTS[LAST_FRAME + i])
    if (relativeDistance(hint, before) >= 0) continue
    if (found < 0 || relativeDistance(hint, unchecked(ORDER_HINTS[LAST_FRAME + found])) > 0) found = i
  }
  return found
}

/** global_motion_params( ) */
export function readWarps(): void {
  if (interParams.isIntraFrame) {
    resetGmParams()
    return
  }
  const hasPrevious = changetype<usize>(interParams.primaryReference) != 0
  readGmParams(hasPrevious ? savedGmParams(interParams.primaryReference) : 0, interParams.allowHighPrecisionMv)
}
