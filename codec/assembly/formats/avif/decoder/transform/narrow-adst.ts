// The inverse ADST of eight transforms in lanes of 16 bits: AV1 specification, 7.13.2.4 to 7.13.2.9.
import { copyFew } from '../../../../arena/few-bytes'
import { interleaveHigh16, interleaveLow16 } from '../../../../arena/simd'
import { narrowAddSub, narrowAt, narrowFlip, roundedSums } from './narrow-butterfly'

/** Transforms 2^n vectors that are `step` bytes apart into T, 2 <= n <= 4. */
export function narrowAdst(n: i32, from: usize, step: usize): void {
  if (n == 2) adst4(from, step)
  else if (n == 3) adst8(from, step)
  else adst16(from, step)
}

/** 7.13.2.6: each output is a sum of the four inputs, times SINPI_1_9 to SINPI_4_9. */
function adst4(from: usize, step: usize): void {
  const t0 = v128.load(from)
  const t1 = v128.load(from + step)
  const t2 = v128.load(from + 2 * step)
  const t3 = v128.load(from + 3 * step)
  const low02 = interleaveLow16(t0, t2)
  const high02 = interleaveHigh16(t0, t2)
  const low31 = interleaveLow16(t3, t1)
  const high31 = interleaveHigh16(t3, t1)
  v128.store(narrowAt(0), sumOfFour(low02, high02, low31, high31, pair(1321, 3803), pair(2482, 3344)))
  v128.store(narrowAt(1), sumOfFour(low02, high02, low31, high31, pair(2482, -1321), pair(-3803, 3344)))
  v128.store(narrowAt(2), sumOfFour(low02, high02, low31, high31, pair(3344, -3344), pair(3344, 0)))
  v128.store(narrowAt(3), sumOfFour(low02, high02, low31, high31, pair(3803, 2482), pair(-1321, -3344)))
}

/** Two factors in the lanes of each pair. */
// @ts-ignore: decorator
@inline
function pair(a: i32, b: i32): v128 {
  return i32x4.splat((a & 0xffff) | (b << 16))
}

// @ts-ignore: decorator
@inline
function sumOfFour(low02: v128, high02: v128, low31: v128, high31: v128, by02: v128, by31: v128): v128 {
  const low = i32x4.add(i32x4.dot_i16x8_s(low02, by02), i32x4.dot_i16x8_s(low31, by31))
  return roundedSums(low, i32x4.add(i32x4.dot_i16x8_s(high02, by02), i32x4.dot_i16x8_s(high31, by31)))
}

/** 7.13.2.7 */
function adst8(from: usize, step: usize): void {
  permuteInput(3, from, step)
  for (let i = 0; i < 4; i++) narrowFlip(2 * i, 2 * i + 1, 60 - 16 * i)
  for (let i = 0; i < 4; i++) narrowAddSub(i, 4 + i)
  narrowFlip(4, 5, 48)
  narrowFlip(7, 6, 16)
  narrowAddSub(0, 2)
  narrowAddSub(4, 6)
  narrowAddSub(1, 3)
  narrowAddSub(5, 7)
  narrowFlip(2, 3, 32)
  narrowFlip(6, 7, 32)
  const t1 = v128.load(narrowAt(1))
  const t2 = v128.load(narrowAt(2))
  negate(1, 4)
  move(2, 6)
  move(4, 3)
  move(6, 5)
  negate(5, 7)
  v128.store(narrowAt(3), i16x8.sub_sat_s(i16x8.splat(0), t2))
  v128.store(narrowAt(7), i16x8.sub_sat_s(i16x8.splat(0), t1))
}

// @ts-ignore: decorator
@inline
function move(to: i32, from: i32): void {
  v128.store(narrowAt(to), v128.load(narrowAt(from)))
}

// @ts-ignore: decorator
@inline
function negate(to: i32, from: i32): void {
  v128.store(narrowAt(to), i16x8.sub_sat_s(i16x8.splat(0), v128.load(narrowAt(from))))
}

/** 7.13.2.8 */
function adst16(from: usize, step: usize): void {
  permuteInput(4, from, step)
  for (let i = 0; i < 8; i++) narrowFlip(2 * i, 2 * i + 1, 62 - 8 * i)
  for (let i = 0; i < 8; i++) narrowAddSub(i, 8 + i)
  for (let i = 0; i < 2; i++) {
    narrowFlip(8 + 2 * i, 9 + 2 * i, 56 - 32 * i)
    narrowFlip(13 + 2 * i, 12 + 2 * i, 8 + 32 * i)
  }
  for (let i = 0; i < 4; i++) for (let j = 0; j < 2; j++) narrowAddSub(8 * j + i, 4 + 8 * j + i)
  for (let j = 0; j < 2; j++) {
    narrowFlip(4 + 8 * j, 5 + 8 * j, 48)
    narrowFlip(7 + 8 * j, 6 + 8 * j, 16)
  }
  for (let i = 0; i < 2; i++) for (let j = 0; j < 4; j++) narrowAddSub(4 * j + i, 2 + 4 * j + i)
  for (let i = 0; i < 4; i++) narrowFlip(2 + 4 * i, 3 + 4 * i, 32)
  permuteOutput16()
}

/** 7.13.2.4 */
function permuteInput(n: i32, from: usize, step: usize): void {
  const n0 = 1 << n
  for (let i = 0; i < n0; i += 2) {
    v128.store(narrowAt(i), v128.load(from + <usize>(n0 - i - 1) * step))
    v128.store(narrowAt(i + 1), v128.load(from + <usize>i * step))
  }
}

/** 7.13.2.5 with n = 4: the number that each one comes from. */
const OUTPUT_ORDER: usize = memory.data<u8>([0, 8, 12, 4, 6, 14, 10, 2, 3, 11, 15, 7, 5, 13, 9, 1])
/** A copy of T. */
const COPY: usize = memory.data(16 * 16, 16)

function permuteOutput16(): void {
  copyFew(COPY, narrowAt(0), 16 * 16)
  for (let i = 0; i < 16; i++) {
    const value = v128.load(COPY + ((<usize>load<u8>(OUTPUT_ORDER + i)) << 4))
    v128.store(narrowAt(i), (i & 1) != 0 ? i16x8.sub_sat_s(i16x8.splat(0), value) : value)
  }
}
