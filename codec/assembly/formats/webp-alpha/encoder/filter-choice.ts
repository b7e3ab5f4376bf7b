// Chooses the filter of a plane that needs the fewest bits, by an estimate from some rows.
import { allocate, checkpoint, release } from '../../../arena/memory'
import { Filter, filterRow } from './filter'

/** The rows looked at: a part of the plane's, at most so many. */
const PART: i32 = 4
const MAX_ROWS: i32 = 96
/** From here on, a repetition is taken to be coded as a copy, in so many bits. */
const REPEATED: i32 = 3
const COPY_BITS: f32 = 11

const HISTOGRAM: usize = memory.data(4 * 256, 4)

/** Chooses a filter for a plane of rows without gaps. */
export function chooseFilter(plane: usize, columns: i32, rows: i32): Filter {
  const step = max(PART, rows / MAX_ROWS)
  const end = checkpoint()
  const row = allocate(columns)
  const above = allocate(columns)
  let best = Filter.None
  let least = f32.MAX_VALUE
  for (let filter = Filter.None; filter <= Filter.Gradient; filter++) {
    memory.fill(HISTOGRAM, 0, 4 * 256)
    let copies = 0
    for (let y = 2; y < rows; y += step) {
      const at = plane + <usize>(y * columns)
      filterRow(filter, at - columns, columns, above)
      filterRow(filter, at, columns, row)
      copies += countRow(row, above, columns)
    }
    const bits = entropy() + <f32>copies * COPY_BITS
    if (bits < least) {
      least = bits
      best = filter
    }
  }
  release(end)
  return best
}

/** Counts the samples that repeat neither those before nor those above. Returns the number of runs that repeat. */
function countRow(row: usize, above: usize, columns: i32): i32 {
  let copies = 0
  let sameBefore = 0
  let sameAbove = 0
  let before: u32 = 256
  for (let x = 0; x < columns; x++) {
    const sample = <u32>load<u8>(row + x)
    sameBefore = sample == before ? sameBefore + 1 : 0
    sameAbove = sample == load<u8>(above + x) ? sameAbove + 1 : 0
    before = sample
    const longest = max(sameBefore, sameAbove)
    if (longest < REPEATED) {
      const count = HISTOGRAM + ((<usize>sample) << 2)
      store<u32>(count, load<u32>(count) + 1)
    } else if (longest == REPEATED) {
      copies++
    }
  }
  return copies
}

function entropy(): f32 {
  let total: f32 = 0
  let bits: f32 = 0
  for (let sample = 0; sample < 256; sample++) {
    const count = <f32>load<u32>(HISTOGRAM + ((<usize>sample) << 2))
    if (count == 0) continue
    total += count
    bits -= count * Mathf.log2(count)
  }
  return total == 0 ? 0 : bits + total * Mathf.log2(total)
}
