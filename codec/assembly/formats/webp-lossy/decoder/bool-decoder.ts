// The boolean entropy decoder of RFC 6386 §7, 64 bits at a time.

/**
 * One partition being read. `window` holds the next bits, the first of them at the top; the `bits` highest are loaded,
 * the rest are zero. `next` runs on past `end`, as if zero bytes followed (§20.2).
 */
@unmanaged
export class BoolDecoder {
  window: u64
  range: u32
  bits: i32
  next: usize
  start: usize
  end: usize
}

/** Starts reading `length` bytes at `start`. */
export function openPartition(d: BoolDecoder, start: usize, length: usize): void {
  d.window = 0
  d.range = 255
  d.bits = 0
  d.next = start
  d.start = start
  d.end = start + length
}

/** The next four bytes as a big-endian number; bytes past `end` are zero. */
export function nextWord(at: usize, end: usize): u32 {
  if (at + 4 <= end) return bswap<u32>(load<u32>(at))
  let word: u32 = 0
  for (let i: usize = 0; i < 4; i++) word = (word << 8) | (at + i < end ? <u32>load<u8>(at + i) : 0)
  return word
}

/** One boolean whose chance of being 0 is `probability`/256 (§7.3). */
export function readBool(d: BoolDecoder, probability: u32): u32 {
  if (d.bits <= 32) {
    d.window |= (<u64>nextWord(d.next, d.end)) << (32 - d.bits)
    d.next += 4
    d.bits += 32
  }
  let range = d.range
  let window = d.window
  const split = 1 + (((range - 1) * probability) >> 8)
  const bigSplit = (<u64>split) << 56
  const one = window >= bigSplit
  window -= one ? bigSplit : 0
  range = one ? range - split : split
  const shift = clz<u32>(range) - 24
  d.range = range << shift
  d.window = window << shift
  d.bits -= shift
  return <u32>one
}

/** L(n): an unsigned number of `count` bits, the highest first. */
export function readLiteral(d: BoolDecoder, count: i32): i32 {
  let value: u32 = 0
  for (let i = 0; i < count; i++) value = (value << 1) | readBool(d, 128)
  return <i32>value
}

/** A flag, L(1). */
export function readFlag(d: BoolDecoder): bool {
  return <bool>readBool(d, 128)
}

/** An optional signed number: a flag, and if it is set a magnitude of `count` bits and a sign; 0 without it. */
export function readOptionalSigned(d: BoolDecoder, count: i32): i32 {
  if (!readFlag(d)) return 0
  const magnitude = readLiteral(d, count)
  return readFlag(d) ? -magnitude : magnitude
}

/** A leaf of a tree of §8.1: `tree` is an i8 table, `probs` has a byte for each pair of it. */
export function readTree(d: BoolDecoder, tree: usize, probs: usize): i32 {
  let at: i32 = 0
  do at = load<i8>(tree + at + <i32>readBool(d, load<u8>(probs + (at >> 1))))
  while (at > 0)
  return -at
}

/**
 * Whether more bits were taken than the partition has. The decoder looks 8 bits ahead, so a partition whose last zero
 * byte was left out still counts as whole.
 */
export function ranOut(d: BoolDecoder): bool {
  return <isize>(d.next - d.end) * 8 > <isize>d.bits
}
