// uncompressed_header( ): AV1 specification, 5.9.2.
import { Status } from '../../../status'
import { hasOverrun, readBits, readFlag } from './bits'
import { readCdefParams } from './cdef-params'
import { readGrainParams, resetGrain } from './grain-params'
import {
  primaryReference,
  readInterParams,
  readPrimaryReference,
  readReferenceModes,
  readReferenceSize,
  readReferences,
  readWarps,
} from './inter-params'
import { readDeltaLfParams, readLoopFilterParams } from './loop-filter-params'
import { codedLossless, deltaQPresent, findLossless, readDeltaQParams, readQuantization } from './quantization-params'
import { NUM_REF_FRAMES, Reference } from './references'
import { readRestorationParams } from './restoration-params'
import { readSegmentation } from './segmentation'
import { sequence, skipBufferRemovalTimes } from './sequence-header'
import { readTileInfo } from './tile-info'

export const KEY_FRAME: u32 = 0
const INTER_FRAME: u32 = 1
const INTRA_ONLY_FRAME: u32 = 2
const SWITCH_FRAME: u32 = 3
const ALL_FRAMES: u32 = 0xff
const SELECT: i32 = 2
const SUPERRES_NUM: i32 = 8
const SUPERRES_DENOM_MIN: i32 = 9

/** frame_to_show_map_idx where the header shows a frame that was decoded before; else -1. */
export let existingFrame: i32 = -1
export let frameType: u32 = 0
/** FrameIsIntra */
export let isIntraFrame = true
export let showFrame = false
let errorResilientMode = false
export let refreshFrameFlags: u32 = 0
export let orderHint: i32 = 0
export let frameWidth: i32 = 0
export let frameHeight: i32 = 0
export let upscaledWidth: i32 = 0
export let superresDenom: i32 = SUPERRES_NUM
export let miCols: i32 = 0
export let miRows: i32 = 0
export let disableCdfUpdate = false
export let disableFrameEndUpdateCdf = false
export let allowScreenContentTools = false
export let forceIntegerMv = false
export let allowIntrabc = false
export let reducedTxSet = false
/** TxMode is TX_MODE_SELECT. */
export let txModeSelect = false

let showableFrame = false

/** Reads the header at the reader's position. */
export function readFrameHeader(temporalId: u32, spatialId: u32): Status {
  existingFrame = -1
  readFrameType()
  if (existingFrame >= 0) return hasOverrun() ? Status.Malformed : Status.Ok
  disableCdfUpdate = readFlag()
  readScreenContent()
  if (sequence.frameIdBits > 0) readBits(sequence.frameIdBits)
  const sizeOverride = frameType == SWITCH_FRAME || (!sequence.isReducedStill && readFlag())
  orderHint = <i32>readBits(sequence.orderHintBits)
  readPrimaryReference(isIntraFrame, errorResilientMode, orderHint)
  if (sequence.decoderModelInfoPresent) skipBufferRemovalTimes(temporalId, spatialId)
  readRefresh()
  if (isIntraFrame) {
    readFrameSize(sizeOverride)
    allowIntrabc = allowScreenContentTools && upscaledWidth == frameWidth && readFlag()
  } else {
    allowIntrabc = false
    if (!readReferences()) return Status.Malformed
    const likeReference = sizeOverride && !errorResilientMode ? readReferenceSize() : changetype<Reference>(0)
    if (changetype<usize>(likeReference) != 0) takeFrameSize(likeReference.upscaledWidth, likeReference.frameHeight)
    else readFrameSize(sizeOverride)
    if (!readInterParams(forceIntegerMv, frameWidth, frameHeight)) return Status.Malformed
  }
  disableFrameEndUpdateCdf = sequence.isReducedStill || disableCdfUpdate || readFlag()
  if (!readTileInfo(miCols, miRows)) return Status.Malformed
  readRest()
  if (!readGrain()) return Status.Malformed
  return hasOverrun() ? Status.Malformed : Status.Ok
}

