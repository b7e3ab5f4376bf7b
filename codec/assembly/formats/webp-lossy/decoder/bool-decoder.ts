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

/** The next four bytes as a big-endian number; bytes past `end` are zero. There are four bytes before `end`, if only those of a header. */
export function nextWord(at: usize, end: usize): u32 {
  if (at + 4 <= end) return bswap<u32>(load<u32>(at))
  return at < end ? bswap<u32>(load<u32>(end - 4)) << ((<u32>(at + 4 - end)) << 3) : 0
}

/**
 * Range times probability: its highest 8 bits are the split, its leading zeros the shift that makes it a range again.
 * §7.3 has 1 + ((range - 1) * probability >> 8), the same as (range * probability + 256 - probability) >> 8. Each
 * boolean waits for the range that the one before left, so the fewer steps count.
 */
// @ts-ignore: decorator
@inline
function splitOf(range: u32, probability: u32): u32 {
  return range * (probability << 16) + ((256 - probability) << 16)
}

/** Scales what the range has above the split: (range * (256 - probability) + probability - 1) >> 8. */
// @ts-ignore: decorator
@inline
function restOf(range: u32, probability: u32): u32 {
  return range * ((256 - probability) << 16) + ((probability - 1) << 16)
}

/** One boolean whose chance of being 0 is `probability`/256 (§7.3). */
export function readBool(d: BoolDecoder, probability: u32): u32 {
  if (d.bits <= 32) {
    d.window |= (<u64>nextWord(d.next, d.end)) << (32 - d.bits)
    d.next += 4
    d.bits += 32
  }
  const window = d.window
  const split = splitOf(d.range, probability)
  const bigSplit = (<u64>(split & 0xff000000)) << 32
  const one = window >= bigSplit
  const part = one ? restOf(d.range, probability) : split
  const shift = clz<u32>(part)
  d.range = (part >> 24) << shift
  d.window = (one ? window - bigSplit : window) << shift
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

/**
 * A leaf of a tree of §8.1: `tree` is an i8 table, `probs` has a byte for each pair of it. The steps of `readBool` are written out, as a
 * branch, so that no boolean waits for the way that the one before took.
 */
export function readTree(d: BoolDecoder, tree: usize, probs: usize): i32 {
  let window = d.window
  let range = d.range
  let bits = d.bits
  let at: i32 = 0
  do {
    if (bits <= 32) {
      window |= (<u64>nextWord(d.next, d.end)) << (32 - bits)
      d.next += 4
      bits += 32
    }
    const probability = <u32>load<u8>(probs + (at >> 1))
    let part = splitOf(range, probability)
    const split = part >> 24
    if (<u32>(window >> 56) < split) {
      at = load<i8>(tree + at)
      range = split
    } else {
      at = load<i8>(tree + at, 1)
      window -= (<u64>split) << 56
      part = restOf(range, probability)
      range = part >> 24
    }
    const shift = clz<u32>(part)
    range <<= shift
    window <<= <u64>shift
    bits -= shift
  } while (at > 0)
  d.window = window
  d.range = range
  d.bits = bits
  return -at
}

/**
 * Whether more bits were taken than the partition has. The decoder looks 8 bits ahead, so a partition whose last zero
 * byte was left out still counts as whole.
 */
export function ranOut(d: BoolDecoder): bool {
  return <isize>(d.next - d.end) * 8 > <isize>d.bits
}
