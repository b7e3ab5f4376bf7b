// The inverse DCT: AV1 specification, 7.13.2.2 and 7.13.2.3, its steps in their order.
import { addSub, at, brev, copied, copyT, hadamard, rotate, rotateAndFlip } from './butterfly'

/** Transforms T, 2^n numbers, 2 <= n <= 6. */
export function inverseDct(n: i32): void {
  permute(n)
  if (n == 6) for (let i = 0; i < 16; i++) rotate(32 + i, 63 - i, 63 - 4 * brev(4, i))
  if (n >= 5) for (let i = 0; i < 8; i++) rotate(16 + i, 31 - i, 6 + (brev(3, 7 - i) << 3))
  if (n == 6) for (let i = 0; i < 16; i++) hadamard(32 + i * 2, 33 + i * 2, i & 1)
  if (n >= 4) for (let i = 0; i < 4; i++) rotate(8 + i, 15 - i, 12 + (brev(2, 3 - i) << 4))
  if (n >= 5) for (let i = 0; i < 8; i++) hadamard(16 + 2 * i, 17 + 2 * i, i & 1)
  if (n == 6) {
    for (let i = 0; i < 4; i++) {
      for (let j = 0; j < 2; j++) rotateAndFlip(62 - i * 4 - j, 33 + i * 4 + j, 60 - 16 * brev(2, i) + 64 * j)
    }
  }
  if (n >= 3) for (let i = 0; i < 2; i++) rotate(4 + i, 7 - i, 56 - 32 * i)
  if (n >= 4) for (let i = 0; i < 4; i++) hadamard(8 + 2 * i, 9 + 2 * i, i & 1)
  if (n >= 5) {
    for (let i = 0; i < 2; i++) {
      for (let j = 0; j < 2; j++) rotateAndFlip(30 - 4 * i - j, 17 + 4 * i + j, 24 + (j << 6) + ((1 - i) << 5))
    }
  }
  if (n == 6) {
    for (let i = 0; i < 8; i++) for (let j = 0; j < 2; j++) hadamard(32 + i * 4 + j, 35 + i * 4 - j, i & 1)
  }
  rotateAndFlip(0, 1, 32)
  rotate(2, 3, 48)
  if (n >= 3) for (let i = 0; i < 2; i++) hadamard(4 + 2 * i, 5 + 2 * i, i)
  if (n >= 4) for (let i = 0; i < 2; i++) rotateAndFlip(14 - i, 9 + i, 48 + 64 * i)
  if (n >= 5) for (let i = 0; i < 4; i++) for (let j = 0; j < 2; j++) hadamard(16 + 4 * i + j, 19 + 4 * i - j, i & 1)
  if (n == 6) {
    for (let i = 0; i < 2; i++) {
      for (let j = 0; j < 4; j++) rotateAndFlip(61 - i * 8 - j, 34 + i * 8 + j, 56 - i * 32 + (j >> 1) * 64)
    }
  }
  for (let i = 0; i < 2; i++) addSub(i, 3 - i)
  if (n >= 3) finishLarger(n)
}

/** Steps 18 to 31. */
function finishLarger(n: i32): void {
  rotateAndFlip(6, 5, 32)
  if (n >= 4) for (let i = 0; i < 2; i++) for (let j = 0; j < 2; j++) hadamard(8 + 4 * i + j, 11 + 4 * i - j, i)
  if (n >= 5) for (let i = 0; i < 4; i++) rotateAndFlip(29 - i, 18 + i, 48 + (i >> 1) * 64)
  if (n == 6) for (let i = 0; i < 4; i++) for (let j = 0; j < 4; j++) hadamard(32 + 8 * i + j, 39 + 8 * i - j, i & 1)
  for (let i = 0; i < 4; i++) addSub(i, 7 - i)
  if (n >= 4) for (let i = 0; i < 2; i++) rotateAndFlip(13 - i, 10 + i, 32)
  if (n >= 5) for (let i = 0; i < 2; i++) for (let j = 0; j < 4; j++) hadamard(16 + i * 8 + j, 23 + i * 8 - j, i)
  if (n == 6) for (let i = 0; i < 8; i++) rotateAndFlip(59 - i, 36 + i, i < 4 ? 48 : 112)
  if (n >= 4) for (let i = 0; i < 8; i++) addSub(i, 15 - i)
  if (n >= 5) for (let i = 0; i < 4; i++) rotateAndFlip(27 - i, 20 + i, 32)
  if (n == 6) {
    for (let i = 0; i < 8; i++) {
      addSub(32 + i, 47 - i)
      addSub(63 - i, 48 + i)
    }
  }
  if (n >= 5) for (let i = 0; i < 16; i++) addSub(i, 31 - i)
  if (n == 6) {
    for (let i = 0; i < 8; i++) rotateAndFlip(55 - i, 40 + i, 32)
    for (let i = 0; i < 32; i++) addSub(i, 63 - i)
  }
}

function permute(n: i32): void {
  copyT(n)
  for (let i = 0; i < 1 << n; i++) v128.store(at(i), copied(brev(n, i)))
}
