// Transforms of two 4x4 blocks at once (RFC 6386 §14). A block's coefficients are stored column by column: vector v holds
// horizontal frequency v, its lanes the vertical frequencies. Lanes 0..3 are block A, 4..7 block B ("a pair", 64 bytes).
// The RFC specifies the inverse only. Forward is X = B r Bt / 2, B's rows (1,1,1,1), (k,s,-s,-k), (1,-1,-1,1), (s,-k,k,-s).
import {
  firstHalves,
  interleaveHigh16,
  interleaveHigh32,
  interleaveLow16,
  interleaveLow32,
  secondHalves,
} from '../../../arena/simd'
import { COS_PI8_SQRT2_MINUS_1, SIN_PI8_SQRT2 } from '../tables'

/** Bytes of the coefficients of a pair. */
export const PAIR_BYTES: i32 = 64

/** The first two vectors of a block, of which `half` is the address in a pair. */
// @ts-ignore: decorator
@inline
export function firstVectors(half: usize): v128 {
  return v128.load64_lane(half + 16, v128.load64_zero(half), 1)
}

/** The last two vectors of it. */
// @ts-ignore: decorator
@inline
export function lastVectors(half: usize): v128 {
  return v128.load64_lane(half + 48, v128.load64_zero(half + 32), 1)
}

/** s = sqrt(2) sin(pi/8) and k - 1 = sqrt(2) cos(pi/8) - 1 in 32768ths. */
const S: i16 = 17734
const K_LESS_1: i16 = 10045

/** Forward DCT of a pair of residuals: r0..r3 are rows, -255..255. */
// @ts-ignore: decorator
@inline
export function forwardTransform(r0: v128, r1: v128, r2: v128, r3: v128, out: usize): void {
  // Three bits of fraction: the largest sum, 16 * 255 * 8, just fits.
  r0 = i16x8.shl(r0, 3)
  r1 = i16x8.shl(r1, 3)
  r2 = i16x8.shl(r2, 3)
  r3 = i16x8.shl(r3, 3)
  let a = i16x8.add(r0, r3)
  let b = i16x8.add(r1, r2)
  let c = i16x8.sub(r1, r2)
  let d = i16x8.sub(r0, r3)
  const y0 = i16x8.add(a, b)
  const y1 = i16x8.add(timesK(d), times(c, S))
  const y2 = i16x8.sub(a, b)
  const y3 = i16x8.sub(times(d, S), timesK(c))

  const a01 = interleaveLow16(y0, y1)
  const a23 = interleaveLow16(y2, y3)
  const b01 = interleaveHigh16(y0, y1)
  const b23 = interleaveHigh16(y2, y3)
  const aLeft = interleaveLow32(a01, a23)
  const aRight = interleaveHigh32(a01, a23)
  const bLeft = interleaveLow32(b01, b23)
  const bRight = interleaveHigh32(b01, b23)
  const x0 = firstHalves(aLeft, bLeft)
  const x1 = secondHalves(aLeft, bLeft)
  const x2 = firstHalves(aRight, bRight)
  const x3 = secondHalves(aRight, bRight)

  a = i16x8.add(x0, x3)
  b = i16x8.add(x1, x2)
  c = i16x8.sub(x1, x2)
  d = i16x8.sub(x0, x3)
  v128.store(out, halvedToInteger(i16x8.add(a, b)))
  v128.store(out, halvedToInteger(i16x8.add(timesK(d), times(c, S))), 16)
  v128.store(out, halvedToInteger(i16x8.sub(a, b)), 32)
  v128.store(out, halvedToInteger(i16x8.sub(times(d, S), timesK(c))), 48)
}

// @ts-ignore: decorator
@inline
function times(x: v128, factor: i16): v128 {
  return i16x8.q15mulr_sat_s(x, i16x8.splat(factor))
}

// @ts-ignore: decorator
@inline
function timesK(x: v128): v128 {
  return i16x8.add(x, times(x, K_LESS_1))
}

// @ts-ignore: decorator
@inline
function halvedToInteger(x: v128): v128 {
  return i16x8.shr_s(i16x8.add(x, i16x8.splat(8)), 4)
}

/** Where `inverseTransform` leaves the residual of a pair: four rows of A and B, i16. */
export const RESIDUAL: usize = memory.data(64, 16)

