// Prediction of chroma from luma: AV1 specification, 7.11.5.
import { TX_HEIGHT, TX_WIDTH } from '../tables/transform'
import { block } from './block'
import { current } from './frame'
import { sampleAt, strideOf } from './planes'
import { bitDepth, subsamplingX, subsamplingY } from './sequence-header'

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
  const most = (1 << bitDepth) - 1
  const stride = strideOf(current, plane)
  let row = sampleAt(current, plane, startX, startY)
  let luma = L
  for (let i = 0; i < h; i++) {
    for (let j = 0; j < w; j++) {
      const at = row + ((<usize>j) << 1)
      const scaled = alpha * (<i32>load<i16>(luma + ((<usize>j) << 1)) - average)
      // Round2Signed( scaled, 6 )
      const change = scaled < 0 ? -((32 - scaled) >> 6) : (scaled + 32) >> 6
      store<u16>(at, <u16>max(0, min(most, <i32>load<u16>(at) + change)))
    }
    luma += (<usize>w) << 1
    row += stride
  }
}

/** Fills L and returns the sum of it. */
function subsampleLuma(startX: i32, startY: i32, w: i32, h: i32): i32 {
  const stride = strideOf(current, 0)
  const shift = 3 - subsamplingX - subsamplingY
  const lastX = block.maxLumaW - (1 << subsamplingX)
  const lastY = block.maxLumaH - (1 << subsamplingY)
  let to = L
  let sum = 0
  for (let i = 0; i < h; i++) {
    const row = sampleAt(current, 0, 0, min((startY + i) << subsamplingY, lastY))
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
