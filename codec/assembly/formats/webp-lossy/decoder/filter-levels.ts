// The filter level of each macroblock: RFC 6386 §9.6, §15.2 and §20.6.
import { B_PRED } from '../tables'
import { header, SEGMENT_FILTER_LEVELS } from './frame-header'

/** The level of a macroblock, 0 (not filtered) to 63. Like dwebp this clamps once, at the end; §20.6 clamps twice. */
export function levelOf(segment: i32, yMode: i32): i32 {
  let level = header.filterLevel
  if (header.segmentationEnabled) {
    const value = <i32>load<i8>(SEGMENT_FILTER_LEVELS + segment)
    level = header.segmentValuesAbsolute ? value : level + value
  }
  level += header.intraFrameDelta
  if (yMode == B_PRED) level += header.bPredDelta
  return max(0, min(63, level))
}

/** Returns the largest difference of neighbours for which the normal filter acts. */
export function interiorLimit(level: i32): i32 {
  let limit = level
  if (header.sharpness > 0) {
    limit >>= header.sharpness > 4 ? 2 : 1
    limit = min(limit, 9 - header.sharpness)
  }
  return max(limit, 1)
}

/** Returns the largest step over a macroblock's left or top edge. */
export function macroblockEdgeLimit(level: i32): i32 {
  return 2 * (level + 2) + interiorLimit(level)
}

/** Returns the largest step over an edge inside the macroblock. */
export function subblockEdgeLimit(level: i32): i32 {
  return 2 * level + interiorLimit(level)
}

/** A difference above this next to the edge is high edge variance (key frames, §15.4). */
export function highVarianceThreshold(level: i32): i32 {
  return level >= 40 ? 2 : level >= 15 ? 1 : 0
}
