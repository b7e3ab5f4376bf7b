// uncompressed_header( ): AV1 specification, 5.9.2.
import { Status } from '../../../../status'
import { hasOverrun, readBits, readFlag } from './bits'
import { readCdefParams } from './cdef-params'
import { readGrainParams, resetGrain } from './grain-params'
import {
  interParams,
  readInterParams,
  readPrimaryReference,
  readReferenceModes,
  readReferenceSize,
  readReferences,
  readWarps,
} from './inter-params'
import { readDeltaLfParams, readLoopFilterParams } from './loop-filter-params'
import { findLossless, quantization, readDeltaQParams, readQuantization } from './quantization-params'
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

/** The frame header that was read last. */
@unmanaged
class FrameHeader {
  /** frame_to_show_map_idx where the header shows a frame that was decoded before; else -1. */
  existingFrame: i32
  type: u32
  /** FrameIsIntra */
  isIntra: bool
  showFrame: bool
  showableFrame: bool
  errorResilientMode: bool
  refreshFrameFlags: u32
  orderHint: i32
  width: i32
  height: i32
  upscaledWidth: i32
  superresDenom: i32
  miCols: i32
  miRows: i32
  disableCdfUpdate: bool
  disableFrameEndUpdateCdf: bool
  allowScreenContentTools: bool
  forceIntegerMv: bool
  allowIntrabc: bool
  reducedTxSet: bool
  /** TxMode is TX_MODE_SELECT. */
  txModeSelect: bool
}

export const frame: FrameHeader = changetype<FrameHeader>(memory.data(offsetof<FrameHeader>(), 4))

/** Reads the header at the reader's position. */
export function readFrameHeader(temporalId: u32, spatialId: u32): Status {
  frame.existingFrame = -1
  readFrameType()
  if (frame.existingFrame >= 0) return hasOverrun() ? Status.Malformed : Status.Ok
  frame.disableCdfUpdate = readFlag()
  readScreenContent()
  if (sequence.frameIdBits > 0) readBits(sequence.frameIdBits)
  const sizeOverride = frame.type == SWITCH_FRAME || (!sequence.isReducedStill && readFlag())
  frame.orderHint = <i32>readBits(sequence.orderHintBits)
  readPrimaryReference(frame.isIntra, frame.errorResilientMode, frame.orderHint)
  if (sequence.decoderModelInfoPresent) skipBufferRemovalTimes(temporalId, spatialId)
  readRefresh()
  if (frame.isIntra) {
    readFrameSize(sizeOverride)
    frame.allowIntrabc = frame.allowScreenContentTools && frame.upscaledWidth == frame.width && readFlag()
  } else {
    frame.allowIntrabc = false
    if (!readReferences()) return Status.Malformed
    const likeReference = sizeOverride && !frame.errorResilientMode ? readReferenceSize() : changetype<Reference>(0)
    if (changetype<usize>(likeReference) != 0) takeFrameSize(likeReference.upscaledWidth, likeReference.frameHeight)
    else readFrameSize(sizeOverride)
    if (!readInterParams(frame.forceIntegerMv, frame.width, frame.height)) return Status.Malformed
  }
  frame.disableFrameEndUpdateCdf = sequence.isReducedStill || frame.disableCdfUpdate || readFlag()
  if (!readTileInfo(frame.miCols, frame.miRows)) return Status.Malformed
  readRest()
  if (!readGrain()) return Status.Malformed
  return hasOverrun() ? Status.Malformed : Status.Ok
}

/** Up to error_resilient_mode, or frame_to_show_map_idx. */
function readFrameType(): void {
  frame.type = KEY_FRAME
  frame.isIntra = true
  frame.showFrame = true
  frame.showableFrame = false
  frame.errorResilientMode = true
  if (sequence.isReducedStill) return
  if (readFlag()) {
    frame.existingFrame = <i32>readBits(3)
    return
  }
  frame.type = readBits(2)
  frame.isIntra = frame.type == KEY_FRAME || frame.type == INTRA_ONLY_FRAME
  frame.showFrame = readFlag()
  if (frame.showFrame && sequence.decoderModelInfoPresent && !sequence.equalPictureInterval)
    readBits(sequence.framePresentationTimeBits)
  frame.showableFrame = frame.showFrame ? frame.type != KEY_FRAME : readFlag()
  frame.errorResilientMode = frame.type == SWITCH_FRAME || (frame.type == KEY_FRAME && frame.showFrame) || readFlag()
}

function readScreenContent(): void {
  frame.allowScreenContentTools =
    sequence.forceScreenContentTools == SELECT ? readFlag() : sequence.forceScreenContentTools == 1
  frame.forceIntegerMv = false
  if (frame.allowScreenContentTools) {
    frame.forceIntegerMv = sequence.forceIntegerMv == SELECT ? readFlag() : sequence.forceIntegerMv == 1
  }
  if (frame.isIntra) frame.forceIntegerMv = true
}

/** refresh_frame_flags, and ref_order_hint, of which is known what is there. */
function readRefresh(): void {
  frame.refreshFrameFlags = ALL_FRAMES
  if (frame.type != SWITCH_FRAME && (frame.type != KEY_FRAME || !frame.showFrame)) frame.refreshFrameFlags = readBits(8)
  if (frame.isIntra && frame.refreshFrameFlags == ALL_FRAMES) return
  if (!frame.errorResilientMode || sequence.orderHintBits == 0) return
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
  frame.upscaledWidth = width
  frame.height = height
  frame.superresDenom = SUPERRES_NUM
  if (sequence.enableSuperres && readFlag()) frame.superresDenom = <i32>readBits(3) + SUPERRES_DENOM_MIN
  frame.width = (frame.upscaledWidth * SUPERRES_NUM + frame.superresDenom / 2) / frame.superresDenom
  frame.miCols = 2 * ((frame.width + 7) >> 3)
  frame.miRows = 2 * ((frame.height + 7) >> 3)
}

function readRest(): void {
  readQuantization()
  readSegmentation(interParams.primaryReference)
  readDeltaQParams()
  readDeltaLfParams(quantization.deltaQPresent && !frame.allowIntrabc)
  findLossless()
  const allLossless = quantization.codedLossless && frame.width == frame.upscaledWidth
  readLoopFilterParams(quantization.codedLossless || frame.allowIntrabc, interParams.primaryReference)
  readCdefParams(quantization.codedLossless || frame.allowIntrabc || !sequence.enableCdef)
  readRestorationParams(allLossless || frame.allowIntrabc || !sequence.enableRestoration)
  frame.txModeSelect = !quantization.codedLossless && readFlag()
  readReferenceModes()
  frame.reducedTxSet = readFlag()
  readWarps()
}

function readGrain(): bool {
  resetGrain()
  if (!sequence.filmGrainParamsPresent || (!frame.showFrame && !frame.showableFrame)) return true
  return readGrainParams(frame.type == INTER_FRAME)
}
