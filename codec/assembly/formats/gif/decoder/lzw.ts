// The variable-length LZW of GIF89a appendix F, as a stream of colour indices that can be read in any portions and copied
// in the middle.

const MAX_BITS: i32 = 12
const MAX_CODES: i32 = 1 << MAX_BITS

/** Where a decoder stands in its data and in the code table; `tables` follow. */
@unmanaged
export class LzwDecoder {
  /** The next byte, the end of the file, and the bytes left in the sub-block. */
  next: usize
  end: usize
  blockBytes: i32
  /** Bits read but not used, the first lowest, and their number. */
  bits: u32
  bitCount: i32
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

// What follows the decoder: the string of a code is that of its prefix and a last index.
const PREFIXES: usize = 64
const LASTS: usize = PREFIXES + 2 * MAX_CODES
const FIRSTS: usize = LASTS + MAX_CODES
const LENGTHS: usize = FIRSTS + MAX_CODES
const WAITING: usize = LENGTHS + 2 * MAX_CODES

/** Bytes of a decoder with its tables. */
export const LZW_BYTES: usize = WAITING + MAX_CODES

/** The largest minimum code size that leaves room for codes; indices beyond a byte, which no colour table has, are cut. */
export const MAX_MINIMUM_BITS: i32 = 11

/** Starts at the first sub-block, at `data`, with codes of at least `minimumBits` + 1 bits. */
export function startLzw(d: LzwDecoder, data: usize, end: usize, minimumBits: i32): void {
  d.next = data
  d.end = end
  d.blockBytes = 0
  d.bits = 0
  d.bitCount = 0
  d.minimumBits = minimumBits
  d.clear = 1 << minimumBits
  d.waitingAt = 0
  d.waiting = 0
  d.ended = false
  const at = changetype<usize>(d)
  for (let code = 0; code < d.clear; code++) {
    store<u8>(at + LASTS + code, <u8>code)
    store<u8>(at + FIRSTS + code, <u8>code)
    store<u16>(at + LENGTHS + (code << 1), 1)
  }
  clearTable(d)
}

/** Makes `to` stand where `from` stands. */
export function copyLzw(to: LzwDecoder, from: LzwDecoder): void {
  memory.copy(changetype<usize>(to), changetype<usize>(from), LZW_BYTES)
}

/** Writes up to `count` indices at `to` and gives how many; fewer only if no more come. */
export function readIndices(d: LzwDecoder, to: usize, count: i32): i32 {
  let done = takeWaiting(d, to, count)
  while (done < count && !d.ended) {
    const code = readCode(d)
    if (code == d.clear) {
      clearTable(d)
      continue
    }
    if (!isPossible(d, code)) {
      d.ended = true
      break
    }
    define(d, code)
    const length = <i32>load<u16>(changetype<usize>(d) + LENGTHS + (code << 1))
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
  return done
}

function takeWaiting(d: LzwDecoder, to: usize, count: i32): i32 {
  const taken = min(d.waiting, count)
  memory.copy(to, changetype<usize>(d) + WAITING + d.waitingAt, taken)
  d.waitingAt += taken
  d.waiting -= taken
  return taken
}

/** The next code, or -1 at the end of the data. */
function readCode(d: LzwDecoder): i32 {
  while (d.bitCount < d.codeBits) {
    if (d.blockBytes == 0) {
      d.blockBytes = d.next < d.end ? <i32>load<u8>(d.next++) : 0
      if (d.blockBytes == 0) {
        d.next = d.end
        return -1
      }
    }
    if (d.next >= d.end) return -1
    d.bits |= (<u32>load<u8>(d.next++)) << d.bitCount
    d.bitCount += 8
    d.blockBytes--
  }
  const code = d.bits & ((1 << d.codeBits) - 1)
  d.bits >>= d.codeBits
  d.bitCount -= d.codeBits
  return <i32>code
}

/** An index, a defined string, or the one that is defined by this very code. */
function isPossible(d: LzwDecoder, code: i32): bool {
  if (code < 0 || code == d.clear + 1) return false
  if (d.previous < 0) return code < d.clear
  return code < d.free || (code == d.free && d.free < MAX_CODES)
}

/** A new code: the string before and the first index of this one. A full table stays as it is until it is cleared. */
function define(d: LzwDecoder, code: i32): void {
  if (d.previous >= 0 && d.free < MAX_CODES) {
    const at = changetype<usize>(d)
    const free = <usize>d.free
    const previous = <usize>d.previous
    const first = load<u8>(at + FIRSTS + previous)
    store<u16>(at + PREFIXES + (free << 1), <u16>previous)
    store<u8>(at + LASTS + free, code == d.free ? first : load<u8>(at + FIRSTS + code))
    store<u8>(at + FIRSTS + free, first)
    store<u16>(at + LENGTHS + (free << 1), load<u16>(at + LENGTHS + (previous << 1)) + 1)
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

/** From the last index to the first. */
function writeString(d: LzwDecoder, code: i32, length: i32, to: usize): void {
  const at = changetype<usize>(d)
  let string = <usize>code
  for (let i = length - 1; i >= 0; i--) {
    store<u8>(to + i, load<u8>(at + LASTS + string))
    string = load<u16>(at + PREFIXES + (string << 1))
  }
}
