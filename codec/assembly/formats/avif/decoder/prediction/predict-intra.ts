// The intra prediction process: AV1 specification, 7.11.2.
import { MODE_TO_ANGLE } from '../../tables/prediction'
import { block, DC_PRED, isDirectional, isSmooth } from '../blocks/block'
import { current } from '../frames/frame'
import { sampleAt, strideOf } from '../frames/planes'
import { fillAbove, fillLeft } from './edge'
import { intraBlock } from './intra-block'
import { predictDc } from './predict-dc'
import { predictDirectional } from './predict-directional'
import { predictPaeth } from './predict-paeth'
import { predictRecursive } from './predict-recursive'
import { predictSmooth } from './predict-smooth'

const ANGLE_STEP: i32 = 3

/** Predicts the samples of `intraBlock` from those above and to the left. */
export function predictIntra(): void {
  const plane = intraBlock.plane
  const x = intraBlock.x
  const y = intraBlock.y
  const w = intraBlock.w
  const h = intraBlock.h
  const mode = intraBlock.mode
  const haveLeft = intraBlock.haveLeft
  const haveAbove = intraBlock.haveAbove
  const isRecursive = plane == 0 && block.useFilterIntra
  const isAngled = !isRecursive && isDirectional(mode)
  const delta = plane == 0 ? block.angleDeltaY : block.angleDeltaUV
  const angle = isAngled ? <i32>load<u8>(MODE_TO_ANGLE + mode) + delta * ANGLE_STEP : 0
  const aboveKnown = min(intraBlock.columns, intraBlock.haveAboveRight ? 2 * w : w)
  const leftKnown = min(intraBlock.rows, intraBlock.haveBelowLeft ? 2 * h : h)
  fillAbove(plane, x, y, haveLeft, haveAbove, aboveKnown, isAngled && angle < 90 ? w + h : w)
  fillLeft(plane, x, y, haveLeft, haveAbove, leftKnown, isAngled && angle > 180 ? w + h : h)
  const to = sampleAt(current, plane, x, y)
  const stride = strideOf(current, plane)
  if (isRecursive) predictRecursive(to, stride, w, h)
  else if (isAngled) predictDirectional(to, stride, angle)
  else if (isSmooth(mode)) predictSmooth(to, stride, w, h, mode)
  else if (mode == DC_PRED) predictDc(to, stride, w, h, haveLeft, haveAbove)
  else predictPaeth(to, stride, w, h)
}
