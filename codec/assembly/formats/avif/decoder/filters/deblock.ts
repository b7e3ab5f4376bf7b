// The loop filter process, a superblock row at a time: AV1 specification, 7.14. Edges of the row after it still change up to 7
// rows of luma above them.
import { TX_HEIGHT, TX_WIDTH } from '../../tables/transform'
import { levelsAt, TX_SIZE_MASK, txSizesAt, UNFILTERED_LEFT, UNFILTERED_TOP } from '../blocks/block-map'
import { current } from '../frames/frame'
import { frame } from '../frames/frame-header'
import { filtersPlane } from '../frames/loop-filter-params'
import { sampleAt, strideOf } from '../frames/planes'
import { numPlanes, subsamplingX, subsamplingY } from '../frames/sequence-header'
import { filterAcrossColumns, filterAcrossRows, setThresholds } from './deblock-edge'

/** Filters the edges in rows `from` up to `to` (units of 4 luma samples). */
export function deblockRows(from: i32, to: i32): void {
  for (let plane = 0; plane < numPlanes; plane++) {
    if (!filtersPlane(plane)) continue
    const subY = plane > 0 ? subsamplingY : 0
    const end = min(to, frame.miRows)
    for (let row = from; row < end; row += 1 << subY) if (row << 2 < frame.height) filterVerticalEdges(plane, row, subY)
    for (let row = max(from, 1 << subY); row < end; row += 1 << subY) {
      if (row << 2 < frame.height) filterHorizontalEdges(plane, row, subY)
    }
  }
}

/** loop_filter_edge( ) with pass 0 along a row of 4x4 samples. */
function filterVerticalEdges(plane: i32, row: i32, subY: i32): void {
  const subX = plane > 0 ? subsamplingX : 0
  const txSizes = txSizesAt(plane, row >> subY, 0)
  const levels = levelsAt(row | subY, subX)
  const which = plane == 0 ? 0 : plane + 1
  const stride = strideOf(current, plane)
  const line = sampleAt(current, plane, 0, (row >> subY) << 2)
  const columns = min(frame.miCols, (frame.width + 3) >> 2)
  let previous = <i32>load<u8>(TX_WIDTH + (load<u8>(txSizes) & TX_SIZE_MASK))
  let col4 = previous >> 2
  for (; col4 << subX < columns; ) {
    const entry = <i32>load<u8>(txSizes + col4)
    const size = <i32>load<u8>(TX_WIDTH + (entry & TX_SIZE_MASK))
    const at = levels + ((<usize>(col4 << subX)) << 2) + which
    let level = load<u8>(at)
    if (level == 0) level = load<u8>(at - ((<usize>4) << subX))
    if (level > 0 && (entry & UNFILTERED_LEFT) == 0) {
      setThresholds(level)
      filterAcrossColumns(line + ((<usize>col4) << 3), stride, plane, min(previous, size))
    }
    previous = size
    col4 += size >> 2
  }
}

/** loop_filter_edge( ) with pass 1 along a row of 4x4 samples. */
function filterHorizontalEdges(plane: i32, row: i32, subY: i32): void {
  const subX = plane > 0 ? subsamplingX : 0
  const row4 = row >> subY
  const txSizes = txSizesAt(plane, row4, 0)
  const above = txSizesAt(plane, row4 - 1, 0)
  const levels = levelsAt(row | subY, subX)
  const levelsAbove = levelsAt((row | subY) - (1 << subY), subX)
  const which = plane == 0 ? 1 : plane + 1
  const stride = strideOf(current, plane)
  const line = sampleAt(current, plane, 0, row4 << 2)
  const columns = min(frame.miCols, (frame.width + 3) >> 2)
  for (let col4 = 0; col4 << subX < columns; col4++) {
    const entry = <i32>load<u8>(txSizes + col4)
    const size = <i32>load<u8>(TX_HEIGHT + (entry & TX_SIZE_MASK))
    if ((row4 & ((size >> 2) - 1)) != 0 || (entry & UNFILTERED_TOP) != 0) continue
    const at = ((<usize>(col4 << subX)) << 2) + which
    const level = levelOfEdge(levels + at, levelsAbove + at)
    if (level == 0) continue
    setThresholds(level)
    const line4 = line + ((<usize>col4) << 3)
    const entryAbove = <i32>load<u8>(above + col4)
    const previous = <i32>load<u8>(TX_HEIGHT + (entryAbove & TX_SIZE_MASK))
    // The next four samples too, if they are filtered in the same way.
    let count = 4
    if ((col4 + 1) << subX < columns && <i32>load<u8>(txSizes + col4, 1) == entry) {
      const next = at + ((<usize>4) << subX)
      if (<i32>load<u8>(above + col4, 1) == entryAbove && levelOfEdge(levels + next, levelsAbove + next) == level)
        count = 8
    }
    filterAcrossRows(line4, stride, plane, min(previous, size), count)
    if (count == 8) col4++
  }
}

/** The level of an edge (7.14.4): that of the block below it, or if that has none of the block above it. */
// @ts-ignore: decorator
@inline
function levelOfEdge(below: usize, above: usize): i32 {
  const level = load<u8>(below)
  return level == 0 ? load<u8>(above) : level
}
