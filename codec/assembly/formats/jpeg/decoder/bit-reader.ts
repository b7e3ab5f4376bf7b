// The bits of an entropy-coded segment (T.81 F.2.2.5): from the top of a 64-bit window, stuffed zeros removed. At a
// marker, or the end of the file, zero bits follow without end; `ranOut` tells when any of them was taken.

import { findMarker } from '../markers'

/** The position in the segment. */
@unmanaged
class BitReader {
  /** The next bits, the first one topmost; below the `bitsLeft` ones lie zeros, or bits of the byte that comes next. */
  window: u64
  /** The number of bits in the window. */
  bitsLeft: i32
  /** The address of the byte that comes next. */
  at: usize
  end: usize
  /** Zero bits put into the window because there was no more data. */
  paddingBits: i32
}

export const reader: BitReader = changetype<BitReader>(memory.data(offsetof<BitReader>(), 8))

/** Begins to read at `from`; the data ends at `to` at the latest. */
export function beginBits(from: usize, to: usize): void {
  reader.at = from
  reader.end = to
  reader.window = 0
  reader.bitsLeft = 0
  reader.paddingBits = 0
}

/** Whether bits were taken that the segment does not have. */
export function ranOut(): bool {
  return reader.paddingBits > reader.bitsLeft
}

/** Ends the segment's data: all further bits run out. */
export function endBits(): void {
  reader.paddingBits = i32.MAX_VALUE
}

/** The address of the next marker, whatever data lies before it. */
export function nextMarker(): usize {
  return findMarker(reader.at, reader.end)
}

/** Where the data may end at the latest. */
export function endOfData(): usize {
  return reader.end
}

/** Puts back a window that was worked on in local variables. */
export function setWindow(bits: u64, count: i32): void {
  reader.window = bits
  reader.bitsLeft = count
}

/** Stores the state after a loop that had it in local variables. */
export function setState(bits: u64, count: i32, next: usize): void {
  reader.window = bits
  reader.bitsLeft = count
  reader.at = next
}

/**
 * The eight bytes at `next`, the first one topmost. Returns 0 unless all eight are entropy-coded data without stuffing;
 * `fillByBytes` reads the others.
 */
// @ts-ignore: decorator
@inline
function plainBytes(next: usize): u64 {
  if (next + 8 > reader.end) return 0
  const bytes = v128.load64_zero(next)
  if (v128.any_true(i8x16.eq(bytes, i8x16.splat(-1)))) return 0
  return <u64>i64x2.extract_lane(i8x16.shuffle(bytes, bytes, 7, 6, 5, 4, 3, 2, 1, 0, 7, 6, 5, 4, 3, 2, 1, 0), 0)
}

/**
 * The window of a caller that keeps it in local variables, filled to more than 55 bits; their number is then `bitsLeft`, and
 * `at` where the next byte is.
 */
// @ts-ignore: decorator
@inline
export function refilled(bits: u64, count: i32, next: usize): u64 {
  const bytes = plainBytes(next)
  if (bytes == 0) return fillFrom(bits, count, next)
  reader.bitsLeft = count | 56
  reader.at = next + ((63 - count) >> 3)
  return bits | (bytes >> <u64>count)
}

/** Puts back a window as `setState`, and fills it byte by byte. */
function fillFrom(bits: u64, count: i32, next: usize): u64 {
  setState(bits, count, next)
  fillByBytes()
  return reader.window
}

/** Fills the window to at least 32 bits: a Huffman code and the bits that follow it. */
export function fill(): void {
  const bytes = plainBytes(reader.at)
  if (bytes == 0) return fillByBytes()
  reader.window |= bytes >> <u64>reader.bitsLeft
  reader.at += (63 - reader.bitsLeft) >> 3
  reader.bitsLeft |= 56
}

function fillByBytes(): void {
  while (reader.bitsLeft <= 56) {
    let byte: u32 = 0
    if (reader.paddingBits == 0 && reader.at < reader.end) {
      byte = load<u8>(reader.at)
      if (byte != 0xff) reader.at++
      else byte = stuffed()
    } else {
      reader.paddingBits += 8
    }
    reader.window |= (<u64>byte) << (<u64>(56 - reader.bitsLeft))
    reader.bitsLeft += 8
  }
}

/** Takes `count` bits, 0 to 16, as a number. */
export function takeBits(count: i32): i32 {
  if (count == 0) return 0
  if (reader.bitsLeft < count) fill()
  const bits = <i32>(reader.window >> <u64>(64 - count))
  reader.window <<= <u64>count
  reader.bitsLeft -= count
  return bits
}

/** The byte at an FF: FF itself if a zero follows, or else this is a marker and a zero is paddingBits. */
function stuffed(): u32 {
  let next = reader.at + 1
  while (next < reader.end && load<u8>(next) == 0xff) next++
  if (next < reader.end && load<u8>(next) == 0) {
    reader.at = next + 1
    return 0xff
  }
  reader.paddingBits += 8
  return 0
}

/** EXTEND (F.2.2.1): the signed value that `bits` of the given size encode. */
export function extend(bits: i32, size: i32): i32 {
  // Without a branch: which sign it is cannot be foreseen.
  return bits + (((bits - (1 << (size - 1))) >> 31) & (1 - (1 << size)))
}
