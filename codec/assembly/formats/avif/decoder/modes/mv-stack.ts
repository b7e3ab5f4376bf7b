// The motion vectors that a block's own may be like: AV1 specification, 7.10.2.
import { NUM_4X4_BLOCKS_HIGH, NUM_4X4_BLOCKS_WIDE } from '../../tables/block'
import { block, GLOBAL_GLOBALMV, GLOBALMV, hasNewMv } from '../blocks/block'
import { isInside } from '../blocks/tile'
import { frame } from '../frames/frame-header'
import { gmParams, gmType, TRANSLATION, WARPEDMODEL_PREC_BITS } from '../frames/global-motion'
import { INTRA_FRAME, interParams, signBias } from '../frames/inter-params'
import {
  colOf,
  FLAGS,
  INTER,
  interAt,
  MODE,
  packVector,
  REF_0,
  REF_1,
  rowOf,
  SIZE,
  VECTOR_0,
  VECTOR_1,
  WRITTEN,
} from './inter-map'
import { findMotion, motionVector } from './motion-field'

const MAX_REF_MV_STACK_SIZE: i32 = 8
const REF_CAT_LEVEL: i32 = 640
const MV_BORDER: i32 = 128

/** RefStackMv (packed as in inter-map.ts) and WeightStack. */
const STACK_0: StaticArray<u32> = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
const STACK_1: StaticArray<u32> = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
const WEIGHTS: StaticArray<i32> = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]

/** The outputs of `findMvStack` for the block. */
@unmanaged
class MvStack {
  numMvFound: i32
  globalMv0: u32
  globalMv1: u32
  newMvContext: i32
  refMvContext: i32
  zeroMvContext: i32
  newMvCount: i32
  foundMatch: bool
  isCompound: bool
}

export const mvStack: MvStack = changetype<MvStack>(memory.data(offsetof<MvStack>(), 4))

/** RefStackMv[ idx ][ list ] */
export function stackMv(idx: i32, list: i32): u32 {
  return list == 0 ? unchecked(STACK_0[idx]) : unchecked(STACK_1[idx])
}

/** DrlCtxStack[ idx ] */
export function drlContext(idx: i32): i32 {
  if (idx + 1 >= mvStack.numMvFound) return 0
  if (unchecked(WEIGHTS[idx]) < REF_CAT_LEVEL) return 2
  return unchecked(WEIGHTS[idx + 1]) < REF_CAT_LEVEL ? 1 : 0
}

/** find_mv_stack( ) for RefFrame of the block. */
export function findMvStack(): void {
  mvStack.isCompound = block.refFrame1 > INTRA_FRAME
  mvStack.numMvFound = 0
  mvStack.newMvCount = 0
  mvStack.globalMv0 = globalVector(block.refFrame0)
  mvStack.globalMv1 = mvStack.isCompound ? globalVector(block.refFrame1) : 0
  mvStack.foundMatch = false
  scanRow(-1)
  let above = takeMatch()
  scanCol(-1)
  let left = takeMatch()
  if (max(block.bw4, block.bh4) <= 16) scanPoint(-1, block.bw4)
  if (takeMatch()) above = true
  const closeMatches = (above ? 1 : 0) + (left ? 1 : 0)
  const numNearest = mvStack.numMvFound
  const numNew = mvStack.newMvCount
  for (let i = 0; i < numNearest; i++) unchecked((WEIGHTS[i] += REF_CAT_LEVEL))
  mvStack.zeroMvContext = 0
  if (interParams.useRefFrameMvs) scanTemporal()
  scanPoint(-1, -1)
  if (takeMatch()) above = true
  scanRow(-3)
  if (takeMatch()) above = true
  scanCol(-3)
  if (takeMatch()) left = true
  if (block.bh4 > 1) scanRow(-5)
  if (takeMatch()) above = true
  if (block.bw4 > 1) scanCol(-5)
  if (takeMatch()) left = true
  sortStack(0, numNearest)
  sortStack(numNearest, mvStack.numMvFound)
  if (mvStack.numMvFound < 2) searchFurther()
  for (let i = 0; i < mvStack.numMvFound; i++) {
    unchecked((STACK_0[i] = clampVector(STACK_0[i])))
    if (mvStack.isCompound) unchecked((STACK_1[i] = clampVector(unchecked(STACK_1[i]))))
  }
  setContexts(closeMatches, (above ? 1 : 0) + (left ? 1 : 0), min(numNew, 1))
}

