// The sample filtering process: AV1 specification, 7.14.4 (thresholds) and 7.14.6. All samples along an edge of 4, or of 8, are
// filtered at once.
import {
  interleaveHigh16,
  interleaveHigh32,
  interleaveLow16,
  interleaveLow32,
  secondHalves,
  storeFourRows,
} from '../../../../arena/simd'
import { loopFilter } from '../frames/loop-filter-params'
import { bitDepth } from '../frames/sequence-header'

/** The thresholds of an edge, set by `setThresholds`: the same in all lanes. */
@unmanaged
class Thresholds {
  limit: v128
  blimit: v128
  thresh: v128
  flat: v128
  /** The greatest value of a sample. */
  most: v128
  /** The lanes that have a sample. */
  used: v128
}

const thresholds: Thresholds = changetype<Thresholds>(memory.data(offsetof<Thresholds>(), 16))

/** Sets the thresholds that follow from a filter level, in the bit depth of the frame. */
export function setThresholds(level: i32): void {
  const shift = loopFilter.sharpness > 4 ? 2 : loopFilter.sharpness > 0 ? 1 : 0
  const depth = bitDepth - 8
  let unscaled = max(1, level >> shift)
  if (loopFilter.sharpness > 0) unscaled = max(1, min(9 - loopFilter.sharpness, level >> shift))
  thresholds.limit = i16x8.splat(<i16>(unscaled << depth))
  thresholds.blimit = i16x8.splat(<i16>((2 * (level + 2) + unscaled) << depth))
  thresholds.thresh = i16x8.splat(<i16>((level >> 4) << depth))
  const levels = 1 << depth
  thresholds.flat = i16x8.splat(<i16>levels)
  thresholds.most = i16x8.splat(<i16>(levels * 256 - 1))
}

/** Samples across the edge, p7 to p0, then q0 to q7: a vector along the edge each. */
const ACROSS: usize = memory.data(16 * 16, 16)

/** Address of p0 for i = 0, p1 for i = 1, and so on. */
// @ts-ignore: decorator
@inline
function pAt(i: i32): usize {
  return ACROSS + ((<usize>(7 - i)) << 4)
}

// @ts-ignore: decorator
@inline
function qAt(i: i32): usize {
  return ACROSS + ((<usize>(8 + i)) << 4)
}

/**
 * Filters `count` (4 or 8) samples along a horizontal edge: `q0` is the first below it. `size` is the height of the smaller
 * transform.
 */
export function filterAcrossRows(q0: usize, stride: usize, plane: i32, size: i32, count: i32): void {
  const filterSize = min(plane == 0 ? 16 : 8, size)
  const reach = filterSize == 16 ? 7 : filterSize == 4 ? 2 : plane > 0 ? 3 : 4
  let p = q0 - stride
  let q = q0
  for (let i = 0; i < reach; i++) {
    v128.store(pAt(i), v128.load(p))
    v128.store(qAt(i), v128.load(q))
    p -= stride
    q += stride
  }
  setUsed(count)
  const changed = filterVectors(filterSize, plane > 0)
  p = q0 - stride
  q = q0
  for (let i = 0; i < changed; i++) {
    if (count == 4) {
      v128.store64_lane(p, v128.load(pAt(i)), 0)
      v128.store64_lane(q, v128.load(qAt(i)), 0)
    } else {
      v128.store(p, v128.load(pAt(i)))
      v128.store(q, v128.load(qAt(i)))
    }
    p -= stride
    q += stride
  }
}

/** Filters four samples along a vertical edge: `q0` is the first to the right of it, `size` the width of the smaller transform. */
export function filterAcrossColumns(q0: usize, stride: usize, plane: i32, size: i32): void {
  const filterSize = min(plane == 0 ? 16 : 8, size)
  setUsed(4)
  if (filterSize == 16) {
    turnIn(pAt(7), q0 - 16, stride)
    turnIn(qAt(0), q0, stride)
  } else turnIn(pAt(3), q0 - 8, stride)
  const changed = filterVectors(filterSize, plane > 0)
  if (changed > 3) {
    turnOut(pAt(7), q0 - 16, stride)
    turnOut(qAt(0), q0, stride)
  } else if (changed > 0) turnOut(pAt(3), q0 - 8, stride)
}

