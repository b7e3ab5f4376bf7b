// The variable-length LZW of GIF89a appendix F, as a stream of colour indices that can be read in any portions and copied
// in the middle.

const MAX_BITS: i32 = 12
const MAX_CODES: i32 = 1 << MAX_BITS

/** State of a decoder: its positions in the data and in the code table. `tables` follow. */
@unmanaged
export class LzwDecoder {
  /** Bits read but not used, the first lowest, and their number. */
  hold: u64
  bits: u64
  /** The next byte, the end of the file, and the bytes left in the sub-block. */
  next: usize
  end: usize
  blockBytes: usize
  /** Bits of a code; the codes below `clear` are indices. */
  minimumBits: i32
  codeBits: i32
  clear: i32
  /** The first code that is not defined, and the code before, or -1 after a clear code. */
  free: i32
  previous: i32
  /** A string that went beyond the portion asked for: `waiting` bytes, the next of them at `waitingAt`. */
  waitingAt: i32
  waiting: i32
  /** No more indices come: end of information, end of data, or a code that cannot be. */
  ended: bool
}

// Tables of each code. Its tail is the last eight indices of its string, or as many as exceed a multiple of eight.
// The others are its length, its first index, and the code of the string without the tail.
const TAILS: usize = 64
const FACTS: usize = TAILS + 8 * MAX_CODES
const WAITING: usize = FACTS + 4 * MAX_CODES

/** Of the facts: in bits 0..7 the first index, in bits 8..19 the code before the tail, in bits 20.. the length. */
const CODE_SHIFT: u32 = 8
const LENGTH_SHIFT: u32 = 20
const CODE_MASK: u32 = 0xfff

/** Bytes that are written behind a string. */
const SLACK: usize = 8

/** Bytes of a decoder with its tables. */
export const LZW_BYTES: usize = WAITING + MAX_CODES + SLACK

/** The largest minimum code size that leaves room for codes; indices beyond a byte, which no colour table has, are cut. */
export const MAX_MINIMUM_BITS: i32 = 11

/** Starts at the first sub-block, at `data`, with codes of at least `minimumBits` + 1 bits. */
export function startLzw(d: LzwDecoder, data: usize, end: usize, minimumBits: i32): void {
  d.next = data
  d.end = end
  d.blockBytes = 0
  d.hold = 0
  d.bits = 0
  d.minimumBits = minimumBits
  d.clear = 1 << minimumBits
  d.waitingAt = 0
  d.waiting = 0
  d.ended = false
  for (let code: u32 = 0; code < <u32>d.clear; code++) {
    store<u64>(tailOf(d, code), code & 255)
    store<u32>(factsOf(d, code), (1 << LENGTH_SHIFT) | (code & 255))
  }
  clearTable(d)
}

/** Copies the state of `from` to `to`. */
export function copyLzw(to: LzwDecoder, from: LzwDecoder): void {
  memory.copy(changetype<usize>(to), changetype<usize>(from), LZW_BYTES)
}

/** Writes up to `count` indices at `to` and returns how many; fewer only if no more come. Eight bytes more may be written. */
export function readIndices(d: LzwDecoder, to: usize, count: i32): i32 {
  let done = takeWaiting(d, to, count)
  let hold = d.hold
  let bits = d.bits
  while (done < count && !d.ended) {
    if (bits < <u64>d.codeBits) {
      d.hold = hold
      d.bits = bits
      refill(d)
      hold = d.hold
      bits = d.bits
      if (bits < <u64>d.codeBits) {
        d.ended = true
        break
      }
    }
    const code = <i32>hold & ((1 << d.codeBits) - 1)
    hold >>= <u64>d.codeBits
    bits -= <u64>d.codeBits
    if (code == d.clear) {
      clearTable(d)
      continue
    }
    if (!isPossible(d, code)) {
      d.ended = true
      break
    }
    define(d, code)
    const length = <i32>(load<u32>(factsOf(d, code)) >> LENGTH_SHIFT)
    if (length <= count - done) {
      writeString(d, code, length, to + done)
      done += length
    } else {
      writeString(d, code, length, changetype<usize>(d) + WAITING)
      d.waitingAt = 0
      d.waiting = length
      done += takeWaiting(d, to + done, count - done)
    }
  }
  d.hold = hold
  d.bits = bits
  return done
}

