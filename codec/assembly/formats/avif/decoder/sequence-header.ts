// sequence_header_obu( ): AV1 specification, 5.5.
import { Status } from '../../../status'
import { hasOverrun, readBits, readFlag, readUvlc, startBits } from './bits'

const SELECT: i32 = 2
const CP_BT_709: u32 = 1
const TC_SRGB: u32 = 13

const MC_IDENTITY: u32 = 0
const UNSPECIFIED: u32 = 2

export let isReducedStill = false
export let operatingPointIdc: u32 = 0
export let frameWidthBits: i32 = 0
export let frameHeightBits: i32 = 0
export let maxFrameWidth: i32 = 0
export let maxFrameHeight: i32 = 0
/** Length of frame identifiers; 0 where there are none. */
export let frameIdBits: i32 = 0
/** Length of delta_frame_id_minus_1. */
export let deltaFrameIdBits: i32 = 0
export let use128x128: bool = false
export let enableFilterIntra: bool = false
export let enableIntraEdgeFilter: bool = false
export let forceScreenContentTools: i32 = SELECT
export let forceIntegerMv: i32 = SELECT
export let orderHintBits: i32 = 0
export let enableInterintraCompound = false
export let enableMaskedCompound = false
export let enableWarpedMotion = false
export let enableDualFilter = false
export let enableJntComp = false
export let enableRefFrameMvs = false
export let enableSuperres: bool = false
export let enableCdef: bool = false
export let enableRestoration: bool = false
export let filmGrainParamsPresent: bool = false
export let decoderModelInfoPresent: bool = false
export let equalPictureInterval: bool = false
export let framePresentationTimeBits: i32 = 0

export let bitDepth: i32 = 8
export let numPlanes: i32 = 3
export let subsamplingX: i32 = 1
export let subsamplingY: i32 = 1
export let separateUvDeltaQ: bool = false
export let isFullRange: bool = false
export let colourPrimaries: u32 = UNSPECIFIED
export let transferCharacteristics: u32 = UNSPECIFIED
export let matrixCoefficients: u32 = UNSPECIFIED

let bufferDelayBits: i32 = 0
let bufferRemovalTimeBits: i32 = 0
let operatingPoints: i32 = 1
/** operating_point_idc, u32, and decoder_model_present_for_this_op, u8, of up to 32 operating points. */
const POINT_IDC: usize = memory.data(4 * 32, 4)
const POINT_HAS_MODEL: usize = memory.data(32)

/** Reads the sequence header between `from` and `end`, for an operating point. */
export function readSequenceHeader(from: usize, end: usize, operatingPoint: i32): Status {
  startBits(from, end)
  const profile = readBits(3)
  if (profile > 2) return Status.Unsupported
  readFlag() // still_picture
  isReducedStill = readFlag()
  decoderModelInfoPresent = false
  equalPictureInterval = false
  operatingPoints = 1
  memory.fill(POINT_IDC, 0, 4 * 32)
  memory.fill(POINT_HAS_MODEL, 0, 32)
  if (isReducedStill) readBits(5)
  else readOperatingPoints()
  operatingPointIdc = load<u32>(POINT_IDC + ((operatingPoint & 31) << 2))
  readFrameSizeLimits()
  use128x128 = readFlag()
  enableFilterIntra = readFlag()
  enableIntraEdgeFilter = readFlag()
  forceScreenContentTools = SELECT
  forceIntegerMv = SELECT
  orderHintBits = 0
  if (!isReducedStill) readInterTools()
  enableSuperres = readFlag()
  enableCdef = readFlag()
  enableRestoration = readFlag()
  readColorConfig(profile)
  filmGrainParamsPresent = readFlag()
  return hasOverrun() ? Status.Malformed : Status.Ok
}

function readFrameSizeLimits(): void {
  frameWidthBits = <i32>readBits(4) + 1
  frameHeightBits = <i32>readBits(4) + 1
  maxFrameWidth = <i32>readBits(frameWidthBits) + 1
  maxFrameHeight = <i32>readBits(frameHeightBits) + 1
  frameIdBits = 0
  if (isReducedStill || !readFlag()) return
  deltaFrameIdBits = <i32>readBits(4) + 2
  frameIdBits = <i32>readBits(3) + deltaFrameIdBits + 1
}

