// Predictions of a plane (RFC 6386 §12.2, §12.3) as their transforms: V_PRED's and H_PRED's, of which with a DC all four
// modes are made.
import { STRIDE } from '../predict-plane'
import { forwardTransform } from './transform'

/** The transform of V_PRED in 8 columns of a plane, from the line above: a pair of which only lanes 0 and 4 are not 0. */
export function transformAbove(above: usize, pair: usize): void {
  const row = v128.load_ext<u8>(above)
  forwardTransform(row, row, row, row, pair)
}

/** The transform of H_PRED in 8 lines of a plane: the pair's first vector, the others being 0; A is above B. */
export function transformLeft(left: usize): v128 {
  forwardTransform(
    leftRow(left),
    leftRow(left + STRIDE),
    leftRow(left + 2 * STRIDE),
    leftRow(left + 3 * STRIDE),
    scratch,
  )
  return v128.load(scratch)
}

const scratch: usize = memory.data(64, 16)

// @ts-ignore: decorator
@inline
function leftRow(left: usize): v128 {
  const a = i64x2.splat(<i64>load<u8>(left) * 0x0001000100010001)
  return i64x2.replace_lane(a, 1, <i64>load<u8>(left + 4 * STRIDE) * 0x0001000100010001)
}