/** Up to error_resilient_mode, or frame_to_show_map_idx. */
function readFrameType(): void {
  frameType = KEY_FRAME
  isIntraFrame = true
  showFrame = true
  showableFrame = false
  errorResilientMode = true
  if (sequence.isReducedStill) return
  if (readFlag()) {
    existingFrame = <i32>readBits(3)
    return
  }
  frameType = readBits(2)
  isIntraFrame = frameType == KEY_FRAME || frameType == INTRA_ONLY_FRAME
  showFrame = readFlag()
  if (showFrame && sequence.decoderModelInfoPresent && !sequence.equalPictureInterval)
    readBits(sequence.framePresentationTimeBits)
  showableFrame = showFrame ? frameType != KEY_FRAME : readFlag()
  errorResilientMode = frameType == SWITCH_FRAME || (frameType == KEY_FRAME && showFrame) || readFlag()
}

function readScreenContent(): void {
  allowScreenContentTools =
    sequence.forceScreenContentTools == SELECT ? readFlag() : sequence.forceScreenContentTools == 1
  forceIntegerMv = false
  if (allowScreenContentTools) {
    forceIntegerMv = sequence.forceIntegerMv == SELECT ? readFlag() : sequence.forceIntegerMv == 1
  }
  if (isIntraFrame) forceIntegerMv = true
}

/** refresh_frame_flags, and ref_order_hint, of which is known what is there. */
function readRefresh(): void {
  refreshFrameFlags = ALL_FRAMES
  if (frameType != SWITCH_FRAME && (frameType != KEY_FRAME || !showFrame)) refreshFrameFlags = readBits(8)
  if (isIntraFrame && refreshFrameFlags == ALL_FRAMES) return
  if (!errorResilientMode || sequence.orderHintBits == 0) return
  for (let i = 0; i < NUM_REF_FRAMES; i++) readBits(sequence.orderHintBits)
}

/** frame_size( ), and render_size( ) (5.9.5, 5.9.6). */
function readFrameSize(sizeOverride: bool): void {
  const width = sizeOverride ? <i32>readBits(sequence.frameWidthBits) + 1 : sequence.maxFrameWidth
  takeFrameSize(width, sizeOverride ? <i32>readBits(sequence.frameHeightBits) + 1 : sequence.maxFrameHeight)
  if (readFlag()) readBits(32)
}

/** superres_params( ) and compute_image_size( ) (5.9.8, 5.9.9). */
function takeFrameSize(width: i32, height: i32): void {
  upscaledWidth = width
  frameHeight = height
  superresDenom = SUPERRES_NUM
  if (sequence.enableSuperres && readFlag()) superresDenom = <i32>readBits(3) + SUPERRES_DENOM_MIN
  frameWidth = (upscaledWidth * SUPERRES_NUM + superresDenom / 2) / superresDenom
  miCols = 2 * ((frameWidth + 7) >> 3)
  miRows = 2 * ((frameHeight + 7) >> 3)
}

function readRest(): void {
  readQuantization()
  readSegmentation(primaryReference)
  readDeltaQParams()
  readDeltaLfParams(deltaQPresent && !allowIntrabc)
  findLossless()
  const allLossless = codedLossless && frameWidth == upscaledWidth
  readLoopFilterParams(codedLossless || allowIntrabc, primaryReference)
  readCdefParams(codedLossless || allowIntrabc || !sequence.enableCdef)
  readRestorationParams(allLossless || allowIntrabc || !sequence.enableRestoration)
  txModeSelect = !codedLossless && readFlag()
  readReferenceModes()
  reducedTxSet = readFlag()
  readWarps()
}

function readGrain(): bool {
  resetGrain()
  if (!sequence.filmGrainParamsPresent || (!showFrame && !showableFrame)) return true
  return readGrainParams(frameType == INTER_FRAME)
}
