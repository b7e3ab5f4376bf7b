// The bits of a lossless stream, the first of them lowest: WebP Lossless Bitstream Specification, chapter 1.

import { codeAt } from './prefix-code'

/** The position of the reader. */
@unmanaged
class BitReader {
  /**
   * The next bits, of which `bitsLeft` are loaded. What lies above them is the stream's, too, or zero, so that it may be
   * loaded a second time. `next` is the byte that continues them; it runs on past the end, as if zero bytes followed.
   */
  window: u64
  bitsLeft: i32
  next: usize
  end: usize
  /** The last address from which eight bytes can be loaded. */
  lastLoad: usize
}

export const reader: BitReader = changetype<BitReader>(memory.data(offsetof<BitReader>(), 8))

/** Starts reading the `bytes` bytes at `data`. */
export function openBits(data: usize, bytes: usize): void {
  reader.window = 0
  reader.bitsLeft = 0
  reader.next = data
  reader.end = data + bytes
  reader.lastLoad = reader.end - 8
}

/** The eight bytes at `at`, with zeros for those beyond the end. */
export function eightBytes(at: usize): u64 {
  return at <= reader.lastLoad ? load<u64>(at) : lastBytes(at)
}

/** Returns the number of bytes that a refill consumes which finds `count` bits; afterwards `count | REFILL_BITS` are there. */
export function refilledBytes(count: i32): usize {
  return <usize>((63 - count) >> 3)
}

/** Minimum number of bits after a refill. */
export const REFILL_BITS: i32 = 56

/** The next `count` bits as a number, at most 24. */
export function readBits(count: i32): i32 {
  reader.window |= eightBytes(reader.next) << (<u64>reader.bitsLeft)
  reader.next += refilledBytes(reader.bitsLeft)
  reader.bitsLeft = (reader.bitsLeft | REFILL_BITS) - count
  const value = <i32>(reader.window & ((1 << count) - 1))
  reader.window >>= <u64>count
  return value
}

/** The next symbol of the prefix code of `table`. */
export function readSymbol(table: usize): i32 {
  reader.window |= eightBytes(reader.next) << (<u64>reader.bitsLeft)
  reader.next += refilledBytes(reader.bitsLeft)
  const code = codeAt(table, reader.window)
  reader.bitsLeft = (reader.bitsLeft | REFILL_BITS) - <i32>(code & 15)
  reader.window >>= <u64>(code & 15)
  return <i32>(code >> 4)
}

/** Restores the state after a loop that had it in local variables. */
export function continueBits(bits: u64, count: i32, at: usize): void {
  reader.window = bits
  reader.bitsLeft = count
  reader.next = at
}

/** Whether more bits were taken than there are. */
export function ranOut(): bool {
  return <isize>(reader.next - reader.end) * 8 > <isize>reader.bitsLeft
}

function lastBytes(at: usize): u64 {
  let value: u64 = 0
  for (let i: usize = 0; i < 8 && at + i < reader.end; i++) value |= (<u64>load<u8>(at + i)) << (<u64>(i << 3))
  return value
}
