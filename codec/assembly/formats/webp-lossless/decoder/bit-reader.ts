// The bits of a lossless stream, the first of them lowest: WebP Lossless Bitstream Specification, chapter 1.

import { codeAt } from './prefix-code'

/**
 * The next bits, of which `bitsLeft` are loaded. What lies above them is the stream's, too, or zero, so that it may be
 * loaded a second time. `next` is the byte that continues them; it runs on past the end, as if zero bytes followed.
 */
export let window: u64 = 0
export let bitsLeft: i32 = 0
export let next: usize = 0

let end: usize = 0
/** The last address from which eight bytes can be loaded. */
let lastLoad: usize = 0

/** Starts reading the `bytes` bytes at `data`. */
export function openBits(data: usize, bytes: usize): void {
  window = 0
  bitsLeft = 0
  next = data
  end = data + bytes
  lastLoad = end - 8
}

/** The eight bytes at `at`, with zeros for those beyond the end. */
export function eightBytes(at: usize): u64 {
  return at <= lastLoad ? load<u64>(at) : lastBytes(at)
}

/** Returns the number of bytes that a refill consumes which finds `count` bits; afterwards `count | REFILL_BITS` are there. */
export function refilledBytes(count: i32): usize {
  return <usize>((63 - count) >> 3)
}

/** Minimum number of bits after a refill. */
export const REFILL_BITS: i32 = 56

/** The next `count` bits as a number, at most 24. */
export function readBits(count: i32): i32 {
  window |= eightBytes(next) << (<u64>bitsLeft)
  next += refilledBytes(bitsLeft)
  bitsLeft = (bitsLeft | REFILL_BITS) - count
  const value = <i32>(window & ((1 << count) - 1))
  window >>= <u64>count
  return value
}

/** The next symbol of the prefix code of `table`. */
export function readSymbol(table: usize): i32 {
  window |= eightBytes(next) << (<u64>bitsLeft)
  next += refilledBytes(bitsLeft)
  const code = codeAt(table, window)
  bitsLeft = (bitsLeft | REFILL_BITS) - <i32>(code & 15)
  window >>= <u64>(code & 15)
  return <i32>(code >> 4)
}

/** Restores the state after a loop that had it in local variables. */
export function continueBits(bits: u64, count: i32, at: usize): void {
  window = bits
  bitsLeft = count
  next = at
}

/** Whether more bits were taken than there are. */
export function ranOut(): bool {
  return <isize>(next - end) * 8 > <isize>bitsLeft
}

function lastBytes(at: usize): u64 {
  let value: u64 = 0
  for (let i: usize = 0; i < 8 && at + i < end; i++) value |= (<u64>load<u8>(at + i)) << (<u64>(i << 3))
  return value
}
