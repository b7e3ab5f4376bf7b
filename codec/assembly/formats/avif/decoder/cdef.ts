// The CDEF process, eight rows of luma at a time: AV1 specification, 7.15. It reads the deblocked samples and writes to another
// window.
import { CDEF_DIRECTIONS, CDEF_UV_DIR } from '../tables/filters'
import { skipAt } from './block-map'
import { findDirection, variance } from './cdef-direction'
import { cdef, chromaPrimary, chromaSecondary, lumaPrimary, lumaSecondary } from './cdef-params'
import { cdefIndex } from './deltas'
import { current } from './frame'
import { frame } from './frame-header'
import { sampleAt, strideOf, Window } from './planes'
import { bitDepth, numPlanes, subsamplingX, subsamplingY } from './sequence-header'

/** Value of missing samples in CurrFrame: so far from any sample that `constrain` returns 0. */
const UNAVAILABLE: u16 = 0x4000

/** Marks the samples beyond the frame's sides in rows `from` up to `to` of luma, and beyond its first and last row. */
export function setUnavailable(from: i32, to: i32): void {
  for (let plane = 0; plane < numPlanes; plane++) {
    const subX = plane > 0 ? subsamplingX : 0
    const subY = plane > 0 ? subsamplingY : 0
    const right = (frame.miCols << 2) >> subX
    const bottom = (frame.miRows << 2) >> subY
    for (let y = from >> subY; y < to >> subY; y++) {
      fill(sampleAt(current, plane, -2, y), 2)
      fill(sampleAt(current, plane, right, y), 2)
    }
    if (from == 0) for (let y = -2; y < 0; y++) fill(sampleAt(current, plane, -2, y), right + 4)
    if (to >> subY == bottom) for (let y = bottom; y < bottom + 2; y++) fill(sampleAt(current, plane, -2, y), right + 4)
  }
}

function fill(at: usize, count: i32): void {
  for (let i = 0; i < count; i++) store<u16>(at + ((<usize>i) << 1), UNAVAILABLE)
}

/** Filters the row of 8x8 blocks at `row` (units of 4) into `to`, where it has been copied. */
export function cdefRow(row: i32, to: Window): void {
  for (let col = 0; col < frame.miCols; col += 2) {
    const index = cdefIndex(row, col)
    if (index < 0) continue
    if (skipAt(row, col) && skipAt(row + 1, col) && skipAt(row, col + 1) && skipAt(row + 1, col + 1)) continue
    filterBlock(row, col, index, to)
  }
}

/** Copies the row of blocks at `row` to another window. */
export function copyRow(plane: i32, row: i32, to: Window): void {
  const subX = plane > 0 ? subsamplingX : 0
  const subY = plane > 0 ? subsamplingY : 0
  const bytes = (<usize>((frame.miCols << 2) >> subX)) << 1
  const y = (row << 2) >> subY
  for (let i = 0; i < 8 >> subY; i++)
    memory.copy(sampleAt(to, plane, 0, y + i), sampleAt(current, plane, 0, y + i), bytes)
}

/** cdef_block( ) (7.15.1). */
function filterBlock(row: i32, col: i32, index: i32, to: Window): void {
  const coeffShift = bitDepth - 8
  const damping = cdef.damping + coeffShift
  const primary = lumaPrimary(index) << coeffShift
  const chroma = numPlanes > 1 ? chromaPrimary(index) << coeffShift : 0
  const dir = primary | chroma ? findDirection(sampleAt(current, 0, col << 2, row << 2), strideOf(current, 0)) : 0
  const secondary = lumaSecondary(index) << coeffShift
  const adjusted = primary == 0 ? 0 : adjust(primary)
  if ((adjusted | secondary) != 0) {
    setStrengths(adjusted, secondary, damping)
    filterPlane(0, row, col, primary == 0 ? 0 : dir, to)
  }
  const chromaSec = numPlanes > 1 ? chromaSecondary(index) << coeffShift : 0
  if ((chroma | chromaSec) == 0) return
  const turned = load<u8>(CDEF_UV_DIR + (((subsamplingX << 1) + subsamplingY) << 3) + dir)
  const chromaDir = chroma == 0 ? 0 : <i32>turned
  setStrengths(chroma, chromaSec, damping - 1)
  filterPlane(1, row, col, chromaDir, to)
  filterPlane(2, row, col, chromaDir, to)
}

/** The primary strength of luma by the variance of the block. */
function adjust(primary: i32): i32 {
  if (variance == 0) return 0
  const strength = variance >> 6 ? min(31 - clz<i32>(variance >> 6), 12) : 0
  return (primary * (4 + strength) + 8) >> 4
}

