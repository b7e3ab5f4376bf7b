// CurrFrame as prediction and reconstruction see it, and the row above the superblock row as it was before any filter.
import { allocateZeroed } from '../../../../arena/memory'
import { MARGIN, newWindow, sampleAt, strideOf, Window } from './planes'
import { numPlanes, subsamplingY } from './sequence-header'

export let current: Window = changetype<Window>(0)
/** First row of luma of the superblock row. */
export let sbTop: i32 = 0
const LINES: StaticArray<usize> = [0, 0, 0]

/** Takes the memory for a frame `width` wide: `rows` rows of luma, of which the superblock row begins after `above`. */
export function startFrame(width: i32, rows: i32, above: i32): void {
  current = newWindow(width, rows, -above)
  for (let plane = 0; plane < numPlanes; plane++) {
    LINES[plane] = allocateZeroed(strideOf(current, plane)) + ((<usize>MARGIN) << 1)
  }
}

/** Says where the superblock row begins. */
export function startSuperblockRow(top: i32): void {
  sbTop = top
}

/** Keeps the last row of the superblock row, which ends at `bottom`, for the prediction of the next. */
export function keepLastRow(bottom: i32): void {
  for (let plane = 0; plane < numPlanes; plane++) {
    const y = (plane > 0 ? bottom >> subsamplingY : bottom) - 1
    memory.copy(LINES[plane] - ((<usize>MARGIN) << 1), sampleAt(current, plane, -MARGIN, y), strideOf(current, plane))
  }
}

/** Address of the sample at (`x`, `y`), which is one row above a block, as it was before any filter. */
export function unfilteredAbove(plane: i32, x: i32, y: i32): usize {
  const top = plane > 0 ? sbTop >> subsamplingY : sbTop
  if (y >= top) return sampleAt(current, plane, x, y)
  return unchecked(LINES[plane]) + ((<usize>x) << 1)
}
