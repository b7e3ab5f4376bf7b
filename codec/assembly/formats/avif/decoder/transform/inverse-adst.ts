// The inverse ADST: AV1 specification, 7.13.2.4 to 7.13.2.9.
import { addSub, at, copied, copyT, rotateAndFlip, round12 } from './butterfly'

const SINPI_1_9: i32 = 1321
const SINPI_2_9: i32 = 2482
const SINPI_3_9: i32 = 3344
const SINPI_4_9: i32 = 3803

/** Transforms T, 2^n numbers, 2 <= n <= 4. */
export function inverseAdst(n: i32): void {
  if (n == 2) inverseAdst4()
  else if (n == 3) inverseAdst8()
  else inverseAdst16()
}

// @ts-ignore: decorator
@inline
function times(x: v128, factor: i32): v128 {
  return i32x4.mul(x, i32x4.splat(factor))
}

/** 7.13.2.6 */
function inverseAdst4(): void {
  const t0 = v128.load(at(0))
  const t1 = v128.load(at(1))
  const t2 = v128.load(at(2))
  const t3 = v128.load(at(3))
  const b7 = i32x4.add(i32x4.sub(t0, t2), t3)
  const s0 = i32x4.add(i32x4.add(times(t0, SINPI_1_9), times(t2, SINPI_4_9)), times(t3, SINPI_2_9))
  const s1 = i32x4.sub(i32x4.sub(times(t0, SINPI_2_9), times(t2, SINPI_1_9)), times(t3, SINPI_4_9))
  const s2 = times(b7, SINPI_3_9)
  const s3 = times(t1, SINPI_3_9)
  v128.store(at(0), round12(i32x4.add(s0, s3)))
  v128.store(at(1), round12(i32x4.add(s1, s3)))
  v128.store(at(2), round12(s2))
  v128.store(at(3), round12(i32x4.sub(i32x4.add(s0, s1), s3)))
}

/** 7.13.2.7 */
function inverseAdst8(): void {
  permuteInput(3)
  for (let i = 0; i < 4; i++) rotateAndFlip(2 * i, 2 * i + 1, 60 - 16 * i)
  for (let i = 0; i < 4; i++) addSub(i, 4 + i)
  for (let i = 0; i < 2; i++) rotateAndFlip(4 + 3 * i, 5 + i, 48 - 32 * i)
  for (let i = 0; i < 2; i++) for (let j = 0; j < 2; j++) addSub(4 * j + i, 2 + 4 * j + i)
  for (let i = 0; i < 2; i++) rotateAndFlip(2 + 4 * i, 3 + 4 * i, 32)
  permuteOutput(3)
}

/** 7.13.2.8 */
function inverseAdst16(): void {
  permuteInput(4)
  for (let i = 0; i < 8; i++) rotateAndFlip(2 * i, 2 * i + 1, 62 - 8 * i)
  for (let i = 0; i < 8; i++) addSub(i, 8 + i)
  for (let i = 0; i < 2; i++) {
    rotateAndFlip(8 + 2 * i, 9 + 2 * i, 56 - 32 * i)
    rotateAndFlip(13 + 2 * i, 12 + 2 * i, 8 + 32 * i)
  }
  for (let i = 0; i < 4; i++) for (let j = 0; j < 2; j++) addSub(8 * j + i, 4 + 8 * j + i)
  for (let i = 0; i < 2; i++) {
    for (let j = 0; j < 2; j++) rotateAndFlip(4 + 8 * j + 3 * i, 5 + 8 * j + i, 48 - 32 * i)
  }
  for (let i = 0; i < 2; i++) for (let j = 0; j < 4; j++) addSub(4 * j + i, 2 + 4 * j + i)
  for (let i = 0; i < 4; i++) rotateAndFlip(2 + 4 * i, 3 + 4 * i, 32)
  permuteOutput(4)
}

/** 7.13.2.4 */
function permuteInput(n: i32): void {
  copyT(n)
  const n0 = 1 << n
  for (let i = 0; i < n0; i++) v128.store(at(i), copied((i & 1) != 0 ? i - 1 : n0 - i - 1))
}

/** 7.13.2.5 */
function permuteOutput(n: i32): void {
  copyT(n)
  for (let i = 0; i < 1 << n; i++) {
    const gray = i ^ (i >> 1)
    const a = (i >> 3) & 1
    const b = (gray >> 2) & 1
    const c = (gray >> 1) & 1
    const d = gray & 1
    const value = copied(((d << 3) | (c << 2) | (b << 1) | a) >> (4 - n))
    v128.store(at(i), (i & 1) != 0 ? i32x4.neg(value) : value)
  }
}
