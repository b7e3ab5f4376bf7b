// When frames are expected to be shown, relative to each other: AV1 specification, 5.9.3 and 7.9.3.
import { sequence } from './sequence-header'

const MAX_FRAME_DISTANCE: i32 = 31
const GREATEST_MV: i32 = (1 << 14) - 1

/** get_relative_dist( ) */
export function relativeDistance(a: i32, b: i32): i32 {
  if (sequence.orderHintBits == 0) return 0
  const shift = 32 - sequence.orderHintBits
  return ((a - b) << shift) >> shift
}

/** A component of a vector over `denominator` frames, as it would be over `numerator` (get_mv_projection( ), 7.9.3). */
export function projectVector(component: i32, numerator: i32, denominator: i32): i32 {
  const over = max(-MAX_FRAME_DISTANCE, min(MAX_FRAME_DISTANCE, numerator))
  // Div_Mult
  const scaled = component * over * (16384 / min(MAX_FRAME_DISTANCE, denominator))
  const rounded = scaled < 0 ? -((-scaled + 8192) >> 14) : (scaled + 8192) >> 14
  return max(-GREATEST_MV, min(GREATEST_MV, rounded))
}
