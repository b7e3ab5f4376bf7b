// The small images of a stream, a colour table or the entropy image, of which only green is not 0: literals and
// repetitions.
import { putBits } from './bit-writer'
import { countCopy, countLiterals, HISTOGRAM_BYTES } from './histogram'
import {
  breakRun,
  chooseLengths,
  codeRuns,
  endOfRuns,
  LENGTHS_BYTES,
  putGroup,
  startRuns,
  takeCopy,
  takeLiterals,
} from './prefix-group'
import { MAX_COPIED } from './symbols'

/** The distance code of the pixel to the left. */
const LEFT: i32 = 2
/** A shorter repetition is sent as literals. */
const MIN_COPIED: i32 = 3

const HISTOGRAM: usize = memory.data(HISTOGRAM_BYTES, 16)
const LENGTHS: usize = memory.data(LENGTHS_BYTES)

/** Sends the image of the `count` bytes at `data`. */
export function putSubImage(data: usize, count: i32): void {
  memory.fill(HISTOGRAM, 0, HISTOGRAM_BYTES)
  startRuns(data, count + 1)
  for (let at = 0; at < count; ) {
    takeLiterals(1)
    countLiterals(HISTOGRAM, data + at, 1)
    let end = at + 1
    while (end < count && end - at <= MAX_COPIED && load<u8>(data + end) == load<u8>(data + at)) end++
    const copied = end - at - 1
    if (copied >= MIN_COPIED) {
      takeCopy(copied, LEFT)
      countCopy(HISTOGRAM, copied, LEFT)
      at = end
    } else {
      at++
    }
  }
  breakRun()
  chooseLengths(HISTOGRAM, LENGTHS)
  putBits(0, 1) // no colour cache
  putGroup(LENGTHS)
  codeRuns(LENGTHS, endOfRuns())
}
