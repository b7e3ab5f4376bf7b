// The Walsh-Hadamard transform of the 16 luma DCs (RFC 6386 §14.3), on a pair laid out as in transform.ts: 4x4 DCs by
// columns, and their transform. Forward is X = B r Bt / 2 with B's rows (1,1,1,1), (1,1,-1,-1), (1,-1,-1,1), (1,-1,1,-1).
import {
  firstHalves,
  interleaveHigh16,
  interleaveHigh32,
  interleaveLow16,
  interleaveLow32,
  secondHalves,
} from '../../../arena/simd'

/** Forward transform, in place, of the pair of 4x4 DCs at `pair`; they are -2040..2040, so that sums of 16 fit. */
export function forwardWalsh(pair: usize): void {
  walshColumns(pair)
  transpose(pair)
  walshColumns(pair)
  transpose(pair)
  for (let i = 0; i < 64; i += 16) v128.store(pair + i, i16x8.shr_s(v128.load(pair + i), 1))
}

/** Inverse transform, in place, bit-exact: sums, then (x + 3) >> 3. Sums of integers do not depend on the order of rows and columns. */
export function inverseWalsh(pair: usize): void {
  walshColumns(pair)
  transpose(pair)
  walshColumns(pair)
  transpose(pair)
  const three = i16x8.splat(3)
  for (let i = 0; i < 64; i += 16) v128.store(pair + i, i16x8.shr_s(i16x8.add(v128.load(pair + i), three), 3))
}

// @ts-ignore: decorator
@inline
function walshColumns(pair: usize): void {
  const x0 = v128.load(pair)
  const x1 = v128.load(pair, 16)
  const x2 = v128.load(pair, 32)
  const x3 = v128.load(pair, 48)
  const a = i16x8.add(x0, x3)
  const b = i16x8.add(x1, x2)
  const c = i16x8.sub(x1, x2)
  const d = i16x8.sub(x0, x3)
  v128.store(pair, i16x8.add(a, b))
  v128.store(pair, i16x8.add(c, d), 16)
  v128.store(pair, i16x8.sub(a, b), 32)
  v128.store(pair, i16x8.sub(d, c), 48)
}

// In memory: transform.ts does the same between two passes whose vectors stay in registers.
// @ts-ignore: decorator
@inline
function transpose(pair: usize): void {
  const x0 = v128.load(pair)
  const x1 = v128.load(pair, 16)
  const x2 = v128.load(pair, 32)
  const x3 = v128.load(pair, 48)
  const a01 = interleaveLow16(x0, x1)
  const a23 = interleaveLow16(x2, x3)
  const b01 = interleaveHigh16(x0, x1)
  const b23 = interleaveHigh16(x2, x3)
  const aLeft = interleaveLow32(a01, a23)
  const aRight = interleaveHigh32(a01, a23)
  const bLeft = interleaveLow32(b01, b23)
  const bRight = interleaveHigh32(b01, b23)
  v128.store(pair, firstHalves(aLeft, bLeft))
  v128.store(pair, secondHalves(aLeft, bLeft), 16)
  v128.store(pair, firstHalves(aRight, bRight), 32)
  v128.store(pair, secondHalves(aRight, bRight), 48)
}
