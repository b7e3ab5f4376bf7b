// Prediction of a block from other frames: AV1 specification, 5.11.33, 7.11.3.1, 7.11.3.9, 7.11.3.10 and 7.11.3.14.
import { MI_HEIGHT_LOG2, MI_WIDTH_LOG2, NUM_4X4_BLOCKS_HIGH, NUM_4X4_BLOCKS_WIDE } from '../../tables/block'
import { OBMC_MASKS } from '../../tables/inter'
import { BLOCK_8X8, block, DC_PRED, GLOBAL_GLOBALMV, GLOBALMV, SMOOTH_PRED } from '../blocks/block'
import { BLOCK_INVALID, residualSize } from '../blocks/residual-size'
import { current } from '../frames/frame'
import { frame } from '../frames/frame-header'
import { gmParams, gmType, TRANSLATION } from '../frames/global-motion'
import { INTRA_FRAME, isScaled, referenceOf } from '../frames/inter-params'
import { sampleAt } from '../frames/planes'
import { bitDepth, subsamplingX, subsamplingY } from '../frames/sequence-header'
import {
  COMPOUND_AVERAGE,
  COMPOUND_DIFFWTD,
  COMPOUND_DISTANCE,
  COMPOUND_INTRA,
  COMPOUND_WEDGE,
} from '../modes/inter-info'
import { colOf, FILTERS, interAt, REF_0, REF_1, rowOf, SIZE, VECTOR_0, VECTOR_1 } from '../modes/inter-map'
import { LOCALWARP, OBMC } from '../modes/motion-mode'
import {
  findDistanceWeights,
  fwdWeight,
  makeDifferenceMask,
  makeIntraMask,
  makeWedgeMask,
  maskAt,
  startMasks,
} from './blend-masks'
import { part, predictBlock, predRow, rounding, setPart, setRounding, startBlockInter } from './block-inter'
import { intraBlock, setIntraBlock } from './intra-block'
import { predictIntra } from './predict-intra'
import { estimateWarp, LOCAL_WARP, setupShear, warpBlock } from './warp'

const II_SMOOTH_PRED: i32 = 3

let isLocalWarpValid = false

/** Takes the memory. */
export function startPredictInter(): void {
  startBlockInter()
  startMasks()
}

/** compute_prediction( ) of a block that is predicted from other frames. */
export function predictInter(): void {
  isLocalWarpValid = block.motionMode == LOCALWARP && estimateWarp() && setupShear(LOCAL_WARP)
  const planes = block.hasChroma ? 3 : 1
  for (let plane = 0; plane < planes; plane++) predictPlane(plane)
}

function predictPlane(plane: i32): void {
  const subX = plane > 0 ? subsamplingX : 0
  const subY = plane > 0 ? subsamplingY : 0
  const size = residualSize(block.miSize, plane)
  if (size == BLOCK_INVALID) return
  const w = (<i32>load<u8>(NUM_4X4_BLOCKS_WIDE + size)) << 2
  const h = (<i32>load<u8>(NUM_4X4_BLOCKS_HIGH + size)) << 2
  const baseX = (block.miCol >> subX) << 2
  const baseY = (block.miRow >> subY) << 2
  if (block.interintra) predictIntraPart(plane, baseX, baseY, w, h)
  let candRow = (block.miRow >> subY) << subY
  let candCol = (block.miCol >> subX) << subX
  let predW = (block.bw4 << 2) >> subX
  let predH = (block.bh4 << 2) >> subY
  if (usesIntra(candRow, candCol)) {
    predW = w
    predH = h
    candRow = block.miRow
    candCol = block.miCol
  }
  let row = candRow
  for (let y = 0; y < h; y += predH) {
    let col = candCol
    for (let x = 0; x < w; x += predW) predictPart(plane, baseX + x, baseY + y, predW, predH, row, col++)
    row++
  }
}

/** someUseIntra of the blocks from an entry to the present one, which share their chroma. */
function usesIntra(candRow: i32, candCol: i32): bool {
  for (let row = candRow; row <= block.miRow; row++) {
    for (let col = candCol; col <= block.miCol; col++) {
      if (load<i8>(interAt(row, col), REF_0) <= INTRA_FRAME) return true
    }
  }
  return false
}

