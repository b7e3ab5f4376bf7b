// The inverse transforms: RFC 6386 §14.3 (WHT) and §14.4 (DCT), exact to the bit.
import { firstHalves, interleaveHigh32, interleaveLow32, secondHalves } from '../../../arena/simd'
import { COS_PI8_SQRT2_MINUS_1, SIN_PI8_SQRT2 } from '../tables'

/** Spreads the Y2 block at `y2` (i16[16], cleared afterwards) over the DCs of the 16 blocks at `blocks`, 32 bytes each. */
export function inverseWht(y2: usize, blocks: usize): void {
  const x0 = v128.load_ext<i16>(y2)
  const x1 = v128.load_ext<i16>(y2, 8)
  const x2 = v128.load_ext<i16>(y2, 16)
  const x3 = v128.load_ext<i16>(y2, 24)
  v128.store(y2, i64x2.splat(0))
  v128.store(y2, i64x2.splat(0), 16)
  const a = i32x4.add(x0, x3)
  const b = i32x4.add(x1, x2)
  const c = i32x4.sub(x1, x2)
  const e = i32x4.sub(x0, x3)
  storeWhtRow(blocks, i32x4.add(a, b))
  storeWhtRow(blocks + 4 * 32, i32x4.add(c, e))
  storeWhtRow(blocks + 8 * 32, i32x4.sub(a, b))
  storeWhtRow(blocks + 12 * 32, i32x4.sub(e, c))
}

/** The row pass of the WHT; its four results are the DCs of four blocks. */
function storeWhtRow(blocks: usize, row: v128): void {
  const x0 = i32x4.extract_lane(row, 0)
  const x1 = i32x4.extract_lane(row, 1)
  const x2 = i32x4.extract_lane(row, 2)
  const x3 = i32x4.extract_lane(row, 3)
  const a = x0 + x3
  const b = x1 + x2
  const c = x1 - x2
  const e = x0 - x3
  store<i16>(blocks, <i16>((a + b + 3) >> 3))
  store<i16>(blocks, <i16>((c + e + 3) >> 3), 32)
  store<i16>(blocks, <i16>((a - b + 3) >> 3), 64)
  store<i16>(blocks, <i16>((e - c + 3) >> 3), 96)
}

/** x * sqrt(2) * cos(pi/8). */
function timesCos(x: v128): v128 {
  return i32x4.add(x, i32x4.shr_s(i32x4.mul(x, i32x4.splat(COS_PI8_SQRT2_MINUS_1)), 16))
}

/** x * sqrt(2) * sin(pi/8). */
function timesSin(x: v128): v128 {
  return i32x4.shr_s(i32x4.mul(x, i32x4.splat(SIN_PI8_SQRT2)), 16)
}

/**
 * Adds the residual of the block at `coefficients` (i16[16], cleared afterwards) to `prediction`, the 16 pixels of a
 * subblock in raster order.
 */
export function addInverseDct(prediction: v128, coefficients: usize): v128 {
  const x0 = v128.load_ext<i16>(coefficients)
  const x1 = v128.load_ext<i16>(coefficients, 8)
  const x2 = v128.load_ext<i16>(coefficients, 16)
  const x3 = v128.load_ext<i16>(coefficients, 24)
  v128.store(coefficients, i64x2.splat(0))
  v128.store(coefficients, i64x2.splat(0), 16)

  // Columns: a lane is a column.
  let a = i32x4.add(x0, x2)
  let b = i32x4.sub(x0, x2)
  let c = i32x4.sub(timesSin(x1), timesCos(x3))
  let e = i32x4.add(timesCos(x1), timesSin(x3))
  const row0 = i32x4.add(a, e)
  const row1 = i32x4.add(b, c)
  const row2 = i32x4.sub(b, c)
  const row3 = i32x4.sub(a, e)

  // Rows: transposed, a lane is a row.
  const low01 = interleaveLow32(row0, row1)
  const low23 = interleaveLow32(row2, row3)
  const high01 = interleaveHigh32(row0, row1)
  const high23 = interleaveHigh32(row2, row3)
  const y0 = i32x4.add(firstHalves(low01, low23), i32x4.splat(4))
  const y1 = secondHalves(low01, low23)
  const y2 = firstHalves(high01, high23)
  const y3 = secondHalves(high01, high23)
  a = i32x4.add(y0, y2)
  b = i32x4.sub(y0, y2)
  c = i32x4.sub(timesSin(y1), timesCos(y3))
  e = i32x4.add(timesCos(y1), timesSin(y3))
  const columns01 = i16x8.narrow_i32x4_s(i32x4.shr_s(i32x4.add(a, e), 3), i32x4.shr_s(i32x4.add(b, c), 3))
  const columns23 = i16x8.narrow_i32x4_s(i32x4.shr_s(i32x4.sub(b, c), 3), i32x4.shr_s(i32x4.sub(a, e), 3))

  const rows01 = v128.shuffle<i16>(columns01, columns23, 0, 4, 8, 12, 1, 5, 9, 13)
  const rows23 = v128.shuffle<i16>(columns01, columns23, 2, 6, 10, 14, 3, 7, 11, 15)
  return i8x16.narrow_i16x8_u(
    i16x8.add_sat_s(i16x8.extend_low_i8x16_u(prediction), rows01),
    i16x8.add_sat_s(i16x8.extend_high_i8x16_u(prediction), rows23),
  )
}

/** Adds the residual of a block that has a DC alone: (dc + 4) >> 3 everywhere. */
export function addInverseDc(prediction: v128, coefficients: usize): v128 {
  const residual = i16x8.splat(<i16>((<i32>load<i16>(coefficients) + 4) >> 3))
  store<i16>(coefficients, 0)
  return i8x16.narrow_i16x8_u(
    i16x8.add_sat_s(i16x8.extend_low_i8x16_u(prediction), residual),
    i16x8.add_sat_s(i16x8.extend_high_i8x16_u(prediction), residual),
  )
}
