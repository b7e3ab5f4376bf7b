// read_ref_frames( ), and what the frames that neighbours are predicted from say: AV1 specification, 5.11.25 and 8.3.2.
import {
  COMP_BWD_REF_CDF,
  COMP_MODE_CDF,
  COMP_REF_CDF,
  COMP_REF_TYPE_CDF,
  SINGLE_REF_CDF,
  UNI_COMP_REF_CDF,
} from '../../tables/cdf'
import { block } from '../blocks/block'
import { readBool } from '../blocks/symbol-decoder'
import { tile } from '../blocks/tile'
import { INTRA_FRAME, interParams, LAST_FRAME } from '../frames/inter-params'
import { featureData, isFeatureActive, SEG_LVL_GLOBALMV, SEG_LVL_REF_FRAME, SEG_LVL_SKIP } from '../frames/segmentation'
import { interAt, REF_0, REF_1 } from './inter-map'

export const NONE: i32 = -1
const LAST2_FRAME: i32 = 2
const LAST3_FRAME: i32 = 3
const GOLDEN_FRAME: i32 = 4
const BWDREF_FRAME: i32 = 5
const ALTREF2_FRAME: i32 = 6
export const ALTREF_FRAME: i32 = 7
const CDF: usize = 6

/** AboveRefFrame and LeftRefFrame of the block, set by `findNeighbourRefs`. */
@unmanaged
class NeighbourRefs {
  // AboveRefFrame and LeftRefFrame.
  above0: i32
  above1: i32
  left0: i32
  left1: i32
}

export const neighbourRefs: NeighbourRefs = changetype<NeighbourRefs>(memory.data(offsetof<NeighbourRefs>(), 4))

/** Looks at the neighbours of the block. */
export function findNeighbourRefs(): void {
  neighbourRefs.above0 = INTRA_FRAME
  neighbourRefs.above1 = NONE
  neighbourRefs.left0 = INTRA_FRAME
  neighbourRefs.left1 = NONE
  if (block.availU) {
    const at = interAt(block.miRow - 1, block.miCol)
    neighbourRefs.above0 = load<i8>(at, REF_0)
    neighbourRefs.above1 = load<i8>(at, REF_1)
  }
  if (block.availL) {
    const at = interAt(block.miRow, block.miCol - 1)
    neighbourRefs.left0 = load<i8>(at, REF_0)
    neighbourRefs.left1 = load<i8>(at, REF_1)
  }
}

/** The context of is_inter. */
export function isInterContext(): usize {
  const aboveIntra = neighbourRefs.above0 <= INTRA_FRAME ? 1 : 0
  const leftIntra = neighbourRefs.left0 <= INTRA_FRAME ? 1 : 0
  if (block.availU && block.availL) return (leftIntra & aboveIntra) != 0 ? 3 : leftIntra | aboveIntra
  if (block.availU) return 2 * aboveIntra
  return block.availL ? 2 * leftIntra : 0
}

/** Reads RefFrame of the block. */
export function readRefFrames(): void {
  if (block.skipMode) setRefs(interParams.skipModeFrame0, interParams.skipModeFrame1)
  else if (isFeatureActive(block.segmentId, SEG_LVL_REF_FRAME)) {
    setRefs(featureData(block.segmentId, SEG_LVL_REF_FRAME), NONE)
  } else if (isFeatureActive(block.segmentId, SEG_LVL_SKIP) || isFeatureActive(block.segmentId, SEG_LVL_GLOBALMV)) {
    setRefs(LAST_FRAME, NONE)
  } else if (interParams.referenceSelect && min(block.bw4, block.bh4) >= 2 && read(COMP_MODE_CDF, compModeContext()))
    readCompound()
  else readSingle()
}

function setRefs(ref0: i32, ref1: i32): void {
  block.refFrame0 = ref0
  block.refFrame1 = ref1
}

function read(cdf: usize, index: usize): bool {
  return readBool(tile.cdfs + cdf + index * CDF) != 0
}

function readCompound(): void {
  if (!read(COMP_REF_TYPE_CDF, compRefTypeContext())) {
    readOneWay()
    return
  }
  let ref0 = 0
  if (readCompRef(0, last12Context()))
    ref0 = readCompRef(2, refContext(LAST3_FRAME, GOLDEN_FRAME)) ? GOLDEN_FRAME : LAST3_FRAME
  else ref0 = readCompRef(1, refContext(LAST_FRAME, LAST2_FRAME)) ? LAST2_FRAME : LAST_FRAME
  let ref1 = ALTREF_FRAME
  if (!read(COMP_BWD_REF_CDF, backwardContext() * 2)) {
    ref1 = read(COMP_BWD_REF_CDF, refContext(BWDREF_FRAME, ALTREF2_FRAME) * 2 + 1) ? ALTREF2_FRAME : BWDREF_FRAME
  }
  setRefs(ref0, ref1)
}

/** Both on the same side (UNIDIR_COMP_REFERENCE). */
function readOneWay(): void {
  if (read(UNI_COMP_REF_CDF, directionContext() * 3)) setRefs(BWDREF_FRAME, ALTREF_FRAME)
  else if (!read(UNI_COMP_REF_CDF, last2Context() * 3 + 1)) setRefs(LAST_FRAME, LAST2_FRAME)
  else {
    const isGolden = read(UNI_COMP_REF_CDF, refContext(LAST3_FRAME, GOLDEN_FRAME) * 3 + 2)
    setRefs(LAST_FRAME, isGolden ? GOLDEN_FRAME : LAST3_FRAME)
  }
}

