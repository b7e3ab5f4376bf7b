// The tokens of the second partition (RFC 6386 §13). Their probabilities are in the first, and are chosen by the occurrences of
// tokens, so blocks wait in a buffer while tokens are counted. When it is full, the probabilities are chosen by the tokens so
// far, and later blocks are coded at once.
import { allocate } from '../../../arena/memory'
import { CATEGORY_BASE, CATEGORY_PROBS } from '../tables'
import { append, drainQueue, endOfQueue, makeRoom, setEndOfQueue, startPartition } from './bool-encoder'
import { CODED_PROBS, chooseProbabilities } from './token-probabilities'
import {
  AFTER_ZERO,
  END_OF_BLOCK,
  FIRST_CATEGORY,
  ROW_COUNT,
  ROW_LENGTH,
  ROWS_PER_BAND,
  rowAt,
  rowProbs,
  TOKEN_COUNTS,
  tokenOfLevel,
} from './tokens'

/** A buffered block: one byte (count * 12 + type * 3 + context), then its levels, a byte each or ESCAPE and two bytes. */
const ESCAPE: i32 = -128
const MAX_BLOCK_BYTES: usize = 1 + 16 * 3
/** Decisions of the longest block: 16 tokens of at most 11 nodes, 11 extra bits and a sign. */
const MAX_DECISIONS: i32 = 16 * 24

/** The number of levels in the tables: 0 to 7. */
const TABLE_LEVELS: i32 = 8
/** Decisions of each level in each row of tokens.ts, without the sign: 8 x u16. */
const decisions: usize = memory.data(128 * 8 * 16, 16)
/** Bytes of each level's decisions, u8: of all rows but those after a zero, then of those. */
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

/** Whether the probabilities are chosen, and tokens no longer counted. */
export function areProbabilitiesChosen(): bool {
  return chosen
}

/** Returns the number of bytes right before `address` that belong to the buffer: all or none. */
export function bytesBefore(address: usize): usize {
  return bufferStart + bufferBytes == address ? bufferBytes : 0
}

/** Adds a block: its `count` first levels in zigzag order at `levels`, of `type`, with `context` coded neighbours. */
export function addBlock(levels: usize, count: i32, type: i32, context: i32): void {
  if (bufferEnd + MAX_BLOCK_BYTES > bufferStart + bufferBytes) flushTokens()
  if (chosen) {
    putBlock(levels, count, type, context)
    return
  }
  let out = bufferEnd
  store<u8>(out++, <u8>(count * 12 + type * 3 + context))
  const first = type == 0 ? 1 : 0
  let row = rowAt(type, first) + context
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
    countToken(row, tokenOfLevel(magnitude))
    row = rowAt(type, n + 1) + (magnitude == 0 ? AFTER_ZERO : min(magnitude, 2))
  }
  if (count < 16) countToken(row, END_OF_BLOCK)
  bufferEnd = out
}

// @ts-ignore: decorator
@inline
function countToken(row: i32, token: i32): void {
  const at = TOKEN_COUNTS + <usize>((row * ROW_LENGTH + token) * 4)
  store<u32>(at, load<u32>(at) + 1)
}

/** Chooses the probabilities unless they are chosen, and codes what is buffered. */
export function flushTokens(): void {
  if (!chosen) {
    chooseProbabilities()
    fillDecisions()
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
function fillDecisions(): void {
  for (let row = 0; row < ROW_COUNT; row++) {
    const ofRow = row % ROWS_PER_BAND == AFTER_ZERO ? lengths + TABLE_LEVELS : lengths
    for (let magnitude = 0; magnitude < TABLE_LEVELS; magnitude++) {
      const start = decisions + <usize>(row * TABLE_LEVELS + magnitude) * 16
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
    if (magnitude < TABLE_LEVELS) {
      v128.store(end, v128.load(decisions + <usize>(row * TABLE_LEVELS + magnitude) * 16))
      end += load<u8>(lengthsHere + magnitude)
    } else {
      end = appendToken(end, row, magnitude)
    }
    const afterSign = append(end, 128, <u32>level >> 31)
    end = select(end, afterSign, magnitude == 0)
    lengthsHere = select<usize>(lengths + TABLE_LEVELS, lengths, magnitude == 0)
    row = rowAt(type, n + 1) + select(AFTER_ZERO, min(magnitude, 2), magnitude == 0)
  }
  if (count < 16) end = append(end, load<u8>(decisions + <usize>(row * TABLE_LEVELS * 16)), 0)
  setEndOfQueue(end)
}

/** Appends the decisions of a level without its sign: the way down `coeff_tree` (§13.2). */
function appendToken(end: usize, row: i32, magnitude: i32): usize {
  const probs = rowProbs(CODED_PROBS, row)
  // After a zero no end of block can come.
  if (row % ROWS_PER_BAND != AFTER_ZERO) end = append(end, load<u8>(probs), 1)
  end = append(end, load<u8>(probs, 1), magnitude == 0 ? 0 : 1)
  if (magnitude == 0) return end
  end = append(end, load<u8>(probs, 2), magnitude == 1 ? 0 : 1)
  if (magnitude == 1) return end
  return magnitude <= 4 ? appendSmall(end, probs, magnitude) : appendCategory(end, probs, magnitude)
}

/** Appends the decisions of 2, 3 and 4 after "more than 1". */
// @ts-ignore: decorator
@inline
function appendSmall(end: usize, probs: usize, magnitude: i32): usize {
  end = append(end, load<u8>(probs, 3), 0)
  end = append(end, load<u8>(probs, 4), magnitude > 2 ? 1 : 0)
  return magnitude > 2 ? append(end, load<u8>(probs, 5), magnitude - 3) : end
}

/** Appends the decisions of larger levels after "more than 1": the category and the extra bits. */
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