/** Predicts the intra part of an inter-intra block. */
function predictIntraPart(plane: i32, x: i32, y: i32, w: i32, h: i32): void {
  const mode = block.interintraMode == II_SMOOTH_PRED ? SMOOTH_PRED : DC_PRED + block.interintraMode
  setIntraBlock(plane, x, y, w, h, mode)
  intraBlock.haveLeft = plane == 0 ? block.availL : block.availLChroma
  intraBlock.haveAbove = plane == 0 ? block.availU : block.availUChroma
  predictIntra()
}

/** The inter prediction process, with the vectors of the block at an entry. */
function predictPart(plane: i32, x: i32, y: i32, w: i32, h: i32, candRow: i32, candCol: i32): void {
  const at = interAt(candRow, candCol)
  const ref0 = <i32>load<i8>(at, REF_0)
  const ref1 = <i32>load<i8>(at, REF_1)
  const isCompound = ref1 > INTRA_FRAME
  setRounding(isCompound)
  setPart(plane, x, y, w, h)
  predictOne(0, at, ref0, load<u32>(at, VECTOR_0))
  if (isCompound) predictOne(1, at, ref1, load<u32>(at, VECTOR_1))
  const type = block.compoundType
  if (type == COMPOUND_WEDGE && plane == 0) makeWedgeMask(w, h)
  else if (type == COMPOUND_INTRA) makeIntraMask(w, h)
  else if (type == COMPOUND_DIFFWTD && plane == 0) makeDifferenceMask(w, h)
  else if (type == COMPOUND_DISTANCE) findDistanceWeights(ref0, ref1)
  if (!isCompound && !block.interintra) storeSingle(plane, x, y, w, h)
  else if (type == COMPOUND_AVERAGE) storeWeighted(plane, x, y, w, h, 8)
  else if (type == COMPOUND_DISTANCE) storeWeighted(plane, x, y, w, h, fwdWeight)
  else blend(plane, x, y, w, h)
  if (block.motionMode == OBMC) overlap(plane, w, h)
}

/** Fills preds[ refList ] with the part, as the block at an entry predicts it. */
function predictOne(refList: i32, at: usize, ref: i32, mv: u32): void {
  const r = referenceOf(ref)
  if (part.w >= 8 && part.h >= 8 && !frame.forceIntegerMv) {
    if (isLocalWarpValid) {
      setupShear(LOCAL_WARP)
      warpBlock(refList, r, LOCAL_WARP)
      return
    }
    const isGlobal = block.yMode == GLOBALMV || block.yMode == GLOBAL_GLOBALMV
    if (isGlobal && gmType(ref) > TRANSLATION && !isScaled(ref) && setupShear(gmParams(ref))) {
      warpBlock(refList, r, gmParams(ref))
      return
    }
  }
  predictByVector(refList, at, ref, mv)
}

function predictByVector(refList: i32, at: usize, ref: i32, mv: u32): void {
  const filter0 = <i32>load<u8>(at, FILTERS)
  const filter1 = <i32>load<u8>(at, FILTERS + 1)
  predictBlock(refList, ref, rowOf(mv), colOf(mv), filter0, filter1)
}

// @ts-ignore: decorator
@inline
function clip1(value: i32): i32 {
  return max(0, min((1 << bitDepth) - 1, value))
}

function storeSingle(plane: i32, x: i32, y: i32, w: i32, h: i32): void {
  for (let i = 0; i < h; i++) {
    const from = predRow(0, i)
    const to = sampleAt(current, plane, x, y + i)
    for (let j = 0; j < w; j++) store<u16>(to + (j << 1), <u16>clip1(load<i32>(from + (j << 2))))
  }
}

/** The mean of both, where the first counts `weight` of 16. */
function storeWeighted(plane: i32, x: i32, y: i32, w: i32, h: i32, weight: i32): void {
  const bits = 4 + rounding.postRound
  const half = (1 << bits) >> 1
  for (let i = 0; i < h; i++) {
    const from0 = predRow(0, i)
    const from1 = predRow(1, i)
    const to = sampleAt(current, plane, x, y + i)
    for (let j = 0; j < w; j++) {
      const sum = weight * load<i32>(from0 + (j << 2)) + (16 - weight) * load<i32>(from1 + (j << 2))
      store<u16>(to + (j << 1), <u16>clip1((sum + half) >> bits))
    }
  }
}

