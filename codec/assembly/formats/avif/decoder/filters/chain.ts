// The filters after the reconstruction of a superblock row (7.4 of the AV1 specification). Each runs as far down as the
// one before it allows, and finished rows are passed on, a stripe at a time.

import { cdef } from '../frames/cdef-params'
import { current, keepLastRow, sbTop } from '../frames/frame'
import { frame } from '../frames/frame-header'
import { grainParams } from '../frames/grain-params'
import { moveWindow, newWindow, rebaseWindow, sampleAt, strideOf, TakeRow, Window } from '../frames/planes'
import { usesLr } from '../frames/restoration-params'
import { numPlanes, subsamplingY } from '../frames/sequence-header'
import { cdefRow, copyRow, setUnavailable } from './cdef'
import { deblockRows } from './deblock'
import { addGrain, startGrain } from './grain-rows'
import { borderRow, planeWidth, restoreStripe, STRIPE, startRestoration, stripeStart } from './restoration'
import { upscaleRow } from './superres'

/** Rows of luma retained above a superblock row, which deblocking, CDEF and restoration still read. */
export const ROWS_ABOVE: i32 = 24
/** Rows at the bottom of what is reconstructed that deblocking may change. */
const DEBLOCKING_LAG: i32 = 8
/** Rows below a block that CDEF reads. */
const CDEF_REACH: i32 = 2
/** Rows that are handed on at once at the most: a stripe. */
export const ROWS_AT_ONCE: i32 = STRIPE
/** Rows of a stripe that may have been filtered beyond its end. */
const BEYOND_STRIPE: i32 = 8

/** Rows of luma that have passed each stage. */
@unmanaged
class Progress {
  reconstructed: i32
  deblocked: i32
  cdefed: i32
  emitted: i32
  /** The stripe to be restored next. */
  stripe: i32
}

const progress: Progress = changetype<Progress>(memory.data(offsetof<Progress>(), 4))

/** The filters of the frame, and the windows that they write to. Set by `startChain`. */
@unmanaged
class Chain {
  withGrain: bool
  withFilters: bool
  usesCdef: bool
  usesRestoration: bool
  usesWindow: bool
  isWider: bool
  /** The samples after CDEF and upscaling, those of one row of blocks before upscaling, and a stripe that is restored. */
  filtered: Window
  narrow: Window
  restored: Window
}

const chain: Chain = changetype<Chain>(memory.data(offsetof<Chain>(), 4))

/** Prepares for a frame; film grain is left out unless it is wanted, and so are the filters other than super-resolution. */
export function startChain(wantsGrain: bool, wantsFilters: bool): void {
  progress.reconstructed = 0
  progress.deblocked = 0
  progress.cdefed = 0
  progress.emitted = 0
  progress.stripe = 0
  chain.isWider = frame.upscaledWidth != frame.width
  chain.withFilters = wantsFilters
  chain.usesCdef = cdef.isOn && wantsFilters
  chain.usesRestoration = usesLr && wantsFilters
  chain.usesWindow = chain.usesCdef || chain.usesRestoration || chain.isWider
  chain.withGrain = wantsGrain && grainParams.applyGrain
  if (chain.withGrain) startGrain()
  if (!chain.usesWindow) return
  chain.filtered = newWindow(max(frame.upscaledWidth, frame.miCols << 2), ROWS_AT_ONCE + BEYOND_STRIPE, 0)
  if (chain.isWider) chain.narrow = newWindow(frame.miCols << 2, 8, 0)
  if (!chain.usesRestoration) return
  chain.restored = newWindow(frame.upscaledWidth, STRIPE, 0)
  startRestoration()
}

/** Makes room for the next superblock row: the rows that were handed on are gone. */
export function makeRoom(): void {
  if (!frame.allowIntrabc) moveWindow(current, progress.reconstructed - ROWS_ABOVE)
}

/** Filters the superblock row that ends at `bottom` (rows of luma); `handOn` passes finished rows on. */
export function takeSuperblockRow(bottom: i32): void {
  const end = frame.miRows << 2
  if (bottom < end) keepLastRow(bottom)
  if (chain.withFilters) deblockRows(sbTop >> 2, bottom >> 2)
  const from = progress.deblocked
  progress.reconstructed = bottom
  progress.deblocked = bottom < end ? bottom - DEBLOCKING_LAG : end
  if (chain.usesWindow) setUnavailable(from, progress.deblocked)
}

