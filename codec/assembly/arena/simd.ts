// Vector operations that WebAssembly has no instruction for. Interleaving lanes is one machine instruction each, unlike a
// free shuffle.

/** The 16-bit lanes of the first halves of `a` and `b`, alternating. */
// @ts-ignore: decorator
@inline
export function interleaveLow16(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
}

/** The 16-bit lanes of the second halves of `a` and `b`, alternating. */
// @ts-ignore: decorator
@inline
export function interleaveHigh16(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
}

/** The 32-bit lanes of the first halves of `a` and `b`, alternating. */
// @ts-ignore: decorator
@inline
export function interleaveLow32(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 0, 4, 1, 5)
}

/** The 32-bit lanes of the second halves of `a` and `b`, alternating. */
// @ts-ignore: decorator
@inline
export function interleaveHigh32(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 2, 6, 3, 7)
}

/** The first halves of `a` and `b`. */
// @ts-ignore: decorator
@inline
export function firstHalves(a: v128, b: v128): v128 {
  return v128.shuffle<i64>(a, b, 0, 2)
}

/** The second halves of `a` and `b`. */
// @ts-ignore: decorator
@inline
export function secondHalves(a: v128, b: v128): v128 {
  return v128.shuffle<i64>(a, b, 1, 3)
}

/** Stores four rows of eight 16-bit lanes, given as pairs of columns: lanes of two columns alternate, row after row. */
// @ts-ignore: decorator
@inline
export function storeFourRows(to: usize, stride: usize, ab: v128, cd: v128, ef: v128, gh: v128): void {
  const left01 = interleaveLow32(ab, cd)
  const right01 = interleaveLow32(ef, gh)
  const left23 = interleaveHigh32(ab, cd)
  const right23 = interleaveHigh32(ef, gh)
  v128.store(to, firstHalves(left01, right01))
  v128.store(to + stride, secondHalves(left01, right01))
  v128.store(to + 2 * stride, firstHalves(left23, right23))
  v128.store(to + 3 * stride, secondHalves(left23, right23))
}

/** The means of unsigned bytes, rounded down; the instruction rounds up. */
// @ts-ignore: decorator
@inline
export function averageRoundedDown(a: v128, b: v128): v128 {
  return i8x16.sub(i8x16.avgr_u(a, b), v128.and(v128.xor(a, b), i8x16.splat(1)))
}

/** The sum of the four 32-bit lanes. */
// @ts-ignore: decorator
@inline
export function sumOfLanes32(v: v128): i32 {
  return i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1) + i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3)
}

/** Stores the four 32-bit lanes as bytes, cut off at 0 and 255. */
export function storeNarrow(to: usize, lanes: v128): void {
  const words = i16x8.narrow_i32x4_u(lanes, lanes)
  v128.store32_lane(to, i8x16.narrow_i16x8_u(words, words), 0)
}