/** The mask blend process. */
function blend(plane: i32, x: i32, y: i32, w: i32, h: i32): void {
  const isOwn = block.interintra && !block.wedgeInterintra
  const subX = plane > 0 && !isOwn ? subsamplingX : 0
  const subY = plane > 0 && !isOwn ? subsamplingY : 0
  const bits = 6 + rounding.postRound
  const half = (1 << bits) >> 1
  for (let i = 0; i < h; i++) {
    const from0 = predRow(0, i)
    const from1 = predRow(1, i)
    const to = sampleAt(current, plane, x, y + i)
    for (let j = 0; j < w; j++) {
      const m = maskFor(i, j, subX, subY)
      const pred0 = load<i32>(from0 + (j << 2))
      const at = to + (j << 1)
      if (block.interintra) store<u16>(at, <u16>((m * load<u16>(at) + (64 - m) * clip1(pred0) + 32) >> 6))
      else store<u16>(at, <u16>clip1((m * pred0 + (64 - m) * load<i32>(from1 + (j << 2)) + half) >> bits))
    }
  }
}

/** Mask where the plane is sampled like this. */
function maskFor(i: i32, j: i32, subX: i32, subY: i32): i32 {
  if (subX == 0) return load<u8>(maskAt(i, j))
  const at = maskAt(i << subY, j << 1)
  const sum = <i32>load<u8>(at) + load<u8>(at, 1)
  if (subY == 0) return (sum + 1) >> 1
  const below = maskAt((i << 1) + 1, j << 1)
  return (sum + load<u8>(below) + load<u8>(below, 1) + 2) >> 2
}

/** The overlapped motion compensation process (7.11.3.9). */
function overlap(plane: i32, w: i32, h: i32): void {
  const subX = plane > 0 ? subsamplingX : 0
  const subY = plane > 0 ? subsamplingY : 0
  if (block.availU && residualSize(block.miSize, plane) >= BLOCK_8X8) {
    let left = min(4, <i32>load<u8>(MI_WIDTH_LOG2 + block.miSize))
    for (let x4 = block.miCol; left > 0 && x4 < min(frame.miCols, block.miCol + block.bw4); ) {
      const at = interAt(block.miRow - 1, x4 | 1)
      const step4 = max(2, min(16, <i32>load<u8>(NUM_4X4_BLOCKS_WIDE + load<u8>(at, SIZE))))
      if (load<i8>(at, REF_0) > INTRA_FRAME) {
        left--
        overlapPart(plane, x4, block.miRow, min(w, (step4 << 2) >> subX), min(h >> 1, 32 >> subY), at, true)
      }
      x4 += step4
    }
  }
  if (!block.availL) return
  let left = min(4, <i32>load<u8>(MI_HEIGHT_LOG2 + block.miSize))
  for (let y4 = block.miRow; left > 0 && y4 < min(frame.miRows, block.miRow + block.bh4); ) {
    const at = interAt(y4 | 1, block.miCol - 1)
    const step4 = max(2, min(16, <i32>load<u8>(NUM_4X4_BLOCKS_HIGH + load<u8>(at, SIZE))))
    if (load<i8>(at, REF_0) > INTRA_FRAME) {
      left--
      overlapPart(plane, block.miCol, y4, min(w >> 1, 32 >> subX), min(h, (step4 << 2) >> subY), at, false)
    }
    y4 += step4
  }
}

/** predict_overlap( ), with the vector of the block at an entry. */
function overlapPart(plane: i32, x4: i32, y4: i32, w: i32, h: i32, at: usize, isAbove: bool): void {
  const x = (x4 << 2) >> (plane > 0 ? subsamplingX : 0)
  const y = (y4 << 2) >> (plane > 0 ? subsamplingY : 0)
  setPart(plane, x, y, w, h)
  predictByVector(0, at, load<i8>(at, REF_0), load<u32>(at, VECTOR_0))
  const mask = OBMC_MASKS + (isAbove ? h : w)
  for (let i = 0; i < h; i++) {
    const from = predRow(0, i)
    const to = sampleAt(current, plane, x, y + i)
    for (let j = 0; j < w; j++) {
      const m = <i32>load<u8>(mask + (isAbove ? i : j))
      const sample = to + (j << 1)
      store<u16>(sample, <u16>((m * load<u16>(sample) + (64 - m) * clip1(load<i32>(from + (j << 2))) + 32) >> 6))
    }
  }
}
