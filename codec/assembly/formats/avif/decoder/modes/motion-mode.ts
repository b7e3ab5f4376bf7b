// read_motion_mode( ), and the neighbours that a warp is estimated from: AV1 specification, 5.11.27, 7.10.3 and 7.10.4.
import { NUM_4X4_BLOCKS_HIGH, NUM_4X4_BLOCKS_WIDE } from '../../tables/block'
import { MOTION_MODE_CDF, USE_OBMC_CDF } from '../../tables/cdf'
import { block, GLOBAL_GLOBALMV, GLOBALMV } from '../blocks/block'
import { readBool, readSymbol } from '../blocks/symbol-decoder'
import { isInside, tile } from '../blocks/tile'
import { frame } from '../frames/frame-header'
import { gmType, TRANSLATION } from '../frames/global-motion'
import { INTRA_FRAME, interParams, isScaled } from '../frames/inter-params'
import { colOf, FLAGS, interAt, REF_0, REF_1, rowOf, SIZE, VECTOR_0, WRITTEN } from './inter-map'
import { NONE } from './ref-frames'

const SIMPLE: i32 = 0
export const OBMC: i32 = 1
export const LOCALWARP: i32 = 2
const LEAST_SQUARES_SAMPLES_MAX: i32 = 8

/** CandList, i32[8][4], and NumSamples. */
export const CANDIDATES: usize = memory.data(4 * 4 * 9, 4)

/** The number of neighbours that the warp of the block is estimated from. */
@unmanaged
class WarpSamples {
  numSamples: i32
  numSamplesScanned: i32
}

export const warpSamples: WarpSamples = changetype<WarpSamples>(memory.data(offsetof<WarpSamples>(), 4))

/** Reads motion_mode. */
export function readMotionMode(): i32 {
  if (block.skipMode || !interParams.isMotionModeSwitchable || min(block.bw4, block.bh4) < 2) return SIMPLE
  const isGlobal = block.yMode == GLOBALMV || block.yMode == GLOBAL_GLOBALMV
  if (!frame.forceIntegerMv && isGlobal && gmType(block.refFrame0) > TRANSLATION) return SIMPLE
  if (block.refFrame1 >= INTRA_FRAME || !hasOverlappableCandidates()) return SIMPLE
  findWarpSamples()
  if (
    frame.forceIntegerMv ||
    warpSamples.numSamples == 0 ||
    !interParams.allowWarpedMotion ||
    isScaled(block.refFrame0)
  ) {
    return readBool(tile.cdfs + USE_OBMC_CDF + block.miSize * 6) != 0 ? OBMC : SIMPLE
  }
  return readSymbol(tile.cdfs + MOTION_MODE_CDF + block.miSize * 8, 3)
}

/** has_overlappable_candidates( ) */
function hasOverlappableCandidates(): bool {
  if (block.availU) {
    for (let x4 = block.miCol; x4 < min(frame.miCols, block.miCol + block.bw4); x4 += 2) {
      if (load<i8>(interAt(block.miRow - 1, x4 | 1), REF_0) > INTRA_FRAME) return true
    }
  }
  if (!block.availL) return false
  for (let y4 = block.miRow; y4 < min(frame.miRows, block.miRow + block.bh4); y4 += 2) {
    if (load<i8>(interAt(y4 | 1, block.miCol - 1), REF_0) > INTRA_FRAME) return true
  }
  return false
}

/** find_warp_samples( ) */
function findWarpSamples(): void {
  warpSamples.numSamples = 0
  warpSamples.numSamplesScanned = 0
  let doTopLeft = true
  let doTopRight = true
  if (block.availU) {
    const srcW = widthAt(block.miRow - 1, block.miCol)
    if (block.bw4 <= srcW) {
      const offset = block.miCol & (srcW - 1)
      if (offset > 0) doTopLeft = false
      if (srcW - offset > block.bw4) doTopRight = false
      addSample(-1, 0)
    } else {
      for (let i = 0; i < min(block.bw4, frame.miCols - block.miCol); ) {
        addSample(-1, i)
        i += min(block.bw4, widthAt(block.miRow - 1, block.miCol + i))
      }
    }
  }
  if (block.availL) {
    const srcH = heightAt(block.miRow, block.miCol - 1)
    if (block.bh4 <= srcH) {
      if ((block.miRow & (srcH - 1)) > 0) doTopLeft = false
      addSample(0, -1)
    } else {
      for (let i = 0; i < min(block.bh4, frame.miRows - block.miRow); ) {
        addSample(i, -1)
        i += min(block.bh4, heightAt(block.miRow + i, block.miCol - 1))
      }
    }
  }
  if (doTopLeft) addSample(-1, -1)
  if (doTopRight && max(block.bw4, block.bh4) <= 16) addSample(-1, block.bw4)
  if (warpSamples.numSamples == 0 && warpSamples.numSamplesScanned > 0) warpSamples.numSamples = 1
}

function widthAt(row: i32, col: i32): i32 {
  return load<u8>(NUM_4X4_BLOCKS_WIDE + load<u8>(interAt(row, col), SIZE))
}

function heightAt(row: i32, col: i32): i32 {
  return load<u8>(NUM_4X4_BLOCKS_HIGH + load<u8>(interAt(row, col), SIZE))
}

/** The add sample process (7.10.4.2). */
function addSample(deltaRow: i32, deltaCol: i32): void {
  if (warpSamples.numSamplesScanned >= LEAST_SQUARES_SAMPLES_MAX) return
  const row = block.miRow + deltaRow
  const col = block.miCol + deltaCol
  if (!isInside(row, col)) return
  const at = interAt(row, col)
  if ((load<u16>(at, FLAGS) & WRITTEN) == 0) return
  if (<i32>load<i8>(at, REF_0) != block.refFrame0 || load<i8>(at, REF_1) != NONE) return
  const candW4 = widthAt(row, col)
  const candH4 = heightAt(row, col)
  const midY = ((row & ~(candH4 - 1)) << 2) + (candH4 << 1) - 1
  const midX = ((col & ~(candW4 - 1)) << 2) + (candW4 << 1) - 1
  const threshold = max(16, min(112, max(block.bw4, block.bh4) << 2))
  const mvRow = rowOf(load<u32>(at, VECTOR_0))
  const mvCol = colOf(load<u32>(at, VECTOR_0))
  const isValid = abs(mvRow - rowOf(block.vector0)) + abs(mvCol - colOf(block.vector0)) <= threshold
  warpSamples.numSamplesScanned++
  if (!isValid && warpSamples.numSamplesScanned > 1) return
  const to = CANDIDATES + (warpSamples.numSamples << 4)
  store<i32>(to, midY << 3)
  store<i32>(to, midX << 3, 4)
  store<i32>(to, (midY << 3) + mvRow, 8)
  store<i32>(to, (midX << 3) + mvCol, 12)
  if (isValid) warpSamples.numSamples++
}