function setUsed(count: i32): void {
  thresholds.used = count == 4 ? i64x2.replace_lane(i64x2.splat(0), 0, -1) : i64x2.splat(-1)
}

/** Eight samples of four rows to eight vectors. */
function turnIn(to: usize, from: usize, stride: usize): void {
  const a = v128.load(from)
  const b = v128.load(from + stride)
  const c = v128.load(from + 2 * stride)
  const d = v128.load(from + 3 * stride)
  storeHalves(to, interleaveLow16(a, b), interleaveLow16(c, d))
  storeHalves(to + 64, interleaveHigh16(a, b), interleaveHigh16(c, d))
}

/** Four vectors of pairs of rows. */
// @ts-ignore: decorator
@inline
function storeHalves(to: usize, ab: v128, cd: v128): void {
  const first = interleaveLow32(ab, cd)
  const second = interleaveHigh32(ab, cd)
  v128.store(to, first)
  v128.store(to, secondHalves(first, first), 16)
  v128.store(to, second, 32)
  v128.store(to, secondHalves(second, second), 48)
}

/** Eight vectors to eight samples of four rows. */
function turnOut(from: usize, to: usize, stride: usize): void {
  const ab = interleaveLow16(v128.load(from), v128.load(from, 16))
  const cd = interleaveLow16(v128.load(from, 32), v128.load(from, 48))
  const ef = interleaveLow16(v128.load(from, 64), v128.load(from, 80))
  const gh = interleaveLow16(v128.load(from, 96), v128.load(from, 112))
  storeFourRows(to, stride, ab, cd, ef, gh)
}

/** Lanes that differ by `by` at most. */
// @ts-ignore: decorator
@inline
function isWithin(a: v128, b: v128, by: v128): v128 {
  return i16x8.le_s(i16x8.abs(i16x8.sub(a, b)), by)
}

/** Filters ACROSS, and returns how many samples may have changed on each side. */
function filterVectors(filterSize: i32, isChroma: bool): i32 {
  const limit = thresholds.limit
  const flat = thresholds.flat
  const p1 = v128.load(pAt(1))
  const p0 = v128.load(pAt(0))
  const q0 = v128.load(qAt(0))
  const q1 = v128.load(qAt(1))
  // filterMask
  const step = i16x8.abs(i16x8.sub(p0, q0))
  const steps = i16x8.add(i16x8.add(step, step), i16x8.shr_u(i16x8.abs(i16x8.sub(p1, q1)), 1))
  let mask = v128.and(thresholds.used, i16x8.le_s(steps, thresholds.blimit))
  mask = v128.and(mask, v128.and(isWithin(p1, p0, limit), isWithin(q1, q0, limit)))
  if (filterSize == 4) return v128.any_true(mask) ? filterNarrow(mask, p1, p0, q0, q1) : 0
  const p2 = v128.load(pAt(2))
  const q2 = v128.load(qAt(2))
  mask = v128.and(mask, v128.and(isWithin(p2, p1, limit), isWithin(q2, q1, limit)))
  let isFlat = v128.and(
    v128.and(isWithin(p1, p0, flat), isWithin(q1, q0, flat)),
    v128.and(isWithin(p2, p0, flat), isWithin(q2, q0, flat)),
  )
  if (!isChroma) {
    const p3 = v128.load(pAt(3))
    const q3 = v128.load(qAt(3))
    mask = v128.and(mask, v128.and(isWithin(p3, p2, limit), isWithin(q3, q2, limit)))
    isFlat = v128.and(isFlat, v128.and(isWithin(p3, p0, flat), isWithin(q3, q0, flat)))
  }
  if (!v128.any_true(mask)) return 0
  isFlat = v128.and(isFlat, mask)
  if (!v128.any_true(isFlat)) return filterNarrow(mask, p1, p0, q0, q1)
  const narrowed = v128.andnot(mask, isFlat)
  if (isChroma) {
    filterNarrow(narrowed, p1, p0, q0, q1)
    filterSix(isFlat, p2, p1, p0, q0, q1, q2)
    return 2
  }
  const isFar = filterSize == 16 ? v128.and(isFlat, flatFar(p0, q0)) : i16x8.splat(0)
  const hasFar = v128.any_true(isFar)
  if (hasFar) filterWide(isFar)
  filterNarrow(narrowed, p1, p0, q0, q1)
  filterEight(v128.andnot(isFlat, isFar), p2, p1, p0, q0, q1, q2)
  return hasFar ? 6 : 3
}

