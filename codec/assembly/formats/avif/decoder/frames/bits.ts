// The parsing processes of fixed and variable length codes outside the symbol decoder: AV1 specification, 4.10 and 8.1.

/** The position of the reader, set by `startBits`. */
@unmanaged
class BitReader {
  next: usize
  end: usize
  /** Bits of the byte at `next` that have been read. */
  used: i32
  overrun: bool
}

const reader: BitReader = changetype<BitReader>(memory.data(offsetof<BitReader>(), 4))

/** Starts reading at `from`; beyond `limit` all bits are 0. */
export function startBits(from: usize, limit: usize): void {
  reader.next = from
  reader.end = limit
  reader.used = 0
  reader.overrun = false
}

/** Whether bits were read that are not there. */
export function hasOverrun(): bool {
  return reader.overrun
}

/** Where the next bit is. */
export function bitPosition(): u32 {
  return ((<u32>reader.next) << 3) | reader.used
}

/** Moves back to an earlier position of the reader. */
export function seekBits(position: u32): void {
  reader.next = position >> 3
  reader.used = position & 7
}

/** The next byte's address, after byte_alignment( ). */
export function alignedPosition(): usize {
  return reader.used > 0 ? reader.next + 1 : reader.next
}

/** f(n) for n up to 32. */
export function readBits(n: i32): u32 {
  let value: u32 = 0
  for (let i = 0; i < n; i++) value = (value << 1) | readBit()
  return value
}

function readBit(): u32 {
  if (reader.next >= reader.end) {
    reader.overrun = true
    return 0
  }
  const bit = (<u32>load<u8>(reader.next) >> (7 - reader.used)) & 1
  if (++reader.used == 8) {
    reader.used = 0
    reader.next++
  }
  return bit
}

/** f(1). */
export function readFlag(): bool {
  return readBits(1) != 0
}

/** su(n) */
export function readSigned(n: i32): i32 {
  return ((<i32>readBits(n)) << (32 - n)) >> (32 - n)
}

/** ns(n): one of n values. */
export function readNonSymmetric(n: i32): i32 {
  const w = 32 - clz<i32>(n)
  const m = (1 << w) - n
  const value = <i32>readBits(w - 1)
  return value < m ? value : (value << 1) - m + <i32>readBits(1)
}

/** uvlc() */
export function readUvlc(): u32 {
  let leadingZeros = 0
  while (!readFlag()) if (++leadingZeros >= 32) return 0xffffffff
  return <u32>readBits(leadingZeros) + (1 << leadingZeros) - 1
}
