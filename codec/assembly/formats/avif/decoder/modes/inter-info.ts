// inter_frame_mode_info( ): AV1 specification, 5.11.18 to 5.11.29 and 8.3.2.
import {
  COMP_GROUP_IDX_CDF,
  COMPOUND_IDX_CDF,
  COMPOUND_MODE_CDF,
  COMPOUND_TYPE_CDF,
  DRL_MODE_CDF,
  INTER_INTRA_CDF,
  INTER_INTRA_MODE_CDF,
  INTERP_FILTER_CDF,
  IS_INTER_CDF,
  NEW_MV_CDF,
  REF_MV_CDF,
  SKIP_MODE_CDF,
  WEDGE_INDEX_CDF,
  WEDGE_INTER_INTRA_CDF,
  Y_MODE_CDF,
  ZERO_MV_CDF,
} from '../../tables/cdf'
import { COMPOUND_MODE_CTX_MAP, SIZE_GROUP, WEDGE_BITS } from '../../tables/inter'
import {
  BLOCK_8X8,
  BLOCK_32X32,
  block,
  DC_PRED,
  GLOBAL_GLOBALMV,
  GLOBALMV,
  NEAR_NEARMV,
  NEAR_NEWMV,
  NEAREST_NEARESTMV,
  NEAREST_NEWMV,
  NEARESTMV,
  NEARMV,
  NEW_NEARESTMV,
  NEW_NEARMV,
  NEW_NEWMV,
  NEWMV,
} from '../blocks/block'
import { readBool, readLiteralBit, readSymbol } from '../blocks/symbol-decoder'
import { tile } from '../blocks/tile'
import { frame } from '../frames/frame-header'
import { gmType, TRANSLATION } from '../frames/global-motion'
import { INTRA_FRAME, interParams, orderHintOf, SWITCHABLE } from '../frames/inter-params'
import { relativeDistance } from '../frames/order-hints'
import {
  featureData,
  isFeatureActive,
  SEG_LVL_GLOBALMV,
  SEG_LVL_REF_FRAME,
  SEG_LVL_SKIP,
  segmentation,
} from '../frames/segmentation'
import { sequence } from '../frames/sequence-header'
import { COMP_GROUP, COMPOUND, FILTERS, FLAGS, interAt, SKIP_MODE } from './inter-map'
import { finishIntraModes, readCommon, readSkip } from './mode-info'
import { LOCALWARP, readMotionMode } from './motion-mode'
import { drlContext, findMvStack, mvStack, stackMv } from './mv-stack'
import { isInReach, readVector } from './read-mv'
import { ALTREF_FRAME, findNeighbourRefs, isInterContext, NONE, neighbourRefs, readRefFrames } from './ref-frames'
import { readInterSegmentId } from './segment-id'

export const COMPOUND_WEDGE: i32 = 0
export const COMPOUND_DIFFWTD: i32 = 1
export const COMPOUND_AVERAGE: i32 = 2
export const COMPOUND_INTRA: i32 = 3
export const COMPOUND_DISTANCE: i32 = 4
const COMP_NEWMV_CTXS: i32 = 5
const EIGHTTAP: i32 = 0
const NO_FILTER: i32 = 3
const CDF: usize = 6

/** Reads the modes of a block in a frame that is predicted from others; false if a vector is not valid. */
export function readInterFrameModeInfo(): bool {
  findNeighbourRefs()
  block.skip = false
  readInterSegmentId(true)
  block.skipMode = readSkipMode()
  if (block.skipMode) block.skip = true
  else readSkip()
  if (!segmentation.segIdPreSkip) readInterSegmentId(false)
  readCommon()
  block.interintra = false
  block.compGroupIdx = 0
  block.compoundIdx = 0
  block.filter0 = EIGHTTAP
  block.filter1 = EIGHTTAP
  block.vector0 = 0
  block.vector1 = 0
  block.isInter = readIsInter()
  if (block.isInter) return readInterModes()
  block.refFrame0 = INTRA_FRAME
  block.refFrame1 = NONE
  block.yMode = readSymbol(tile.cdfs + Y_MODE_CDF + <usize>sizeGroup() * 28, 13)
  finishIntraModes()
  return true
}

function sizeGroup(): i32 {
  return load<u8>(SIZE_GROUP + block.miSize)
}

function isActive(feature: i32): bool {
  return isFeatureActive(block.segmentId, feature)
}

function read(cdf: usize, index: usize): bool {
  return readBool(tile.cdfs + cdf + index * CDF) != 0
}

/** Flags of the block above and of that to the left, or 0. */
function flagsAbove(): u32 {
  return block.availU ? load<u16>(interAt(block.miRow - 1, block.miCol), FLAGS) : 0
}

function flagsLeft(): u32 {
  return block.availL ? load<u16>(interAt(block.miRow, block.miCol - 1), FLAGS) : 0
}

