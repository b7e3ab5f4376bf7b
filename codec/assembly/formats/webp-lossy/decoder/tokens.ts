// The tokens of one block: RFC 6386 §13. This is where the decoder spends its time: the state of the boolean decoder
// lives in local variables, so the steps of `readBool` are written out at the four booleans that nearly every token has.
import { CATEGORY_BASE, CATEGORY_PROBS, ZIGZAG } from '../tables'
import { BoolDecoder, nextWord, readBool, restOf, splitOf } from './bool-decoder'
import { PROBS_PER_POSITION } from './token-probs'

const PROBS_PER_CONTEXT: i32 = 11

/**
 * Reads a block from coefficient `first` on and stores value times step at `coefficients`, i16[16] in raster order, all
 * zero before. `probs` are those of the block type, `context` is 0 to 2. Gives the position after the last token,
 * or 0 if the block is empty.
 */
export function readBlock(
  d: BoolDecoder,
  probs: usize,
  context: i32,
  first: i32,
  dcStep: i32,
  acStep: i32,
  coefficients: usize,
): i32 {
  let window = d.window
  let range = d.range
  let bits = d.bits
  let next = d.next
  const end = d.end
  let probability: u32
  let split: u32
  let rest: u32
  let bigSplit: u64
  let shift: u32

  let n = first
  let step = first == 0 ? dcStep : acStep
  let position = probs + n * PROBS_PER_POSITION
  let p = position + context * PROBS_PER_CONTEXT
  let endOfBlockPossible = true

  while (n < 16) {
    // A token of value 0 or 1 takes at most three booleans of 7 bits and a sign of 1: 22 and the 8 looked ahead.
    if (bits <= 32) {
      window |= (<u64>nextWord(next, end)) << (32 - bits)
      next += 4
      bits += 32
    }
    if (endOfBlockPossible) {
      probability = load<u8>(p)
      split = splitOf(range, probability)
      bigSplit = (<u64>(split & 0xff000000)) << 32
      if (<u32>(window >> 56) < split >> 24) {
        shift = clz<u32>(split)
        range = (split >> 24) << shift
        window <<= shift
        bits -= shift
        break
      }
      rest = restOf(range, probability)
      window -= bigSplit
      shift = clz<u32>(rest)
      range = (rest >> 24) << shift
      window <<= shift
      bits -= shift
    }

    probability = load<u8>(p, 1)
    split = splitOf(range, probability)
    bigSplit = (<u64>(split & 0xff000000)) << 32
    if (<u32>(window >> 56) < split >> 24) {
      shift = clz<u32>(split)
      range = (split >> 24) << shift
      window <<= shift
      bits -= shift
      n++
      step = acStep
      position += PROBS_PER_POSITION
      p = position
      endOfBlockPossible = false
      continue
    }
    rest = restOf(range, probability)
    window -= bigSplit
    shift = clz<u32>(rest)
    range = (rest >> 24) << shift
    window <<= shift
    bits -= shift

    position += PROBS_PER_POSITION
    let value: i32 = 1
    probability = load<u8>(p, 2)
    split = splitOf(range, probability)
    bigSplit = (<u64>(split & 0xff000000)) << 32
    if (<u32>(window >> 56) < split >> 24) {
      shift = clz<u32>(split)
      range = (split >> 24) << shift
      window <<= shift
      bits -= shift
      p = position + PROBS_PER_CONTEXT
    } else {
      rest = restOf(range, probability)
      window -= bigSplit
      shift = clz<u32>(rest)
      d.range = (rest >> 24) << shift
      d.window = window << shift
      d.bits = bits - shift
      d.next = next
      value = readLargeValue(d, p)
      range = d.range
      window = d.window
      bits = d.bits
      next = d.next
      p = position + 2 * PROBS_PER_CONTEXT
    }

    // The sign, of probability 128: what the range has above the split is always shifted by 1.
    split = (range + 1) >> 1
    bigSplit = (<u64>split) << 56
    shift = clz<u32>(split) - 24
    const negative = window >= bigSplit
    window = negative ? (window - bigSplit) << 1 : window << shift
    range = negative ? range & 0xfe : split << shift
    bits -= negative ? 1 : shift

    const product = value * step
    store<i16>(coefficients + ((<usize>load<u8>(ZIGZAG + n)) << 1), <i16>(negative ? -product : product))
    n++
    step = acStep
    endOfBlockPossible = true
  }

  d.window = window
  d.range = range
  d.bits = bits
  d.next = next
  return endOfBlockPossible && n == first ? 0 : n
}

/** The absolute value of a token that is more than 1: the tree of §13.2 from DCT_2 on. */
function readLargeValue(d: BoolDecoder, p: usize): i32 {
  if (!readBool(d, load<u8>(p, 3))) {
    if (!readBool(d, load<u8>(p, 4))) return 2
    return 3 + readBool(d, load<u8>(p, 5))
  }
  if (!readBool(d, load<u8>(p, 6))) return readCategory(d, <i32>readBool(d, load<u8>(p, 7)))
  const high = <i32>readBool(d, load<u8>(p, 8))
  return readCategory(d, 2 + 2 * high + <i32>readBool(d, load<u8>(p + 9 + high)))
}

/** A token with extra bits, the highest first: dct_cat1 is `category` 0. */
function readCategory(d: BoolDecoder, category: i32): i32 {
  let probs = CATEGORY_PROBS + 12 * category
  let extra: u32 = 0
  for (let p: u32 = load<u8>(probs); p != 0; p = load<u8>(++probs)) extra = (extra << 1) | readBool(d, p)
  return <i32>load<u8>(CATEGORY_BASE + category) + <i32>extra
}
