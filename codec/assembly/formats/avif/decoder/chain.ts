// The filters after the reconstruction of a superblock row (7.4 of the AV1 specification). Each runs as far down as the
// one before it allows, and finished rows are passed on, a stripe at a time.
import { cdefRow, copyRow, setUnavailable } from './cdef'
import { cdefIsOn } from './cdef-params'
import { deblockRows } from './deblock'
import { current, keepLastRow, sbTop } from './frame'
import { allowIntrabc, frameHeight, frameWidth, miCols, miRows, upscaledWidth } from './frame-header'
import { applyGrain } from './grain-params'
import { addGrain, startGrain } from './grain-rows'
import { moveWindow, newWindow, rebaseWindow, sampleAt, strideOf, TakeRow, Window } from './planes'
import { borderRow, planeWidth, restoreStripe, STRIPE, startRestoration, stripeStart } from './restoration'
import { usesLr } from './restoration-params'
import { numPlanes, subsamplingY } from './sequence-header'
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

// Progress of each stage, in rows of luma.
let reconstructed: i32 = 0
let deblocked: i32 = 0
let cdefed: i32 = 0
let emitted: i32 = 0
let stripe: i32 = 0

let usesWindow = false
let isWider = false
/** The samples after CDEF and upscaling, those of one row of blocks before upscaling, and a stripe that is restored. */
let filtered: Window = changetype<Window>(0)
let narrow: Window = changetype<Window>(0)
let restored: Window = changetype<Window>(0)
let withGrain = false
let withFilters = true
let usesCdef = false
let usesRestoration = false

/** Prepares for a frame; film grain is left out unless it is wanted, and so are the filters other than super-resolution. */
export function startChain(wantsGrain: bool, wantsFilters: bool): void {
  reconstructed = 0
  deblocked = 0
  cdefed = 0
  emitted = 0
  stripe = 0
  isWider = upscaledWidth != frameWidth
  withFilters = wantsFilters
  usesCdef = cdefIsOn && wantsFilters
  usesRestoration = usesLr && wantsFilters
  usesWindow = usesCdef || usesRestoration || isWider
  withGrain = wantsGrain && applyGrain
  if (withGrain) startGrain()
  if (!usesWindow) return
  filtered = newWindow(max(upscaledWidth, miCols << 2), ROWS_AT_ONCE + BEYOND_STRIPE, 0)
  if (isWider) narrow = newWindow(miCols << 2, 8, 0)
  if (!usesRestoration) return
  restored = newWindow(upscaledWidth, STRIPE, 0)
  startRestoration()
}

/** Makes room for the next superblock row: the rows that were handed on are gone. */
export function makeRoom(): void {
  if (!allowIntrabc) moveWindow(current, reconstructed - ROWS_ABOVE)
}

/** Filters the superblock row that ends at `bottom` (rows of luma); `handOn` passes finished rows on. */
export function takeSuperblockRow(bottom: i32): void {
  const end = miRows << 2
  if (bottom < end) keepLastRow(bottom)
  if (withFilters) deblockRows(sbTop >> 2, bottom >> 2)
  const from = deblocked
  reconstructed = bottom
  deblocked = bottom < end ? bottom - DEBLOCKING_LAG : end
  if (usesWindow) setUnavailable(from, deblocked)
}

/** Hands on the next rows, ROWS_AT_ONCE at most, unless they need another superblock row; false if so. */
export function handOn(take: TakeRow): bool {
  if (!usesWindow) return emit(current, min(deblocked, emitted + ROWS_AT_ONCE), take)
  const end = miRows << 2
  const last = reconstructed < end ? (deblocked - CDEF_REACH) & ~7 : end
  const wanted = usesRestoration ? stripeStart(stripe + 1) : emitted + ROWS_AT_ONCE
  if (cdefed <= emitted) rebaseWindow(filtered, emitted)
  cdefRows(min(last, wanted))
  if (!usesRestoration) return emit(filtered, cdefed, take)
  if (cdefed < min(wanted, frameHeight) || emitted >= frameHeight) return false
  if (wanted < frameHeight) keepBorder(stripe + 1)
  rebaseWindow(restored, stripeStart(stripe))
  restoreStripe(stripe, filtered, restored)
  stripe++
  return emit(restored, wanted, take)
}

/** Whether all rows were handed on. */
export function isDone(): bool {
  return emitted >= frameHeight
}

/** Whether nobody reads the rows again that were handed on. */
export function areRowsFree(): bool {
  return !withGrain && !allowIntrabc
}

/** Bytes from row to row of those that were handed on, if they are free. */
export function strideOfRows(plane: i32): usize {
  return strideOf(usesRestoration ? restored : usesWindow ? filtered : current, plane)
}

function cdefRows(to: i32): void {
  for (; cdefed < to; cdefed += 8) {
    if (isWider) rebaseWindow(narrow, cdefed)
    const target = isWider ? narrow : filtered
    for (let plane = 0; plane < numPlanes; plane++) copyRow(plane, cdefed >> 2, target)
    if (usesCdef) cdefRow(cdefed >> 2, target)
    if (isWider) widen()
  }
}

/** Upscales the row of blocks in `narrow`. */
function widen(): void {
  for (let plane = 0; plane < numPlanes; plane++) {
    const sub = plane > 0 ? subsamplingY : 0
    const y = cdefed >> sub
    for (let i = 0; i < 8 >> sub; i++) {
      upscaleRow(plane, sampleAt(narrow, plane, 0, y + i), sampleAt(filtered, plane, 0, y + i))
    }
  }
}

/** Keeps the deblocked rows round the beginning of a stripe, which are read instead of those after CDEF. */
function keepBorder(number: i32): void {
  for (let plane = 0; plane < numPlanes; plane++) {
    const sub = plane > 0 ? subsamplingY : 0
    const first = (stripeStart(number) >> sub) - 2
    const last = ((frameHeight + sub) >> sub) - 1
    for (let i = 0; i < 4; i++) {
      const from = sampleAt(current, plane, 0, min(first + i, last))
      const to = borderRow(number, plane, i)
      if (isWider) upscaleRow(plane, from, to)
      else memory.copy(to, from, (<usize>planeWidth(plane)) << 1)
    }
  }
}

/** Hands on the rows up to `to`; false if there are none. */
function emit(from: Window, to: i32, take: TakeRow): bool {
  const end = min(to, frameHeight)
  if (end <= emitted) return false
  if (withGrain) addGrain(from, emitted, end, take)
  else {
    for (let plane = 0; plane < numPlanes; plane++) {
      const sub = plane > 0 ? subsamplingY : 0
      for (let y = emitted >> sub; y < (end + sub) >> sub; y++) take(plane, y, sampleAt(from, plane, 0, y))
    }
  }
  emitted = end
  return true
}
