// The inflated bytes, in whatever pieces they come, become finished rows: a filter type and a filtered row each, pass
// after pass (PNG, third edition, 7.2, 8.2 and 9).
import { allocate, allocateZeroed } from '../../../arena/memory'
import { ROW_SLACK } from '../../../arena/row-slack'
import { ADAM7_PASSES, NOT_INTERLACED, passColumns, passRows } from './adam7'
import { header } from './header'
import { SLACK as FILTER_SLACK, unfilter } from './unfilter'

/** The row that was finished, and the line to come. */
@unmanaged
class Scanlines {
  /** The row that `takeScanline` finished: its first byte, its pass, its row in the pass and its pixels. */
  row: usize
  pass: i32
  y: i32
  columns: i32
  /** Every row of every pass was finished. */
  complete: bool
  /** A row has a filter type that does not exist. */
  badFilter: bool
  /** Bytes of a whole pixel, at least one: the distance to the sample that filters call left. */
  step: usize
  /** Of the line to come: its pass, its row there, the rows of the pass, and the bytes with the filter type. */
  nextPass: i32
  nextY: i32
  rows: i32
  scanlineBytes: usize
  /** A line of which not all is there yet. */
  begun: usize
  begunBytes: usize
  /** The finished row above, in one of two buffers, or the zeros above the first row of a pass. */
  above: usize
  zeros: usize
  even: usize
  odd: usize
}

export const scanlines: Scanlines = changetype<Scanlines>(memory.data(offsetof<Scanlines>(), 4))

/** Prepares for the image whose header was read. */
export function startScanlines(): void {
  scanlines.step = max(1, (header.channels * header.bitDepth) >> 3)
  const longest = bytesOf(header.width)
  scanlines.begun = allocate(longest + FILTER_SLACK)
  scanlines.zeros = allocateZeroed(longest + ROW_SLACK)
  scanlines.even = allocateZeroed(longest + ROW_SLACK)
  scanlines.odd = allocateZeroed(longest + ROW_SLACK)
  scanlines.begunBytes = 0
  scanlines.badFilter = false
  scanlines.complete = false
  startPass(header.interlaced ? 0 : NOT_INTERLACED)
}

/**
 * Takes bytes from `at` on, at most to the end of a line, and returns the address after them. Afterwards `row` is the
 * line's finished row, or 0 if there is none: more bytes are needed, or the filter is bad. `at` must be readable for 16
 * bytes beyond `end`.
 */
export function takeScanline(at: usize, end: usize): usize {
  scanlines.row = 0
  const taken = min(end - at, scanlines.scanlineBytes - scanlines.begunBytes)
  if (taken == scanlines.scanlineBytes) {
    finishScanline(at)
    return at + taken
  }
  memory.copy(scanlines.begun + scanlines.begunBytes, at, taken)
  scanlines.begunBytes += taken
  if (scanlines.begunBytes == scanlines.scanlineBytes) {
    scanlines.begunBytes = 0
    finishScanline(scanlines.begun)
  }
  return at + taken
}

function finishScanline(line: usize): void {
  const to = scanlines.above == scanlines.even ? scanlines.odd : scanlines.even
  if (!unfilter(load<u8>(line), line + 1, scanlines.above, to, scanlines.scanlineBytes - 1, scanlines.step)) {
    scanlines.badFilter = true
    return
  }
  scanlines.row = to
  scanlines.above = to
  scanlines.pass = scanlines.nextPass
  scanlines.y = scanlines.nextY++
  scanlines.columns = passColumns(scanlines.pass, header.width)
  if (scanlines.nextY == scanlines.rows) startPass(scanlines.pass + 1)
}

/** Returns the number of finished rows of a pass. */
export function finishedRows(ofPass: i32): i32 {
  if (scanlines.complete || ofPass < scanlines.nextPass) return passRows(ofPass, header.height)
  return ofPass == scanlines.nextPass ? scanlines.nextY : 0
}

/** Starts `first`, or the next pass that has pixels (8.2: a pass without any has no lines at all). */
function startPass(first: i32): void {
  const last = header.interlaced ? ADAM7_PASSES - 1 : NOT_INTERLACED
  scanlines.nextPass = first
  while (
    scanlines.nextPass <= last &&
    (passColumns(scanlines.nextPass, header.width) == 0 || passRows(scanlines.nextPass, header.height) == 0)
  )
    scanlines.nextPass++
  scanlines.complete = scanlines.nextPass > last
  if (scanlines.complete) return
  scanlines.nextY = 0
  scanlines.rows = passRows(scanlines.nextPass, header.height)
  scanlines.scanlineBytes = 1 + bytesOf(passColumns(scanlines.nextPass, header.width))
  scanlines.above = scanlines.zeros
}

/** Bytes of a filtered row of `pixels` pixels, without its filter type. */
export function bytesOf(pixels: i32): usize {
  return (<usize>pixels * (header.channels * header.bitDepth) + 7) >> 3
}
