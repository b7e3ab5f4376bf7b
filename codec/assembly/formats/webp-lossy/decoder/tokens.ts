// The tokens of the blocks: RFC 6386 §13. The decoder spends its time here. The state of the boolean decoder is in
// local variables, so `readBool` is written out at the booleans of values up to 4, which nearly all are. The fewer of
// them are alive at once, the fewer are spilled to memory, so factors are loaded again where they are needed again.
import { STRIDE } from '../predict-plane'
import { CATEGORY_BASE, CATEGORY_PROBS } from '../tables'
import { BlockContent, COEFFICIENTS } from './block-data'
import { BoolDecoder, isBelow, ONE, partAbove, partBelow, readBool, readTree, refilled } from './bool-decoder'
import { addResidual, reconstructSubblock } from './macroblock'
import { B_MODES } from './modes'
import {
  COEFFICIENT_OFFSET,
  CONTEXT_BYTES,
  NODE_3,
  POSITION_BYTES,
  POSITIONS,
  TOKEN_PROBS,
  TYPE_BYTES,
} from './token-probs'

/** The first node of §13.2 that only tokens with extra bits reach. */
const NODE_6: i32 = NODE_3 + 3

/** Marks a context, whose address is a multiple of 32. */
const IS_LARGE: usize = 1

/** Block types: the first index of the token probabilities. */
const Y_AFTER_Y2 = 0
const Y2 = 1
const CHROMA = 2
const Y_WITH_DC = 3

/** The bytes of the probabilities of a block. */
const BLOCK_BYTES: usize = POSITIONS * POSITION_BYTES

/** Blocks of a type in a square: how many there are across, and the number of the first. */
@unmanaged
class BlockGroup {
  type: i32
  side: i32
  block: i32
}

export const Y_AFTER_Y2_BLOCKS: BlockGroup = changetype<BlockGroup>(memory.data<i32>([Y_AFTER_Y2, 4, 0]))
export const Y_WITH_DC_BLOCKS: BlockGroup = changetype<BlockGroup>(memory.data<i32>([Y_WITH_DC, 4, 0]))
export const U_BLOCKS: BlockGroup = changetype<BlockGroup>(memory.data<i32>([CHROMA, 2, 16]))
export const V_BLOCKS: BlockGroup = changetype<BlockGroup>(memory.data<i32>([CHROMA, 2, 20]))
export const Y2_BLOCK: BlockGroup = changetype<BlockGroup>(memory.data<i32>([Y2, 1, 24]))

/**
 * Reads a group of blocks, and adds the residual of each to the pixels at `pixels`, which are predicted before or, of subblocks
 * with a mode each, now. `above` and `left` hold the "coded" flags round the group, and then its own (§13.3). DCs that are there
 * already have a step of 1. Returns the contents or-ed together. Reading a block and adding one are chains of steps that wait for
 * each other: a processor overlaps the two if they take turns.
 */
export function readBlocks(
  d: BoolDecoder,
  above: usize,
  left: usize,
  group: BlockGroup,
  pixels: usize,
  dcStep: i32,
  acStep: i32,
): i32 {
  const type = group.type
  const side = group.side
  const positions = TOKEN_PROBS + type * TYPE_BYTES
  const first = type == Y_AFTER_Y2 ? positions + POSITION_BYTES : positions
  const end = positions + BLOCK_BYTES
  let coefficients = COEFFICIENTS + (group.block << 5)
  let mode = B_MODES
  let seen = 0
  for (let row = 0; row < side; row++) {
    let coded = <i32>load<u8>(left + row)
    let at = pixels + row * 4 * STRIDE
    for (let column = 0; column < side; column++) {
      let p = readBlock(d, first + (coded + <i32>load<u8>(above + column)) * CONTEXT_BYTES, end, coefficients)
      while ((p & IS_LARGE) != 0) p = readBlock(d, readLargeValue(d, p - IS_LARGE, coefficients), end, coefficients)
      coded = i32(p >= first + POSITION_BYTES)
      store<u8>(above + column, <u8>coded)
      const content =
        p >= positions + 2 * POSITION_BYTES
          ? multiplyAll(coefficients, dcStep, acStep)
          : multiplyDc(coefficients, dcStep)
      if (type == Y_WITH_DC) reconstructSubblock(at, load<u8>(mode), content, coefficients)
      else if (type != Y2) addResidual(at, content, coefficients)
      seen |= content
      coefficients += 32
      mode++
      at += 4
    }
    store<u8>(left + row, <u8>coded)
  }
  return seen
}

/**
 * Reads the values of a block from the context at `p` on, `end` being past its last position. Returns the context where it ended,
 * or `IS_LARGE` more than the context of a value of 5 and more. Such a value is left to `readLargeValue`, since a call here would
 * spill the state to memory.
 */
