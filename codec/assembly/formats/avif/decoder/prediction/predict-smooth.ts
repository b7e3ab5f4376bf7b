// The smooth intra prediction process: AV1 specification, 7.11.2.6.
import { SM_WEIGHTS } from '../../tables/prediction'
import { SMOOTH_H_PRED, SMOOTH_V_PRED } from '../blocks/block'
import { ABOVE, above, left } from './edge'

/** Predicts a block as a mixture of its edges, weighted by the distance from them. */
export function predictSmooth(to: usize, stride: usize, w: i32, h: i32, mode: i32): void {
  for (let i = 0; i < h; i++) {
    const row = to + <usize>i * stride
    if (mode == SMOOTH_V_PRED) smoothRowV(row, w, h, i)
    else if (mode == SMOOTH_H_PRED) smoothRowH(row, w, i)
    else smoothRow(row, w, h, i)
  }
}

/** Four weights of a row of `w`. */
// @ts-ignore: decorator
@inline
function weights(w: i32, j: i32): v128 {
  return i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(SM_WEIGHTS + w + j)))
}

// @ts-ignore: decorator
@inline
function storeFour(row: usize, j: i32, samples: v128): void {
  v128.store64_lane(row + ((<usize>j) << 1), i16x8.narrow_i32x4_u(samples, samples), 0)
}

// @ts-ignore: decorator
@inline
function aboveFour(j: i32): v128 {
  return v128.load_ext<u16>(ABOVE + ((<usize>j) << 1))
}

function smoothRow(row: usize, w: i32, h: i32, i: i32): void {
  const weightY = <i32>load<u8>(SM_WEIGHTS + h + i)
  const corner = above(w - 1)
  const constant = i32x4.splat((256 - weightY) * left(h - 1) + 256 * corner + 256)
  const slope = i32x4.splat(left(i) - corner)
  for (let j = 0; j < w; j += 4) {
    const fromAbove = i32x4.mul(aboveFour(j), i32x4.splat(weightY))
    const sum = i32x4.add(i32x4.add(fromAbove, i32x4.mul(weights(w, j), slope)), constant)
    storeFour(row, j, i32x4.shr_s(sum, 9))
  }
}

function smoothRowV(row: usize, w: i32, h: i32, i: i32): void {
  const weight = <i32>load<u8>(SM_WEIGHTS + h + i)
  const constant = i32x4.splat((256 - weight) * left(h - 1) + 128)
  for (let j = 0; j < w; j += 4) {
    storeFour(row, j, i32x4.shr_s(i32x4.add(i32x4.mul(aboveFour(j), i32x4.splat(weight)), constant), 8))
  }
}

function smoothRowH(row: usize, w: i32, i: i32): void {
  const corner = above(w - 1)
  const constant = i32x4.splat(256 * corner + 128)
  const slope = i32x4.splat(left(i) - corner)
  for (let j = 0; j < w; j += 4) {
    storeFour(row, j, i32x4.shr_s(i32x4.add(i32x4.mul(weights(w, j), slope), constant), 8))
  }
}
