// One macroblock from its modes and coefficients to pixels in the workspace.
import { predictPlane, STRIDE } from '../predict-plane'
import { B_PRED } from '../tables'
import { BLOCK_CONTENTS, BlockContent, COEFFICIENTS } from './block-data'
import { addInverseDc, addInverseDct } from './inverse-transform'
import { B_MODES, macroblock } from './modes'
import { predictSubblock } from './predict-subblock'
import { LUMA, U, V } from './workspace'

/** Reconstructs the macroblock whose modes and residual were read last. */
export function reconstruct(hasAbove: bool, hasLeft: bool): void {
  if (macroblock.yMode == B_PRED) reconstructSubblocks()
  else {
    predictPlane(LUMA, 16, macroblock.yMode, hasAbove, hasLeft)
    addResidual(LUMA, 4, 0)
  }
  predictPlane(U, 8, macroblock.uvMode, hasAbove, hasLeft)
  predictPlane(V, 8, macroblock.uvMode, hasAbove, hasLeft)
  addResidual(U, 2, 16)
  addResidual(V, 2, 20)
}

/** A subblock is predicted from the finished ones before it (RFC 6386 §12.3). */
function reconstructSubblocks(): void {
  for (let block = 0; block < 16; block++) {
    const at = LUMA + (block >> 2) * 4 * STRIDE + (block & 3) * 4
    const prediction = predictSubblock(load<u8>(B_MODES + block), at)
    storeSubblock(at, withResidual(prediction, block))
  }
}

/** Adds the residual of `side` by `side` subblocks, the first of them `block`, to predicted pixels. */
function addResidual(at: usize, side: i32, block: i32): void {
  for (let row = 0; row < side; row++, at += 4 * STRIDE) {
    for (let column = 0; column < side; column++, block++) {
      if (load<u8>(BLOCK_CONTENTS + block) == BlockContent.Nothing) continue
      const subblock = at + column * 4
      storeSubblock(subblock, withResidual(loadSubblock(subblock), block))
    }
  }
}

function withResidual(prediction: v128, block: i32): v128 {
  const content = load<u8>(BLOCK_CONTENTS + block)
  if (content == BlockContent.Nothing) return prediction
  const coefficients = COEFFICIENTS + (block << 5)
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