// @ts-ignore: decorator
@inline
function tailOf(d: LzwDecoder, code: u32): usize {
  return changetype<usize>(d) + TAILS + ((<usize>code) << 3)
}

// @ts-ignore: decorator
@inline
function factsOf(d: LzwDecoder, code: u32): usize {
  return changetype<usize>(d) + FACTS + ((<usize>code) << 2)
}

function takeWaiting(d: LzwDecoder, to: usize, count: i32): i32 {
  const taken = min(d.waiting, count)
  memory.copy(to, changetype<usize>(d) + WAITING + d.waitingAt, taken)
  d.waitingAt += taken
  d.waiting -= taken
  return taken
}

/** Reads on, so that there are enough bits for a code, unless the data ends. */
function refill(d: LzwDecoder): void {
  if (d.blockBytes >= 8 && d.next + 8 <= d.end) {
    // Bits beyond those that count are of the byte that comes next, in the same sub-block.
    const bytes = (63 - d.bits) >> 3
    d.hold |= load<u64>(d.next) << d.bits
    d.bits += bytes << 3
    d.next += <usize>bytes
    d.blockBytes -= <usize>bytes
    return
  }
  while (d.bits < <u64>d.codeBits) {
    if (d.blockBytes == 0) {
      d.blockBytes = d.next < d.end ? <usize>load<u8>(d.next++) : 0
      if (d.blockBytes == 0) d.next = d.end
    }
    if (d.next >= d.end) return
    d.hold |= (<u64>load<u8>(d.next++)) << d.bits
    d.bits += 8
    d.blockBytes--
  }
}

/** An index, a defined string, or the one that is defined by this very code. */
// @ts-ignore: decorator
@inline
function isPossible(d: LzwDecoder, code: i32): bool {
  if (code == d.clear + 1) return false
  if (d.previous < 0) return code < d.clear
  return code < d.free || (code == d.free && d.free < MAX_CODES)
}

/** A new code: the string before and the first index of this one. A full table stays as it is until it is cleared. */
// @ts-ignore: decorator
@inline
function define(d: LzwDecoder, code: i32): void {
  if (d.previous >= 0 && d.free < MAX_CODES) {
    const before = load<u32>(factsOf(d, d.previous))
    const last = <u64>load<u8>(factsOf(d, code == d.free ? d.previous : code))
    const length = before >> LENGTH_SHIFT
    const facts = (before & 255) | ((length + 1) << LENGTH_SHIFT)
    const inTail = <u64>(length & 7)
    if (inTail == 0) {
      store<u64>(tailOf(d, d.free), last)
      store<u32>(factsOf(d, d.free), facts | ((<u32>d.previous) << CODE_SHIFT))
    } else {
      store<u64>(tailOf(d, d.free), load<u64>(tailOf(d, d.previous)) | (last << (inTail << 3)))
      store<u32>(factsOf(d, d.free), facts | (before & (CODE_MASK << CODE_SHIFT)))
    }
    d.free++
  }
  if (d.free >= 1 << d.codeBits && d.codeBits < MAX_BITS) d.codeBits++
  d.previous = code
}

function clearTable(d: LzwDecoder): void {
  d.codeBits = d.minimumBits + 1
  d.free = d.clear + 2
  d.previous = -1
}

/** From the tail to the front, eight indices at a time. */
// @ts-ignore: decorator
@inline
function writeString(d: LzwDecoder, code: u32, length: i32, to: usize): void {
  let at = to + ((length - 1) & ~7)
  store<u64>(at, load<u64>(tailOf(d, code)))
  while (at > to) {
    at -= 8
    code = (load<u32>(factsOf(d, code)) >> CODE_SHIFT) & CODE_MASK
    store<u64>(at, load<u64>(tailOf(d, code)))
  }
}
