// The coefficients' way into the second partition (RFC 6386 §13). Their probabilities have to fit the image and come
// before them, so blocks wait in a buffer of a limited size while their tokens are counted. When it is full the
// probabilities are chosen from what was seen, and from then on blocks are coded as they come.
import { allocate } from '../../../arena/memory'
import { CATEGORY_BASE, CATEGORY_PROBS, COEFF_BANDS, PROBS_PER_BAND, PROBS_PER_CONTEXT } from '../tables'
import { append, drainQueue, endOfQueue, makeRoom, setEndOfQueue, startPartition } from './bool-encoder'
import { CODED_PROBS, chooseProbabilities } from './probabilities'
import {
  AFTER_ZERO,
  END_OF_BLOCK,
  FIRST_CATEGORY,
  ROW_COUNT,
  ROW_LENGTH,
  ROWS_PER_BAND,
  ROWS_PER_TYPE,
  TOKEN_COUNTS,
  tokenOfLevel,
} from './tokens'

/** A buffered block: one byte (count * 12 + type * 3 + context), then its levels, a byte each or ESCAPE and two bytes. */
const ESCAPE: i32 = -128
const MAX_BLOCK_BYTES: usize = 1 + 16 * 3
/** Decisions of the longest block: 16 tokens of at most 11 nodes, 11 extra bits and a sign. */
const MAX_DECISIONS: i32 = 16 * 24

/**
 * The decisions, without the sign, of each level below `FIRST_UNTABLED` in each row of tokens.ts. A level has 8
 * bytes, of which `lengths` says how many count. It is in the second half of `lengths` if the row is that of after a
 * zero.
 */
const decisions: usize = memory.data(128 * 8 * 16, 16)
const FIRST_UNTABLED: i32 = 8
const lengths: usize = memory.data(2 * 8)

let bufferStart: usize = 0
let bufferEnd: usize = 0
let bufferBytes: usize = 0
let chosen = false

/** Prepares for an image, with a buffer of `bytes` bytes (a multiple of 16), and starts the partition of coefficients. */
export function startTokens(bytes: usize): void {
  bufferStart = allocate(bytes)
  bufferEnd = bufferStart
  bufferBytes = bytes
  chosen = false
  startPartition()
}

/** Whether the probabilities are settled: counting is over. */
export function probabilitiesChosen(): bool {
  return chosen
}

/** Returns the number of bytes right before `address` that belong to the buffer: all or none. */
export function bytesBefore(address: usize): usize {
  return bufferStart + bufferBytes == address ? bufferBytes : 0
}

/** Adds a block: its `count` first levels in zigzag order at `levels`, of `type`, with `context` coded neighbours. */
export function addBlock(levels: usize, count: i32, type: i32, context: i32): void {
  if (chosen) {
    putBlock(levels, count, type, context)
    return
  }
  if (bufferEnd + MAX_BLOCK_BYTES > bufferStart + bufferBytes) flushTokens()
  if (chosen) {
    putBlock(levels, count, type, context)
    return
  }
  let out = bufferEnd
  store<u8>(out++, <u8>(count * 12 + type * 3 + context))
  const counts = TOKEN_COUNTS + <usize>(type * ROWS_PER_TYPE * ROW_LENGTH * 4)
  const first = type == 0 ? 1 : 0
  let row = <i32>load<u8>(COEFF_BANDS + first) * ROWS_PER_BAND + context
  for (let n = first; n < count; n++) {
    const level = <i32>load<i16>(levels + 2 * n)
    const magnitude = abs(level)
    if (magnitude < 128) {
      store<i8>(out++, <i8>level)
    } else {
      store<i8>(out, <i8>ESCAPE)
      store<i16>(out + 1, <i16>level)
      out += 3
    }
    countToken(counts, row, tokenOfLevel(magnitude))
    const state = magnitude == 0 ? AFTER_ZERO : min(magnitude, 2)
    row = <i32>load<u8>(COEFF_BANDS + n + 1) * ROWS_PER_BAND + state
  }
  if (count < 16) countToken(counts, row, END_OF_BLOCK)
  bufferEnd = out
}

// @ts-ignore: decorator
@inline
function countToken(counts: usize, row: i32, token: i32): void {
  const at = counts + <usize>((row * ROW_LENGTH + token) * 4)
  store<u32>(at, load<u32>(at) + 1)
}

/** Chooses the probabilities, if that is still to be done, and codes what is buffered. */
export function flushTokens(): void {
  if (!chosen) {
    chooseProbabilities()
    tableDecisions()
    chosen = true
  }
  const levels = unpacked
  let at = bufferStart
  while (at < bufferEnd) {
    const head = <i32>load<u8>(at++)
    const count = head / 12
    const type = (head % 12) / 3
    for (let n = type == 0 ? 1 : 0; n < count; n++) {
      let level = <i32>load<i8>(at++)
      if (level == ESCAPE) {
        level = <i32>load<i16>(at)
        at += 2
      }
      store<i16>(levels + 2 * n, <i16>level)
    }
    putBlock(levels, count, type, head % 3)
  }
  bufferEnd = bufferStart
  drainQueue()
}

