// uncompressed_header( ) of a frame that is coded alone, key frame or intra-only: AV1 specification, 5.9.2.
import { Status } from '../../../status'
import { hasOverrun, readBits, readFlag } from './bits'
import { readCdefParams } from './cdef-params'
import { readGrainParams, resetGrain } from './grain-params'
import { readDeltaLfParams, readLoopFilterParams } from './loop-filter-params'
import { codedLossless, deltaQPresent, findLossless, readDeltaQParams, readQuantization } from './quantization-params'
import { readRestorationParams } from './restoration-params'
import { readSegmentation } from './segmentation'
import {
  decoderModelInfoPresent,
  enableCdef,
  enableRestoration,
  enableSuperres,
  equalPictureInterval,
  filmGrainParamsPresent,
  forceIntegerMv,
  forceScreenContentTools,
  frameHeightBits,
  frameIdBits,
  framePresentationTimeBits,
  frameWidthBits,
  isReducedStill,
  maxFrameHeight,
  maxFrameWidth,
  orderHintBits,
  skipBufferRemovalTimes,
} from './sequence-header'
import { readTileInfo } from './tile-info'

const KEY_FRAME: u32 = 0
const INTER_FRAME: u32 = 1
const INTRA_ONLY_FRAME: u32 = 2
const ALL_FRAMES: u32 = 0xff
const NUM_REF_FRAMES: i32 = 8
const SELECT: i32 = 2
const SUPERRES_NUM: i32 = 8
const SUPERRES_DENOM_MIN: i32 = 9

export let showFrame = false
export let frameWidth: i32 = 0
export let frameHeight: i32 = 0
export let upscaledWidth: i32 = 0
export let superresDenom: i32 = SUPERRES_NUM
export let miCols: i32 = 0
export let miRows: i32 = 0
export let disableCdfUpdate = false
export let allowScreenContentTools = false
export let allowIntrabc = false
export let reducedTxSet = false
/** TxMode is TX_MODE_SELECT. */
export let txModeSelect = false
/** The frame shows another one, or is predicted from one: what follows of its header was not read. */
export let isCodedAlone = false

let frameType: u32 = 0
let showableFrame = false
let errorResilientMode = false

/** Reads the header at the reader's position; `Unsupported` only for what no frame that is coded alone has. */
export function readFrameHeader(temporalId: u32, spatialId: u32): Status {
  isCodedAlone = false
  if (!readFrameType()) return hasOverrun() ? Status.Malformed : Status.Ok
  isCodedAlone = true
  disableCdfUpdate = readFlag()
  readScreenContent()
  if (frameIdBits > 0) readBits(frameIdBits)
  const sizeOverride = !isReducedStill && readFlag()
  readBits(orderHintBits)
  if (decoderModelInfoPresent) skipBufferRemovalTimes(temporalId, spatialId)
  readReferences()
  readFrameSize(sizeOverride)
  allowIntrabc = allowScreenContentTools && upscaledWidth == frameWidth && readFlag()
  // disable_frame_end_update_cdf: no frame follows.
  if (!isReducedStill && !disableCdfUpdate) readFlag()
  if (!readTileInfo(miCols, miRows)) return Status.Malformed
  readRest()
  if (!readGrain()) return Status.Malformed
  return hasOverrun() ? Status.Malformed : Status.Ok
}

/** Up to error_resilient_mode; false if the frame is not coded alone. */
function readFrameType(): bool {
  frameType = KEY_FRAME
  showFrame = true
  showableFrame = false
  errorResilientMode = true
  if (isReducedStill) return true
  if (readFlag()) return false
  frameType = readBits(2)
  if (frameType != KEY_FRAME && frameType != INTRA_ONLY_FRAME) return false
  showFrame = readFlag()
  if (showFrame && decoderModelInfoPresent && !equalPictureInterval) readBits(framePresentationTimeBits)
  showableFrame = showFrame ? frameType != KEY_FRAME : readFlag()
  errorResilientMode = (frameType == KEY_FRAME && showFrame) || readFlag()
  return true
}

/** allow_screen_content_tools; force_integer_mv is 1 whatever is read. */
function readScreenContent(): void {
  allowScreenContentTools = forceScreenContentTools == SELECT ? readFlag() : forceScreenContentTools == 1
  if (allowScreenContentTools && forceIntegerMv == SELECT) readFlag()
}

/** What the frame becomes a reference for, which is of no use here. */
function readReferences(): void {
  let refreshFrameFlags = ALL_FRAMES
  if (frameType != KEY_FRAME || !showFrame) refreshFrameFlags = readBits(8)
  if (refreshFrameFlags == ALL_FRAMES || !errorResilientMode || orderHintBits == 0) return
  for (let i = 0; i < NUM_REF_FRAMES; i++) readBits(orderHintBits)
}

/** frame_size( ), superres_params( ), compute_image_size( ) and render_size( ) (5.9.5 to 5.9.9). */
function readFrameSize(sizeOverride: bool): void {
  upscaledWidth = sizeOverride ? <i32>readBits(frameWidthBits) + 1 : maxFrameWidth
  frameHeight = sizeOverride ? <i32>readBits(frameHeightBits) + 1 : maxFrameHeight
  superresDenom = SUPERRES_NUM
  if (enableSuperres && readFlag()) superresDenom = <i32>readBits(3) + SUPERRES_DENOM_MIN
  frameWidth = (upscaledWidth * SUPERRES_NUM + superresDenom / 2) / superresDenom
  miCols = 2 * ((frameWidth + 7) >> 3)
  miRows = 2 * ((frameHeight + 7) >> 3)
  if (readFlag()) readBits(32)
}

function readRest(): void {
  readQuantization()
  readSegmentation()
  readDeltaQParams()
  readDeltaLfParams(deltaQPresent && !allowIntrabc)
  findLossless()
  const allLossless = codedLossless && frameWidth == upscaledWidth
  readLoopFilterParams(codedLossless || allowIntrabc)
  readCdefParams(codedLossless || allowIntrabc || !enableCdef)
  readRestorationParams(allLossless || allowIntrabc || !enableRestoration)
  txModeSelect = !codedLossless && readFlag()
  reducedTxSet = readFlag()
}

function readGrain(): bool {
  resetGrain()
  if (!filmGrainParamsPresent || (!showFrame && !showableFrame)) return true
  return readGrainParams(frameType == INTER_FRAME)
}
