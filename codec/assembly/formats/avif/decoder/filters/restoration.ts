// The loop restoration process, a stripe of 64 rows of luma at a time: AV1 specification, 7.17.
import { allocate } from '../../../../arena/memory'
import { frame } from '../frames/frame-header'
import { MARGIN, sampleAt, strideOf, Window } from '../frames/planes'
import {
  frameRestorationType,
  RESTORE_NONE,
  RESTORE_SGRPROJ,
  RESTORE_WIENER,
  restorationSize,
} from '../frames/restoration-params'
import { numPlanes, subsamplingX, subsamplingY } from '../frames/sequence-header'
import { unitAt, unitColumns, unitRows, unitType } from './restoration-units'
import { selfGuide, startSelfGuided } from './self-guided'
import { startWiener, wienerFilter } from './wiener'

/** A stripe, and how far up it is shifted. */
export const STRIPE: i32 = 64
const STRIPE_OFFSET: i32 = 8
/** Rows above and below a stripe that a filter reads. */
const REACH: i32 = 3

/** Addresses of the rows of a stripe: entry `REACH` is its first. */
const ROWS: usize = memory.data(4 * (64 + 6), 16)

/** Rows round a border between stripes as they were before CDEF: two above and two below. */
const BORDER_ROWS: i32 = 4
const BORDERS: StaticArray<usize> = [0, 0, 0, 0, 0, 0]
let borderStride: usize = 0

/** Takes the memory for two borders, and what the filters need. */
export function startRestoration(): void {
  borderStride = (<usize>((frame.upscaledWidth + 2 * MARGIN + 16) & ~7)) << 1
  for (let i = 0; i < 2; i++) {
    for (let plane = 0; plane < numPlanes; plane++) BORDERS[i * 3 + plane] = allocate(borderStride * BORDER_ROWS)
  }
  startWiener()
  startSelfGuided()
}

/** The address of row `i` (0 to 3) of the border before stripe `stripe`. */
export function borderRow(stripe: i32, plane: i32, i: i32): usize {
  return BORDERS[(stripe & 1) * 3 + plane] + <usize>i * borderStride + ((<usize>MARGIN) << 1)
}

/** First row of luma of a stripe, below 0 for the first. */
export function stripeStart(stripe: i32): i32 {
  return stripe * STRIPE - STRIPE_OFFSET
}

/** Restores stripe `stripe` of `from` into `to`; the borders on both sides must be saved. */
export function restoreStripe(stripe: i32, from: Window, to: Window): void {
  for (let plane = 0; plane < numPlanes; plane++) {
    const subY = plane > 0 ? subsamplingY : 0
    const first = max(0, stripeStart(stripe)) >> subY
    const end = min(stripeStart(stripe + 1) >> subY, (frame.height + subY) >> subY)
    if (frameRestorationType(plane) == RESTORE_NONE) copyRows(plane, first, end, from, to)
    else restorePlane(stripe, plane, first, end, from, to)
  }
}

function copyRows(plane: i32, first: i32, end: i32, from: Window, to: Window): void {
  const bytes = (<usize>planeWidth(plane)) << 1
  for (let y = first; y < end; y++) memory.copy(sampleAt(to, plane, 0, y), sampleAt(from, plane, 0, y), bytes)
}

/** Samples across a plane. */
export function planeWidth(plane: i32): i32 {
  const subX = plane > 0 ? subsamplingX : 0
  return (frame.upscaledWidth + subX) >> subX
}

function restorePlane(stripe: i32, plane: i32, first: i32, end: i32, from: Window, to: Window): void {
  listRows(stripe, plane, first, end, from)
  const width = planeWidth(plane)
  for (let i = 0; i < end - first + 2 * REACH; i++) extendRow(rowOf(i), width)
  const size = restorationSize(plane)
  const subY = plane > 0 ? subsamplingY : 0
  const unitRow = min(unitRows(plane) - 1, ((max(0, stripeStart(stripe)) + STRIPE_OFFSET) >> subY) / size)
  const columns = unitColumns(plane)
  const stride = strideOf(to, plane)
  for (let col = 0; col < columns; col++) {
    const x = col * size
    const w = (col == columns - 1 ? width : x + size) - x
    const unit = unitAt(plane, unitRow, col)
    const type = unitType(unit)
    const at = sampleAt(to, plane, x, first)
    if (type == RESTORE_WIENER) wienerFilter(unit, ROWS, x, w, end - first, at, stride)
    else if (type == RESTORE_SGRPROJ) selfGuide(unit, ROWS, x, w, end - first, at, stride)
    else copyUnit(x, w, end - first, at, stride)
  }
}

function copyUnit(x: i32, w: i32, h: i32, to: usize, stride: usize): void {
  for (let i = 0; i < h; i++) memory.copy(to + <usize>i * stride, rowOf(i + REACH) + ((<usize>x) << 1), (<usize>w) << 1)
}

function rowOf(i: i32): usize {
  return <usize>load<u32>(ROWS + ((<usize>i) << 2))
}

function setRow(i: i32, row: usize): void {
  store<u32>(ROWS + ((<usize>i) << 2), <u32>row)
}

/** The rows that the get source sample process (7.17.6) takes for those of the stripe and round it. */
function listRows(stripe: i32, plane: i32, first: i32, end: i32, from: Window): void {
  const subY = plane > 0 ? subsamplingY : 0
  const h = end - first
  const isTop = stripe == 0
  const isBottom = end == (frame.height + subY) >> subY
  for (let i = 0; i < h; i++) setRow(i + REACH, sampleAt(from, plane, 0, first + i))
  for (let i = 1; i <= REACH; i++) {
    setRow(REACH - i, isTop ? sampleAt(from, plane, 0, first) : borderRow(stripe, plane, 2 - min(i, 2)))
    setRow(
      REACH + h - 1 + i,
      isBottom ? sampleAt(from, plane, 0, end - 1) : borderRow(stripe + 1, plane, 1 + min(i, 2)),
    )
  }
}

/** Repeats the first and the last sample of a row as far as the filters reach. */
function extendRow(row: usize, width: i32): void {
  const first = load<u16>(row)
  const last = load<u16>(row + ((<usize>(width - 1)) << 1))
  for (let i = 1; i <= 4; i++) {
    store<u16>(row - ((<usize>i) << 1), first)
    store<u16>(row + ((<usize>(width - 1 + i)) << 1), last)
  }
}