/** flatMask2 */
function flatFar(p0: v128, q0: v128): v128 {
  const flat = thresholds.flat
  let mask = v128.and(isWithin(v128.load(pAt(4)), p0, flat), isWithin(v128.load(qAt(4)), q0, flat))
  mask = v128.and(mask, v128.and(isWithin(v128.load(pAt(5)), p0, flat), isWithin(v128.load(qAt(5)), q0, flat)))
  return v128.and(mask, v128.and(isWithin(v128.load(pAt(6)), p0, flat), isWithin(v128.load(qAt(6)), q0, flat)))
}

/** Stores samples in the lanes of a mask. */
// @ts-ignore: decorator
@inline
function put(at: usize, samples: v128, mask: v128): void {
  v128.store(at, v128.bitselect(samples, v128.load(at), mask))
}

/** ( sum + 4 ) >> 3 */
// @ts-ignore: decorator
@inline
function eighth(sum: v128): v128 {
  return i16x8.shr_u(i16x8.add(sum, i16x8.splat(4)), 3)
}

/** The wide filter process of chroma (7.14.6.4), of five taps. */
function filterSix(mask: v128, p2: v128, p1: v128, p0: v128, q0: v128, q1: v128, q2: v128): void {
  const inner = i16x8.add(p0, q0)
  const left = i16x8.add(p1, p0)
  const right = i16x8.add(q0, q1)
  const twiceLeft = i16x8.add(i16x8.add(left, left), inner)
  const twiceRight = i16x8.add(i16x8.add(right, right), inner)
  // 3 p2 + 2 p1 + 2 p0 + q0, p2 + 2 p1 + 2 p0 + 2 q0 + q1, and the same from the other side.
  const threeP2 = i16x8.add(i16x8.add(p2, p2), p2)
  const threeQ2 = i16x8.add(i16x8.add(q2, q2), q2)
  put(pAt(1), eighth(i16x8.add(threeP2, i16x8.sub(twiceLeft, p0))), mask)
  put(pAt(0), eighth(i16x8.add(i16x8.add(p2, i16x8.sub(twiceLeft, p0)), right)), mask)
  put(qAt(0), eighth(i16x8.add(i16x8.add(q2, i16x8.sub(twiceRight, q0)), left)), mask)
  put(qAt(1), eighth(i16x8.add(threeQ2, i16x8.sub(twiceRight, q0))), mask)
}

