// Prediction of a block from another frame by a vector: AV1 specification, 7.11.3.2 to 7.11.3.4.
import { allocate } from '../../../../arena/memory'
import { sumOfLanes32 } from '../../../../arena/simd'
import { SUBPEL_FILTERS } from '../../tables/inter'
import { referenceOf, xScaleOf, yScaleOf } from '../frames/inter-params'
import { planeOf, Reference, sampleShift } from '../frames/references'
import { bitDepth, subsamplingX, subsamplingY } from '../frames/sequence-header'

const EIGHTTAP_SMOOTH: i32 = 1
const BILINEAR: i32 = 3
const FOUR_TAPS: i32 = 4
const FOUR_TAPS_SMOOTH: i32 = 5
const NO_SCALE: i32 = 1024

/** Entries of a row of preds; and of what is fetched: twice a block, and 8. */
const PRED_STRIDE: i32 = 128
const FETCH_STRIDE: i32 = 288
const FETCH_ROWS: i32 = 272

/** The memory for prediction from other frames, allocated for each frame that uses it. */
@unmanaged
class Buffers {
  /** preds: i32[2][128][128]. */
  preds: usize
  /** Samples of the other frame, u16; and these filtered along rows, i16. */
  fetched: usize
  intermediate: usize
}

const buffers: Buffers = changetype<Buffers>(memory.data(offsetof<Buffers>(), 4))

/** The rounding variables of the block, set by `setRounding`. */
@unmanaged
class Rounding {
  /** InterRound0 */
  round0: i32
  /** InterRound1 */
  round1: i32
  /** InterPostRound */
  postRound: i32
}

export const rounding: Rounding = changetype<Rounding>(memory.data(offsetof<Rounding>(), 4))

/** The results of `sumEight`. */
@unmanaged
class Sums {
  low: v128
  high: v128
}

const sums: Sums = changetype<Sums>(memory.data(offsetof<Sums>(), 16))

/** Takes the memory. */
export function startBlockInter(): void {
  buffers.preds = allocate(4 * 2 * PRED_STRIDE * PRED_STRIDE + 64)
  buffers.fetched = allocate(2 * FETCH_STRIDE * FETCH_ROWS)
  buffers.intermediate = allocate(2 * PRED_STRIDE * FETCH_ROWS + 64)
}

/** Address of a row of preds[ refList ]. */
export function predRow(refList: i32, y: i32): usize {
  return buffers.preds + ((<usize>((refList * PRED_STRIDE + y) * PRED_STRIDE)) << 2)
}

/** The rounding variables derivation process. */
export function setRounding(isCompound: bool): void {
  const is12 = bitDepth == 12
  rounding.round0 = is12 ? 5 : 3
  rounding.round1 = isCompound ? 7 : is12 ? 9 : 11
  rounding.postRound = 14 - rounding.round0 - rounding.round1
}

/** The part of a block that is predicted as a whole: `w` x `h` samples at (`x`, `y`) of a plane. */
@unmanaged
class PredictedPart {
  plane: i32
  x: i32
  y: i32
  w: i32
  h: i32
}

export const part: PredictedPart = changetype<PredictedPart>(memory.data(32, 16))

/** Sets the part that `predictBlock` and `warpBlock` predict. */
export function setPart(plane: i32, x: i32, y: i32, w: i32, h: i32): void {
  part.plane = plane
  part.x = x
  part.y = y
  part.w = w
  part.h = h
}

/** Predicts preds[ refList ] of the part from a frame, by a vector. */
export function predictBlock(
  refList: i32,
  refFrame: i32,
  mvRow: i32,
  mvCol: i32,
  filterRows: i32,
  filterColumns: i32,
): void {
  const plane = part.plane
  const w = part.w
  const h = part.h
  const xScale = xScaleOf(refFrame)
  const yScale = yScaleOf(refFrame)
  const subX = plane > 0 ? subsamplingX : 0
  const subY = plane > 0 ? subsamplingY : 0
  const startX = scaled(part.x, (2 * mvCol) >> subX, xScale)
  const startY = scaled(part.y, (2 * mvRow) >> subY, yScale)
  const stepX = (xScale + 8) >> 4
  const stepY = (yScale + 8) >> 4
  const offsetX = startX & 1023
  const offsetY = startY & 1023
  const columns = (((w - 1) * stepX + offsetX) >> 10) + 8
  const rows = (((h - 1) * stepY + offsetY) >> 10) + 8
  fetch(referenceOf(refFrame), plane, (startX >> 10) - 3, (startY >> 10) - 3, columns, rows)
  const alongRows = filterOf(filterColumns, w)
  if (stepX == NO_SCALE) filterRowsPlainly(alongRows + ((offsetX >> 6) << 3), w, rows)
  else filterRowsScaled(alongRows, w, rows, offsetX, stepX)
  filterDown(filterOf(filterRows, h), predRow(refList, 0), w, h, offsetY, stepY)
}

/** The motion vector scaling process: startX or startY. */
function scaled(at: i32, motion: i32, scale: i32): i32 {
  const centre = <i64>((at << 4) + motion + 8)
  const base = centre * scale - (8 << 14)
  return <i32>(base < 0 ? -((-base + 128) >> 8) : (base + 128) >> 8) + 32
}

