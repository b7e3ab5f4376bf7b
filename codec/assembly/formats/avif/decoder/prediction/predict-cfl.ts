// Prediction of chroma from luma: AV1 specification, 7.11.5.
import { sumOfLanes32 } from '../../../../arena/simd'
import { TX_HEIGHT, TX_WIDTH } from '../../tables/transform'
import { block } from '../blocks/block'
import { current } from '../frames/frame'
import { sampleAt, strideOf } from '../frames/planes'
import { bitDepth, subsamplingX, subsamplingY } from '../frames/sequence-header'

/** L: luma with 3 fractional bits, i16[32][32]. */
const L: usize = memory.data(2 * 32 * 32, 16)

/** Adds to the DC prediction of a chroma transform block what luma differs from its mean, times alpha. */
export function predictChromaFromLuma(plane: i32, startX: i32, startY: i32, txSz: i32): void {
  const w = <i32>load<u8>(TX_WIDTH + txSz)
  const h = <i32>load<u8>(TX_HEIGHT + txSz)
  const sum = subsampleLuma(startX, startY, w, h)
  const count = w * h
  const average = (sum + (count >> 1)) / count
  const alpha = plane == 1 ? block.cflAlphaU : block.cflAlphaV
  const stride = strideOf(current, plane)
  let row = sampleAt(current, plane, startX, startY)
  let luma = L
  for (let i = 0; i < h; i++) {
    for (let j = 0; j < w; j += 4) {
      const at = row + ((<usize>j) << 1)
      v128.store64_lane(at, withLuma(v128.load_ext<u16>(at), v128.load_ext<i16>(luma), average, alpha), 0)
      luma += 8
    }
    row += stride
  }
}

/** Four samples and what luma adds to them: Round2Signed( alpha * ( luma - average ), 6 ). */
// @ts-ignore: decorator
@inline
function withLuma(samples: v128, luma: v128, average: i32, alpha: i32): v128 {
  const scaled = i32x4.mul(i32x4.sub(luma, i32x4.splat(average)), i32x4.splat(alpha))
  const sign = i32x4.shr_s(scaled, 31)
  const size = i32x4.shr_u(i32x4.add(i32x4.abs(scaled), i32x4.splat(32)), 6)
  const sum = i32x4.add(samples, i32x4.sub(v128.xor(size, sign), sign))
  const clamped = i32x4.min_s(sum, i32x4.splat((1 << bitDepth) - 1))
  return i16x8.narrow_i32x4_u(clamped, clamped)
}

/** Fills L and returns the sum of it. */
function subsampleLuma(startX: i32, startY: i32, w: i32, h: i32): i32 {
  const stride = strideOf(current, 0)
  const shift = 3 - subsamplingX - subsamplingY
  const lastX = block.maxLumaW - (1 << subsamplingX)
  const lastY = block.maxLumaH - (1 << subsamplingY)
  const isInside = (startX + w - 1) << subsamplingX <= lastX
  let to = L
  let sum = 0
  for (let i = 0; i < h; i++) {
    const row = sampleAt(current, 0, 0, min((startY + i) << subsamplingY, lastY))
    if (isInside) {
      sum += subsampleRow(row + ((<usize>(startX << subsamplingX)) << 1), stride, to, w, shift)
      to += (<usize>w) << 1
      continue
    }
    for (let j = 0; j < w; j++) {
      const at = row + ((<usize>min((startX + j) << subsamplingX, lastX)) << 1)
      let t = <i32>load<u16>(at)
      if (subsamplingX == 1) t += load<u16>(at, 2)
      if (subsamplingY == 1) t += <i32>load<u16>(at + stride) + <i32>load<u16>(at + stride, 2)
      const value = t << shift
      store<i16>(to, <i16>value)
      to += 2
      sum += value
    }
  }
  return sum
}

/** Writes a row of L, all of whose samples are in the frame, and returns the sum of it. */
function subsampleRow(row: usize, stride: usize, to: usize, w: i32, shift: i32): i32 {
  let sum = i32x4.splat(0)
  for (let j = 0; j < w; j += 4) {
    const at = row + ((<usize>(j << subsamplingX)) << 1)
    let four = fourOf(at)
    if (subsamplingY == 1) four = i32x4.add(four, fourOf(at + stride))
    four = i32x4.shl(four, shift)
    v128.store64_lane(to + ((<usize>j) << 1), i16x8.narrow_i32x4_s(four, four), 0)
    sum = i32x4.add(sum, four)
  }
  return sumOfLanes32(sum)
}

/** Four samples, or sums of two. */
// @ts-ignore: decorator
@inline
function fourOf(at: usize): v128 {
  return subsamplingX == 1 ? i32x4.extadd_pairwise_i16x8_u(v128.load(at)) : v128.load_ext<u16>(at)
}
