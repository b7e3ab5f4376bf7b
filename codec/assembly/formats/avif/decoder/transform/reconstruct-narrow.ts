// The reconstruct process and the 2D inverse transform of samples of 8 bits, eight transforms at once in lanes of 16 bits: AV1
// specification, 7.12.3 and 7.13.3. Blocks without loss and deeper samples are in reconstruct.ts.
import { interleaveHigh16, interleaveLow16, storeFourRows } from '../../../../arena/simd'
import { TRANSFORM_ROW_SHIFT, TX_HEIGHT_LOG2, TX_WIDTH_LOG2 } from '../../tables/transform'
import { current } from '../frames/frame'
import { sampleAt, strideOf } from '../frames/planes'
import { transform } from './coefficients'
import { DEQUANT } from './dequantize'
import { Kind, kindOfColumns, kindOfRows } from './inverse-transform'
import { narrowAdst } from './narrow-adst'
import { narrowAt } from './narrow-butterfly'
import { narrowDct } from './narrow-dct'

/** Residual: here i16, rows as wide as the transform, at least 8; in reconstruct.ts i32. */
export const RESIDUAL: usize = memory.data(4 * 64 * 64, 16)

/** Transform types that are turned over: FLIPADST_DCT (4), FLIPADST_FLIPADST (6), FLIPADST_ADST (8), V_FLIPADST (14). */
export const FLIPPED_UD: u32 = 0x4150
/** DCT_FLIPADST (5), FLIPADST_FLIPADST (6), ADST_FLIPADST (7), H_FLIPADST (15). */
export const FLIPPED_LR: u32 = 0x80e0
/** The inverse of the root of 2, of 32768. */
const INVERSE_SQRT2: i16 = 23168
/** Greatest value of a sample. */
const MOST: i16 = 255

/** Whether the current transform type is one of these. */
export function isFlipped(types: u32): bool {
  return ((types >> transform.txType) & 1) != 0
}

/** Adds the inverse transform of the coefficients that were read to the prediction. */
export function reconstructNarrow(plane: i32, x: i32, y: i32, txSz: i32): void {
  const log2W = <i32>load<u8>(TX_WIDTH_LOG2 + txSz)
  const log2H = <i32>load<u8>(TX_HEIGHT_LOG2 + txSz)
  const w = 1 << log2W
  const h = 1 << log2H
  const stride = strideOf(current, plane)
  if ((transform.lastRow | transform.lastColumn | transform.txType) == 0) {
    addFlat(sampleAt(current, plane, x, y), stride, w, h, flatResidual(txSz, abs(log2W - log2H) == 1))
    return
  }
  transformRows(txSz, log2W, log2H)
  const kind = kindOfColumns(transform.txType, false)
  const isFlippedUD = isFlipped(FLIPPED_UD)
  const isFlippedLR = isFlipped(FLIPPED_LR)
  const step: usize = isFlippedUD ? 0 - stride : stride
  const rowBytes = (<usize>max(w, 8)) << 1
  for (let j = 0; j < w; j += 8) {
    transformNarrow(kind, log2H, RESIDUAL + ((<usize>j) << 1), rowBytes)
    const to = sampleAt(current, plane, x + (isFlippedLR ? max(w - 8 - j, 0) : j), isFlippedUD ? y + h - 1 : y)
    addColumns(to, step, h, w == 4, isFlippedLR)
  }
}

/** Returns the residual of a block with its first coefficient alone, in all samples the same. */
function flatResidual(txSz: i32, isRect: bool): i32 {
  let value = <i32>load<i16>(DEQUANT)
  store<i16>(DEQUANT, 0)
  if (isRect) value = timesInverseSqrt2(value)
  const shift = <i32>load<u8>(TRANSFORM_ROW_SHIFT + txSz)
  value = (timesInverseSqrt2(value) + ((1 << shift) >> 1)) >> shift
  return (timesInverseSqrt2(value) + 8) >> 4
}

function timesInverseSqrt2(value: i32): i32 {
  return (value * 2896 + 2048) >> 12
}

/** Adds a residual to all samples of a block. */
function addFlat(to: usize, stride: usize, w: i32, h: i32, value: i32): void {
  const residual = i16x8.splat(<i16>value)
  let row = to
  for (let i = 0; i < h; i++) {
    if (w == 4) v128.store64_lane(row, added(v128.load64_zero(row), residual), 0)
    else for (let at = row; at < row + ((<usize>w) << 1); at += 16) v128.store(at, added(v128.load(at), residual))
    row += stride
  }
}

// @ts-ignore: decorator
@inline
function added(samples: v128, residual: v128): v128 {
  const sum = i16x8.add_sat_s(samples, residual)
  return i16x8.max_s(i16x8.min_s(sum, i16x8.splat(MOST)), i16x8.splat(0))
}