function readCompRef(n: usize, ctx: usize): bool {
  return read(COMP_REF_CDF, ctx * 3 + n)
}

function readSingle(): void {
  let ref = 0
  if (readSingleRef(1, directionContext())) {
    if (readSingleRef(2, backwardContext())) ref = ALTREF_FRAME
    else ref = readSingleRef(6, refContext(BWDREF_FRAME, ALTREF2_FRAME)) ? ALTREF2_FRAME : BWDREF_FRAME
  } else if (readSingleRef(3, last12Context())) {
    ref = readSingleRef(5, refContext(LAST3_FRAME, GOLDEN_FRAME)) ? GOLDEN_FRAME : LAST3_FRAME
  } else ref = readSingleRef(4, refContext(LAST_FRAME, LAST2_FRAME)) ? LAST2_FRAME : LAST_FRAME
  setRefs(ref, NONE)
}

/** single_ref_pn */
function readSingleRef(n: usize, ctx: usize): bool {
  return read(SINGLE_REF_CDF, ctx * 6 + n - 1)
}

/** count_refs( ) */
function count(ref: i32): i32 {
  // Where there is no neighbour, its references are none of these.
  return (
    (neighbourRefs.above0 == ref ? 1 : 0) +
    (neighbourRefs.above1 == ref ? 1 : 0) +
    (neighbourRefs.left0 == ref ? 1 : 0) +
    (neighbourRefs.left1 == ref ? 1 : 0)
  )
}

/** ref_count_ctx( ) */
function compare(count0: i32, count1: i32): usize {
  return count0 < count1 ? 0 : count0 == count1 ? 1 : 2
}

function refContext(ref0: i32, ref1: i32): usize {
  return compare(count(ref0), count(ref1))
}

function last12Context(): usize {
  return compare(count(LAST_FRAME) + count(LAST2_FRAME), count(LAST3_FRAME) + count(GOLDEN_FRAME))
}

function last2Context(): usize {
  return compare(count(LAST2_FRAME), count(LAST3_FRAME) + count(GOLDEN_FRAME))
}

function backwardContext(): usize {
  return compare(count(BWDREF_FRAME) + count(ALTREF2_FRAME), count(ALTREF_FRAME))
}

function directionContext(): usize {
  return compare(
    count(LAST_FRAME) + count(LAST2_FRAME) + count(LAST3_FRAME) + count(GOLDEN_FRAME),
    count(BWDREF_FRAME) + count(ALTREF2_FRAME) + count(ALTREF_FRAME),
  )
}

function isBackward(ref: i32): bool {
  return ref >= BWDREF_FRAME
}

/** The context of comp_mode. */
function compModeContext(): usize {
  const aboveSingle = neighbourRefs.above1 <= INTRA_FRAME
  const leftSingle = neighbourRefs.left1 <= INTRA_FRAME
  if (block.availU && block.availL) {
    if (aboveSingle && leftSingle) return isBackward(neighbourRefs.above0) != isBackward(neighbourRefs.left0) ? 1 : 0
    if (aboveSingle) return isBackward(neighbourRefs.above0) || neighbourRefs.above0 <= INTRA_FRAME ? 3 : 2
    if (leftSingle) return isBackward(neighbourRefs.left0) || neighbourRefs.left0 <= INTRA_FRAME ? 3 : 2
    return 4
  }
  if (block.availU) return aboveSingle ? (isBackward(neighbourRefs.above0) ? 1 : 0) : 3
  if (block.availL) return leftSingle ? (isBackward(neighbourRefs.left0) ? 1 : 0) : 3
  return 1
}

/** The context of comp_ref_type. */
function compRefTypeContext(): usize {
  const aboveComp = neighbourRefs.above1 > INTRA_FRAME
  const leftComp = neighbourRefs.left1 > INTRA_FRAME
  const aboveUni = aboveComp && isBackward(neighbourRefs.above0) == isBackward(neighbourRefs.above1)
  const leftUni = leftComp && isBackward(neighbourRefs.left0) == isBackward(neighbourRefs.left1)
  if (neighbourRefs.above0 > INTRA_FRAME && neighbourRefs.left0 > INTRA_FRAME) {
    const samedir: usize = isBackward(neighbourRefs.above0) == isBackward(neighbourRefs.left0) ? 1 : 0
    if (!aboveComp && !leftComp) return 1 + 2 * samedir
    if (!aboveComp) return leftUni ? 3 + samedir : 1
    if (!leftComp) return aboveUni ? 3 + samedir : 1
    if (!aboveUni && !leftUni) return 0
    if (!aboveUni || !leftUni) return 2
    return (neighbourRefs.above0 == BWDREF_FRAME) == (neighbourRefs.left0 == BWDREF_FRAME) ? 4 : 3
  }
  const isUni = aboveComp ? aboveUni : leftUni
  if (!aboveComp && !leftComp) return 2
  if (block.availU && block.availL) return isUni ? 3 : 1
  return isUni ? 4 : 0
}
