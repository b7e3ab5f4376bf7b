// The parsing processes of fixed and variable length codes outside the symbol decoder: AV1 specification, 4.10 and 8.1.

let next: usize = 0
let end: usize = 0
/** Bits of the byte at `next` that have been read. */
let used: i32 = 0
let overrun = false

/** Starts reading at `from`; beyond `limit` all bits are 0. */
export function startBits(from: usize, limit: usize): void {
  next = from
  end = limit
  used = 0
  overrun = false
}

/** Whether bits were read that are not there. */
export function hasOverrun(): bool {
  return overrun
}

/** Where the next bit is. */
export function bitPosition(): u32 {
  return ((<u32>next) << 3) | used
}

/** Moves back to an earlier position of the reader. */
export function seekBits(position: u32): void {
  next = position >> 3
  used = position & 7
}

/** The next byte's address, after byte_alignment( ). */
export function alignedPosition(): usize {
  return used > 0 ? next + 1 : next
}

/** f(n) for n up to 32. */
export function readBits(n: i32): u32 {
  let value: u32 = 0
  for (let i = 0; i < n; i++) value = (value << 1) | readBit()
  return value
}

function readBit(): u32 {
  if (next >= end) {
    overrun = true
    return 0
  }
  const bit = (<u32>load<u8>(next) >> (7 - used)) & 1
  if (++used == 8) {
    used = 0
    next++
  }
  return bit
}

/** f(1). */
export function readFlag(): bool {
  return readBit() != 0
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
