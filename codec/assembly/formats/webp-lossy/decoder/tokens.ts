// The tokens of the blocks: RFC 6386 §13. The decoder spends its time here. The state of the boolean decoder is in
// local variables, so `readBool` is written out at the four booleans that nearly every token has. The fewer of them
// are alive at once, the fewer are spilled to memory, so factors are loaded again where they are needed again.
import { STRIDE } from '../predict-plane'
import { CATEGORY_BASE, CATEGORY_PROBS } from '../tables'
import { BlockContent, COEFFICIENTS } from './block-data'
import { BoolDecoder, nextWord, readBool, readTree } from './bool-decoder'
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
      const position = readBlock(d, first, coded + <i32>load<u8>(above + column), end, coefficients)
      coded = i32(position != first)
      store<u8>(above + column, <u8>coded)
      const content =
        position > positions + POSITION_BYTES
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

/** Reads the values of a block from `position` on, `end` being past its last one. Returns where it ended. */
function readBlock(d: BoolDecoder, position: usize, context: i32, end: usize, coefficients: usize): usize {
  let window = d.window
  let bits = d.bits
  // Between the booleans of a token the range is `range << shift`: a product with it is sooner there if it is shifted itself.
  let range = d.range
  let shift: u32 = 0
  let part: u32
  let split: u32
  let p = position + context * CONTEXT_BYTES
  while (position != end) {
    // A token of value 0 or 1 takes at most three booleans of 7 bits and a sign of 1: 22 and the 8 looked ahead.
    if (bits <= 32) {
      window |= (<u64>nextWord(d.next, d.end)) << (32 - bits)
      d.next += 4
      bits += 32
    }
    // The end of the block?
    part = range * load<u32>(p) + load<u32>(p, 4)
    split = part >> 24
    if (<u32>(window >> 56) < split) {
      shift = clz<u32>(part)
      range = split << shift
      window <<= <u64>shift
      bits -= shift
      break
    }
    window -= (<u64>split) << 56
    part = range * load<u32>(p, 4) + (load<u32>(p) - 0x10000)
    range = part >> 24
    shift = clz<u32>(part)
    window <<= <u64>shift
    bits -= shift

    // Zeros, after which the block cannot end.
    while (true) {
      part = ((range * load<u32>(p, 8)) << shift) + load<u32>(p, 12)
      split = part >> 24
      if (<u32>(window >> 56) >= split) break
      range = split
      shift = clz<u32>(part)
      window <<= <u64>shift
      bits -= shift
      position += POSITION_BYTES
      p = position
      if (bits <= 32) {
        window |= (<u64>nextWord(d.next, d.end)) << (32 - bits)
        d.next += 4
        bits += 32
      }
    }
    if (position == end) {
      range <<= shift
      break
    }
    window -= (<u64>split) << 56
    part = ((range * load<u32>(p, 12)) << shift) + (load<u32>(p, 8) - 0x10000)
    range = part >> 24
    shift = clz<u32>(part)
    window <<= <u64>shift
    bits -= shift

    const coefficient = coefficients + <usize>load<u8>(position, COEFFICIENT_OFFSET)
    position += POSITION_BYTES
    let value: i32 = 1
    part = ((range * load<u32>(p, 16)) << shift) + load<u32>(p, 20)
    split = part >> 24
    if (<u32>(window >> 56) < split) {
      range = split
      shift = clz<u32>(part)
      window <<= <u64>shift
      bits -= shift
      p = position + CONTEXT_BYTES
    } else {
      window -= (<u64>split) << 56
      part = ((range * load<u32>(p, 20)) << shift) + (load<u32>(p, 16) - 0x10000)
      shift = clz<u32>(part)
      d.range = (part >> 24) << shift
      d.window = window << (<u64>shift)
      d.bits = bits - shift
      value = readLargeValue(d, p)
      range = d.range
      shift = 0
      window = d.window
      bits = d.bits
      p = position + 2 * CONTEXT_BYTES
    }

    // The sign, of probability 128: the split is half the range, rounded up. The range is 255 only at the start of a partition,
    // so either half is shifted by 1.
    range <<= shift
    const negative = (<u32>(window >> 56)) << 1 >= range
    const upper = range & 0xfe
    const lower = (range + 1) & 0xfe
    window = (negative ? window - ((<u64>lower) << 55) : window) << 1
    range = negative ? upper : lower
    bits--
    store<i16>(coefficient, <i16>(negative ? -value : value))
  }

  d.window = window
  d.range = range
  d.bits = bits
  return position
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

/** The tree of §13.2 from node 3 on. Its leaves are DCT_2 to DCT_4, then 5 for dct_cat1 to 10 for dct_cat6. */
const LARGE_VALUE_TREE: usize = memory.data<i8>([2, 6, -2, 4, -3, -4, 8, 10, -5, -6, 12, 14, -7, -8, -9, -10])

/** The absolute value of a token that is more than 1. */
function readLargeValue(d: BoolDecoder, context: usize): i32 {
  const leaf = readTree(d, LARGE_VALUE_TREE, context + NODE_3)
  return leaf < 5 ? leaf : readCategory(d, leaf - 5)
}

/** A token with extra bits, the highest first: dct_cat1 is `category` 0. */
function readCategory(d: BoolDecoder, category: i32): i32 {
  let probs = CATEGORY_PROBS + 12 * category
  let extra: u32 = 0
  for (let p: u32 = load<u8>(probs); p != 0; p = load<u8>(++probs)) extra = (extra << 1) | readBool(d, p)
  return <i32>load<u8>(CATEGORY_BASE + category) + <i32>extra
}
