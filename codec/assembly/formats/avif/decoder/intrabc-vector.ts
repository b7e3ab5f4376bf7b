// The vector of a block that is copied from earlier in its tile: AV1 specification, 5.11.26, 5.11.31, 5.11.32, 7.10.2.
import { NUM_4X4_BLOCKS_HIGH, NUM_4X4_BLOCKS_WIDE } from '../tables/block'
import { MV_BIT_CDF, MV_CLASS_CDF, MV_CLASS0_BIT_CDF, MV_JOINT_CDF, MV_SIGN_CDF } from '../tables/cdf'
import { block } from './block'
import { miCols, miRows } from './frame-header'
import { isCopied, isWritten, packVector, sizeAt, vectorAt } from './motion-map'
import { subsamplingX, subsamplingY, use128x128 } from './sequence-header'
import { readBool, readSymbol } from './symbol-decoder'
import { isInside, tile } from './tile'

const MAX_REF_MV_STACK_SIZE: i32 = 8
const REF_CAT_LEVEL: i32 = 640
const MV_BORDER: i32 = 128
const INTRABC_DELAY_PIXELS: i32 = 256
const INTRABC_DELAY_SB64: i32 = 4
const MV_CLASSES: i32 = 11
const MV_JOINT_HNZVZ: i32 = 1
const MV_JOINT_HZVNZ: i32 = 2
const MV_JOINT_HNZVNZ: i32 = 3

/** RefStackMv (packed as in motion-map.ts) and WeightStack. */
const STACK: StaticArray<u32> = [0, 0, 0, 0, 0, 0, 0, 0]
const WEIGHTS: StaticArray<i32> = [0, 0, 0, 0, 0, 0, 0, 0]
let found: i32 = 0

/** Reads Mv of the block: find_mv_stack( ) and assign_mv( ). False if it points where it may not. */
export function readIntrabcVector(): bool {
  findMvStack()
  let predicted: u32 = STACK[0] != 0 ? STACK[0] : STACK[1]
  if (predicted == 0) predicted = defaultVector()
  block.mvRow = <i16>predicted
  block.mvCol = <i16>(predicted >> 16)
  const joint = readSymbol(tile.cdfs + MV_JOINT_CDF, 4)
  if (joint == MV_JOINT_HZVNZ || joint == MV_JOINT_HNZVNZ) block.mvRow += readComponent(0)
  if (joint == MV_JOINT_HNZVZ || joint == MV_JOINT_HNZVNZ) block.mvCol += readComponent(1)
  return isValid()
}

/** What assign_mv( ) takes where no neighbour was copied. */
function defaultVector(): u32 {
  const sbSize4 = use128x128 ? 32 : 16
  if (block.miRow - sbSize4 < tile.miRowStart) return packVector(0, -(sbSize4 * 4 + INTRABC_DELAY_PIXELS) * 8)
  return packVector(-(sbSize4 * 4 * 8), 0)
}

/** read_mv_component( ) with force_integer_mv. */
function readComponent(comp: usize): i32 {
  const isNegative = readBool(tile.cdfs + MV_SIGN_CDF + comp * 6) != 0
  const mvClass = readSymbol(tile.cdfs + MV_CLASS_CDF + comp * 24, MV_CLASSES)
  let mag = 0
  if (mvClass == 0) mag = (readBool(tile.cdfs + MV_CLASS0_BIT_CDF + comp * 6) << 3) + 8
  else {
    let d = 0
    for (let i = 0; i < mvClass; i++) d |= readBool(tile.cdfs + MV_BIT_CDF + (comp * 10 + i) * 6) << i
    mag = (2 << (mvClass + 2)) + (d << 3) + 8
  }
  return isNegative ? -mag : mag
}

/** is_mv_valid( ) (6.10.24). */
function isValid(): bool {
  if (abs(block.mvRow) >= 1 << 14 || abs(block.mvCol) >= 1 << 14) return false
  if (((block.mvRow | block.mvCol) & 7) != 0) return false
  const bw = block.bw4 << 2
  const bh = block.bh4 << 2
  let top = (block.miRow << 2) + (block.mvRow >> 3)
  let left = (block.miCol << 2) + (block.mvCol >> 3)
  const bottom = top + bh
  const right = left + bw
  if (block.hasChroma && bw < 8 && subsamplingX == 1) left -= 4
  if (block.hasChroma && bh < 8 && subsamplingY == 1) top -= 4
  if (top < tile.miRowStart << 2 || left < tile.miColStart << 2) return false
  if (bottom > tile.miRowEnd << 2 || right > tile.miColEnd << 2) return false
  return isFarEnough(bottom, right)
}