function takeMatch(): bool {
  const found = mvStack.foundMatch
  mvStack.foundMatch = false
  return found
}

/** RefMvContext and NewMvContext (7.10.2.14). */
function setContexts(closeMatches: i32, totalMatches: i32, numNew: i32): void {
  if (closeMatches == 0) {
    mvStack.newMvContext = min(totalMatches, 1)
    mvStack.refMvContext = totalMatches
  } else if (closeMatches == 1) {
    mvStack.newMvContext = 3 - numNew
    mvStack.refMvContext = 2 + totalMatches
  } else {
    mvStack.newMvContext = 5 - numNew
    mvStack.refMvContext = 5
  }
}

/** The setup global mv process (7.10.2.1). */
function globalVector(ref: i32): u32 {
  if (ref <= INTRA_FRAME || gmType(ref) == 0) return 0
  const gm = gmParams(ref)
  const at0 = load<i32>(gm)
  const at1 = load<i32>(gm, 4)
  if (gmType(ref) == TRANSLATION) {
    return lowerPrecision(packVector(at0 >> (WARPEDMODEL_PREC_BITS - 3), at1 >> (WARPEDMODEL_PREC_BITS - 3)))
  }
  const x = (block.miCol << 2) + (block.bw4 << 1) - 1
  const y = (block.miRow << 2) + (block.bh4 << 1) - 1
  const one = 1 << WARPEDMODEL_PREC_BITS
  const xc = (load<i32>(gm, 8) - one) * x + load<i32>(gm, 12) * y + at0
  const yc = load<i32>(gm, 16) * x + (load<i32>(gm, 20) - one) * y + at1
  const less = interParams.allowHighPrecisionMv ? 0 : 1
  const bits = WARPEDMODEL_PREC_BITS - 3 + less
  return lowerPrecision(packVector(round2Signed(yc, bits) << less, round2Signed(xc, bits) << less))
}

function round2Signed(value: i32, bits: i32): i32 {
  const half = 1 << (bits - 1)
  return value < 0 ? -((half - value) >> bits) : (value + half) >> bits
}

/** lower_mv_precision( ) (7.10.2.10). */
function lowerPrecision(vector: u32): u32 {
  if (interParams.allowHighPrecisionMv) return vector
  return packVector(lowered(rowOf(vector)), lowered(colOf(vector)))
}

function lowered(component: i32): i32 {
  if (frame.forceIntegerMv) {
    const whole = ((abs(component) + 3) >> 3) << 3
    return component > 0 ? whole : -whole
  }
  if ((component & 1) == 0) return component
  return component > 0 ? component - 1 : component + 1
}

function scanRow(delta: i32): void {
  const end4 = min(min(block.bw4, frame.miCols - block.miCol), 16)
  const isFar = delta < -1
  const mvRow = block.miRow + delta + (isFar ? block.miRow & 1 : 0)
  const from = block.miCol + (isFar ? 1 - (block.miCol & 1) : 0)
  const least = max(isFar ? 2 : 1, block.bw4 >= 16 ? 4 : 1)
  for (let i = 0; i < end4; ) {
    if (!isInside(mvRow, from + i)) return
    const at = interAt(mvRow, from + i)
    const length = max(least, min(block.bw4, <i32>load<u8>(NUM_4X4_BLOCKS_WIDE + load<u8>(at, SIZE))))
    addCandidate(at, length * 2)
    i += length
  }
}

