// The small images of a stream, a colour table or the entropy image, of which only green is not 0: literals and
// repetitions.
import { putBits } from './bit-writer'
import { COUNTS_BYTES, countCopy, countLiterals, MOST_COPIED } from './histogram'
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

/** The distance code of the pixel to the left. */
const LEFT: i32 = 2
/** A shorter repetition is sent as literals. */
const LEAST_COPIED: i32 = 3

const COUNTS: usize = memory.data(COUNTS_BYTES, 16)
const LENGTHS: usize = memory.data(LENGTHS_BYTES)

/** Sends the image of the `count` bytes at `data`. */
export function putSubImage(data: usize, count: i32): void {
  memory.fill(COUNTS, 0, COUNTS_BYTES)
  startRuns(data, count + 1)
  for (let at = 0; at < count; ) {
    takeLiterals(1)
    countLiterals(COUNTS, data + at, 1)
    let end = at + 1
    while (end < count && end - at <= MOST_COPIED && load<u8>(data + end) == load<u8>(data + at)) end++
    const copied = end - at - 1
    if (copied >= LEAST_COPIED) {
      takeCopy(copied, LEFT)
      countCopy(COUNTS, copied, LEFT)
      at = end
    } else {
      at++
    }
  }
  breakRun()
  chooseLengths(COUNTS, LENGTHS)
  putBits(0, 1) // no colour cache
  putGroup(LENGTHS)
  codeRuns(LENGTHS, endOfRuns())
}