const unpacked: usize = memory.data(32, 16)

/** Fills `decisions` and `lengths` with `CODED_PROBS`. */
function tableDecisions(): void {
  for (let row = 0; row < ROW_COUNT; row++) {
    const ofRow = row % ROWS_PER_BAND == AFTER_ZERO ? lengths + FIRST_UNTABLED : lengths
    for (let magnitude = 0; magnitude < FIRST_UNTABLED; magnitude++) {
      const start = decisions + <usize>(row * FIRST_UNTABLED + magnitude) * 16
      store<u8>(ofRow + magnitude, <u8>(appendToken(start, row, magnitude) - start))
    }
  }
}

/** Codes a block (§13.2). */
function putBlock(levels: usize, count: i32, type: i32, context: i32): void {
  makeRoom(MAX_DECISIONS)
  let end = endOfQueue()
  const first = type == 0 ? 1 : 0
  let row = rowAt(type, first) + context
  let lengthsHere = lengths
  for (let n = first; n < count; n++) {
    const level = <i32>load<i16>(levels + 2 * n)
    const magnitude = abs(level)
    if (magnitude < FIRST_UNTABLED) {
      v128.store(end, v128.load(decisions + <usize>(row * FIRST_UNTABLED + magnitude) * 16))
      end += load<u8>(lengthsHere + magnitude)
    } else {
      end = appendToken(end, row, magnitude)
    }
    const afterSign = append(end, 128, <u32>level >> 31)
    end = select(end, afterSign, magnitude == 0)
    lengthsHere = select<usize>(lengths + FIRST_UNTABLED, lengths, magnitude == 0)
    row = rowAt(type, n + 1) + select(AFTER_ZERO, min(magnitude, 2), magnitude == 0)
  }
  if (count < 16) end = append(end, load<u8>(decisions + <usize>(row * FIRST_UNTABLED * 16)), 0)
  setEndOfQueue(end)
}

/** The first row of a type for the coefficient at a position. */
// @ts-ignore: decorator
@inline
function rowAt(type: i32, position: i32): i32 {
  return type * ROWS_PER_TYPE + <i32>load<u8>(COEFF_BANDS + position) * ROWS_PER_BAND
}

/** The probabilities of a row: after a zero they are those of its context. */
// @ts-ignore: decorator
@inline
function rowProbs(row: i32): usize {
  const context = row % ROWS_PER_BAND
  const own = context == AFTER_ZERO ? 0 : context
  return CODED_PROBS + <usize>((row / ROWS_PER_BAND) * PROBS_PER_BAND + own * PROBS_PER_CONTEXT)
}

/** The decisions of a level without its sign, by walking `coeff_tree`, written out. */
function appendToken(end: usize, row: i32, magnitude: i32): usize {
  const probs = rowProbs(row)
  // After a zero no end of block can come.
  if (row % ROWS_PER_BAND != AFTER_ZERO) end = append(end, load<u8>(probs), 1)
  end = append(end, load<u8>(probs, 1), magnitude == 0 ? 0 : 1)
  if (magnitude == 0) return end
  end = append(end, load<u8>(probs, 2), magnitude == 1 ? 0 : 1)
  if (magnitude == 1) return end
  return magnitude <= 4 ? appendSmall(end, probs, magnitude) : appendCategory(end, probs, magnitude)
}

/** The decisions that tell 2, 3 and 4 apart. */
// @ts-ignore: decorator
@inline
function appendSmall(end: usize, probs: usize, magnitude: i32): usize {
  end = append(end, load<u8>(probs, 3), 0)
  end = append(end, load<u8>(probs, 4), magnitude > 2 ? 1 : 0)
  return magnitude > 2 ? append(end, load<u8>(probs, 5), magnitude - 3) : end
}

/** The decisions of a larger level after "more than 1": its category and its extra bits. */
function appendCategory(end: usize, probs: usize, magnitude: i32): usize {
  const category = tokenOfLevel(magnitude) - FIRST_CATEGORY
  end = append(end, load<u8>(probs, 3), 1)
  end = append(end, load<u8>(probs, 6), category >= 2 ? 1 : 0)
  if (category < 2) {
    end = append(end, load<u8>(probs, 7), category)
  } else {
    end = append(end, load<u8>(probs, 8), category >= 4 ? 1 : 0)
    end = append(end, load<u8>(probs + (category >= 4 ? 10 : 9)), category & 1)
  }
  const extra = magnitude - <i32>load<u8>(CATEGORY_BASE + category)
  const extraProbs = CATEGORY_PROBS + 12 * category
  let bits = category == 5 ? 11 : category + 1
  for (let i = 0; bits > 0; i++) end = append(end, load<u8>(extraProbs + i), (extra >> --bits) & 1)
  return end
}
