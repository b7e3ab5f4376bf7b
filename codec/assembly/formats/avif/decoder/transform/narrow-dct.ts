// The inverse DCT of eight transforms in lanes of 16 bits: AV1 specification, 7.13.2.3. Half of the numbers are a DCT of half the
// size, so each function does that first, then the steps of the others. The input is read in its natural order.
import { brev } from './butterfly'
import { narrowAddSub, narrowAt, narrowFlip, narrowHadamard, narrowRotate, turnedX, turnedY } from './narrow-butterfly'

/** Transforms 2^n vectors that are `step` bytes apart into T, 2 <= n <= 6. */
export function narrowDct(n: i32, from: usize, step: usize): void {
  if (n == 2) dct4(from, step)
  else if (n == 3) dct8(from, step)
  else if (n == 4) dct16(from, step)
  else if (n == 5) dct32(from, step)
  else dct64(from, step)
}

function dct4(from: usize, step: usize): void {
  const t0 = v128.load(from)
  const t1 = v128.load(from + 2 * step)
  const t2 = v128.load(from + step)
  const t3 = v128.load(from + 3 * step)
  const even0 = turnedY(t0, t1, 32)
  const even1 = turnedX(t0, t1, 32)
  const odd2 = turnedX(t2, t3, 48)
  const odd3 = turnedY(t2, t3, 48)
  v128.store(narrowAt(0), i16x8.add_sat_s(even0, odd3))
  v128.store(narrowAt(1), i16x8.add_sat_s(even1, odd2))
  v128.store(narrowAt(2), i16x8.sub_sat_s(even1, odd2))
  v128.store(narrowAt(3), i16x8.sub_sat_s(even0, odd3))
}

function dct8(from: usize, step: usize): void {
  dct4(from, 2 * step)
  const t4 = v128.load(from + step)
  const t5 = v128.load(from + 5 * step)
  const t6 = v128.load(from + 3 * step)
  const t7 = v128.load(from + 7 * step)
  const r4 = turnedX(t4, t7, 56)
  const r7 = turnedY(t4, t7, 56)
  const r5 = turnedX(t5, t6, 24)
  const r6 = turnedY(t5, t6, 24)
  const h5 = i16x8.sub_sat_s(r4, r5)
  const h6 = i16x8.sub_sat_s(r7, r6)
  finish(0, 7, i16x8.add_sat_s(r7, r6))
  finish(1, 6, turnedY(h6, h5, 32))
  finish(2, 5, turnedX(h6, h5, 32))
  finish(3, 4, i16x8.add_sat_s(r4, r5))
}

/** H( a, b, 0 ), T[ b ] being `odd`. */
// @ts-ignore: decorator
@inline
function finish(a: i32, b: i32, odd: v128): void {
  const even = v128.load(narrowAt(a))
  v128.store(narrowAt(a), i16x8.add_sat_s(even, odd))
  v128.store(narrowAt(b), i16x8.sub_sat_s(even, odd))
}

function dct16(from: usize, step: usize): void {
  dct8(from, 2 * step)
  rotateInputs(8, from + step, from + 15 * step, 60)
  rotateInputs(9, from + 9 * step, from + 7 * step, 28)
  rotateInputs(10, from + 5 * step, from + 11 * step, 44)
  rotateInputs(11, from + 13 * step, from + 3 * step, 12)
  narrowAddSub(8, 9)
  narrowAddSub(11, 10)
  narrowAddSub(12, 13)
  narrowAddSub(15, 14)
  narrowFlip(14, 9, 48)
  narrowFlip(13, 10, 112)
  narrowAddSub(8, 11)
  narrowAddSub(9, 10)
  narrowAddSub(15, 12)
  narrowAddSub(14, 13)
  narrowFlip(13, 10, 32)
  narrowFlip(12, 11, 32)
  for (let i = 0; i < 8; i++) narrowAddSub(i, 15 - i)
}

/** B( a, 23 - a, angle, 0 ) of two inputs. */
// @ts-ignore: decorator
@inline
function rotateInputs(a: i32, first: usize, second: usize, angle: i32): void {
  const x = v128.load(first)
  const y = v128.load(second)
  v128.store(narrowAt(a), turnedX(x, y, angle))
  v128.store(narrowAt(23 - a), turnedY(x, y, angle))
}

/** Copies the inputs with odd numbers to the second half of T, which has 2^n numbers, in the order of their bits reversed. */
function takeOdd(n: i32, from: usize, step: usize): void {
  for (let i = 1 << (n - 1); i < 1 << n; i++) v128.store(narrowAt(i), v128.load(from + <usize>brev(n, i) * step))
}

function dct32(from: usize, step: usize): void {
  dct16(from, 2 * step)
  takeOdd(5, from, step)
  for (let i = 0; i < 8; i++) narrowRotate(16 + i, 31 - i, 6 + (brev(3, 7 - i) << 3))
  for (let i = 0; i < 8; i += 2) {
    narrowAddSub(16 + 2 * i, 17 + 2 * i)
    narrowAddSub(19 + 2 * i, 18 + 2 * i)
  }
  narrowFlip(30, 17, 56)
  narrowFlip(29, 18, 120)
  narrowFlip(26, 21, 24)
  narrowFlip(25, 22, 88)
  for (let j = 0; j < 2; j++) {
    narrowAddSub(16 + j, 19 - j)
    narrowAddSub(23 - j, 20 + j)
    narrowAddSub(24 + j, 27 - j)
    narrowAddSub(31 - j, 28 + j)
  }
  for (let i = 0; i < 4; i++) narrowFlip(29 - i, 18 + i, 48 + (i >> 1) * 64)
  for (let j = 0; j < 4; j++) {
    narrowAddSub(16 + j, 23 - j)
    narrowAddSub(31 - j, 24 + j)
  }
  for (let i = 0; i < 4; i++) narrowFlip(27 - i, 20 + i, 32)
  for (let i = 0; i < 16; i++) narrowAddSub(i, 31 - i)
}

function dct64(from: usize, step: usize): void {
  dct32(from, 2 * step)
  takeOdd(6, from, step)
  for (let i = 0; i < 16; i++) narrowRotate(32 + i, 63 - i, 63 - 4 * brev(4, i))
  for (let i = 0; i < 16; i++) narrowHadamard(32 + i * 2, 33 + i * 2, i & 1)
  for (let i = 0; i < 4; i++) {
    for (let j = 0; j < 2; j++) narrowFlip(62 - i * 4 - j, 33 + i * 4 + j, 60 - 16 * brev(2, i) + 64 * j)
  }
  for (let i = 0; i < 8; i++) for (let j = 0; j < 2; j++) narrowHadamard(32 + i * 4 + j, 35 + i * 4 - j, i & 1)
  for (let i = 0; i < 2; i++) {
    for (let j = 0; j < 4; j++) narrowFlip(61 - i * 8 - j, 34 + i * 8 + j, 56 - i * 32 + (j >> 1) * 64)
  }
  for (let i = 0; i < 4; i++) for (let j = 0; j < 4; j++) narrowHadamard(32 + 8 * i + j, 39 + 8 * i - j, i & 1)
  for (let i = 0; i < 8; i++) narrowFlip(59 - i, 36 + i, i < 4 ? 48 : 112)
  for (let i = 0; i < 8; i++) {
    narrowAddSub(32 + i, 47 - i)
    narrowAddSub(63 - i, 48 + i)
  }
  for (let i = 0; i < 8; i++) narrowFlip(55 - i, 40 + i, 32)
  for (let i = 0; i < 32; i++) narrowAddSub(i, 63 - i)
}
