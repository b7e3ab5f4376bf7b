// The sample filtering process: AV1 specification, 7.14.4 (thresholds) and 7.14.6.
import { loopFilter } from './loop-filter-params'
import { bitDepth } from './sequence-header'

/** The thresholds of an edge, set by `setThresholds`. */
@unmanaged
class Thresholds {
  limit: i32
  blimit: i32
  thresh: i32
  flat: i32
}

const thresholds: Thresholds = changetype<Thresholds>(memory.data(offsetof<Thresholds>(), 4))

/** Sets the thresholds that follow from a filter level, in the bit depth of the frame. */
export function setThresholds(level: i32): void {
  const shift = loopFilter.sharpness > 4 ? 2 : loopFilter.sharpness > 0 ? 1 : 0
  const depth = bitDepth - 8
  let unscaled = max(1, level >> shift)
  if (loopFilter.sharpness > 0) unscaled = max(1, min(9 - loopFilter.sharpness, level >> shift))
  thresholds.limit = unscaled << depth
  thresholds.blimit = (2 * (level + 2) + unscaled) << depth
  thresholds.thresh = (level >> 4) << depth
  thresholds.flat = 1 << depth
}

// @ts-ignore: decorator
@inline
function sample(at: usize): i32 {
  return load<u16>(at)
}

// @ts-ignore: decorator
@inline
function differ(a: i32, b: i32, by: i32): bool {
  return abs(a - b) > by
}

/**
 * Filters four samples along an edge: `q0` is the first behind it, `dx` bytes lead across it, `dy` along it. `size` is that of
 * the smaller transform.
 */
export function filterSamples(q0: usize, dx: usize, dy: usize, plane: i32, size: i32): void {
  const filterSize = min(plane == 0 ? 16 : 8, size)
  let at = q0
  for (let i = 0; i < 4; i++) {
    if (filterSize == 4) filterFour(at, dx)
    else if (plane > 0) filterSix(at, dx)
    else filterEight(at, dx, filterSize == 16)
    at += dy
  }
}

function filterFour(at: usize, dx: usize): void {
  const p1 = sample(at - 2 * dx)
  const p0 = sample(at - dx)
  const q0 = sample(at)
  const q1 = sample(at + dx)
  if (isSmoothEnough(p1, p0, q0, q1)) filterNarrow(at, dx, p1, p0, q0, q1)
}

/** filterMask of four samples. */
// @ts-ignore: decorator
@inline
function isSmoothEnough(p1: i32, p0: i32, q0: i32, q1: i32): bool {
  if (differ(p1, p0, thresholds.limit) || differ(q1, q0, thresholds.limit)) return false
  return abs(p0 - q0) * 2 + (abs(p1 - q1) >> 1) <= thresholds.blimit
}

/** Chroma: six samples, and the wide filter of five taps. */
function filterSix(at: usize, dx: usize): void {
  const limit = thresholds.limit
  const flat = thresholds.flat
  const p2 = sample(at - 3 * dx)
  const p1 = sample(at - 2 * dx)
  const p0 = sample(at - dx)
  const q0 = sample(at)
  const q1 = sample(at + dx)
  const q2 = sample(at + 2 * dx)
  if (!isSmoothEnough(p1, p0, q0, q1) || differ(p2, p1, limit) || differ(q2, q1, limit)) return
  const isFlat = !(differ(p1, p0, flat) || differ(q1, q0, flat) || differ(p2, p0, flat) || differ(q2, q0, flat))
  if (!isFlat) {
    filterNarrow(at, dx, p1, p0, q0, q1)
    return
  }
  store<u16>(at - 2 * dx, <u16>((3 * p2 + 2 * p1 + 2 * p0 + q0 + 4) >> 3))
  store<u16>(at - dx, <u16>((p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) >> 3))
  store<u16>(at, <u16>((p1 + 2 * p0 + 2 * q0 + 2 * q1 + q2 + 4) >> 3))
  store<u16>(at + dx, <u16>((p0 + 2 * q0 + 2 * q1 + 3 * q2 + 4) >> 3))
}

