// The recursive intra prediction process: AV1 specification, 7.11.2.3.
import { INTRA_FILTER_TAPS } from '../tables/prediction'
import { block } from './block'
import { ABOVE, LEFT } from './edge'
import { bitDepth } from './sequence-header'

const TAPS: usize = 7
/** p, i32[7] */
const P: usize = memory.data(4 * 8, 16)

/** Predicts 4x2 samples at a time from the seven around them. */
export function predictRecursive(to: usize, stride: usize, w: i32, h: i32): void {
  for (let i2 = 0; i2 < h; i2 += 2) {
    const row = to + <usize>i2 * stride
    for (let j4 = 0; j4 < w; j4 += 4) {
      gather(row + ((<usize>j4) << 1), stride, i2, j4)
      filter(row + ((<usize>j4) << 1), stride)
    }
  }
}

function gather(at: usize, stride: usize, i2: i32, j4: i32): void {
  const above = i2 == 0 ? ABOVE + ((<usize>j4) << 1) : at - stride
  const besideLeft = j4 == 0
  const corner = i2 > 0 && besideLeft ? LEFT + ((<usize>i2) << 1) - 2 : above - 2
  store<i32>(P, load<u16>(corner))
  for (let i: usize = 0; i < 4; i++) store<i32>(P + ((i + 1) << 2), load<u16>(above + (i << 1)))
  store<i32>(P, load<u16>(besideLeft ? LEFT + ((<usize>i2) << 1) : at - 2), 20)
  store<i32>(P, load<u16>(besideLeft ? LEFT + ((<usize>i2) << 1) + 2 : at + stride - 2), 24)
}

function filter(at: usize, stride: usize): void {
  const most = (1 << bitDepth) - 1
  let taps = INTRA_FILTER_TAPS + <usize>block.filterIntraMode * 8 * TAPS
  for (let k: usize = 0; k < 8; k++) {
    let sum = 0
    for (let i: usize = 0; i < TAPS; i++) sum += <i32>load<i8>(taps + i) * load<i32>(P + (i << 2))
    taps += TAPS
    // Round2Signed( sum, INTRA_FILTER_SCALE_BITS )
    const value = sum < 0 ? -((8 - sum) >> 4) : (sum + 8) >> 4
    store<u16>(at + (k >> 2) * stride + ((k & 3) << 1), <u16>max(0, min(most, value)))
  }
}
