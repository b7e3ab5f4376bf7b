// The CDEF process, eight rows of luma at a time: AV1 specification, 7.15. It reads the deblocked samples and writes to another
// window.
import { CDEF_DIRECTIONS, CDEF_UV_DIR } from '../../tables/filters'
import { skipAt } from '../blocks/block-map'
import { cdef, chromaPrimary, chromaSecondary, lumaPrimary, lumaSecondary } from '../frames/cdef-params'
import { current } from '../frames/frame'
import { frame } from '../frames/frame-header'
import { sampleAt, strideOf, Window } from '../frames/planes'
import { bitDepth, numPlanes, subsamplingX, subsamplingY } from '../frames/sequence-header'
import { cdefIndex } from '../modes/deltas'
import { findDirection, variance } from './cdef-direction'

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

/** The strengths of the taps, set for luma and for chroma. */
@unmanaged
class Taps {
  primary: v128
  secondary: v128
  primaryShift: i32
  secondaryShift: i32
  hasPrimary: bool
  hasSecondary: bool
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
  taps.hasPrimary = pri != 0
  taps.hasSecondary = sec != 0
  taps.isOdd = ((pri >> (bitDepth - 8)) & 1) == 1
}

/** The CDEF filter process (7.15.3). */
function filterPlane(plane: i32, row: i32, col: i32, dir: i32, to: Window): void {
  const subX = plane > 0 ? subsamplingX : 0
  const subY = plane > 0 ? subsamplingY : 0
  const left = (col << 2) >> subX
  const top = (row << 2) >> subY
  const stride = strideOf(current, plane)
  const outStride = strideOf(to, plane)
  let at = sampleAt(current, plane, left, top)
  let out = sampleAt(to, plane, left, top)
  const pri0 = offsetOf(dir, 0, stride)
  const pri1 = offsetOf(dir, 1, stride)
  const right0 = offsetOf((dir + 2) & 7, 0, stride)
  const right1 = offsetOf((dir + 2) & 7, 1, stride)
  const left0 = offsetOf((dir - 2) & 7, 0, stride)
  const left1 = offsetOf((dir - 2) & 7, 1, stride)
  // Eight samples at once: of a row, or where blocks are only four wide of two.
  const second = subX == 1 ? stride : 8
  const rowsAtOnce = subX == 1 ? 2 : 1
  for (let i = 0; i < 8 >> subY; i += rowsAtOnce) {
    const x = eight(at, second)
    let sum = i16x8.splat(0)
    if (taps.hasPrimary) {
      const close = primaryChange(at, second, pri0, x)
      const far = primaryChange(at, second, pri1, x)
      const both = i16x8.add(close, far)
      sum = taps.isOdd ? i16x8.add(both, i16x8.add(both, both)) : i16x8.shl(i16x8.add(both, close), 1)
    }
    if (taps.hasSecondary) {
      const close = i16x8.add(secondaryChange(at, second, right0, x), secondaryChange(at, second, left0, x))
      const far = i16x8.add(secondaryChange(at, second, right1, x), secondaryChange(at, second, left1, x))
      sum = i16x8.add(sum, i16x8.add(far, i16x8.add(close, close)))
    }
    // x + ((8 + sum - (sum < 0)) >> 4)
    let y = i16x8.add(x, i16x8.shr_s(i16x8.add(i16x8.add(sum, i16x8.splat(8)), i16x8.shr_s(sum, 15)), 4))
    // The weights of one kind of taps are 12 of 16, so only both together may lead beyond all samples.
    if (taps.hasPrimary && taps.hasSecondary) {
      const greatest = i16x8.max_s(
        i16x8.max_s(greatestOf(at, second, pri0, pri1), greatestOf(at, second, right0, right1)),
        i16x8.max_s(greatestOf(at, second, left0, left1), x),
      )
      const least = i16x8.min_s(
        i16x8.min_s(leastOf(at, second, pri0, pri1), leastOf(at, second, right0, right1)),
        i16x8.min_s(leastOf(at, second, left0, left1), x),
      )
      y = i16x8.min_s(i16x8.max_s(y, least), greatest)
    }
    v128.store64_lane(out, y, 0)
    v128.store64_lane(out + (subX == 1 ? outStride : 8), y, 1)
    at += stride * rowsAtOnce
    out += outStride * rowsAtOnce
  }
}

/** Eight samples: four at `at`, and four `second` bytes on. */
// @ts-ignore: decorator
@inline
function eight(at: usize, second: usize): v128 {
  return v128.load64_lane(at + second, v128.load64_zero(at), 1)
}

/** The change that the two primary taps at an offset make. */
// @ts-ignore: decorator
@inline
function primaryChange(at: usize, second: usize, offset: usize, x: v128): v128 {
  const p = constrain(eight(at + offset, second), x, taps.primary, taps.primaryShift)
  return i16x8.add(p, constrain(eight(at - offset, second), x, taps.primary, taps.primaryShift))
}

/** The change that the two secondary taps at an offset make. */
// @ts-ignore: decorator
@inline
function secondaryChange(at: usize, second: usize, offset: usize, x: v128): v128 {
  const p = constrain(eight(at + offset, second), x, taps.secondary, taps.secondaryShift)
  return i16x8.add(p, constrain(eight(at - offset, second), x, taps.secondary, taps.secondaryShift))
}

/** The greatest available samples of four taps. */
// @ts-ignore: decorator
@inline
function greatestOf(at: usize, second: usize, close: usize, far: usize): v128 {
  const sample = i16x8.max_s(available(eight(at + close, second)), available(eight(at - close, second)))
  return i16x8.max_s(i16x8.max_s(sample, available(eight(at + far, second))), available(eight(at - far, second)))
}

/** The least samples of four taps. */
// @ts-ignore: decorator
@inline
function leastOf(at: usize, second: usize, close: usize, far: usize): v128 {
  const sample = i16x8.min_s(eight(at + close, second), eight(at - close, second))
  return i16x8.min_s(i16x8.min_s(sample, eight(at + far, second)), eight(at - far, second))
}

/** Bytes from a sample to a tap in a direction. */
function offsetOf(dir: i32, k: i32, stride: usize): usize {
  const entry = CDEF_DIRECTIONS + (((dir << 1) + k) << 1)
  return <usize>(<i32>load<i8>(entry)) * stride + ((<usize>(<i32>load<i8>(entry, 1))) << 1)
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
  const left = i16x8.sub_sat_u(strength, i16x8.shr_u(size, shift))
  const constrained = i16x8.min_s(size, left)
  const sign = i16x8.shr_s(diff, 15)
  return i16x8.sub(v128.xor(constrained, sign), sign)
}
