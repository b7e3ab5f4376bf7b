// The boolean entropy encoder (RFC 6386 §7.3). Decisions are queued as (probability, bit) pairs and coded many at a
// time, so that the coder's state lives in registers. Its output is one growing run of bytes at the arena's end.
import { allocate } from '../../../arena/memory'

const QUEUE_LENGTH: i32 = 2048
/** A decision needs at most 7 bits, and the bits that wait in the coder fit 16 bytes. */
const DRAIN_BYTES: usize = <usize>QUEUE_LENGTH + 16
const GROWTH: usize = 1 << 17

/** The range after a decision, less 128, by the decision and the range before it, less 128. Computing it takes longer. */
const nextRanges: usize = memory.data(512 * 128, 64)
let tableReady = false

/** Fills the table of ranges, once an instance. */
function prepareRanges(): void {
  if (tableReady) return
  tableReady = true
  for (let decision: u32 = 0; decision < 512; decision++) {
    for (let before: u32 = 128; before < 256; before++) {
      const split = splitOf(before, decision & 255)
      const width = decision > 255 ? before - split : split
      store<u8>(nextRanges + (decision << 7) + before - 128, <u8>((width << (clz(width) - 24)) - 128))
    }
  }
}

/** Returns the part of a range for a decision for 0. */
// @ts-ignore: decorator
@inline
function splitOf(range: u32, probability: u32): u32 {
  return 1 + (((range - 1) * probability) >> 8)
}

const queue: usize = memory.data(2 * 2048, 16)
let queueEnd: usize = queue

let start: usize = 0
let position: usize = 0
let limit: usize = 0
let low: u64 = 0
let range: u32 = 255
let pendingBits: i32 = 0

/** Starts a partition in the arena. It is moved if other memory is allocated before it ends. */
export function startPartition(): void {
  prepareRanges()
  start = allocate(GROWTH)
  position = start
  limit = start + GROWTH
  low = 0
  range = 255
  pendingBits = 0
  queueEnd = queue
}

/** Codes `bit` (0 or 1), whose chance to be 0 is `probability` in 256ths. Call `makeRoom` before some hundred of these. */
// @ts-ignore: decorator
@inline
export function putBool(probability: u32, bit: u32): void {
  queueEnd = append(queueEnd, probability, bit)
}

/** The end of the queue, for loops that `append` to it and then pass the new end to `setEndOfQueue`. */
// @ts-ignore: decorator
@inline
export function endOfQueue(): usize {
  return queueEnd
}

/** Makes what was appended up to `end` part of the queue. */
// @ts-ignore: decorator
@inline
export function setEndOfQueue(end: usize): void {
  queueEnd = end
}

/** `putBool` at the given end of the queue; returns the new end. */
// @ts-ignore: decorator
@inline
export function append(end: usize, probability: u32, bit: u32): usize {
  store<u16>(end, <u16>(probability | (bit << 8)))
  return end + 2
}

/** Codes the low `bits` bits of a value, highest first, as L(n) of §19. */
export function putLiteral(value: u32, bits: i32): void {
  while (--bits >= 0) putBool(128, (value >> bits) & 1)
}

/** Codes the leaf `value` of a tree (§8.1) by walking down from index `from`. */
export function putTreeLeaf(tree: usize, probabilities: usize, value: i32, from: i32 = 0): void {
  putBranch(tree, probabilities, -value, from)
}

function putBranch(tree: usize, probabilities: usize, leaf: i32, from: i32): bool {
  for (let bit = 0; bit < 2; bit++) {
    const entry = <i32>load<i8>(tree + from + bit)
    const end = queueEnd
    putBool(load<u8>(probabilities + (from >> 1)), bit)
    if (entry <= 0 ? entry == leaf : putBranch(tree, probabilities, leaf, entry)) return true
    queueEnd = end
  }
  return false
}

/** Makes sure that `decisions` more fit the queue. */
// @ts-ignore: decorator
@inline
export function makeRoom(decisions: i32): void {
  if (queueEnd + <usize>(2 * decisions) > queue + 2 * QUEUE_LENGTH) drainQueue()
}

/** Codes everything queued. */
export function drainQueue(): void {
  ensureBytes(DRAIN_BYTES)
  const end = queueEnd
  let bottom = low
  let width = range
  let bits = pendingBits
  let out = position
  for (let at = queue; at < end; at += 2) {
    const decision = <u32>load<u16>(at)
    const split = splitOf(width, decision & 255)
    const one = decision > 255
    bottom += select<u32>(split, 0, one)
    const shift = clz(select<u32>(width - split, split, one)) - 24
    width = 128 + <u32>load<u8>(nextRanges + (decision << 7) + width - 128)
    bottom <<= shift
    bits += shift
    if (bits >= 32) {
      const word = bottom >> (bits - 24)
      if (word >> 32) carry(out)
      store<u32>(out, bswap(<u32>word))
      out += 4
      bits -= 32
      bottom &= ((<u64>1) << (bits + 8)) - 1
    }
  }
  low = bottom
  range = width
  pendingBits = bits
  position = out
  queueEnd = queue
}

/** Ends the partition. Its bytes are at `partitionStart()`, `partitionBytes()` of them. */
export function finishPartition(): void {
  drainQueue()
  // 8 + pendingBits bits of the low end remain to be written. One more zero byte is for readers that look ahead.
  const word = low << (56 - pendingBits)
  if (pendingBits < 56 && low >> (pendingBits + 8)) carry(position)
  const bytes = ((pendingBits + 15) >> 3) + 1
  for (let i = 0; i < bytes; i++) store<u8>(position + i, <u8>(word >> (56 - 8 * i)))
  position += bytes
}

/** Address of the partition's first byte. */
export function partitionStart(): usize {
  return start
}

/** Bytes written to the partition so far. */
export function partitionBytes(): usize {
  return position - start
}

/** Adds one to the big number that the bytes before `end` are. */
function carry(end: usize): void {
  let at = end - 1
  while (load<u8>(at) == 255) store<u8>(at--, 0)
  store<u8>(at, load<u8>(at) + 1)
}

function ensureBytes(bytes: usize): void {
  if (position + bytes <= limit) return
  const more = allocate(GROWTH)
  if (more == limit) {
    limit += GROWTH
    return
  }
  // Other memory was allocated in between: move to a run of twice the length.
  const length = position - start
  const room: usize = (length * 2 + GROWTH) & ~15
  const moved = allocate(room)
  memory.copy(moved, start, length)
  start = moved
  position = moved + length
  limit = moved + room
}
