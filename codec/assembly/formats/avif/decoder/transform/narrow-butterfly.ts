// The butterflies of the inverse transforms, eight at once in lanes of 16 bits: AV1 specification, 7.13.2.1. With
// samples of 8 bits no number of a conforming stream needs more.
import { interleaveHigh16, interleaveLow16 } from '../../../../arena/simd'
import { COS128 } from '../../tables/transform'

/** T[ i ] is at NARROW_T + 16 * i. */
export const NARROW_T: usize = memory.data(16 * 64, 16)

/** For angles below 128 cos128 and -sin128, then sin128 and cos128: i16[128][4]. */
const TURNS: usize = memory.data(8 * 128, 8)

/** Fills TURNS. */
export function startTurns(): void {
  for (let angle = 0; angle < 128; angle++) {
    const cos = load<i16>(COS128 + ((<usize>angle) << 1))
    const sin = load<i16>(COS128 + ((<usize>((angle + 192) & 255)) << 1))
    const to = TURNS + ((<usize>angle) << 3)
    store<i16>(to, cos)
    store<i16>(to, -sin, 2)
    store<i16>(to, sin, 4)
    store<i16>(to, cos, 6)
  }
}

/** Address of T[ i ]. */
// @ts-ignore: decorator
@inline
export function narrowAt(i: i32): usize {
  return NARROW_T + ((<usize>i) << 4)
}

/** Sums of products of pairs of lanes, Round2( x, 12 ). */
// @ts-ignore: decorator
@inline
export function roundedSums(low: v128, high: v128): v128 {
  const half = i32x4.splat(2048)
  return i16x8.narrow_i32x4_s(i32x4.shr_s(i32x4.add(low, half), 12), i32x4.shr_s(i32x4.add(high, half), 12))
}

/** The first result of B( a, b, angle, 0 ). */
// @ts-ignore: decorator
@inline
export function turnedX(a: v128, b: v128, angle: i32): v128 {
  return turned(a, b, TURNS + ((<usize>angle) << 3))
}

/** The second result of B( a, b, angle, 0 ). */
// @ts-ignore: decorator
@inline
export function turnedY(a: v128, b: v128, angle: i32): v128 {
  return turned(a, b, TURNS + 4 + ((<usize>angle) << 3))
}

// @ts-ignore: decorator
@inline
function turned(a: v128, b: v128, factors: usize): v128 {
  const turn = v128.load32_splat(factors)
  const low = i32x4.dot_i16x8_s(interleaveLow16(a, b), turn)
  return roundedSums(low, i32x4.dot_i16x8_s(interleaveHigh16(a, b), turn))
}

/** B( a, b, angle, 0 ) */
// @ts-ignore: decorator
@inline
export function narrowRotate(a: i32, b: i32, angle: i32): void {
  const ta = v128.load(narrowAt(a))
  const tb = v128.load(narrowAt(b))
  v128.store(narrowAt(a), turnedX(ta, tb, angle))
  v128.store(narrowAt(b), turnedY(ta, tb, angle))
}

/** B( a, b, angle, 1 ): the results exchanged. */
// @ts-ignore: decorator
@inline
export function narrowFlip(a: i32, b: i32, angle: i32): void {
  const ta = v128.load(narrowAt(a))
  const tb = v128.load(narrowAt(b))
  v128.store(narrowAt(b), turnedX(ta, tb, angle))
  v128.store(narrowAt(a), turnedY(ta, tb, angle))
}

/** H( a, b, 0 ): sum and difference, clamped to 16 bits. */
// @ts-ignore: decorator
@inline
export function narrowAddSub(a: i32, b: i32): void {
  const x = v128.load(narrowAt(a))
  const y = v128.load(narrowAt(b))
  v128.store(narrowAt(a), i16x8.add_sat_s(x, y))
  v128.store(narrowAt(b), i16x8.sub_sat_s(x, y))
}

/** H( a, b, flip ) */
// @ts-ignore: decorator
@inline
export function narrowHadamard(a: i32, b: i32, flip: i32): void {
  if (flip != 0) narrowAddSub(b, a)
  else narrowAddSub(a, b)
}
