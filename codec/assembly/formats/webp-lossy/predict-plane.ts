// Prediction of the luma (16 x 16) or a chroma plane (8 x 8) of a macroblock (RFC 6386 §12.2, §12.3). It reads the
// line above and the column to its left. The workspace has lines of 32 bytes and holds those neighbours too.
import { BORDER_LEFT, H_PRED, TM_PRED, V_PRED } from './tables'

/** Bytes from a pixel of a workspace to the one below it. */
export const STRIDE: i32 = 32

/** Sets what is to the left of the first macroblock of a row in the plane of `lines` lines at `plane`, and the corner. */
export function setLeftBorder(plane: usize, lines: i32, corner: u8): void {
  store<u8>(plane - STRIDE - 1, corner)
  for (let y = 0; y < lines; y++) store<u8>(plane + y * STRIDE - 1, <u8>BORDER_LEFT)
}

/** Makes the right column of the plane, and of the line above it, the left column of the next macroblock's. */
export function moveRightToLeft(plane: usize, size: i32): void {
  for (let y = 0; y <= size; y++) {
    const line = plane + y * STRIDE - STRIDE
    store<u8>(line - 1, load<u8>(line + size - 1))
  }
}

/**
 * The value of DC_PRED for the `size` x `size` plane at `plane`: the rounded mean of the neighbours that are inside the
 * frame, 128 if there are none.
 */
export function dcPrediction(plane: usize, size: i32, hasAbove: bool, hasLeft: bool): i32 {
  if (!hasAbove && !hasLeft) return 128
  let sum = 0
  if (hasAbove) for (let x = 0; x < size; x++) sum += <i32>load<u8>(plane - STRIDE + x)
  if (hasLeft) for (let y = 0; y < size; y++) sum += <i32>load<u8>(plane + y * STRIDE - 1)
  const shift = (size == 16 ? 4 : 3) + (hasAbove && hasLeft ? 1 : 0)
  return (sum + (1 << (shift - 1))) >> shift
}

/** Predicts the plane in place. `hasAbove` and `hasLeft` tell whether its neighbours are inside the frame. */
export function predictPlane(plane: usize, size: i32, mode: i32, hasAbove: bool, hasLeft: bool): void {
  if (mode == TM_PRED) {
    predictTrueMotion(plane, size)
    return
  }
  let line = i8x16.splat(<i8>(mode == V_PRED || mode == H_PRED ? 0 : dcPrediction(plane, size, hasAbove, hasLeft)))
  if (mode == V_PRED) line = size == 16 ? v128.load(plane - STRIDE) : v128.load64_zero(plane - STRIDE)
  for (let y = 0; y < size; y++) {
    const at = plane + y * STRIDE
    if (mode == H_PRED) line = v128.load8_splat(at - 1)
    storeLine(at, size, line)
  }
}

/** TM_PRED: left + above - corner, clamped. */
function predictTrueMotion(plane: usize, size: i32): void {
  const corner = i16x8.splat(<i16>load<u8>(plane - STRIDE - 1))
  const above = i16x8.sub(v128.load_ext<u8>(plane - STRIDE), corner)
  const aboveRight = size == 16 ? i16x8.sub(v128.load_ext<u8>(plane - STRIDE + 8), corner) : above
  for (let y = 0; y < size; y++) {
    const at = plane + y * STRIDE
    const left = i16x8.splat(<i16>load<u8>(at - 1))
    storeLine(at, size, i8x16.narrow_i16x8_u(i16x8.add(above, left), i16x8.add(aboveRight, left)))
  }
}

// @ts-ignore: decorator
@inline
function storeLine(at: usize, size: i32, line: v128): void {
  if (size == 16) v128.store(at, line)
  else v128.store64_lane(at, line, 0)
}
