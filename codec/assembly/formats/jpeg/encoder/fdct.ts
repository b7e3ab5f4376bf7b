// The forward DCT (T.81 A.3.3) without its gains, which quantization brings in. A basis function of even frequency is
// the same from both ends, one of odd frequency its negative: sums of opposite samples make the even coefficients,
// differences the odd ones.

import { firstHalves, interleaveHigh32, interleaveLow32, secondHalves } from '../../../arena/simd'

/** Samples, and between the passes: f32, natural order. */
const BLOCK: usize = memory.data(64 * 4, 16)
const TRANSPOSED: usize = memory.data(64 * 4, 16)
/** The quantized coefficients: i16, natural order. */
export const COEFFICIENTS: usize = memory.data(64 * 2, 16)

/** cos(k * pi / 16). */
const C1: f32 = 0.9807852804032304
const C2: f32 = 0.9238795325112867
const C3: f32 = 0.8314696123025452
const C5: f32 = 0.5555702330196022
const C6: f32 = 0.3826834323650898
const C7: f32 = 0.19509032201612828

/** Baseline's largest coefficient of AC (F.1.2.2.1): ten bits; also the reach of DC. */
const LARGEST: i16 = 1023

/** Transforms the 8 x 8 samples at `from`, and quantizes them into COEFFICIENTS. */
export function transform(from: usize, stride: usize, reciprocals: usize): void {
  for (let y: usize = 0; y < 8; y++, from += stride) {
    const row = i16x8.sub(v128.load8x8_u(from), i16x8.splat(128))
    v128.store(BLOCK + (y << 5), f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(row)))
    v128.store(BLOCK + (y << 5), f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(row)), 16)
  }
  transformColumns(BLOCK, TRANSPOSED)
  transformColumns(BLOCK + 16, TRANSPOSED + 128)
  transformColumns(TRANSPOSED, BLOCK)
  transformColumns(TRANSPOSED + 16, BLOCK + 128)
  const largest = i16x8.splat(LARGEST)
  for (let i: usize = 0; i < 64; i += 8) {
    const at = BLOCK + (i << 2)
    const step = reciprocals + (i << 2)
    const values = i16x8.narrow_i32x4_s(rounded(at, step), rounded(at + 16, step + 16))
    v128.store(COEFFICIENTS + (i << 1), i16x8.max_s(i16x8.min_s(values, largest), i16x8.neg(largest)))
  }
}

function rounded(sums: usize, reciprocals: usize): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(sums), v128.load(reciprocals))))
}

/** Four columns of 8 values, transformed into four rows. */
function transformColumns(from: usize, to: usize): void {
  const x0 = v128.load(from)
  const x1 = v128.load(from, 32)
  const x2 = v128.load(from, 64)
  const x3 = v128.load(from, 96)
  const x4 = v128.load(from, 128)
  const x5 = v128.load(from, 160)
  const x6 = v128.load(from, 192)
  const x7 = v128.load(from, 224)
  const s0 = f32x4.add(x0, x7)
  const s1 = f32x4.add(x1, x6)
  const s2 = f32x4.add(x2, x5)
  const s3 = f32x4.add(x3, x4)
  const d0 = f32x4.sub(x0, x7)
  const d1 = f32x4.sub(x1, x6)
  const d2 = f32x4.sub(x2, x5)
  const d3 = f32x4.sub(x3, x4)
  // The even ones are symmetric once more.
  const outer = f32x4.add(s0, s3)
  const inner = f32x4.add(s1, s2)
  const outerDifference = f32x4.sub(s0, s3)
  const innerDifference = f32x4.sub(s1, s2)
  store4Rows(
    to,
    f32x4.add(outer, inner),
    f32x4.add(weighted(C1, d0, C3, d1), weighted(C5, d2, C7, d3)),
    f32x4.add(scaled(C2, outerDifference), scaled(C6, innerDifference)),
    f32x4.add(weighted(C3, d0, -C7, d1), weighted(-C1, d2, -C5, d3)),
  )
  store4Rows(
    to + 16,
    scaled(<f32>Math.SQRT1_2, f32x4.sub(outer, inner)),
    f32x4.add(weighted(C5, d0, -C1, d1), weighted(C7, d2, C3, d3)),
    f32x4.sub(scaled(C6, outerDifference), scaled(C2, innerDifference)),
    f32x4.add(weighted(C7, d0, -C5, d1), weighted(C3, d2, -C1, d3)),
  )
}

function scaled(factor: f32, value: v128): v128 {
  return f32x4.mul(f32x4.splat(factor), value)
}

function weighted(f0: f32, v0: v128, f1: f32, v1: v128): v128 {
  return f32x4.add(scaled(f0, v0), scaled(f1, v1))
}

/** Four columns as the quarters of four rows, 32 bytes apart. */
function store4Rows(to: usize, a: v128, b: v128, c: v128, d: v128): void {
  const ab01 = interleaveLow32(a, b)
  const cd01 = interleaveLow32(c, d)
  const ab23 = interleaveHigh32(a, b)
  const cd23 = interleaveHigh32(c, d)
  v128.store(to, firstHalves(ab01, cd01))
  v128.store(to, secondHalves(ab01, cd01), 32)
  v128.store(to, firstHalves(ab23, cd23), 64)
  v128.store(to, secondHalves(ab23, cd23), 96)
}