function isFarEnough(bottom: i32, right: i32): bool {
  const sbShift = use128x128 ? 7 : 6
  const activeSbRow = (block.miRow << 2) >> sbShift
  const activeSb64Col = (block.miCol << 2) >> 6
  const srcSbRow = (bottom - 1) >> sbShift
  const srcSb64Col = (right - 1) >> 6
  const perRow = ((tile.miColEnd - tile.miColStart - 1) >> 4) + 1
  const activeSb64 = activeSbRow * perRow + activeSb64Col
  const srcSb64 = srcSbRow * perRow + srcSb64Col
  if (srcSb64 >= activeSb64 - INTRABC_DELAY_SB64) return false
  const gradient = 1 + INTRABC_DELAY_SB64 + (use128x128 ? 1 : 0)
  const offset = gradient * (activeSbRow - srcSbRow)
  return srcSbRow <= activeSbRow && srcSb64Col < activeSb64Col - INTRABC_DELAY_SB64 + offset
}

/** find_mv_stack( 0 ) where RefFrame[ 0 ] is INTRA_FRAME: the first two entries of STACK are what is wanted. */
function findMvStack(): void {
  found = 0
  STACK[0] = 0
  STACK[1] = 0
  scanRow(-1)
  scanCol(-1)
  if (max(block.bw4, block.bh4) <= 16) scanPoint(-1, block.bw4)
  const nearest = found
  for (let i = 0; i < nearest; i++) WEIGHTS[i] += REF_CAT_LEVEL
  scanPoint(-1, -1)
  scanRow(-3)
  scanCol(-3)
  if (block.bh4 > 1) scanRow(-5)
  if (block.bw4 > 1) scanCol(-5)
  sortStack(0, nearest)
  sortStack(nearest, found)
  for (let i = found; i < 2; i++) STACK[i] = 0
  for (let i = 0; i < 2; i++) STACK[i] = clampVector(STACK[i])
}

/** clamp_mv_row( ) and clamp_mv_col( ) as 7.10.2.14 calls them. */
function clampVector(vector: u32): u32 {
  const borderY = MV_BORDER + (block.bh4 << 5)
  const borderX = MV_BORDER + (block.bw4 << 5)
  const row = max(
    -(block.miRow << 5) - borderY,
    min(((miRows - block.bh4 - block.miRow) << 5) + borderY, <i32>(<i16>vector)),
  )
  const col = max(
    -(block.miCol << 5) - borderX,
    min(((miCols - block.bw4 - block.miCol) << 5) + borderX, <i32>(<i16>(vector >> 16))),
  )
  return packVector(row, col)
}

function scanRow(delta: i32): void {
  const end4 = min(min(block.bw4, miCols - block.miCol), 16)
  const isFar = delta < -1
  const mvRow = block.miRow + delta + (isFar ? block.miRow & 1 : 0)
  const from = block.miCol + (isFar ? 1 - (block.miCol & 1) : 0)
  const least = max(isFar ? 2 : 1, block.bw4 >= 16 ? 4 : 1)
  for (let i = 0; i < end4; ) {
    if (!isInside(mvRow, from + i)) return
    const length = max(least, min(block.bw4, <i32>load<u8>(NUM_4X4_BLOCKS_WIDE + sizeAt(mvRow, from + i))))
    addCandidate(mvRow, from + i, length * 2)
    i += length
  }
}

function scanCol(delta: i32): void {
  const end4 = min(min(block.bh4, miRows - block.miRow), 16)
  const isFar = delta < -1
  const mvCol = block.miCol + delta + (isFar ? block.miCol & 1 : 0)
  const from = block.miRow + (isFar ? 1 - (block.miRow & 1) : 0)
  const least = max(isFar ? 2 : 1, block.bh4 >= 16 ? 4 : 1)
  for (let i = 0; i < end4; ) {
    if (!isInside(from + i, mvCol)) return
    const length = max(least, min(block.bh4, <i32>load<u8>(NUM_4X4_BLOCKS_HIGH + sizeAt(from + i, mvCol))))
    addCandidate(from + i, mvCol, length * 2)
    i += length
  }
}

function scanPoint(deltaRow: i32, deltaCol: i32): void {
  const row = block.miRow + deltaRow
  const col = block.miCol + deltaCol
  if (isInside(row, col) && isWritten(row, col)) addCandidate(row, col, 4)
}

/** 7.10.2.7 and 7.10.2.8 */
function addCandidate(row: i32, col: i32, weight: i32): void {
  if (!isCopied(row, col)) return
  const vector = vectorAt(row, col)
  for (let i = 0; i < found; i++) {
    if (STACK[i] != vector) continue
    WEIGHTS[i] += weight
    return
  }
  if (found == MAX_REF_MV_STACK_SIZE) return
  STACK[found] = vector
  WEIGHTS[found++] = weight
}

/** 7.10.2.11 */
function sortStack(start: i32, end: i32): void {
  while (end > start) {
    let newEnd = start
    for (let i = start + 1; i < end; i++) {
      if (WEIGHTS[i - 1] >= WEIGHTS[i]) continue
      const weight = WEIGHTS[i]
      const vector = STACK[i]
      WEIGHTS[i] = WEIGHTS[i - 1]
      STACK[i] = STACK[i - 1]
      WEIGHTS[i - 1] = weight
      STACK[i - 1] = vector
      newEnd = i
    }
    end = newEnd
  }
}
