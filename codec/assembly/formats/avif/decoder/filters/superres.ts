// The upscaling process: AV1 specification, 7.16.
import { UPSCALE_FILTER } from '../../tables/filters'
import { frame } from '../frames/frame-header'
import { bitDepth, subsamplingX } from '../frames/sequence-header'

const SUPERRES_SCALE_BITS: i32 = 14
const SUPERRES_EXTRA_BITS: i32 = 8
const SUPERRES_SCALE_MASK: i32 = (1 << 14) - 1
const TAPS: i32 = 8
const FILTER_OFFSET: i32 = 3

/** Widens a row of a plane: from the sample at `from` to that at `to`. */
export function upscaleRow(plane: i32, from: usize, to: usize): void {
  const subX = plane > 0 ? subsamplingX : 0
  const down = (frame.width + subX) >> subX
  const up = (frame.upscaledWidth + subX) >> subX
  const stepX = ((down << SUPERRES_SCALE_BITS) + up / 2) / up
  const err = up * stepX - (down << SUPERRES_SCALE_BITS)
  const middle = (-((up - down) << (SUPERRES_SCALE_BITS - 1)) + up / 2) / up
  const initial = (middle + (1 << (SUPERRES_EXTRA_BITS - 1)) - err / 2) & SUPERRES_SCALE_MASK
  const most = (1 << bitDepth) - 1
  const lastX = ((frame.miCols << 2) >> subX) - 1
  for (let x = 0; x < up; x++) {
    const srcX = -(1 << SUPERRES_SCALE_BITS) + initial + x * stepX
    const first = (srcX >> SUPERRES_SCALE_BITS) - FILTER_OFFSET
    const filter = UPSCALE_FILTER + <usize>(((srcX & SUPERRES_SCALE_MASK) >> SUPERRES_EXTRA_BITS) << 4)
    let sum = 0
    for (let k = 0; k < TAPS; k++) {
      const sample = max(0, min(lastX, first + k))
      sum += <i32>load<u16>(from + ((<usize>sample) << 1)) * load<i16>(filter + ((<usize>k) << 1))
    }
    store<u16>(to + ((<usize>x) << 1), <u16>max(0, min(most, (sum + 64) >> 7)))
  }
}
