// The pixels of a macroblock, from its modes and coefficients, in the workspace.
import { predictPlane, STRIDE } from '../predict-plane'
import { B_PRED } from '../tables'
import { BlockContent } from './block-data'
import { addInverseDc, addInverseDct } from './inverse-transform'
import { B_MODES, macroblock } from './modes'
import { predictSubblock } from './predict-subblock'
import { LUMA, U, V } from './workspace'

/** Predicts the planes of the macroblock whose modes were read last, but not the luma of one with subblock modes. */
export function predictPlanes(hasAbove: bool, hasLeft: bool): void {
  if (macroblock.yMode != B_PRED) predictPlane(LUMA, 16, macroblock.yMode, hasAbove, hasLeft)
  predictPlane(U, 8, macroblock.uvMode, hasAbove, hasLeft)
  predictPlane(V, 8, macroblock.uvMode, hasAbove, hasLeft)
}

/** Predicts the luma of a macroblock with subblock modes and no residual. */
export function predictSubblocks(): void {
  for (let block = 0; block < 16; block++) {
    const at = LUMA + (block >> 2) * 4 * STRIDE + (block & 3) * 4
    storeSubblock(at, predictSubblock(load<u8>(B_MODES + block), at))
  }
}

/** Predicts a subblock from the finished ones before it (RFC 6386 §12.3), and adds its residual. */
export function reconstructSubblock(at: usize, mode: i32, content: BlockContent, coefficients: usize): void {
  storeSubblock(at, withResidual(predictSubblock(mode, at), content, coefficients))
}

/** Adds the residual of a block to its predicted pixels. */
export function addResidual(at: usize, content: BlockContent, coefficients: usize): void {
  if (content != BlockContent.Nothing) storeSubblock(at, withResidual(loadSubblock(at), content, coefficients))
}

function withResidual(prediction: v128, content: BlockContent, coefficients: usize): v128 {
  if (content == BlockContent.Nothing) return prediction
  return content == BlockContent.Dc ? addInverseDc(prediction, coefficients) : addInverseDct(prediction, coefficients)
}

function loadSubblock(at: usize): v128 {
  let pixels = v128.load_zero<u32>(at)
  pixels = v128.load_lane<u32>(at + STRIDE, pixels, 1)
  pixels = v128.load_lane<u32>(at + 2 * STRIDE, pixels, 2)
  return v128.load_lane<u32>(at + 3 * STRIDE, pixels, 3)
}

function storeSubblock(at: usize, pixels: v128): void {
  v128.store_lane<u32>(at, pixels, 0)
  v128.store_lane<u32>(at + STRIDE, pixels, 1)
  v128.store_lane<u32>(at + 2 * STRIDE, pixels, 2)
  v128.store_lane<u32>(at + 3 * STRIDE, pixels, 3)
}