/** Inverse DCT (§14.3), bit-exact, of the pair of coefficients at `pair`. */
export function inverseTransform(pair: usize): void {
  const c0 = v128.load(pair)
  const c1 = v128.load(pair, 16)
  const c2 = v128.load(pair, 32)
  const c3 = v128.load(pair, 48)
  const aLeft = interleaveLow16(c0, c1)
  const aRight = interleaveLow16(c2, c3)
  const bLeft = interleaveHigh16(c0, c1)
  const bRight = interleaveHigh16(c2, c3)
  const a01 = interleaveLow32(aLeft, aRight)
  const a23 = interleaveHigh32(aLeft, aRight)
  const b01 = interleaveLow32(bLeft, bRight)
  const b23 = interleaveHigh32(bLeft, bRight)
  let x0 = firstHalves(a01, b01)
  let x1 = secondHalves(a01, b01)
  let x2 = firstHalves(a23, b23)
  let x3 = secondHalves(a23, b23)

  let a = i16x8.add(x0, x2)
  let b = i16x8.sub(x0, x2)
  let c = i16x8.sub(timesSin(x1), timesCos(x3))
  let d = i16x8.add(timesCos(x1), timesSin(x3))
  x0 = i16x8.add(a, d)
  x1 = i16x8.add(b, c)
  x2 = i16x8.sub(b, c)
  x3 = i16x8.sub(a, d)

  const p01 = interleaveLow16(x0, x1)
  const p23 = interleaveLow16(x2, x3)
  const q01 = interleaveHigh16(x0, x1)
  const q23 = interleaveHigh16(x2, x3)
  const pLeft = interleaveLow32(p01, p23)
  const pRight = interleaveHigh32(p01, p23)
  const qLeft = interleaveLow32(q01, q23)
  const qRight = interleaveHigh32(q01, q23)
  x0 = i16x8.add(firstHalves(pLeft, qLeft), i16x8.splat(4))
  x1 = secondHalves(pLeft, qLeft)
  x2 = firstHalves(pRight, qRight)
  x3 = secondHalves(pRight, qRight)

  a = i16x8.add(x0, x2)
  b = i16x8.sub(x0, x2)
  c = i16x8.sub(timesSin(x1), timesCos(x3))
  d = i16x8.add(timesCos(x1), timesSin(x3))
  x0 = i16x8.shr_s(i16x8.add(a, d), 3)
  x1 = i16x8.shr_s(i16x8.add(b, c), 3)
  x2 = i16x8.shr_s(i16x8.sub(b, c), 3)
  x3 = i16x8.shr_s(i16x8.sub(a, d), 3)

  const top = interleaveLow16(x0, x1)
  const topRight = interleaveLow16(x2, x3)
  const bottom = interleaveHigh16(x0, x1)
  const bottomRight = interleaveHigh16(x2, x3)
  const rowsA01 = interleaveLow32(top, topRight)
  const rowsA23 = interleaveHigh32(top, topRight)
  const rowsB01 = interleaveLow32(bottom, bottomRight)
  const rowsB23 = interleaveHigh32(bottom, bottomRight)
  v128.store(RESIDUAL, firstHalves(rowsA01, rowsB01))
  v128.store(RESIDUAL, secondHalves(rowsA01, rowsB01), 16)
  v128.store(RESIDUAL, firstHalves(rowsA23, rowsB23), 32)
  v128.store(RESIDUAL, secondHalves(rowsA23, rowsB23), 48)
}

/** x + (x * 20091 >> 16) */
// @ts-ignore: decorator
@inline
function timesCos(x: v128): v128 {
  return i16x8.add(x, highProduct(x, <i16>COS_PI8_SQRT2_MINUS_1))
}

/** x * 35468 >> 16; the factor, less 65536 to fit 16 bits, leaves one x to add. */
// @ts-ignore: decorator
@inline
function timesSin(x: v128): v128 {
  return i16x8.add(x, highProduct(x, <i16>(SIN_PI8_SQRT2 - 65536)))
}

// @ts-ignore: decorator
@inline
function highProduct(x: v128, factor: i16): v128 {
  const f = i16x8.splat(factor)
  const low = i32x4.extmul_low_i16x8_s(x, f)
  const high = i32x4.extmul_high_i16x8_s(x, f)
  return v128.shuffle<i16>(low, high, 1, 3, 5, 7, 9, 11, 13, 15)
}
