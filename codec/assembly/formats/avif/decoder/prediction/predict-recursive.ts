// The recursive intra prediction process: AV1 specification, 7.11.2.3.
import { firstHalves, interleaveHigh32, interleaveLow32, secondHalves } from '../../../../arena/simd'
import { INTRA_FILTER_TAPS } from '../../tables/prediction'
import { block } from '../blocks/block'
import { bitDepth } from '../frames/sequence-header'
import { ABOVE, LEFT } from './edge'

const TAPS: usize = 7
/** p, i16[7], and 0 */
const P: usize = memory.data(2 * 8, 16)

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
  store<u16>(P, load<u16>(corner))
  store<u64>(P, load<u64>(above), 2)
  store<u16>(P, load<u16>(besideLeft ? LEFT + ((<usize>i2) << 1) : at - 2), 10)
  store<u16>(P, load<u16>(besideLeft ? LEFT + ((<usize>i2) << 1) + 2 : at + stride - 2), 12)
}

function filter(at: usize, stride: usize): void {
  const taps = INTRA_FILTER_TAPS + <usize>block.filterIntraMode * 8 * TAPS
  const most = i32x4.splat((1 << bitDepth) - 1)
  const first = fourSums(taps)
  const second = fourSums(taps + 4 * TAPS)
  const samples = i16x8.narrow_i32x4_u(i32x4.min_s(first, most), i32x4.min_s(second, most))
  v128.store64_lane(at, samples, 0)
  v128.store64_lane(at + stride, samples, 1)
}

/** Round2( sum, INTRA_FILTER_SCALE_BITS ) of four samples. One below 0, which the specification rounds otherwise, becomes 0. */
function fourSums(taps: usize): v128 {
  const p = v128.load(P)
  const a = i32x4.dot_i16x8_s(p, v128.load_ext<i8>(taps))
  const b = i32x4.dot_i16x8_s(p, v128.load_ext<i8>(taps + TAPS))
  const c = i32x4.dot_i16x8_s(p, v128.load_ext<i8>(taps + 2 * TAPS))
  const d = i32x4.dot_i16x8_s(p, v128.load_ext<i8>(taps + 3 * TAPS))
  const ab = i32x4.add(interleaveLow32(a, b), interleaveHigh32(a, b))
  const cd = i32x4.add(interleaveLow32(c, d), interleaveHigh32(c, d))
  const sums = i32x4.add(firstHalves(ab, cd), secondHalves(ab, cd))
  return i32x4.shr_s(i32x4.add(sums, i32x4.splat(8)), 4)
}
