// All coefficients of a macroblock, with the contexts that its neighbours give: RFC 6386 §13.3.
import { B_PRED } from '../tables'
import { BlockContent, COEFFICIENTS } from './block-data'
import { BoolDecoder } from './bool-decoder'
import { inverseWht } from './inverse-transform'
import { Steps } from './quantizer'
import { readBlocks, U_BLOCKS, V_BLOCKS, Y_AFTER_Y2_BLOCKS, Y_WITH_DC_BLOCKS, Y2_BLOCK } from './tokens'
import { LUMA, U, V } from './workspace'

const Y2_COEFFICIENTS: usize = COEFFICIENTS + 24 * 32

/** The "coded" flags of the blocks above or to the left: 4 Y, 2 U, 2 V, 1 Y2, a byte each. */
export const FLAGS_SIZE: i32 = 9
const FLAG_U = 4
const FLAG_V = 6
const FLAG_Y2 = 8

/** The flags left of the macroblock to be read. */
const left: usize = memory.data(FLAGS_SIZE)

/** Starts a frame: whatever an interrupted one left is gone. */
export function clearResidual(): void {
  memory.fill(COEFFICIENTS, 0, 25 * 32)
}

/** Starts a macroblock row. */
export function startResidualRow(): void {
  memory.fill(left, 0, FLAGS_SIZE)
}

/** A macroblock without coefficients; the Y2 flags are those of the last macroblock that has a Y2. */
export function skipResidual(above: usize, yMode: i32): void {
  const count = yMode == B_PRED ? FLAGS_SIZE - 1 : FLAGS_SIZE
  memory.fill(above, 0, count)
  memory.fill(left, 0, count)
}

/**
 * Reads the blocks of a macroblock and adds them to its prediction; `above` holds the flags above it and then its own. Returns
 * whether the inner edges are to be filtered for the sake of its coefficients (§15). A Y2 block of explicit zeros does not count,
 * as in dwebp.
 */
export function readResidual(d: BoolDecoder, above: usize, yMode: i32, steps: Steps): bool {
  let contents: i32
  if (yMode == B_PRED) contents = readBlocks(d, above, left, Y_WITH_DC_BLOCKS, LUMA, steps.yDc, steps.yAc)
  else {
    const y2 = readBlocks(d, above + FLAG_Y2, left + FLAG_Y2, Y2_BLOCK, 0, steps.y2Dc, steps.y2Ac)
    if (y2 != BlockContent.Nothing) inverseWht(Y2_COEFFICIENTS, COEFFICIENTS)
    contents = readBlocks(d, above, left, Y_AFTER_Y2_BLOCKS, LUMA, 1, steps.yAc)
  }
  contents |= readBlocks(d, above + FLAG_U, left + FLAG_U, U_BLOCKS, U, steps.uvDc, steps.uvAc)
  contents |= readBlocks(d, above + FLAG_V, left + FLAG_V, V_BLOCKS, V, steps.uvDc, steps.uvAc)
  return contents != BlockContent.Nothing
}