function scanCol(delta: i32): void {
  const end4 = min(min(block.bh4, frame.miRows - block.miRow), 16)
  const isFar = delta < -1
  const mvCol = block.miCol + delta + (isFar ? block.miCol & 1 : 0)
  const from = block.miRow + (isFar ? 1 - (block.miRow & 1) : 0)
  const least = max(isFar ? 2 : 1, block.bh4 >= 16 ? 4 : 1)
  for (let i = 0; i < end4; ) {
    if (!isInside(from + i, mvCol)) return
    const at = interAt(from + i, mvCol)
    const length = max(least, min(block.bh4, <i32>load<u8>(NUM_4X4_BLOCKS_HIGH + load<u8>(at, SIZE))))
    addCandidate(at, length * 2)
    i += length
  }
}

function scanPoint(deltaRow: i32, deltaCol: i32): void {
  const row = block.miRow + deltaRow
  const col = block.miCol + deltaCol
  if (!isInside(row, col)) return
  const at = interAt(row, col)
  if ((load<u16>(at, FLAGS) & WRITTEN) != 0) addCandidate(at, 4)
}

/** The temporal scan process (7.10.2.5). */
function scanTemporal(): void {
  const stepW4 = block.bw4 >= 16 ? 4 : 2
  const stepH4 = block.bh4 >= 16 ? 4 : 2
  for (let row = 0; row < min(block.bh4, 16); row += stepH4) {
    for (let col = 0; col < min(block.bw4, 16); col += stepW4) addTemporal(row, col)
  }
  if (block.bh4 < 2 || block.bh4 >= 16 || block.bw4 < 2 || block.bw4 >= 16) return
  addTemporalInSuperblock(block.bh4, -2)
  addTemporalInSuperblock(block.bh4, block.bw4)
  addTemporalInSuperblock(block.bh4 - 2, block.bw4)
}

function addTemporalInSuperblock(deltaRow: i32, deltaCol: i32): void {
  const row = (block.miRow & 15) + deltaRow
  const col = (block.miCol & 15) + deltaCol
  if (row >= 0 && row < 16 && col >= 0 && col < 16) addTemporal(deltaRow, deltaCol)
}

/** The temporal sample process (7.10.2.6). */
function addTemporal(deltaRow: i32, deltaCol: i32): void {
  const row = (block.miRow + deltaRow) | 1
  const col = (block.miCol + deltaCol) | 1
  if (!isInside(row, col)) return
  const isFirst = deltaRow == 0 && deltaCol == 0
  if (isFirst) mvStack.zeroMvContext = 1
  if (!findMotion(row >> 1, col >> 1)) return
  const vector0 = lowerPrecision(motionVector(block.refFrame0))
  const vector1 = mvStack.isCompound ? lowerPrecision(motionVector(block.refFrame1)) : 0
  if (isFirst)
    mvStack.zeroMvContext =
      isFar(vector0, mvStack.globalMv0) || (mvStack.isCompound && isFar(vector1, mvStack.globalMv1)) ? 1 : 0
  addVectors(vector0, vector1, 2)
}

function isFar(a: u32, b: u32): bool {
  return abs(rowOf(a) - rowOf(b)) >= 16 || abs(colOf(a) - colOf(b)) >= 16
}

