// The pixels of a PNG of RGBA, 8 bits a sample, not interlaced: filtered rows in pieces. The host deflates them and
// writes the chunks.

import { allocate } from '../../../arena/memory'
import { inputRow, nextInputRow, previousRow, startInputRows } from '../../../pipeline/input-rows'
import { advanceTo, output, startOutput } from '../../../pipeline/output'
import { filterAverage, filterNone, filterPaeth, filterSub, filterUp } from './filter'

/** Bytes of a piece, or of one row if that is more. */
const OUTPUT_BYTES: usize = 1 << 18
/** Bytes that filters write beyond a row. */
const SLACK: usize = 16
const FILTERS: i32 = 5

let rowBytes: usize = 0
/** A row by each filter, `stride` bytes apart. */
let filtered: usize = 0
let stride: usize = 0

/** Begins an image of `width` pixels a row. Each row is to be written at `inputRow()` before `encodePngRow`. */
export function startPngEncoder(width: i32): void {
  rowBytes = (<usize>width) << 2
  stride = (rowBytes + SLACK + 15) & ~15
  filtered = allocate(stride * FILTERS)
  startInputRows(width)
  startOutput(max(OUTPUT_BYTES, 1 + rowBytes))
}

/** Filters the next row; whether the output must be taken before another. */
export function encodePngRow(): bool {
  const best = chooseFilter(inputRow(), previousRow())
  store<u8>(output.at, <u8>best)
  memory.copy(output.at + 1, filtered + <usize>best * stride, rowBytes)
  advanceTo(output.at + 1 + rowBytes)
  nextInputRow()
  return output.end - output.at < 1 + rowBytes
}

/** The filter type whose result is the smallest, the first of equals. */
function chooseFilter(row: usize, above: usize): i32 {
  let least = filterNone(row, rowBytes, filtered)
  let best = 0
  for (let type = 1; type < FILTERS; type++) {
    const sum = filterBy(type, row, above, filtered + <usize>type * stride)
    if (sum >= least) continue
    least = sum
    best = type
  }
  return best
}

function filterBy(type: i32, row: usize, above: usize, to: usize): i32 {
  if (type == 1) return filterSub(row, rowBytes, to)
  if (type == 2) return filterUp(row, above, rowBytes, to)
  return type == 3 ? filterAverage(row, above, rowBytes, to) : filterPaeth(row, above, rowBytes, to)
}