/** Luma: eight samples, and where the edge allows it fourteen. */
function filterEight(at: usize, dx: usize, mayBeWide: bool): void {
  const limit = thresholds.limit
  const flat = thresholds.flat
  const p3 = sample(at - 4 * dx)
  const p2 = sample(at - 3 * dx)
  const p1 = sample(at - 2 * dx)
  const p0 = sample(at - dx)
  const q0 = sample(at)
  const q1 = sample(at + dx)
  const q2 = sample(at + 2 * dx)
  const q3 = sample(at + 3 * dx)
  if (!isSmoothEnough(p1, p0, q0, q1) || differ(p2, p1, limit) || differ(q2, q1, limit)) return
  if (differ(p3, p2, limit) || differ(q3, q2, limit)) return
  let isFlat = !(differ(p1, p0, flat) || differ(q1, q0, flat) || differ(p2, p0, flat) || differ(q2, q0, flat))
  isFlat = isFlat && !(differ(p3, p0, flat) || differ(q3, q0, flat))
  if (!isFlat) {
    filterNarrow(at, dx, p1, p0, q0, q1)
    return
  }
  if (mayBeWide && isFlatFar(at, dx, p0, q0)) {
    filterWide(at, dx)
    return
  }
  store<u16>(at - 3 * dx, <u16>((3 * p3 + 2 * p2 + p1 + p0 + q0 + 4) >> 3))
  store<u16>(at - 2 * dx, <u16>((2 * p3 + p2 + 2 * p1 + p0 + q0 + q1 + 4) >> 3))
  store<u16>(at - dx, <u16>((p3 + p2 + p1 + 2 * p0 + q0 + q1 + q2 + 4) >> 3))
  store<u16>(at, <u16>((p2 + p1 + p0 + 2 * q0 + q1 + q2 + q3 + 4) >> 3))
  store<u16>(at + dx, <u16>((p1 + p0 + q0 + 2 * q1 + q2 + 2 * q3 + 4) >> 3))
  store<u16>(at + 2 * dx, <u16>((p0 + q0 + q1 + 2 * q2 + 3 * q3 + 4) >> 3))
}

/** flatMask2 */
function isFlatFar(at: usize, dx: usize, p0: i32, q0: i32): bool {
  const flat = thresholds.flat
  for (let i: usize = 4; i < 7; i++) {
    if (differ(sample(at - (i + 1) * dx), p0, flat) || differ(sample(at + i * dx), q0, flat)) return false
  }
  return true
}

/** The narrow filter process (7.14.6.3). */
function filterNarrow(at: usize, dx: usize, p1: i32, p0: i32, q0: i32, q1: i32): void {
  const hev = differ(p1, p0, thresholds.thresh) || differ(q1, q0, thresholds.thresh)
  const half = 0x80 << (bitDepth - 8)
  const ps0 = p0 - half
  const qs0 = q0 - half
  const base = clamp4((hev ? clamp4(p1 - q1) : 0) + 3 * (q0 - p0))
  const filter1 = clamp4(base + 4) >> 3
  const filter2 = clamp4(base + 3) >> 3
  store<u16>(at, <u16>(clamp4(qs0 - filter1) + half))
  store<u16>(at - dx, <u16>(clamp4(ps0 + filter2) + half))
  if (hev) return
  const outer = (filter1 + 1) >> 1
  store<u16>(at + dx, <u16>(clamp4(q1 - half - outer) + half))
  store<u16>(at - 2 * dx, <u16>(clamp4(p1 - half + outer) + half))
}

/** filter4_clamp( ) */
// @ts-ignore: decorator
@inline
function clamp4(value: i32): i32 {
  const range = 1 << (bitDepth - 1)
  return max(-range, min(range - 1, value))
}

/** Samples p6 to q6. */
const WIDE: usize = memory.data(4 * 14, 16)

/** The wide filter process (7.14.6.4) with log2Size 4. */
function filterWide(at: usize, dx: usize): void {
  let from = at - 7 * dx
  for (let i: usize = 0; i < 14; i++) {
    store<i32>(WIDE + (i << 2), sample(from))
    from += dx
  }
  // The sum of thirteen samples, those beyond the ends repeated, and of the middle three again.
  let sum = 7 * wide(0)
  for (let i = 1; i < 7; i++) sum += wide(i)
  let to = at - 6 * dx
  for (let i = 1; i < 13; i++) {
    sum += wide(min(i + 6, 13)) - wide(max(i - 7, 0))
    store<u16>(to, <u16>((sum + wide(i - 1) + wide(i) + wide(i + 1) + 8) >> 4))
    to += dx
  }
}

// @ts-ignore: decorator
@inline
function wide(i: i32): i32 {
  return load<i32>(WIDE + ((<usize>i) << 2))
}