/** timing_info( ) to the end of the loop over operating points (5.5.1). */
function readOperatingPoints(): void {
  if (readFlag()) {
    readBits(32)
    readBits(32)
    equalPictureInterval = readFlag()
    if (equalPictureInterval) readUvlc()
    decoderModelInfoPresent = readFlag()
    if (decoderModelInfoPresent) readDecoderModelInfo()
  }
  const hasDisplayDelay = readFlag()
  operatingPoints = <i32>readBits(5) + 1
  for (let i = 0; i < operatingPoints; i++) {
    store<u32>(POINT_IDC + ((<usize>i) << 2), readBits(12))
    const level = readBits(5)
    if (level > 7) readFlag()
    if (decoderModelInfoPresent && readFlag()) {
      store<u8>(POINT_HAS_MODEL + i, 1)
      readBits(bufferDelayBits)
      readBits(bufferDelayBits)
      readFlag()
    }
    if (hasDisplayDelay && readFlag()) readBits(4)
  }
}

function readDecoderModelInfo(): void {
  bufferDelayBits = <i32>readBits(5) + 1
  readBits(32)
  bufferRemovalTimeBits = <i32>readBits(5) + 1
  framePresentationTimeBits = <i32>readBits(5) + 1
}

/** buffer_removal_time of each operating point that the layer is part of (5.9.2). */
export function skipBufferRemovalTimes(temporalId: u32, spatialId: u32): void {
  if (!readFlag()) return
  for (let i = 0; i < operatingPoints; i++) {
    if (load<u8>(POINT_HAS_MODEL + i) == 0) continue
    const idc = load<u32>(POINT_IDC + ((<usize>i) << 2))
    const isIn = ((idc >> temporalId) & 1) != 0 && ((idc >> (spatialId + 8)) & 1) != 0
    if (idc == 0 || isIn) readBits(bufferRemovalTimeBits)
  }
}

/** From enable_interintra_compound to order_hint_bits_minus_1. */
function readInterTools(): void {
  enableInterintraCompound = readFlag()
  enableMaskedCompound = readFlag()
  enableWarpedMotion = readFlag()
  enableDualFilter = readFlag()
  const enableOrderHint = readFlag()
  enableJntComp = enableOrderHint && readFlag()
  enableRefFrameMvs = enableOrderHint && readFlag()
  forceScreenContentTools = readFlag() ? SELECT : <i32>readBits(1)
  if (forceScreenContentTools > 0) forceIntegerMv = readFlag() ? SELECT : <i32>readBits(1)
  if (enableOrderHint) orderHintBits = <i32>readBits(3) + 1
}

/** color_config( ) (5.5.2). */
function readColorConfig(profile: u32): void {
  const highBitdepth = readFlag()
  bitDepth = highBitdepth ? 10 : 8
  if (profile == 2 && highBitdepth && readFlag()) bitDepth = 12
  const isMonochrome = profile != 1 && readFlag()
  numPlanes = isMonochrome ? 1 : 3
  colourPrimaries = UNSPECIFIED
  transferCharacteristics = UNSPECIFIED
  matrixCoefficients = UNSPECIFIED
  if (readFlag()) {
    colourPrimaries = readBits(8)
    transferCharacteristics = readBits(8)
    matrixCoefficients = readBits(8)
  }
  subsamplingX = 1
  subsamplingY = 1
  separateUvDeltaQ = false
  if (isMonochrome) {
    isFullRange = readFlag()
    return
  }
  if (colourPrimaries == CP_BT_709 && transferCharacteristics == TC_SRGB && matrixCoefficients == MC_IDENTITY) {
    isFullRange = true
    subsamplingX = 0
    subsamplingY = 0
  } else readSubsampling(profile)
  separateUvDeltaQ = readFlag()
}

function readSubsampling(profile: u32): void {
  isFullRange = readFlag()
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
  return matrixCoefficients == MC_IDENTITY
}
