// sequence_header_obu( ): AV1 specification, 5.5.
import { Status } from '../../../../status'
import { hasOverrun, readBits, readFlag, readUvlc, startBits } from './bits'

const SELECT: i32 = 2
const CP_BT_709: u32 = 1
const TC_SRGB: u32 = 13

const MC_IDENTITY: u32 = 0
const UNSPECIFIED: u32 = 2

/** The sequence header that was read last. */
@unmanaged
class Sequence {
  isReducedStill: bool
  operatingPointIdc: u32
  frameWidthBits: i32
  frameHeightBits: i32
  maxFrameWidth: i32
  maxFrameHeight: i32
  /** Length of frame identifiers; 0 where there are none. */
  frameIdBits: i32
  /** Length of delta_frame_id_minus_1. */
  deltaFrameIdBits: i32
  use128x128: bool
  enableFilterIntra: bool
  enableIntraEdgeFilter: bool
  forceScreenContentTools: i32
  forceIntegerMv: i32
  orderHintBits: i32
  enableInterintraCompound: bool
  enableMaskedCompound: bool
  enableWarpedMotion: bool
  enableDualFilter: bool
  enableJntComp: bool
  enableRefFrameMvs: bool
  enableSuperres: bool
  enableCdef: bool
  enableRestoration: bool
  filmGrainParamsPresent: bool
  decoderModelInfoPresent: bool
  equalPictureInterval: bool
  framePresentationTimeBits: i32
  separateUvDeltaQ: bool
  isFullRange: bool
  colourPrimaries: u32
  transferCharacteristics: u32
  matrixCoefficients: u32
  bufferDelayBits: i32
  bufferRemovalTimeBits: i32
  operatingPoints: i32
}

export const sequence: Sequence = changetype<Sequence>(memory.data(128, 8))

export let bitDepth: i32 = 8
export let numPlanes: i32 = 3
export let subsamplingX: i32 = 1
export let subsamplingY: i32 = 1

/** operating_point_idc, u32, and decoder_model_present_for_this_op, u8, of up to 32 operating points. */
const POINT_IDC: usize = memory.data(4 * 32, 4)
const POINT_HAS_MODEL: usize = memory.data(32)

/** Reads the sequence header between `from` and `end`, for an operating point. */
export function readSequenceHeader(from: usize, end: usize, operatingPoint: i32): Status {
  startBits(from, end)
  const profile = readBits(3)
  if (profile > 2) return Status.Unsupported
  readFlag() // still_picture
  sequence.isReducedStill = readFlag()
  sequence.decoderModelInfoPresent = false
  sequence.equalPictureInterval = false
  sequence.operatingPoints = 1
  memory.fill(POINT_IDC, 0, 4 * 32)
  memory.fill(POINT_HAS_MODEL, 0, 32)
  if (sequence.isReducedStill) readBits(5)
  else readOperatingPoints()
  sequence.operatingPointIdc = load<u32>(POINT_IDC + ((operatingPoint & 31) << 2))
  readFrameSizeLimits()
  sequence.use128x128 = readFlag()
  sequence.enableFilterIntra = readFlag()
  sequence.enableIntraEdgeFilter = readFlag()
  sequence.forceScreenContentTools = SELECT
  sequence.forceIntegerMv = SELECT
  sequence.orderHintBits = 0
  if (!sequence.isReducedStill) readInterTools()
  sequence.enableSuperres = readFlag()
  sequence.enableCdef = readFlag()
  sequence.enableRestoration = readFlag()
  readColorConfig(profile)
  sequence.filmGrainParamsPresent = readFlag()
  return hasOverrun() ? Status.Malformed : Status.Ok
}

function readFrameSizeLimits(): void {
  sequence.frameWidthBits = <i32>readBits(4) + 1
  sequence.frameHeightBits = <i32>readBits(4) + 1
  sequence.maxFrameWidth = <i32>readBits(sequence.frameWidthBits) + 1
  sequence.maxFrameHeight = <i32>readBits(sequence.frameHeightBits) + 1
  sequence.frameIdBits = 0
  if (sequence.isReducedStill || !readFlag()) return
  sequence.deltaFrameIdBits = <i32>readBits(4) + 2
  sequence.frameIdBits = <i32>readBits(3) + sequence.deltaFrameIdBits + 1
}