/** The add reference motion vector process (7.10.2.7 to 7.10.2.9). */
function addCandidate(at: usize, weight: i32): void {
  if ((load<u16>(at, FLAGS) & INTER) == 0) return
  const ref0 = <i32>load<i8>(at, REF_0)
  const ref1 = <i32>load<i8>(at, REF_1)
  if (mvStack.isCompound) {
    if (ref0 != block.refFrame0 || ref1 != block.refFrame1) return
    const isGlobal = load<u8>(at, MODE) == GLOBAL_GLOBALMV
    noteMatch(at)
    addVectors(
      isGlobal && gmType(ref0) > TRANSLATION ? mvStack.globalMv0 : lowerPrecision(load<u32>(at, VECTOR_0)),
      isGlobal && gmType(ref1) > TRANSLATION ? mvStack.globalMv1 : lowerPrecision(load<u32>(at, VECTOR_1)),
      weight,
    )
    return
  }
  if (ref0 == block.refFrame0) addSingle(at, load<u32>(at, VECTOR_0), weight)
  if (ref1 == block.refFrame0) addSingle(at, load<u32>(at, VECTOR_1), weight)
}

function noteMatch(at: usize): void {
  mvStack.foundMatch = true
  if (hasNewMv(load<u8>(at, MODE))) mvStack.newMvCount++
}

/** The search stack process. */
function addSingle(at: usize, vector: u32, weight: i32): void {
  const mode = <i32>load<u8>(at, MODE)
  const size = load<u8>(at, SIZE)
  const isLarge = min(load<u8>(NUM_4X4_BLOCKS_WIDE + size), load<u8>(NUM_4X4_BLOCKS_HIGH + size)) >= 2
  const isGlobal = (mode == GLOBALMV || mode == GLOBAL_GLOBALMV) && isLarge && isWarped(block.refFrame0)
  noteMatch(at)
  addVectors(isGlobal ? mvStack.globalMv0 : lowerPrecision(vector), 0, weight)
}

function isWarped(ref: i32): bool {
  return ref > INTRA_FRAME && gmType(ref) > TRANSLATION
}

function addVectors(vector0: u32, vector1: u32, weight: i32): void {
  for (let i = 0; i < mvStack.numMvFound; i++) {
    if (unchecked(STACK_0[i]) != vector0 || (mvStack.isCompound && unchecked(STACK_1[i]) != vector1)) continue
    unchecked((WEIGHTS[i] += weight))
    return
  }
  if (mvStack.numMvFound < MAX_REF_MV_STACK_SIZE) push(vector0, vector1, weight)
}

function push(vector0: u32, vector1: u32, weight: i32): void {
  unchecked((STACK_0[mvStack.numMvFound] = vector0))
  unchecked((STACK_1[mvStack.numMvFound] = vector1))
  unchecked((WEIGHTS[mvStack.numMvFound++] = weight))
}

/** 7.10.2.11 */
function sortStack(start: i32, end: i32): void {
  while (end > start) {
    let newEnd = start
    for (let i = start + 1; i < end; i++) {
      if (unchecked(WEIGHTS[i - 1]) >= unchecked(WEIGHTS[i])) continue
      const weight = unchecked(WEIGHTS[i])
      const vector0 = unchecked(STACK_0[i])
      const vector1 = unchecked(STACK_1[i])
      unchecked((WEIGHTS[i] = WEIGHTS[i - 1]))
      unchecked((STACK_0[i] = STACK_0[i - 1]))
      unchecked((STACK_1[i] = STACK_1[i - 1]))
      unchecked((WEIGHTS[i - 1] = weight))
      unchecked((STACK_0[i - 1] = vector0))
      unchecked((STACK_1[i - 1] = vector1))
      newEnd = i
    }
    end = newEnd
  }
}

/** RefIdMvs, then RefDiffMvs: [list][2]; and how many there are. */
const SAME: StaticArray<u32> = [0, 0, 0, 0]
const OTHER: StaticArray<u32> = [0, 0, 0, 0]
const SAME_COUNT: StaticArray<i32> = [0, 0]
const OTHER_COUNT: StaticArray<i32> = [0, 0]