/** read_skip_mode( ) */
function readSkipMode(): bool {
  if (isActive(SEG_LVL_SKIP) || isActive(SEG_LVL_REF_FRAME) || isActive(SEG_LVL_GLOBALMV)) return false
  if (!interParams.skipModePresent || block.bw4 < 2 || block.bh4 < 2) return false
  return read(SKIP_MODE_CDF, both(flagsAbove() & SKIP_MODE, flagsLeft() & SKIP_MODE))
}

function both(above: u32, left: u32): usize {
  return (above != 0 ? 1 : 0) + (left != 0 ? 1 : 0)
}

/** read_is_inter( ) */
function readIsInter(): bool {
  if (block.skipMode) return true
  if (isActive(SEG_LVL_REF_FRAME)) return featureData(block.segmentId, SEG_LVL_REF_FRAME) != INTRA_FRAME
  return isActive(SEG_LVL_GLOBALMV) || read(IS_INTER_CDF, isInterContext())
}

/** inter_block_mode_info( ) */
function readInterModes(): bool {
  block.uvMode = DC_PRED
  readRefFrames()
  const isCompound = block.refFrame1 > INTRA_FRAME
  findMvStack()
  block.yMode = readMode(isCompound)
  if (!assignVectors(isCompound, readRefMvIdx())) return false
  readInterintra(isCompound)
  block.motionMode = readMotionMode()
  readCompoundType(isCompound)
  readFilters()
  return true
}

function readMode(isCompound: bool): i32 {
  if (block.skipMode) return NEAREST_NEARESTMV
  if (isActive(SEG_LVL_SKIP) || isActive(SEG_LVL_GLOBALMV)) return GLOBALMV
  if (isCompound) {
    const ctx = (mvStack.refMvContext >> 1) * COMP_NEWMV_CTXS + min(mvStack.newMvContext, COMP_NEWMV_CTXS - 1)
    const cdf = COMPOUND_MODE_CDF + <usize>load<u8>(COMPOUND_MODE_CTX_MAP + ctx) * 18
    return NEAREST_NEARESTMV + readSymbol(tile.cdfs + cdf, 8)
  }
  if (!read(NEW_MV_CDF, mvStack.newMvContext)) return NEWMV
  if (!read(ZERO_MV_CDF, mvStack.zeroMvContext)) return GLOBALMV
  return read(REF_MV_CDF, mvStack.refMvContext) ? NEARMV : NEARESTMV
}

/** RefMvIdx */
function readRefMvIdx(): i32 {
  const mode = block.yMode
  const isNew = mode == NEWMV || mode == NEW_NEWMV
  const hasNearmv = mode == NEARMV || mode == NEAR_NEARMV || mode == NEAR_NEWMV || mode == NEW_NEARMV
  if (!isNew && !hasNearmv) return 0
  const first = hasNearmv ? 1 : 0
  for (let i = first; i < first + 2; i++) {
    if (mvStack.numMvFound <= i + 1 || !read(DRL_MODE_CDF, drlContext(i))) return i
  }
  return first + 2
}

/** assign_mv( ) */
function assignVectors(isCompound: bool, refMvIdx: i32): bool {
  block.vector0 = assignVector(modeOfFirst(), refMvIdx, 0)
  if (isCompound) block.vector1 = assignVector(modeOfSecond(), refMvIdx, 1)
  return isInReach(block.vector0) && isInReach(block.vector1)
}

function assignVector(mode: i32, refMvIdx: i32, list: i32): u32 {
  if (mode == GLOBALMV) return list == 0 ? mvStack.globalMv0 : mvStack.globalMv1
  const isNew = mode == NEWMV
  const pos = mode == NEARESTMV || (isNew && mvStack.numMvFound <= 1) ? 0 : refMvIdx
  const predicted = stackMv(pos, list)
  return isNew ? readVector(predicted) : predicted
}

/** get_mode( 0 ) */
function modeOfFirst(): i32 {
  const mode = block.yMode
  if (mode < NEAREST_NEARESTMV) return mode
  if (mode == NEW_NEWMV || mode == NEW_NEARESTMV || mode == NEW_NEARMV) return NEWMV
  if (mode == NEAREST_NEARESTMV || mode == NEAREST_NEWMV) return NEARESTMV
  return mode == GLOBAL_GLOBALMV ? GLOBALMV : NEARMV
}

/** get_mode( 1 ) */
function modeOfSecond(): i32 {
  const mode = block.yMode
  if (mode == NEW_NEWMV || mode == NEAREST_NEWMV || mode == NEAR_NEWMV) return NEWMV
  if (mode == NEAREST_NEARESTMV || mode == NEW_NEARESTMV) return NEARESTMV
  return mode == GLOBAL_GLOBALMV ? GLOBALMV : NEARMV
}