/** The taps of the block, set for luma and for chroma. */
@unmanaged
class Taps {
  primary: v128
  secondary: v128
  primaryShift: i32
  secondaryShift: i32
  /** Bytes from a sample to its taps on one side: two primary ones, and two in each of two other directions. */
  offset0: i32
  offset1: i32
  offset2: i32
  offset3: i32
  offset4: i32
  offset5: i32
  /** Whether the primary taps have the weights of odd strengths. */
  isOdd: bool
}

const taps: Taps = changetype<Taps>(memory.data(offsetof<Taps>(), 16))

/** Sets the strengths of the taps of the next planes. */
function setStrengths(pri: i32, sec: i32, damping: i32): void {
  taps.primary = i16x8.splat(<i16>pri)
  taps.secondary = i16x8.splat(<i16>sec)
  taps.primaryShift = pri == 0 ? 0 : max(0, damping - (31 - clz<i32>(pri)))
  taps.secondaryShift = sec == 0 ? 0 : max(0, damping - (31 - clz<i32>(sec)))
  taps.isOdd = ((pri >> (bitDepth - 8)) & 1) == 1
}

/** Sets the offsets of the taps for a direction. */
function setOffsets(dir: i32, stride: i32): void {
  taps.offset0 = offsetOf(dir, 0, stride)
  taps.offset1 = offsetOf(dir, 1, stride)
  taps.offset2 = offsetOf((dir + 2) & 7, 0, stride)
  taps.offset3 = offsetOf((dir + 2) & 7, 1, stride)
  taps.offset4 = offsetOf((dir - 2) & 7, 0, stride)
  taps.offset5 = offsetOf((dir - 2) & 7, 1, stride)
}

/** The CDEF filter process (7.15.3). */
function filterPlane(plane: i32, row: i32, col: i32, dir: i32, to: Window): void {
  const subX = plane > 0 ? subsamplingX : 0
  const subY = plane > 0 ? subsamplingY : 0
  const x = (col << 2) >> subX
  const y = (row << 2) >> subY
  const stride = strideOf(current, plane)
  const at = sampleAt(current, plane, x, y)
  const isNarrow = subX == 1
  setOffsets(dir, <i32>stride)
  for (let i = 0; i < 8 >> subY; i++) {
    const samples = filterRow(at + <usize>i * stride)
    const out = sampleAt(to, plane, x, y + i)
    if (isNarrow) v128.store64_lane(out, samples, 0)
    else v128.store(out, samples)
  }
}

/** Filters eight samples of a row; where there are only four, the others are of no use. */
function filterRow(at: usize): v128 {
  const x = v128.load(at)
  let sum = i16x8.splat(0)
  let greatest = x
  let least = x
  for (let k: usize = 0; k < 6; k++) {
    const offset = <isize>load<i32>(changetype<usize>(taps) + (k << 2), offsetof<Taps>('offset0'))
    const isPrimary = k < 2
    const strength = isPrimary ? taps.primary : taps.secondary
    const shift = isPrimary ? taps.primaryShift : taps.secondaryShift
    const weight = isPrimary && taps.isOdd ? 3 : (isPrimary ? 4 : 2) >> (<i32>k & 1)
    const p = v128.load(at + offset)
    const q = v128.load(at - offset)
    const change = i16x8.add(constrain(p, x, strength, shift), constrain(q, x, strength, shift))
    sum = i16x8.add(sum, i16x8.mul(change, i16x8.splat(<i16>weight)))
    greatest = i16x8.max_s(i16x8.max_s(greatest, available(p)), available(q))
    least = i16x8.min_s(i16x8.min_s(least, p), q)
  }
  // x + ((8 + sum - (sum < 0)) >> 4)
  const rounded = i16x8.shr_s(i16x8.add(i16x8.add(sum, i16x8.splat(8)), i16x8.shr_s(sum, 15)), 4)
  return i16x8.min_s(i16x8.max_s(i16x8.add(x, rounded), least), greatest)
}

/** Bytes from a sample to a tap in a direction. */
function offsetOf(dir: i32, k: i32, stride: i32): i32 {
  const entry = CDEF_DIRECTIONS + (((dir << 1) + k) << 1)
  return <i32>load<i8>(entry) * stride + ((<i32>load<i8>(entry, 1)) << 1)
}

/** The samples that are there, and 0 for those that are not. */
// @ts-ignore: decorator
@inline
function available(p: v128): v128 {
  return v128.and(p, i16x8.lt_s(p, i16x8.splat(<i16>UNAVAILABLE)))
}

/** constrain( ) of the difference of a tap. */
// @ts-ignore: decorator
@inline
function constrain(p: v128, x: v128, strength: v128, shift: i32): v128 {
  const diff = i16x8.sub(p, x)
  const size = i16x8.abs(diff)
  const left = i16x8.max_s(i16x8.sub(strength, i16x8.shr_u(size, shift)), i16x8.splat(0))
  const constrained = i16x8.min_s(size, left)
  const sign = i16x8.shr_s(diff, 15)
  return i16x8.sub(v128.xor(constrained, sign), sign)
}
