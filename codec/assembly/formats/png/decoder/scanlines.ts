// The inflated bytes, in whatever pieces they come, become finished rows: a filter type and a filtered row each, pass
// after pass (PNG, third edition, 7.2, 8.2 and 9).
import { allocate, allocateZeroed } from '../../../arena/memory'
import { ROW_SLACK } from '../../../arena/row-slack'
import { ADAM7_PASSES, NOT_INTERLACED, passColumns, passRows } from './adam7'
import { bitDepth, channels, height, interlaced, width } from './header'
import { SLACK as FILTER_SLACK, unfilter } from './unfilter'

/** The row that `takeScanline` finished: its first byte, its pass, its row in the pass and its pixels. */
export let row: usize = 0
export let pass: i32 = 0
export let y: i32 = 0
export let columns: i32 = 0
/** Every row of every pass was finished. */
export let complete: bool = false
/** A row has a filter type that does not exist. */
export let badFilter: bool = false

/** Bytes of a whole pixel, at least one: the distance to the sample that filters call left. */
let step: usize = 0
/** Of the line to come: its pass, its row there, the rows of the pass, and the bytes with the filter type. */
let nextPass: i32 = 0
let nextY: i32 = 0
let rows: i32 = 0
let scanlineBytes: usize = 0
/** A line of which not all is there yet. */
let begun: usize = 0
let begunBytes: usize = 0
/** The finished row above, in one of two buffers, or the zeros above the first row of a pass. */
let above: usize = 0
let zeros: usize = 0
let even: usize = 0
let odd: usize = 0

/** Prepares for the image whose header was read. */
export function startScanlines(): void {
  step = max(1, (channels * bitDepth) >> 3)
  const longest = bytesOf(width)
  begun = allocate(longest + FILTER_SLACK)
  zeros = allocateZeroed(longest + ROW_SLACK)
  even = allocateZeroed(longest + ROW_SLACK)
  odd = allocateZeroed(longest + ROW_SLACK)
  begunBytes = 0
  badFilter = false
  complete = false
  startPass(interlaced ? 0 : NOT_INTERLACED)
}

/**
 * Takes bytes from `at` on, at most to the end of a line, and returns the address after them. Afterwards `row` is the
 * line's finished row, or 0 if there is none: more bytes are needed, or the filter is bad. `at` must be readable for 16
 * bytes beyond `end`.
 */
export function takeScanline(at: usize, end: usize): usize {
  row = 0
  const taken = min(end - at, scanlineBytes - begunBytes)
  if (taken == scanlineBytes) {
    finishScanline(at)
    return at + taken
  }
  memory.copy(begun + begunBytes, at, taken)
  begunBytes += taken
  if (begunBytes == scanlineBytes) {
    begunBytes = 0
    finishScanline(begun)
  }
  return at + taken
}

function finishScanline(line: usize): void {
  const to = above == even ? odd : even
  if (!unfilter(load<u8>(line), line + 1, above, to, scanlineBytes - 1, step)) {
    badFilter = true
    return
  }
  row = to
  above = to
  pass = nextPass
  y = nextY++
  columns = passColumns(pass, width)
  if (nextY == rows) startPass(pass + 1)
}

/** Returns the number of finished rows of a pass. */
export function finishedRows(ofPass: i32): i32 {
  if (complete || ofPass < nextPass) return passRows(ofPass, height)
  return ofPass == nextPass ? nextY : 0
}

/** Starts `first`, or the next pass that has pixels (8.2: a pass without any has no lines at all). */
function startPass(first: i32): void {
  const last = interlaced ? ADAM7_PASSES - 1 : NOT_INTERLACED
  nextPass = first
  while (nextPass <= last && (passColumns(nextPass, width) == 0 || passRows(nextPass, height) == 0)) nextPass++
  complete = nextPass > last
  if (complete) return
  nextY = 0
  rows = passRows(nextPass, height)
  scanlineBytes = 1 + bytesOf(passColumns(nextPass, width))
  above = zeros
}

/** Bytes of a filtered row of `pixels` pixels, without its filter type. */
export function bytesOf(pixels: i32): usize {
  return (<usize>pixels * (channels * bitDepth) + 7) >> 3
}