/** read_interintra_mode( ) */
function readInterintra(isCompound: bool): void {
  if (block.skipMode || !sequence.enableInterintraCompound || isCompound) return
  if (block.miSize < BLOCK_8X8 || block.miSize > BLOCK_32X32) return
  const ctx: usize = sizeGroup() - 1
  block.interintra = read(INTER_INTRA_CDF, ctx)
  if (!block.interintra) return
  block.interintraMode = readSymbol(tile.cdfs + INTER_INTRA_MODE_CDF + ctx * 10, 4)
  block.refFrame1 = INTRA_FRAME
  block.angleDeltaY = 0
  block.angleDeltaUV = 0
  block.useFilterIntra = false
  block.wedgeInterintra = read(WEDGE_INTER_INTRA_CDF, block.miSize)
  if (block.wedgeInterintra) readWedge()
  block.wedgeSign = 0
}

function readWedge(): void {
  block.wedgeIndex = readSymbol(tile.cdfs + WEDGE_INDEX_CDF + block.miSize * 34, 16)
}

/** read_compound_type( ) */
function readCompoundType(isCompound: bool): void {
  block.compoundIdx = 1
  block.compoundType = COMPOUND_AVERAGE
  if (block.skipMode) return
  if (!isCompound) {
    if (block.interintra) block.compoundType = block.wedgeInterintra ? COMPOUND_WEDGE : COMPOUND_INTRA
    return
  }
  if (sequence.enableMaskedCompound)
    block.compGroupIdx = readBool(tile.cdfs + COMP_GROUP_IDX_CDF + compGroupContext() * CDF)
  if (block.compGroupIdx == 0) {
    if (!sequence.enableJntComp) return
    block.compoundIdx = readBool(tile.cdfs + COMPOUND_IDX_CDF + compoundIdxContext() * CDF)
    if (block.compoundIdx == 0) block.compoundType = COMPOUND_DISTANCE
    return
  }
  const hasWedges = load<u8>(WEDGE_BITS + block.miSize) > 0
  block.compoundType = hasWedges && !read(COMPOUND_TYPE_CDF, block.miSize) ? COMPOUND_WEDGE : COMPOUND_DIFFWTD
  if (block.compoundType == COMPOUND_WEDGE) {
    readWedge()
    block.wedgeSign = readLiteralBit()
  } else block.maskType = readLiteralBit()
}

function compGroupContext(): usize {
  let ctx =
    neighbourRefs.above1 > INTRA_FRAME
      ? (flagsAbove() & COMP_GROUP) != 0
        ? 1
        : 0
      : neighbourRefs.above0 == ALTREF_FRAME
        ? 3
        : 0
  ctx +=
    neighbourRefs.left1 > INTRA_FRAME
      ? (flagsLeft() & COMP_GROUP) != 0
        ? 1
        : 0
      : neighbourRefs.left0 == ALTREF_FRAME
        ? 3
        : 0
  return min(5, ctx)
}

function compoundIdxContext(): usize {
  const forward = abs(relativeDistance(orderHintOf(block.refFrame0), frame.orderHint))
  const backward = abs(relativeDistance(orderHintOf(block.refFrame1), frame.orderHint))
  const above =
    neighbourRefs.above1 > INTRA_FRAME ? flagsAbove() & COMPOUND : neighbourRefs.above0 == ALTREF_FRAME ? 1 : 0
  const left = neighbourRefs.left1 > INTRA_FRAME ? flagsLeft() & COMPOUND : neighbourRefs.left0 == ALTREF_FRAME ? 1 : 0
  return (forward == backward ? 3 : 0) + both(above, left)
}

function readFilters(): void {
  if (interParams.interpolationFilter != SWITCHABLE) {
    block.filter0 = interParams.interpolationFilter
    block.filter1 = interParams.interpolationFilter
    return
  }
  if (!needsFilter()) return
  block.filter0 = readFilter(0)
  block.filter1 = sequence.enableDualFilter ? readFilter(1) : block.filter0
}

/** needs_interp_filter( ) */
function needsFilter(): bool {
  if (block.skipMode || block.motionMode == LOCALWARP) return false
  if (min(block.bw4, block.bh4) < 2) return true
  if (block.yMode == GLOBALMV) return gmType(block.refFrame0) == TRANSLATION
  if (block.yMode != GLOBAL_GLOBALMV) return true
  return gmType(block.refFrame0) == TRANSLATION || gmType(block.refFrame1) == TRANSLATION
}

/** interp_filter[ dir ] */
function readFilter(dir: i32): i32 {
  let ctx = (dir * 2 + (block.refFrame1 > INTRA_FRAME ? 1 : 0)) * 4
  const isLeft = neighbourRefs.left0 == block.refFrame0 || neighbourRefs.left1 == block.refFrame0
  const isAbove = neighbourRefs.above0 == block.refFrame0 || neighbourRefs.above1 == block.refFrame0
  const left = isLeft ? <i32>load<u8>(interAt(block.miRow, block.miCol - 1) + dir, FILTERS) : NO_FILTER
  const above = isAbove ? <i32>load<u8>(interAt(block.miRow - 1, block.miCol) + dir, FILTERS) : NO_FILTER
  if (left == above) ctx += left
  else if (left == NO_FILTER) ctx += above
  else ctx += above == NO_FILTER ? left : NO_FILTER
  return readSymbol(tile.cdfs + INTERP_FILTER_CDF + <usize>ctx * 8, 3)
}