/** Hands on the next rows, ROWS_AT_ONCE at most, unless they need another superblock row; false if so. */
export function handOn(take: TakeRow): bool {
  if (!chain.usesWindow) return emit(current, min(progress.deblocked, progress.emitted + ROWS_AT_ONCE), take)
  const end = frame.miRows << 2
  const last = progress.reconstructed < end ? (progress.deblocked - CDEF_REACH) & ~7 : end
  const wanted = chain.usesRestoration ? stripeStart(progress.stripe + 1) : progress.emitted + ROWS_AT_ONCE
  if (progress.cdefed <= progress.emitted) rebaseWindow(chain.filtered, progress.emitted)
  cdefRows(min(last, wanted))
  if (!chain.usesRestoration) return emit(chain.filtered, progress.cdefed, take)
  if (progress.cdefed < min(wanted, frame.height) || progress.emitted >= frame.height) return false
  if (wanted < frame.height) keepBorder(progress.stripe + 1)
  rebaseWindow(chain.restored, stripeStart(progress.stripe))
  restoreStripe(progress.stripe, chain.filtered, chain.restored)
  progress.stripe++
  return emit(chain.restored, wanted, take)
}

/** Whether all rows were handed on. */
export function isDone(): bool {
  return progress.emitted >= frame.height
}

/** Whether nobody reads the rows again that were handed on. */
export function areRowsFree(): bool {
  return !chain.withGrain && !frame.allowIntrabc
}

/** Bytes from row to row of those that were handed on, if they are free. */
export function strideOfRows(plane: i32): usize {
  return strideOf(chain.usesRestoration ? chain.restored : chain.usesWindow ? chain.filtered : current, plane)
}

function cdefRows(to: i32): void {
  for (; progress.cdefed < to; progress.cdefed += 8) {
    if (chain.isWider) rebaseWindow(chain.narrow, progress.cdefed)
    const target = chain.isWider ? chain.narrow : chain.filtered
    for (let plane = 0; plane < numPlanes; plane++) copyRow(plane, progress.cdefed >> 2, target)
    if (chain.usesCdef) cdefRow(progress.cdefed >> 2, target)
    if (chain.isWider) widen()
  }
}

/** Upscales the row of blocks in `narrow`. */
function widen(): void {
  for (let plane = 0; plane < numPlanes; plane++) {
    const sub = plane > 0 ? subsamplingY : 0
    const y = progress.cdefed >> sub
    for (let i = 0; i < 8 >> sub; i++) {
      upscaleRow(plane, sampleAt(chain.narrow, plane, 0, y + i), sampleAt(chain.filtered, plane, 0, y + i))
    }
  }
}

/** Keeps the deblocked rows round the beginning of a stripe, which are read instead of those after CDEF. */
function keepBorder(number: i32): void {
  for (let plane = 0; plane < numPlanes; plane++) {
    const sub = plane > 0 ? subsamplingY : 0
    const first = (stripeStart(number) >> sub) - 2
    const last = ((frame.height + sub) >> sub) - 1
    for (let i = 0; i < 4; i++) {
      const from = sampleAt(current, plane, 0, min(first + i, last))
      const to = borderRow(number, plane, i)
      if (chain.isWider) upscaleRow(plane, from, to)
      else memory.copy(to, from, (<usize>planeWidth(plane)) << 1)
    }
  }
}

/** Hands on the rows up to `to`; false if there are none. */
function emit(from: Window, to: i32, take: TakeRow): bool {
  const end = min(to, frame.height)
  if (end <= progress.emitted) return false
  if (chain.withGrain) addGrain(from, progress.emitted, end, take)
  else {
    for (let plane = 0; plane < numPlanes; plane++) {
      const sub = plane > 0 ? subsamplingY : 0
      for (let y = progress.emitted >> sub; y < (end + sub) >> sub; y++) take(plane, y, sampleAt(from, plane, 0, y))
    }
  }
  progress.emitted = end
  return true
}