/** Transforms 2^n vectors that are `step` bytes apart into T. */
function transformNarrow(kind: Kind, n: i32, from: usize, step: usize): void {
  if (kind == Kind.Dct) narrowDct(n, from, step)
  else if (kind == Kind.Adst) narrowAdst(n, from, step)
  else identity(n, from, step)
}

/** 7.13.2.15 */
function identity(n: i32, from: usize, step: usize): void {
  for (let i = 0; i < 1 << n; i++) {
    const x = v128.load(from + <usize>i * step)
    const twice = i16x8.add_sat_s(x, x)
    // 5793 of 4096 is 1 and 13576 of 32768; 11586 is 2 and 27152.
    let result = twice
    if (n == 2) result = i16x8.add_sat_s(x, i16x8.q15mulr_sat_s(x, i16x8.splat(13576)))
    else if (n == 4) result = i16x8.add_sat_s(twice, i16x8.q15mulr_sat_s(x, i16x8.splat(27152)))
    else if (n == 5) result = i16x8.add_sat_s(twice, twice)
    v128.store(narrowAt(i), result)
  }
}

/** The row transforms, eight rows at a time, into RESIDUAL; clears what was read. */
function transformRows(txSz: i32, log2W: i32, log2H: i32): void {
  const kind = kindOfRows(transform.txType, false)
  const w = max(1 << log2W, 8)
  const columnBytes = (<usize>2) << transform.log2Column
  const end = DEQUANT + <usize>(transform.lastColumn + 1) * columnBytes
  if (abs(log2W - log2H) == 1) {
    for (let at = DEQUANT; at < end; at += 16) {
      v128.store(at, i16x8.q15mulr_sat_s(v128.load(at), i16x8.splat(INVERSE_SQRT2)))
    }
  }
  const shift = <i32>load<u8>(TRANSFORM_ROW_SHIFT + txSz)
  let row = 0
  for (; row <= transform.lastRow; row += 8) {
    transformNarrow(kind, log2W, DEQUANT + ((<usize>row) << 1), columnBytes)
    const to = RESIDUAL + ((<usize>(row * w)) << 1)
    for (let j = 0; j < w; j += 8) storeRows(to + ((<usize>j) << 1), (<usize>w) << 1, j, shift)
  }
  for (let at = DEQUANT; at < end; at += 16) v128.store(at, i16x8.splat(0))
  const bottom = RESIDUAL + ((<usize>(w << log2H)) << 1)
  for (let at = RESIDUAL + ((<usize>(row * w)) << 1); at < bottom; at += 16) v128.store(at, i16x8.splat(0))
}

/** Eight numbers of T from `j` on to eight rows, shifted. */
function storeRows(to: usize, stride: usize, j: i32, shift: i32): void {
  const factor = i16x8.splat(<i16>(0x8000 >> shift))
  const a = shifted(j, shift, factor)
  const b = shifted(j + 1, shift, factor)
  const c = shifted(j + 2, shift, factor)
  const d = shifted(j + 3, shift, factor)
  const e = shifted(j + 4, shift, factor)
  const f = shifted(j + 5, shift, factor)
  const g = shifted(j + 6, shift, factor)
  const h = shifted(j + 7, shift, factor)
  storeFourRows(to, stride, interleaveLow16(a, b), interleaveLow16(c, d), interleaveLow16(e, f), interleaveLow16(g, h))
  const below = to + 4 * stride
  storeFourRows(
    below,
    stride,
    interleaveHigh16(a, b),
    interleaveHigh16(c, d),
    interleaveHigh16(e, f),
    interleaveHigh16(g, h),
  )
}

/** T[ i ] / 2^shift, rounded: a product with `factor`. */
// @ts-ignore: decorator
@inline
function shifted(i: i32, shift: i32, factor: v128): v128 {
  const x = v128.load(narrowAt(i))
  return shift == 0 ? x : i16x8.q15mulr_sat_s(x, factor)
}

/** Adds T, eight columns of `h` numbers, or four, to the samples at `to` and those `step` bytes apart. */
function addColumns(to: usize, step: usize, h: i32, isFour: bool, isFlippedLR: bool): void {
  let sample = to
  for (let i = 0; i < h; i++) {
    let residual = i16x8.q15mulr_sat_s(v128.load(narrowAt(i)), i16x8.splat(1 << 11))
    if (isFour) {
      if (isFlippedLR) residual = v128.shuffle<i16>(residual, residual, 3, 2, 1, 0, 7, 6, 5, 4)
      v128.store64_lane(sample, added(v128.load64_zero(sample), residual), 0)
    } else {
      if (isFlippedLR) residual = v128.shuffle<i16>(residual, residual, 7, 6, 5, 4, 3, 2, 1, 0)
      v128.store(sample, added(v128.load(sample), residual))
    }
    sample += step
  }
}