/** Subpel_Filters of a filter for a side of so many samples, i8[16][8], halved. */
function filterOf(filter: i32, length: i32): usize {
  let index = filter
  if (length <= 4 && filter != BILINEAR) index = filter == EIGHTTAP_SMOOTH ? FOUR_TAPS_SMOOTH : FOUR_TAPS
  return SUBPEL_FILTERS + (index << 7)
}

/** Copies samples of a frame, whose outermost are repeated beyond it. */
function fetch(r: Reference, plane: i32, x: i32, y: i32, w: i32, h: i32): void {
  const subX = plane > 0 ? subsamplingX : 0
  const subY = plane > 0 ? subsamplingY : 0
  const lastX = ((r.upscaledWidth + subX) >> subX) - 1
  const lastY = ((r.frameHeight + subY) >> subY) - 1
  const shift = sampleShift()
  const stride = plane == 0 ? r.stride0 : r.stride1
  const base = planeOf(r, plane)
  const before = max(0, min(w, -x))
  const inside = max(before, min(w, lastX + 1 - x))
  let to = buffers.fetched
  for (let i = 0; i < h; i++) {
    const row = base + stride * <usize>max(0, min(lastY, y + i))
    repeat(to, 0, before, row, 0, shift)
    copy(to, before, inside, row + ((<usize>(x + before)) << shift), shift)
    repeat(to, inside, w, row, lastX, shift)
    to += FETCH_STRIDE << 1
  }
}

// @ts-ignore: decorator
@inline
function repeat(to: usize, from: i32, end: i32, row: usize, x: i32, shift: usize): void {
  if (from >= end) return
  const value = shift == 0 ? <u16>load<u8>(row + x) : load<u16>(row + (x << 1))
  for (let j = from; j < end; j++) store<u16>(to + (j << 1), value)
}

// @ts-ignore: decorator
@inline
function copy(to: usize, from: i32, end: i32, row: usize, shift: usize): void {
  if (from >= end) return
  const count = <usize>(end - from)
  const start = to + (from << 1)
  if (shift == 1) {
    memory.copy(start, row, count << 1)
    return
  }
  let j: usize = 0
  for (; j + 8 <= count; j += 8) v128.store(start + (j << 1), v128.load_ext<u8>(row + j))
  for (; j < count; j++) store<u16>(start + (j << 1), load<u8>(row + j))
}

/** Eight taps, twice as large. */
// @ts-ignore: decorator
@inline
function tapsAt(filter: usize): v128 {
  return i16x8.shl(v128.load_ext<i8>(filter), 1)
}

/** Eight sums of eight values each, `step` bytes from one to the next, by the same filter, rounded. */
function sumEight(from: usize, step: usize, filter: usize, round: i32): void {
  let low = i32x4.splat((1 << round) >> 1)
  let high = low
  let at = from
  for (let t = 0; t < 8; t++) {
    const tap = i16x8.splat(<i16>((<i32>load<i8>(filter + t)) << 1))
    const values = v128.load(at)
    low = i32x4.add(low, i32x4.extmul_low_i16x8_s(values, tap))
    high = i32x4.add(high, i32x4.extmul_high_i16x8_s(values, tap))
    at += step
  }
  sums.low = i32x4.shr_s(low, round)
  sums.high = i32x4.shr_s(high, round)
}

/** Filters rows where all samples have the same position between those fetched. */
function filterRowsPlainly(filter: usize, w: i32, rows: i32): void {
  for (let i = 0; i < rows; i++) {
    const from = buffers.fetched + ((<usize>(i * FETCH_STRIDE)) << 1)
    const to = buffers.intermediate + ((<usize>(i * PRED_STRIDE)) << 1)
    for (let j: usize = 0; j < (<usize>w) << 1; j += 16) {
      sumEight(from + j, 2, filter, rounding.round0)
      v128.store(to + j, i16x8.narrow_i32x4_s(sums.low, sums.high))
    }
  }
}

function filterRowsScaled(filters: usize, w: i32, rows: i32, offset: i32, step: i32): void {
  const half = (1 << rounding.round0) >> 1
  for (let i = 0; i < rows; i++) {
    const from = buffers.fetched + ((<usize>(i * FETCH_STRIDE)) << 1)
    const to = buffers.intermediate + ((<usize>(i * PRED_STRIDE)) << 1)
    let p = offset
    for (let j = 0; j < w; j++) {
      const products = i32x4.dot_i16x8_s(
        v128.load(from + ((<usize>(p >> 10)) << 1)),
        tapsAt(filters + (((p >> 6) & 15) << 3)),
      )
      store<i16>(to + ((<usize>j) << 1), <i16>((sumOfLanes32(products) + half) >> rounding.round0))
      p += step
    }
  }
}

function filterDown(filters: usize, pred: usize, w: i32, h: i32, offset: i32, step: i32): void {
  let p = offset
  for (let i = 0; i < h; i++) {
    const filter = filters + (((p >> 6) & 15) << 3)
    const from = buffers.intermediate + ((<usize>((p >> 10) * PRED_STRIDE)) << 1)
    const to = pred + ((<usize>(i * PRED_STRIDE)) << 2)
    for (let j: usize = 0; j < (<usize>w) << 1; j += 16) {
      sumEight(from + j, 2 * PRED_STRIDE, filter, rounding.round1)
      v128.store(to + (j << 1), sums.low)
      v128.store(to + (j << 1), sums.high, 16)
    }
    p += step
  }
}