function readBlock(d: BoolDecoder, p: usize, end: usize, coefficients: usize): usize {
  let window = d.window
  // Between the booleans of a token the range is `range << shift`.
  let range = d.range
  let shift: u32 = 0
  let part: u32
  let split: u32
  while (p < end) {
    // A token of value 0 or 1 takes at most three booleans of 7 bits and a sign of 1: 22 and the 8 looked ahead.
    if (<u32>window == 0) window = refilled(d, window)
    // The end of the block?
    part = partBelow(range, 0, load<u32>(p), load<u32>(p, 4))
    split = part >> 24
    if (isBelow(window, split)) {
      range = split
      window <<= <u64>(shift = clz<u32>(part))
      break
    }
    part = partAbove(range, 0, load<u32>(p), load<u32>(p, 4))
    range = part >> 24
    window = (window - ((<u64>split) << 56)) << (<u64>(shift = clz<u32>(part)))

    // Zeros, after which the block cannot end.
    while (true) {
      part = partBelow(range, shift, load<u32>(p, 8), load<u32>(p, 12))
      split = part >> 24
      if (!isBelow(window, split)) break
      range = split
      window <<= <u64>(shift = clz<u32>(part))
      p = positionAfter(p)
      if (<u32>window == 0) window = refilled(d, window)
    }
    if (p == end) break
    part = partAbove(range, shift, load<u32>(p, 8), load<u32>(p, 12))
    range = part >> 24
    window = (window - ((<u64>split) << 56)) << (<u64>(shift = clz<u32>(part)))

    const coefficient = coefficients + <usize>load<u8>(positionOf(p), COEFFICIENT_OFFSET)
    let value: i32 = 1
    let next = positionAfter(p) + CONTEXT_BYTES
    part = partBelow(range, shift, load<u32>(p, 16), load<u32>(p, 20))
    split = part >> 24
    if (!isBelow(window, split)) {
      part = partAbove(range, shift, load<u32>(p, 16), load<u32>(p, 20))
      range = part >> 24
      window = (window - ((<u64>split) << 56)) << (<u64>(shift = clz<u32>(part)))
      // Three booleans more, and the sign.
      if (<u32>window == 0) window = refilled(d, window)
      let factor = (<u32>load<u8>(p, NODE_3)) << 16
      part = partBelow(range, shift, factor, ONE - factor)
      split = part >> 24
      if (!isBelow(window, split)) {
        part = partAbove(range, shift, factor, ONE - factor)
        shift = clz<u32>(part)
        d.window = (window - ((<u64>split) << 56)) << (<u64>shift)
        d.range = (part >> 24) << shift
        return p + IS_LARGE
      }
      // Node 4 is whether the value is 2, node 5 whether it is 3.
      for (value = 2; value < 4; value++) {
        range = split
        window <<= <u64>(shift = clz<u32>(part))
        factor = (<u32>load<u8>(p + value, NODE_3 - 1)) << 16
        part = partBelow(range, shift, factor, ONE - factor)
        split = part >> 24
        if (isBelow(window, split)) break
        window -= (<u64>split) << 56
        part = partAbove(range, shift, factor, ONE - factor)
        split = part >> 24
      }
      next += CONTEXT_BYTES
    }
    p = next

    // The sign, of probability 128: the split is half the range, rounded up. The range is 255 only at the start of a partition,
    // so either half is shifted by 1.
    window <<= <u64>(shift = clz<u32>(part))
    range = split << shift
    const negative = (<u32>(window >> 56)) << 1 >= range
    const upper = range & 0xfe
    const lower = (range + 1) & 0xfe
    window = (negative ? window - ((<u64>lower) << 55) : window) << 1
    range = negative ? upper : lower
    shift = 0
    store<i16>(coefficient, <i16>(negative ? -value : value))
  }

  d.window = window
  d.range = range << shift
  return p
}

/** The address of the position that a context is of. */
// @ts-ignore: decorator
@inline
function positionOf(context: usize): usize {
  return context & -POSITION_BYTES
}

/** The address of the position after that. */
// @ts-ignore: decorator
@inline
function positionAfter(context: usize): usize {
  return (context | (POSITION_BYTES - 1)) + 1
}

/** Multiplies all values of a block by their steps, to 16 bits (§14.1). */
function multiplyAll(coefficients: usize, dcStep: i32, acStep: i32): BlockContent {
  const steps = i16x8.splat(<i16>acStep)
  v128.store(coefficients, i16x8.mul(v128.load(coefficients), i16x8.replace_lane(steps, 0, <i16>dcStep)))
  v128.store(coefficients, i16x8.mul(v128.load(coefficients, 16), steps), 16)
  return BlockContent.All
}

/** Multiplies the DC of a block that has no more. */
function multiplyDc(coefficients: usize, dcStep: i32): BlockContent {
  const dc = <i16>(<i32>load<i16>(coefficients) * dcStep)
  store<i16>(coefficients, dc)
  return dc != 0 ? BlockContent.Dc : BlockContent.Nothing
}

/** The tree of §13.2 from node 6 on. Its leaves are dct_cat1 to dct_cat6, from 0 on. */
const CATEGORY_TREE: usize = memory.data<i8>([2, 4, 0, -1, 6, 8, -2, -3, -4, -5])

/** Reads the rest of a token of 5 and more, whose context is at `p`, and its sign. Returns the context of the next token. */
function readLargeValue(d: BoolDecoder, p: usize, coefficients: usize): usize {
  const value = readCategory(d, readTree(d, CATEGORY_TREE, p + NODE_6))
  const negative = <bool>readBool(d, 128)
  store<i16>(coefficients + <usize>load<u8>(positionOf(p), COEFFICIENT_OFFSET), <i16>(negative ? -value : value))
  return positionAfter(p) + 2 * CONTEXT_BYTES
}

/** A token with extra bits, the highest first: dct_cat1 is `category` 0. */
function readCategory(d: BoolDecoder, category: i32): i32 {
  let probs = CATEGORY_PROBS + 12 * category
  let extra: u32 = 0
  for (let p: u32 = load<u8>(probs); p != 0; p = load<u8>(++probs)) extra = (extra << 1) | readBool(d, p)
  return <i32>load<u8>(CATEGORY_BASE + category) + <i32>extra
}
