// The intra prediction process: AV1 specification, 7.11.2.
import { MODE_TO_ANGLE } from '../tables/prediction'
import { TX_HEIGHT_LOG2, TX_WIDTH_LOG2 } from '../tables/transform'
import { block, DC_PRED, isDirectional, isSmooth } from './block'
import { fillAbove, fillLeft } from './edge'
import { current } from './frame'
import { miCols, miRows } from './frame-header'
import { sampleAt, strideOf } from './planes'
import { predictDc } from './predict-dc'
import { directionalBlock, predictDirectional } from './predict-directional'
import { predictPaeth } from './predict-paeth'
import { predictRecursive } from './predict-recursive'
import { predictSmooth } from './predict-smooth'
import { subsamplingX, subsamplingY } from './sequence-header'

const ANGLE_STEP: i32 = 3

/** Predicts the samples of a transform block at (`x`, `y`) of a plane from those above and to the left. */
export function predictIntra(
  plane: i32,
  x: i32,
  y: i32,
  haveLeft: bool,
  haveAbove: bool,
  haveAboveRight: bool,
  haveBelowLeft: bool,
  mode: i32,
  txSz: i32,
): void {
  const log2W = <i32>load<u8>(TX_WIDTH_LOG2 + txSz)
  const log2H = <i32>load<u8>(TX_HEIGHT_LOG2 + txSz)
  const w = 1 << log2W
  const h = 1 << log2H
  const columns = ((miCols * 4) >> (plane > 0 ? subsamplingX : 0)) - x
  const rows = ((miRows * 4) >> (plane > 0 ? subsamplingY : 0)) - y
  const isRecursive = plane == 0 && block.useFilterIntra
  const isAngled = !isRecursive && isDirectional(mode)
  const delta = plane == 0 ? block.angleDeltaY : block.angleDeltaUV
  const angle = isAngled ? <i32>load<u8>(MODE_TO_ANGLE + mode) + delta * ANGLE_STEP : 0
  const aboveKnown = min(columns, haveAboveRight ? 2 * w : w)
  const leftKnown = min(rows, haveBelowLeft ? 2 * h : h)
  fillAbove(plane, x, y, haveLeft, haveAbove, aboveKnown, isAngled && angle < 90 ? w + h : w)
  fillLeft(plane, x, y, haveLeft, haveAbove, leftKnown, isAngled && angle > 180 ? w + h : h)
  const to = sampleAt(current, plane, x, y)
  const stride = strideOf(current, plane)
  if (isRecursive) predictRecursive(to, stride, w, h)
  else if (isAngled) {
    directionalBlock.plane = plane
    directionalBlock.w = w
    directionalBlock.h = h
    directionalBlock.columns = columns
    directionalBlock.rows = rows
    directionalBlock.haveLeft = haveLeft
    directionalBlock.haveAbove = haveAbove
    predictDirectional(to, stride, angle)
  } else if (isSmooth(mode)) predictSmooth(to, stride, w, h, mode)
  else if (mode == DC_PRED) predictDc(to, stride, w, h, haveLeft, haveAbove)
  else predictPaeth(to, stride, w, h)
}
