// Prediction of the whole luma (16x16) or a whole chroma plane (8x8) of the macroblock in the workspace (RFC 6386 §12.2,
// §12.3), exactly, and as a transform: of the two directions and the DC that all four modes are made of.
import { H_PRED, TM_PRED, V_PRED } from '../tables'
import { forwardTransform } from './transform'
import { STRIDE } from './workspace'

let hasAbove = false
let hasLeft = false

/** Says whether there is a macroblock above, and to the left: DC_PRED takes the mean of what there is. */
export function setNeighbours(above: bool, left: bool): void {
  hasAbove = above
  hasLeft = left
}

/** The value of DC_PRED for the `size` x `size` plane at `plane`. */
export function dcPrediction(plane: usize, size: i32): i32 {
  if (!hasAbove && !hasLeft) return 128
  let sum = 0
  if (hasAbove) for (let x = 0; x < size; x++) sum += <i32>load<u8>(plane - STRIDE + x)
  if (hasLeft) for (let y = 0; y < size; y++) sum += <i32>load<u8>(plane + y * STRIDE - 1)
  const shift = (size == 16 ? 4 : 3) + (hasAbove && hasLeft ? 1 : 0)
  return (sum + (1 << (shift - 1))) >> shift
}

/** Predicts the plane in place. */
export function predictPlane(plane: usize, size: i32, mode: i32): void {
  if (mode == TM_PRED) {
    predictTrueMotion(plane, size)
    return
  }
  let line = i8x16.splat(<i8>(mode == V_PRED || mode == H_PRED ? 0 : dcPrediction(plane, size)))
  if (mode == V_PRED) line = size == 16 ? v128.load(plane - STRIDE) : v128.load64_zero(plane - STRIDE)
  for (let y = 0; y < size; y++) {
    const at = plane + y * STRIDE
    if (mode == H_PRED) line = v128.load8_splat(at - 1)
    if (size == 16) v128.store(at, line)
    else v128.store64_lane(at, line, 0)
  }
}

function predictTrueMotion(plane: usize, size: i32): void {
  const corner = i16x8.splat(<i16>load<u8>(plane - STRIDE - 1))
  const above = i16x8.sub(v128.load_ext<u8>(plane - STRIDE), corner)
  const aboveRight = size == 16 ? i16x8.sub(v128.load_ext<u8>(plane - STRIDE + 8), corner) : above
  for (let y = 0; y < size; y++) {
    const at = plane + y * STRIDE
    const left = i16x8.splat(<i16>load<u8>(at - 1))
    const line = i8x16.narrow_i16x8_u(i16x8.add(above, left), i16x8.add(aboveRight, left))
    if (size == 16) v128.store(at, line)
    else v128.store64_lane(at, line, 0)
  }
}

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
@inline function leftRow(left: usize): v128 {
  const a = i64x2.splat(<i64>load<u8>(left) * 0x0001000100010001)
  return i64x2.replace_lane(a, 1, <i64>load<u8>(left + 4 * STRIDE) * 0x0001000100010001)
}
