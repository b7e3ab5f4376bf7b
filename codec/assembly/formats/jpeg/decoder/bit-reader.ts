// The bits of an entropy-coded segment (T.81 F.2.2.5): from the top of a 64-bit window, stuffed zeros removed. At a
// marker, or the end of the file, zero bits follow without end; `ranOut` tells when any of them was taken.

import { findMarker } from '../markers'

/** The next bits, the first one topmost; below the `bitsLeft` ones lie zeros, or bits of the byte that comes next. */
export let window: u64 = 0
/** The number of bits in the window. */
export let bitsLeft: i32 = 0
/** The address of the byte that comes next. */
export let at: usize = 0

let end: usize = 0
/** Zero bits put into the window because there was no more data. */
let paddingBits: i32 = 0

/** Begins to read at `from`; the data ends at `to` at the latest. */
export function beginBits(from: usize, to: usize): void {
  at = from
  end = to
  window = 0
  bitsLeft = 0
  paddingBits = 0
}

/** Whether bits were taken that the segment does not have. */
export function ranOut(): bool {
  return paddingBits > bitsLeft
}

/** Ends the segment's data: all further bits run out. */
export function endBits(): void {
  paddingBits = i32.MAX_VALUE
}

/** The address of the next marker, whatever data lies before it. */
export function nextMarker(): usize {
  return findMarker(at, end)
}

/** Where the data may end at the latest. */
export function endOfData(): usize {
  return end
}

/** Puts back a window that was worked on in local variables. */
export function setWindow(bits: u64, count: i32): void {
  window = bits
  bitsLeft = count
}

/** Stores the state after a loop that had it in local variables. */
export function setState(bits: u64, count: i32, next: usize): void {
  window = bits
  bitsLeft = count
  at = next
}

/**
 * The eight bytes at `next`, the first one topmost. Returns 0 unless all eight are entropy-coded data without stuffing;
 * `fillByBytes` reads the others.
 */
// @ts-ignore: decorator
@inline
function plainBytes(next: usize): u64 {
  if (next + 8 > end) return 0
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
  bitsLeft = count | 56
  at = next + ((63 - count) >> 3)
  return bits | (bytes >> <u64>count)
}

/** Puts back a window as `setState`, and fills it byte by byte. */
function fillFrom(bits: u64, count: i32, next: usize): u64 {
  setState(bits, count, next)
  fillByBytes()
  return window
}

/** Fills the window to at least 32 bits: a Huffman code and the bits that follow it. */
export function fill(): void {
  const bytes = plainBytes(at)
  if (bytes == 0) return fillByBytes()
  window |= bytes >> <u64>bitsLeft
  at += (63 - bitsLeft) >> 3
  bitsLeft |= 56
}

function fillByBytes(): void {
  while (bitsLeft <= 56) {
    let byte: u32 = 0
    if (paddingBits == 0 && at < end) {
      byte = load<u8>(at)
      if (byte != 0xff) at++
      else byte = stuffed()
    } else {
      paddingBits += 8
    }
    window |= (<u64>byte) << (<u64>(56 - bitsLeft))
    bitsLeft += 8
  }
}

/** Takes `count` bits, 0 to 16, as a number. */
export function takeBits(count: i32): i32 {
  if (count == 0) return 0
  if (bitsLeft < count) fill()
  const bits = <i32>(window >> <u64>(64 - count))
  window <<= <u64>count
  bitsLeft -= count
  return bits
}

/** The byte at an FF: FF itself if a zero follows, or else this is a marker and a zero is paddingBits. */
function stuffed(): u32 {
  let next = at + 1
  while (next < end && load<u8>(next) == 0xff) next++
  if (next < end && load<u8>(next) == 0) {
    at = next + 1
    return 0xff
  }
  paddingBits += 8
  return 0
}

/** EXTEND (F.2.2.1): the signed value that `bits` of the given size encode. */
export function extend(bits: i32, size: i32): i32 {
  // Without a branch: which sign it is cannot be foreseen.
  return bits + (((bits - (1 << (size - 1))) >> 31) & (1 - (1 << size)))
}
