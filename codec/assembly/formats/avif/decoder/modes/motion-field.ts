// Motion of earlier frames, and what it lets expect of this one, for each 8x8 luma samples: AV1 specification, 7.9 and 7.19.
import { allocate, allocateZeroed } from '../../../../arena/memory'
import { block } from '../blocks/block'
import { frame } from '../frames/frame-header'
import { INTRA_FRAME, LAST_FRAME, orderHintOf, referenceOf } from '../frames/inter-params'
import { projectVector, relativeDistance } from '../frames/order-hints'
import { savedOrderHints } from '../frames/references'
import { sequence } from '../frames/sequence-header'
import { colOf, packVector, rowOf } from './inter-map'

const LAST2_FRAME: i32 = 2
const GOLDEN_FRAME: i32 = 4
const BWDREF_FRAME: i32 = 5
const ALTREF2_FRAME: i32 = 6
const ALTREF_FRAME: i32 = 7
const MAX_FRAME_DISTANCE: i32 = 31
const MFMV_STACK_SIZE: i32 = 3
const MAX_OFFSET_WIDTH: i32 = 8
const REFMVS_LIMIT: i32 = (1 << 12) - 1

/** The motion field, and what `findMotion` has found in it. */
@unmanaged
class MotionField {
  /** The motion field: vectors, and the number of frames that they span (u8; 0 if there is none). */
  vectors: usize
  distances: usize
  vector: u32
  distance: i32
}

const motionField: MotionField = changetype<MotionField>(memory.data(offsetof<MotionField>(), 4))

/** Memory for what the present frame is to keep of its motion, zeroed; 0 if nothing. Vectors, then reference frames, u8. */
export function newMotion(): usize {
  return frame.isIntra || !sequence.enableRefFrameMvs ? 0 : allocateZeroed(5 * <usize>entries())
}

function entries(): i32 {
  return (frame.miCols >> 1) * (frame.miRows >> 1)
}

/** The motion field motion vector storage process for the block (7.19). */
export function keepMotion(motion: usize): void {
  let ref = 0
  let storedVector: u32 = 0
  if (isStorable(block.refFrame0, block.vector0)) {
    ref = block.refFrame0
    storedVector = block.vector0
  }
  if (isStorable(block.refFrame1, block.vector1)) {
    ref = block.refFrame1
    storedVector = block.vector1
  }
  if (ref == 0) return
  const columns = frame.miCols >> 1
  for (let row = block.miRow | 1; row < min(frame.miRows, block.miRow + block.bh4); row += 2) {
    for (let col = block.miCol | 1; col < min(frame.miCols, block.miCol + block.bw4); col += 2) {
      const i = (row >> 1) * columns + (col >> 1)
      store<u32>(motion + (i << 2), storedVector)
      store<u8>(motion + 4 * <usize>entries() + i, <u8>ref)
    }
  }
}

function isStorable(ref: i32, vector: u32): bool {
  if (ref <= INTRA_FRAME || relativeDistance(orderHintOf(ref), frame.orderHint) >= 0) return false
  return abs(rowOf(vector)) <= REFMVS_LIMIT && abs(colOf(vector)) <= REFMVS_LIMIT
}

/** The motion field estimation process (7.9). */
export function estimateMotion(): void {
  motionField.vectors = allocate(4 * <usize>entries())
  motionField.distances = allocateZeroed(entries())
  const altOfLast = load<i32>(savedOrderHints(referenceOf(LAST_FRAME)) + 4 * ALTREF_FRAME)
  if (altOfLast != orderHintOf(GOLDEN_FRAME)) project(LAST_FRAME, -1)
  let refStamp = MFMV_STACK_SIZE - 2
  if (isBackward(BWDREF_FRAME) && project(BWDREF_FRAME, 1)) refStamp--
  if (isBackward(ALTREF2_FRAME) && project(ALTREF2_FRAME, 1)) refStamp--
  if (isBackward(ALTREF_FRAME) && refStamp >= 0 && project(ALTREF_FRAME, 1)) refStamp--
  if (refStamp >= 0) project(LAST2_FRAME, -1)
}

function isBackward(ref: i32): bool {
  return relativeDistance(orderHintOf(ref), frame.orderHint) > 0
}

/** The projection process (7.9.2); false if the frame has no motion that fits. */
function project(src: i32, dstSign: i32): bool {
  const r = referenceOf(src)
  if (r.motion == 0 || r.miRows != frame.miRows || r.miCols != frame.miCols) return false
  const refToCur = relativeDistance(orderHintOf(src), frame.orderHint)
  if (abs(refToCur) > MAX_FRAME_DISTANCE) return true
  const columns = frame.miCols >> 1
  const rows = frame.miRows >> 1
  const refs = r.motion + 4 * <usize>entries()
  for (let y8 = 0; y8 < rows; y8++) {
    for (let x8 = 0; x8 < columns; x8++) {
      const i = y8 * columns + x8
      const srcRef = <i32>load<u8>(refs + i)
      if (srcRef <= INTRA_FRAME) continue
      const refOffset = relativeDistance(orderHintOf(src), load<i32>(savedOrderHints(r) + (srcRef << 2)))
      if (refOffset > MAX_FRAME_DISTANCE || refOffset <= 0) continue
      projectOne(load<u32>(r.motion + (i << 2)), x8, y8, refToCur, refOffset, dstSign)
    }
  }
  return true
}

function projectOne(mv: u32, x8: i32, y8: i32, refToCur: i32, refOffset: i32, dstSign: i32): void {
  const y = y8 + dstSign * blocksOf(projectVector(rowOf(mv), refToCur * dstSign, refOffset))
  const x = x8 + dstSign * blocksOf(projectVector(colOf(mv), refToCur * dstSign, refOffset))
  const top = y8 & ~7
  const left = x8 & ~7
  if (y < top || y >= top + 8 || x < left - MAX_OFFSET_WIDTH || x >= left + 8 + MAX_OFFSET_WIDTH) return
  if (y < 0 || y >= frame.miRows >> 1 || x < 0 || x >= frame.miCols >> 1) return
  const at = y * (frame.miCols >> 1) + x
  store<u32>(motionField.vectors + (at << 2), mv)
  store<u8>(motionField.distances + at, <u8>refOffset)
}

/** A vector's component in units of 8 luma samples. */
function blocksOf(component: i32): i32 {
  return component >= 0 ? component >> 6 : -(-component >> 6)
}

/** Whether motion is expected of the 8x8 samples at (`y8`, `x8`), for motionVector( ). */
export function findMotion(y8: i32, x8: i32): bool {
  const at = y8 * (frame.miCols >> 1) + x8
  motionField.distance = load<u8>(motionField.distances + at)
  motionField.vector = load<u32>(motionField.vectors + (at << 2))
  return motionField.distance > 0
}

/** MotionFieldMvs[ ref ] of what was found. */
export function motionVector(ref: i32): u32 {
  const refToDst = relativeDistance(frame.orderHint, orderHintOf(ref))
  return packVector(
    projectVector(rowOf(motionField.vector), refToDst, motionField.distance),
    projectVector(colOf(motionField.vector), refToDst, motionField.distance),
  )
}
