// The array T of the inverse transforms, and what they do to two of its numbers: AV1 specification, 7.13.2.1. Each number of T
// is four, of four transforms done at once: lanes of 32 bits.
import { COS128 } from '../../tables/transform'

/** T[ i ] is at T + 16 * i. */
const T: usize = memory.data(16 * 64, 16)
/** A copy of T, to be permuted. */
const COPY: usize = memory.data(16 * 64, 16)

/** The range that H clamps to, set by `setRange`. */
@unmanaged
class Range {
  least: v128
  most: v128
}

const range: Range = changetype<Range>(memory.data(offsetof<Range>(), 16))

/** Sets the range that H clamps to: signed numbers of `r` bits. */
export function setRange(r: i32): void {
  range.least = i32x4.splat(-(1 << (r - 1)))
  range.most = i32x4.splat((1 << (r - 1)) - 1)
}

/** Address of T[ i ]. */
// @ts-ignore: decorator
@inline
export function at(i: i32): usize {
  return T + ((<usize>i) << 4)
}

/** cos128( angle ) in all lanes. */
// @ts-ignore: decorator
@inline
function cos128(angle: i32): v128 {
  return i32x4.splat(load<i16>(COS128 + ((<usize>(angle & 255)) << 1)))
}

/** Round2( x, 12 ) */
// @ts-ignore: decorator
@inline
export function round12(x: v128): v128 {
  return i32x4.shr_s(i32x4.add(x, i32x4.splat(2048)), 12)
}

/** B( a, b, angle, 0 ) */
// @ts-ignore: decorator
@inline
export function rotate(a: i32, b: i32, angle: i32): void {
  rotateInto(a, b, angle, a, b)
}

/** B( a, b, angle, 1 ): the results exchanged. */
// @ts-ignore: decorator
@inline
export function rotateAndFlip(a: i32, b: i32, angle: i32): void {
  rotateInto(a, b, angle, b, a)
}

// @ts-ignore: decorator
@inline
function rotateInto(a: i32, b: i32, angle: i32, toX: i32, toY: i32): void {
  const ta = v128.load(at(a))
  const tb = v128.load(at(b))
  const cos = cos128(angle)
  const sin = cos128(angle + 192)
  const x = i32x4.sub(i32x4.mul(ta, cos), i32x4.mul(tb, sin))
  const y = i32x4.add(i32x4.mul(ta, sin), i32x4.mul(tb, cos))
  v128.store(at(toX), round12(x))
  v128.store(at(toY), round12(y))
}

/** H( a, b, 0 ): sum and difference, clamped. */
// @ts-ignore: decorator
@inline
export function addSub(a: i32, b: i32): void {
  const x = v128.load(at(a))
  const y = v128.load(at(b))
  v128.store(at(a), clamp(i32x4.add(x, y)))
  v128.store(at(b), clamp(i32x4.sub(x, y)))
}

/** Each lane in the range that `setRange` set. */
// @ts-ignore: decorator
@inline
export function clamp(x: v128): v128 {
  return i32x4.min_s(i32x4.max_s(x, range.least), range.most)
}

/** H( a, b, flip ) */
// @ts-ignore: decorator
@inline
export function hadamard(a: i32, b: i32, flip: i32): void {
  if (flip != 0) addSub(b, a)
  else addSub(a, b)
}

/** Copies T aside; `copied` reads the copy. */
export function copyT(n: i32): void {
  memory.copy(COPY, T, (<usize>16) << n)
}

/** Number `i` of the copy of T. */
// @ts-ignore: decorator
@inline
export function copied(i: i32): v128 {
  return v128.load(COPY + ((<usize>i) << 4))
}

/** Numbers below 64, their six bits in reverse order. */
// biome-ignore format: a table
const REVERSED: usize = memory.data<u8>([
  0, 32, 16, 48, 8, 40, 24, 56, 4, 36, 20, 52, 12, 44, 28, 60,
  2, 34, 18, 50, 10, 42, 26, 58, 6, 38, 22, 54, 14, 46, 30, 62,
  1, 33, 17, 49, 9, 41, 25, 57, 5, 37, 21, 53, 13, 45, 29, 61,
  3, 35, 19, 51, 11, 43, 27, 59, 7, 39, 23, 55, 15, 47, 31, 63,
])

/** brev( numBits, x ) of numbers below 64. */
// @ts-ignore: decorator
@inline
export function brev(numBits: i32, x: i32): i32 {
  return <i32>load<u8>(REVERSED + x) >> (6 - numBits)
}
