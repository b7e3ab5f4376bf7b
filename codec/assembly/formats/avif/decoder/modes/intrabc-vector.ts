// The vector of a block that is copied from earlier in its tile: AV1 specification, 5.11.26 and 6.10.24.
import { block } from '../blocks/block'
import { tile } from '../blocks/tile'
import { sequence, subsamplingX, subsamplingY } from '../frames/sequence-header'
import { colOf, packVector, rowOf } from './inter-map'
import { findMvStack, stackMv } from './mv-stack'
import { isInReach, readVector } from './read-mv'

const INTRABC_DELAY_PIXELS: i32 = 256
const INTRABC_DELAY_SB64: i32 = 4

/** Reads Mv of the block: find_mv_stack( ) and assign_mv( ). False if it points where it may not. */
export function readIntrabcVector(): bool {
  findMvStack()
  let predicted: u32 = stackMv(0, 0) != 0 ? stackMv(0, 0) : stackMv(1, 0)
  if (predicted == 0) predicted = defaultVector()
  block.vector0 = readVector(predicted)
  return isValid(rowOf(block.vector0), colOf(block.vector0))
}

/** Returns the vector of assign_mv( ) if no neighbour was copied. */
function defaultVector(): u32 {
  const sbSize4 = sequence.use128x128 ? 32 : 16
  if (block.miRow - sbSize4 < tile.miRowStart) return packVector(0, -(sbSize4 * 4 + INTRABC_DELAY_PIXELS) * 8)
  return packVector(-(sbSize4 * 4 * 8), 0)
}

/** is_mv_valid( ) (6.10.24). */
function isValid(mvRow: i32, mvCol: i32): bool {
  if (!isInReach(block.vector0) || ((mvRow | mvCol) & 7) != 0) return false
  const bw = block.bw4 << 2
  const bh = block.bh4 << 2
  let top = (block.miRow << 2) + (mvRow >> 3)
  let left = (block.miCol << 2) + (mvCol >> 3)
  const bottom = top + bh
  const right = left + bw
  if (block.hasChroma && bw < 8 && subsamplingX == 1) left -= 4
  if (block.hasChroma && bh < 8 && subsamplingY == 1) top -= 4
  if (top < tile.miRowStart << 2 || left < tile.miColStart << 2) return false
  if (bottom > tile.miRowEnd << 2 || right > tile.miColEnd << 2) return false
  return isFarEnough(bottom, right)
}

function isFarEnough(bottom: i32, right: i32): bool {
  const sbShift = sequence.use128x128 ? 7 : 6
  const activeSbRow = (block.miRow << 2) >> sbShift
  const activeSb64Col = (block.miCol << 2) >> 6
  const srcSbRow = (bottom - 1) >> sbShift
  const srcSb64Col = (right - 1) >> 6
  const perRow = ((tile.miColEnd - tile.miColStart - 1) >> 4) + 1
  const activeSb64 = activeSbRow * perRow + activeSb64Col
  const srcSb64 = srcSbRow * perRow + srcSb64Col
  if (srcSb64 >= activeSb64 - INTRABC_DELAY_SB64) return false
  const gradient = 1 + INTRABC_DELAY_SB64 + (sequence.use128x128 ? 1 : 0)
  const offset = gradient * (activeSbRow - srcSbRow)
  return srcSbRow <= activeSbRow && srcSb64Col < activeSb64Col - INTRABC_DELAY_SB64 + offset
}