/** The extra search process (7.10.2.12). */
function searchFurther(): void {
  for (let list = 0; list < 2; list++) {
    unchecked((SAME_COUNT[list] = 0))
    unchecked((OTHER_COUNT[list] = 0))
  }
  const w4 = min(min(16, block.bw4), frame.miCols - block.miCol)
  const h4 = min(min(16, block.bh4), frame.miRows - block.miRow)
  const num4x4 = min(w4, h4)
  for (let pass = 0; pass < 2; pass++) {
    for (let i = 0; i < num4x4 && mvStack.numMvFound < 2; ) {
      const row = pass == 0 ? block.miRow - 1 : block.miRow + i
      const col = pass == 0 ? block.miCol + i : block.miCol - 1
      if (!isInside(row, col)) break
      const at = interAt(row, col)
      addExtra(at, <i32>load<i8>(at, REF_0), load<u32>(at, VECTOR_0))
      addExtra(at, <i32>load<i8>(at, REF_1), load<u32>(at, VECTOR_1))
      i += load<u8>((pass == 0 ? NUM_4X4_BLOCKS_WIDE : NUM_4X4_BLOCKS_HIGH) + load<u8>(at, SIZE))
    }
  }
  if (mvStack.isCompound) {
    combine()
    return
  }
  for (let i = mvStack.numMvFound; i < 2; i++) unchecked((STACK_0[i] = mvStack.globalMv0))
}

/** The add extra mv candidate process (7.10.2.13) for one of the candidate's vectors. */
function addExtra(at: usize, ref: i32, vector: u32): void {
  if (ref <= INTRA_FRAME) return
  if (!mvStack.isCompound) {
    const turned = towards(ref, block.refFrame0, vector)
    for (let i = 0; i < mvStack.numMvFound; i++) if (unchecked(STACK_0[i]) == turned) return
    push(turned, 0, 2)
    return
  }
  for (let list = 0; list < 2; list++) {
    const own = list == 0 ? block.refFrame0 : block.refFrame1
    if (ref == own && unchecked(SAME_COUNT[list]) < 2) SAME[list * 2 + SAME_COUNT[list]++] = vector
    else if (unchecked(OTHER_COUNT[list]) < 2) OTHER[list * 2 + OTHER_COUNT[list]++] = towards(ref, own, vector)
  }
}

/** A vector to `ref`, turned round if `own` is shown on the other side of the frame. */
function towards(ref: i32, own: i32, vector: u32): u32 {
  return signBias(ref) == signBias(own) ? vector : packVector(-rowOf(vector), -colOf(vector))
}

function combine(): void {
  const first0 = combined(0, 0)
  const first1 = combined(1, 0)
  const isKnown = mvStack.numMvFound == 1 && first0 == unchecked(STACK_0[0]) && first1 == unchecked(STACK_1[0])
  if (!isKnown) push(first0, first1, 2)
  if (mvStack.numMvFound < 2) push(combined(0, 1), combined(1, 1), 2)
}

/** combinedMvs[ idx ][ list ] */
function combined(list: i32, idx: i32): u32 {
  if (idx < unchecked(SAME_COUNT[list])) return unchecked(SAME[list * 2 + idx])
  const rest = idx - unchecked(SAME_COUNT[list])
  if (rest < unchecked(OTHER_COUNT[list])) return unchecked(OTHER[list * 2 + rest])
  return list == 0 ? mvStack.globalMv0 : mvStack.globalMv1
}

/** clamp_mv_row( ) and clamp_mv_col( ) as 7.10.2.14 calls them. */
function clampVector(vector: u32): u32 {
  const borderY = MV_BORDER + (block.bh4 << 5)
  const borderX = MV_BORDER + (block.bw4 << 5)
  const row = max(
    -(block.miRow << 5) - borderY,
    min(((frame.miRows - block.bh4 - block.miRow) << 5) + borderY, rowOf(vector)),
  )
  const col = max(
    -(block.miCol << 5) - borderX,
    min(((frame.miCols - block.bw4 - block.miCol) << 5) + borderX, colOf(vector)),
  )
  return packVector(row, col)
}
