// The basic intra prediction process (PAETH_PRED): AV1 specification, 7.11.2.2.
import { ABOVE, above, left } from './edge'

/** Predicts each sample as the one of its left, upper and corner neighbour that is nearest to left + above - corner. */
export function predictPaeth(to: usize, stride: usize, w: i32, h: i32): void {
  const corner = i16x8.splat(<i16>above(-1))
  for (let i = 0; i < h; i++) {
    const row = to + <usize>i * stride
    const beside = i16x8.splat(<i16>left(i))
    for (let j = 0; j < w; j += 8) {
      const top = v128.load(ABOVE + ((<usize>j) << 1))
      const samples = nearest(beside, top, corner)
      if (w == 4) v128.store64_lane(row, samples, 0)
      else v128.store(row + ((<usize>j) << 1), samples)
    }
  }
}

// @ts-ignore: decorator
@inline
function nearest(beside: v128, top: v128, corner: v128): v128 {
  const pLeft = i16x8.abs(i16x8.sub(top, corner))
  const pTop = i16x8.abs(i16x8.sub(beside, corner))
  const pTopLeft = i16x8.abs(i16x8.sub(i16x8.add(top, beside), i16x8.add(corner, corner)))
  const isLeft = v128.and(i16x8.le_s(pLeft, pTop), i16x8.le_s(pLeft, pTopLeft))
  return v128.bitselect(beside, v128.bitselect(top, corner, i16x8.le_s(pTop, pTopLeft)), isLeft)
}
