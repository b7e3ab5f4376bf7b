// All coefficients of a macroblock, with the contexts that its neighbours give: RFC 6386 §13.3.
import { B_PRED } from '../tables'
import { BoolDecoder } from './bool-decoder'
import { inverseWht } from './inverse-transform'
import { Steps } from './quantizer'
import { PROBS_PER_POSITION_TYPE, TOKEN_PROBS } from './token-probs'
import { readBlock } from './tokens'

/** i16[25][16], dequantized, raster order: 16 Y blocks, 4 U, 4 V, then Y2. All zero between macroblocks. */
export const COEFFICIENTS: usize = memory.data(25 * 32, 16)
/** u8[24]: what block `i` of the 24 needs, a `BlockContent`. */
export const BLOCK_CONTENTS: usize = memory.data(24, 8)

/** How much of a block's residual is there. */
export const enum BlockContent {
  Nothing = 0,
  /** The DC coefficient at most. */
  Dc = 1,
  All = 2,
}

const Y2_COEFFICIENTS: usize = COEFFICIENTS + 24 * 32

/** Block types: the first index of the token probabilities. */
const Y_AFTER_Y2 = 0
const Y2 = 1
const CHROMA = 2
const Y_WITH_DC = 3

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
  memory.fill(BLOCK_CONTENTS, <u8>BlockContent.Nothing, 24)
}

/**
 * Reads the blocks of a macroblock; `above` holds the flags above it and then its own. Gives whether the inner edges
 * are to be filtered for the sake of its coefficients (§15). A Y2 block of explicit zeros does not count, as in dwebp.
 */
export function readResidual(d: BoolDecoder, above: usize, yMode: i32, steps: Steps): bool {
  let first = 0
  let type = Y_WITH_DC
  if (yMode != B_PRED) {
    readY2(d, above, steps)
    first = 1
    type = Y_AFTER_Y2
  }
  let contents = readPlane(d, above, left, 4, 0, type, first, steps.yDc, steps.yAc)
  contents |= readPlane(d, above + FLAG_U, left + FLAG_U, 2, 16, CHROMA, 0, steps.uvDc, steps.uvAc)
  contents |= readPlane(d, above + FLAG_V, left + FLAG_V, 2, 20, CHROMA, 0, steps.uvDc, steps.uvAc)
  return contents != BlockContent.Nothing
}

function readY2(d: BoolDecoder, above: usize, steps: Steps): void {
  const probs = TOKEN_PROBS + Y2 * PROBS_PER_POSITION_TYPE
  const context = <i32>load<u8>(above + FLAG_Y2) + load<u8>(left + FLAG_Y2)
  const count = readBlock(d, probs, context, 0, steps.y2Dc, steps.y2Ac, Y2_COEFFICIENTS)
  const coded = <u8>(count > 0)
  store<u8>(above + FLAG_Y2, coded)
  store<u8>(left + FLAG_Y2, coded)
  if (count > 0) inverseWht(Y2_COEFFICIENTS, COEFFICIENTS)
}

/** Reads `side` by `side` blocks, the first of them block `block`; gives their contents or-ed together. */
function readPlane(
  d: BoolDecoder,
  above: usize,
  left: usize,
  side: i32,
  block: i32,
  type: i32,
  first: i32,
  dcStep: i32,
  acStep: i32,
): i32 {
  const probs = TOKEN_PROBS + type * PROBS_PER_POSITION_TYPE
  let seen = 0
  for (let row = 0; row < side; row++) {
    let leftFlag = <i32>load<u8>(left + row)
    for (let column = 0; column < side; column++, block++) {
      const at = COEFFICIENTS + (block << 5)
      const context = leftFlag + load<u8>(above + column)
      const count = readBlock(d, probs, context, first, dcStep, acStep, at)
      leftFlag = i32(count > 0)
      store<u8>(above + column, <u8>leftFlag)
      const content = count > 1 ? BlockContent.All : load<i16>(at) != 0 ? BlockContent.Dc : BlockContent.Nothing
      store<u8>(BLOCK_CONTENTS + block, <u8>content)
      seen |= content
    }
    store<u8>(left + row, <u8>leftFlag)
  }
  return seen
}
