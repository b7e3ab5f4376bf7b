// Prediction of a whole luma or chroma block from the line above and the column to its left: RFC 6386 §12.2 (chroma)
// and §12.3 (luma). `side` is 16 or 8; the pixels stand in the workspace.
import { DC_PRED, H_PRED, TM_PRED, V_PRED } from '../tables'
import { STRIDE } from './workspace'

/** Predicts the block at `at`. `aboveInside` and `leftInside` tell whether its neighbours are inside the frame. */
export function predictBlock(mode: i32, at: usize, side: i32, aboveInside: bool, leftInside: bool): void {
  if (mode == DC_PRED) fill(at, side, mean(at, side, aboveInside, leftInside))
  else if (mode == V_PRED) predictVertical(at, side)
  else if (mode == H_PRED) predictHorizontal(at, side)
  else if (mode == TM_PRED) predictTrueMotion(at, side)
}

/** The rounded mean of the neighbours inside the frame; 128 if there are none. */
function mean(at: usize, side: i32, aboveInside: bool, leftInside: bool): i32 {
  if (!aboveInside && !leftInside) return 128
  let sum = 0
  if (aboveInside) for (let x = 0; x < side; x++) sum += load<u8>(at + x - STRIDE)
  if (leftInside) for (let y = 0; y < side; y++) sum += load<u8>(at + y * STRIDE - 1)
  const count = aboveInside && leftInside ? 2 * side : side
  return (sum + (count >> 1)) / count
}

function storeLine(at: usize, side: i32, pixels: v128): void {
  if (side == 16) v128.store(at, pixels)
  else v128.store_lane<u64>(at, pixels, 0)
}

function fill(at: usize, side: i32, value: i32): void {
  const pixels = i8x16.splat(<i8>value)
  for (let y = 0; y < side; y++) storeLine(at + y * STRIDE, side, pixels)
}

function predictVertical(at: usize, side: i32): void {
  const above = v128.load(at - STRIDE)
  for (let y = 0; y < side; y++) storeLine(at + y * STRIDE, side, above)
}

function predictHorizontal(at: usize, side: i32): void {
  for (let y = 0; y < side; y++) storeLine(at + y * STRIDE, side, v128.load_splat<u8>(at + y * STRIDE - 1))
}

/** TM_PRED: left + above - corner, clamped. */
function predictTrueMotion(at: usize, side: i32): void {
  const above = v128.load(at - STRIDE)
  const corner = i16x8.splat(<i16>load<u8>(at - STRIDE - 1))
  const low = i16x8.sub(i16x8.extend_low_i8x16_u(above), corner)
  const high = i16x8.sub(i16x8.extend_high_i8x16_u(above), corner)
  for (let y = 0; y < side; y++) {
    const left = i16x8.splat(<i16>load<u8>(at + y * STRIDE - 1))
    storeLine(at + y * STRIDE, side, i8x16.narrow_i16x8_u(i16x8.add(low, left), i16x8.add(high, left)))
  }
}
