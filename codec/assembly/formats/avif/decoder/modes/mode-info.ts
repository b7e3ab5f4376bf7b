// intra_frame_mode_info( ), and what it shares with that of frames that are predicted from others: AV1
// specification, 5.11.7, 5.11.22 and 8.3.2.
import { SUBSAMPLED_SIZE } from '../../tables/block'
import {
  ANGLE_DELTA_CDF,
  CFL_ALPHA_CDF,
  CFL_SIGN_CDF,
  FILTER_INTRA_CDF,
  FILTER_INTRA_MODE_CDF,
  INTRA_FRAME_Y_MODE_CDF,
  INTRABC_CDF,
  SKIP_CDF,
  UV_MODE_CFL_ALLOWED_CDF,
  UV_MODE_CFL_NOT_ALLOWED_CDF,
} from '../../tables/cdf'
import { INTRA_MODE_CONTEXT } from '../../tables/prediction'
import { BLOCK_4X4, BLOCK_8X8, block, DC_PRED, isDirectional, UV_CFL_PRED, V_PRED } from '../blocks/block'
import { aboveBlocks, leftBlocks, leftRow } from '../blocks/neighbours'
import { readBool, readSymbol } from '../blocks/symbol-decoder'
import { tile } from '../blocks/tile'
import { frame } from '../frames/frame-header'
import { INTRA_FRAME } from '../frames/inter-params'
import { qindexOf } from '../frames/quantization-params'
import { isFeatureActive, SEG_LVL_SKIP, segmentation } from '../frames/segmentation'
import { sequence, subsamplingX, subsamplingY } from '../frames/sequence-header'
import { readCdef, readDeltaLf, readDeltaQIndex } from './deltas'
import { readIntrabcVector } from './intrabc-vector'
import { readPaletteModeInfo } from './palette'
import { NONE } from './ref-frames'
import { readIntraSegmentId } from './segment-id'

const MAX_ANGLE_DELTA: i32 = 3

/** Reads the modes of a block in an intra frame; false if it copies from where it cannot. */
export function readModeInfo(): bool {
  block.skip = false
  if (segmentation.segIdPreSkip) readIntraSegmentId()
  readSkip()
  if (!segmentation.segIdPreSkip) readIntraSegmentId()
  readCommon()
  block.refFrame0 = INTRA_FRAME
  block.refFrame1 = NONE
  block.isInter = frame.allowIntrabc && readBool(tile.cdfs + INTRABC_CDF) != 0
  if (block.isInter) {
    block.yMode = DC_PRED
    block.uvMode = DC_PRED
    return readIntrabcVector()
  }
  readIntraModes()
  return true
}

/** Reads the syntax elements after skip that are common to all blocks. */
export function readCommon(): void {
  readCdef()
  readDeltaQIndex()
  readDeltaLf()
  tile.readDeltas = false
  block.qindex = qindexOf(block.segmentId, tile.currentQIndex)
  block.paletteSizeY = 0
  block.paletteSizeUV = 0
  block.useFilterIntra = false
}

/** read_skip( ) */
export function readSkip(): void {
  if (segmentation.segIdPreSkip && isFeatureActive(block.segmentId, SEG_LVL_SKIP)) {
    block.skip = true
    return
  }
  let ctx: usize = 0
  if (block.availU) ctx += load<u8>(aboveBlocks.skips + block.miCol)
  if (block.availL) ctx += load<u8>(leftBlocks.skips + leftRow(block.miRow))
  block.skip = readBool(tile.cdfs + SKIP_CDF + ctx * 6) != 0
}

function readIntraModes(): void {
  const above: usize = block.availU ? load<u8>(aboveBlocks.modes + block.miCol) : DC_PRED
  const left: usize = block.availL ? load<u8>(leftBlocks.modes + leftRow(block.miRow)) : DC_PRED
  const ctx = <usize>load<u8>(INTRA_MODE_CONTEXT + above) * 5 + load<u8>(INTRA_MODE_CONTEXT + left)
  block.yMode = readSymbol(tile.cdfs + INTRA_FRAME_Y_MODE_CDF + ctx * 28, 13)
  finishIntraModes()
}

/** intra_frame_mode_info( ) or intra_block_mode_info( ) behind the luma mode. */
export function finishIntraModes(): void {
  block.angleDeltaY = readAngleDelta(block.yMode)
  if (block.hasChroma) readUvMode()
  const isSmall = block.bw4 <= 16 && block.bh4 <= 16
  if (block.miSize >= BLOCK_8X8 && isSmall && frame.allowScreenContentTools) readPaletteModeInfo()
  readFilterIntra()
}

/** intra_angle_info_y( ) and intra_angle_info_uv( ) */
function readAngleDelta(mode: i32): i32 {
  if (block.miSize < BLOCK_8X8 || !isDirectional(mode)) return 0
  return readSymbol(tile.cdfs + ANGLE_DELTA_CDF + (mode - V_PRED) * 16, 7) - MAX_ANGLE_DELTA
}

function readUvMode(): void {
  const mode = <usize>block.yMode
  if (isCflAllowed()) block.uvMode = readSymbol(tile.cdfs + UV_MODE_CFL_ALLOWED_CDF + mode * 30, 14)
  else block.uvMode = readSymbol(tile.cdfs + UV_MODE_CFL_NOT_ALLOWED_CDF + mode * 28, 13)
  if (block.uvMode == UV_CFL_PRED) readCflAlphas()
  block.angleDeltaUV = readAngleDelta(block.uvMode)
}

function isCflAllowed(): bool {
  if (!block.lossless) return block.bw4 <= 8 && block.bh4 <= 8
  return <i32>load<u8>(SUBSAMPLED_SIZE + ((block.miSize << 2) + (subsamplingX << 1) + subsamplingY)) == BLOCK_4X4
}

/** read_cfl_alphas( ): a sign is 0 for zero, 1 for negative, 2 for positive. */
function readCflAlphas(): void {
  const signs = readSymbol(tile.cdfs + CFL_SIGN_CDF, 8) + 1
  const signU = signs / 3
  const signV = signs % 3
  block.cflAlphaU = signU == 0 ? 0 : readCflAlpha(signU, signV)
  block.cflAlphaV = signV == 0 ? 0 : readCflAlpha(signV, signU)
}

function readCflAlpha(sign: i32, other: i32): i32 {
  const ctx = (sign - 1) * 3 + other
  const alpha = 1 + readSymbol(tile.cdfs + CFL_ALPHA_CDF + ctx * 34, 16)
  return sign == 1 ? -alpha : alpha
}

/** filter_intra_mode_info( ) */
function readFilterIntra(): void {
  if (!sequence.enableFilterIntra || block.yMode != DC_PRED || block.paletteSizeY > 0) return
  if (block.bw4 > 8 || block.bh4 > 8) return
  block.useFilterIntra = readBool(tile.cdfs + FILTER_INTRA_CDF + block.miSize * 6) != 0
  if (block.useFilterIntra) block.filterIntraMode = readSymbol(tile.cdfs + FILTER_INTRA_MODE_CDF, 5)
}
