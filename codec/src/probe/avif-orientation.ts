import type { Box } from '../container/boxes.ts'
import type { Orientation } from '../format.ts'

/** The orientation that results from applying a rotation or a flip after each orientation. */
type After = Record<Orientation, Orientation>

const QUARTER_TURN_BACK: After = { 1: 8, 8: 3, 3: 6, 6: 1, 2: 5, 5: 4, 4: 7, 7: 2 }
const TOP_AND_BOTTOM: After = { 1: 4, 4: 1, 2: 3, 3: 2, 5: 8, 8: 5, 6: 7, 7: 6 }
const LEFT_AND_RIGHT: After = { 1: 2, 2: 1, 3: 4, 4: 3, 5: 6, 6: 5, 7: 8, 8: 7 }

/**
 * Combines an item's irot (rotations by 90° anticlockwise) and imir (axis 0 exchanges top and bottom, 1 left and right)
 * into an orientation. They apply in the order of their association (ISO/IEC 23008-12:2022, 6.5.10 and 6.5.12).
 */
export function readOrientation(bytes: Uint8Array, properties: readonly Box[]): Orientation {
  let orientation: Orientation = 1
  for (const { type, body } of properties) {
    const value = bytes[body] ?? 0
    if (type === 'irot') for (let turns = value & 3; turns > 0; turns--) orientation = QUARTER_TURN_BACK[orientation]
    if (type === 'imir') orientation = (value & 1 ? LEFT_AND_RIGHT : TOP_AND_BOTTOM)[orientation]
  }
  return orientation
}