/** timing_info( ) to the end of the loop over operating points (5.5.1). */
function readOperatingPoints(): void {
  if (readFlag()) {
    readBits(32)
    readBits(32)
    sequence.equalPictureInterval = readFlag()
    if (sequence.equalPictureInterval) readUvlc()
    sequence.decoderModelInfoPresent = readFlag()
    if (sequence.decoderModelInfoPresent) readDecoderModelInfo()
  }
  const hasDisplayDelay = readFlag()
  sequence.operatingPoints = <i32>readBits(5) + 1
  for (let i = 0; i < sequence.operatingPoints; i++) {
    store<u32>(POINT_IDC + ((<usize>i) << 2), readBits(12))
    const level = readBits(5)
    if (level > 7) readFlag()
    if (sequence.decoderModelInfoPresent && readFlag()) {
      store<u8>(POINT_HAS_MODEL + i, 1)
      readBits(sequence.bufferDelayBits)
      readBits(sequence.bufferDelayBits)
      readFlag()
    }
    if (hasDisplayDelay && readFlag()) readBits(4)
  }
}

function readDecoderModelInfo(): void {
  sequence.bufferDelayBits = <i32>readBits(5) + 1
  readBits(32)
  sequence.bufferRemovalTimeBits = <i32>readBits(5) + 1
  sequence.framePresentationTimeBits = <i32>readBits(5) + 1
}

/** buffer_removal_time of each operating point that the layer is part of (5.9.2). */
export function skipBufferRemovalTimes(temporalId: u32, spatialId: u32): void {
  if (!readFlag()) return
  for (let i = 0; i < sequence.operatingPoints; i++) {
    if (load<u8>(POINT_HAS_MODEL + i) == 0) continue
    const idc = load<u32>(POINT_IDC + ((<usize>i) << 2))
    const isIn = ((idc >> temporalId) & 1) != 0 && ((idc >> (spatialId + 8)) & 1) != 0
    if (idc == 0 || isIn) readBits(sequence.bufferRemovalTimeBits)
  }
}

/** From enable_interintra_compound to order_hint_bits_minus_1. */
function readInterTools(): void {
  sequence.enableInterintraCompound = readFlag()
  sequence.enableMaskedCompound = readFlag()
  sequence.enableWarpedMotion = readFlag()
  sequence.enableDualFilter = readFlag()
  const enableOrderHint = readFlag()
  sequence.enableJntComp = enableOrderHint && readFlag()
  sequence.enableRefFrameMvs = enableOrderHint && readFlag()
  sequence.forceScreenContentTools = readFlag() ? SELECT : <i32>readBits(1)
  if (sequence.forceScreenContentTools > 0) sequence.forceIntegerMv = readFlag() ? SELECT : <i32>readBits(1)
  if (enableOrderHint) sequence.orderHintBits = <i32>readBits(3) + 1
}

/** color_config( ) (5.5.2). */
function readColorConfig(profile: u32): void {
  const highBitdepth = readFlag()
  bitDepth = highBitdepth ? 10 : 8
  if (profile == 2 && highBitdepth && readFlag()) bitDepth = 12
  const isMonochrome = profile != 1 && readFlag()
  numPlanes = isMonochrome ? 1 : 3
  sequence.colourPrimaries = UNSPECIFIED
  sequence.transferCharacteristics = UNSPECIFIED
  sequence.matrixCoefficients = UNSPECIFIED
  if (readFlag()) {
    sequence.colourPrimaries = readBits(8)
    sequence.transferCharacteristics = readBits(8)
    sequence.matrixCoefficients = readBits(8)
  }
  subsamplingX = 1
  subsamplingY = 1
  sequence.separateUvDeltaQ = false
  if (isMonochrome) {
    sequence.isFullRange = readFlag()
    return
  }
  if (
    sequence.colourPrimaries == CP_BT_709 &&
    sequence.transferCharacteristics == TC_SRGB &&
    sequence.matrixCoefficients == MC_IDENTITY
  ) {
    sequence.isFullRange = true
    subsamplingX = 0
    subsamplingY = 0
  } else readSubsampling(profile)
  sequence.separateUvDeltaQ = readFlag()
}

function readSubsampling(profile: u32): void {
  sequence.isFullRange = readFlag()
  if (profile == 1) {
    subsamplingX = 0
    subsamplingY = 0
  } else if (profile == 2) {
    subsamplingX = bitDepth == 12 ? <i32>readBits(1) : 1
    subsamplingY = bitDepth == 12 && subsamplingX == 1 ? <i32>readBits(1) : 0
  }
  if (subsamplingX == 1 && subsamplingY == 1) readBits(2)
}

/** matrix_coefficients is MC_IDENTITY: the planes are G, B and R. */
export function isIdentityMatrix(): bool {
  return sequence.matrixCoefficients == MC_IDENTITY
}