/** The wide filter process of luma (7.14.6.4) with log2Size 3: each sum is the one before, a step further. */
function filterEight(mask: v128, p2: v128, p1: v128, p0: v128, q0: v128, q1: v128, q2: v128): void {
  const p3 = v128.load(pAt(3))
  const q3 = v128.load(qAt(3))
  const p3p3 = i16x8.add(p3, p3)
  // 3 p3 + 2 p2 + p1 + p0 + q0
  let sum = i16x8.add(i16x8.add(i16x8.add(p3p3, p3), i16x8.add(p2, p2)), i16x8.add(i16x8.add(p1, p0), q0))
  put(pAt(2), eighth(sum), mask)
  sum = i16x8.add(sum, i16x8.sub(i16x8.add(p1, q1), i16x8.add(p3, p2)))
  put(pAt(1), eighth(sum), mask)
  sum = i16x8.add(sum, i16x8.sub(i16x8.add(p0, q2), i16x8.add(p3, p1)))
  put(pAt(0), eighth(sum), mask)
  sum = i16x8.add(sum, i16x8.sub(i16x8.add(q0, q3), i16x8.add(p3, p0)))
  put(qAt(0), eighth(sum), mask)
  sum = i16x8.add(sum, i16x8.sub(i16x8.add(q1, q3), i16x8.add(p2, q0)))
  put(qAt(1), eighth(sum), mask)
  sum = i16x8.add(sum, i16x8.sub(i16x8.add(q2, q3), i16x8.add(p1, q1)))
  put(qAt(2), eighth(sum), mask)
}

/** The narrow filter process (7.14.6.3); returns how many samples may have changed on each side. */
function filterNarrow(mask: v128, p1: v128, p0: v128, q0: v128, q1: v128): i32 {
  const flat = v128.and(isWithin(p1, p0, thresholds.thresh), isWithin(q1, q0, thresholds.thresh))
  const change = i16x8.sub(q0, p0)
  const outerChange = v128.andnot(clamp4(i16x8.sub(p1, q1)), flat)
  const base = clamp4(i16x8.add(outerChange, i16x8.add(i16x8.add(change, change), change)))
  const filter1 = i16x8.shr_s(clamp4(i16x8.add(base, i16x8.splat(4))), 3)
  const filter2 = i16x8.shr_s(clamp4(i16x8.add(base, i16x8.splat(3))), 3)
  put(qAt(0), clampSample(i16x8.sub(q0, filter1)), mask)
  put(pAt(0), clampSample(i16x8.add(p0, filter2)), mask)
  const outerMask = v128.and(mask, flat)
  const outer = i16x8.shr_s(i16x8.add(filter1, i16x8.splat(1)), 1)
  put(qAt(1), clampSample(i16x8.sub(q1, outer)), outerMask)
  put(pAt(1), clampSample(i16x8.add(p1, outer)), outerMask)
  return 2
}

/** filter4_clamp( ) */
// @ts-ignore: decorator
@inline
function clamp4(values: v128): v128 {
  const most = i16x8.shr_u(thresholds.most, 1)
  return i16x8.min_s(i16x8.max_s(values, v128.not(most)), most)
}

// @ts-ignore: decorator
@inline
function clampSample(values: v128): v128 {
  return i16x8.min_s(i16x8.max_s(values, i16x8.splat(0)), thresholds.most)
}

const COPY: usize = memory.data(16 * 16, 16)

/** The wide filter process (7.14.6.4) with log2Size 4, of samples in a copy of ACROSS. */
function filterWide(mask: v128): void {
  for (let i = 1; i < 15; i++) {
    v128.store(COPY + ((<usize>i) << 4), v128.load(ACROSS + ((<usize>i) << 4)))
  }
  // The sum of thirteen samples, those beyond the ends repeated, and of the middle three again.
  const first = wide(1)
  let sum = i16x8.sub(i16x8.shl(first, 3), first)
  for (let i = 2; i < 8; i++) sum = i16x8.add(sum, wide(i))
  for (let i = 2; i < 14; i++) {
    sum = i16x8.add(sum, i16x8.sub(wide(min(i + 6, 14)), wide(max(i - 7, 1))))
    const middle = i16x8.add(i16x8.add(wide(i - 1), wide(i)), i16x8.add(wide(i + 1), i16x8.splat(8)))
    put(ACROSS + ((<usize>i) << 4), i16x8.shr_u(i16x8.add(sum, middle), 4), mask)
  }
}

// @ts-ignore: decorator
@inline
function wide(i: i32): v128 {
  return v128.load(COPY + ((<usize>i) << 4))
}
