// The boolean entropy decoder of RFC 6386 §7, 64 bits at a time.

/**
 * One partition being read. `window` holds the next bits, the first of them at the top, then a bit that is 1, then zeros. `next`
 * runs on past `end`, as if zero bytes followed (§20.2).
 */
@unmanaged
export class BoolDecoder {
  window: u64
  range: u32
  next: usize
  start: usize
  end: usize
}

/** Starts reading `length` bytes at `start`, which may be overwritten. */
export function openPartition(d: BoolDecoder, start: usize, length: usize): void {
  // No encoder begins a partition with 255, since the range does not reach it. By §7.3 each boolean of such a partition is 1, as of
  // these bytes.
  if (length > 0 && load<u8>(start) == 255) {
    store<u8>(start, 254)
    memory.fill(start + 1, 255, length - 1)
  }
  d.window = (<u64>1) << 63
  d.range = 255
  d.next = start
  d.start = start
  d.end = start + length
}

/** The next four bytes as a big-endian number; bytes past `end` are zero. There are four bytes before `end`, if only those of a header. */
function nextWord(at: usize, end: usize): u32 {
  if (at + 4 <= end) return bswap<u32>(load<u32>(at))
  return at < end ? bswap<u32>(load<u32>(end - 4)) << ((<u32>(at + 4 - end)) << 3) : 0
}

/** The window with 32 bits more, of at most 31 that it had: its lower half is 0. */
// @ts-ignore: decorator
@inline
export function refilled(d: BoolDecoder, window: u64): u64 {
  const word = nextWord(d.next, d.end)
  d.next += 4
  return (window & (window - 1)) | ((((<u64>word) << 1) | 1) << (ctz<u64>(window) - 32))
}

// RFC 6386 §7.3 has the lower part of the range as 1 + ((range - 1) * probability >> 8), the same as
// (range * probability + 256 - probability) >> 8. The highest 8 bits of a part are that split, its leading zeros the shift that
// makes it a range again. Each boolean waits for the range that the one before left, so the fewer steps count. Between booleans the
// range is `range << shift`: a product with it is ready sooner if it is shifted itself.

/** 256, as factors have it: `factor` is probability << 16, `rest` is (256 - probability) << 16. */
export const ONE: u32 = 0x1000000

/** The part of the range in which a boolean is 0. */
// @ts-ignore: decorator
@inline
export function partBelow(range: u32, shift: u32, factor: u32, rest: u32): u32 {
  return ((range * factor) << shift) + rest
}

/** The part in which it is 1: (range * (256 - probability) + probability - 1) >> 8. */
// @ts-ignore: decorator
@inline
export function partAbove(range: u32, shift: u32, factor: u32, rest: u32): u32 {
  return ((range * rest) << shift) + (factor - 0x10000)
}

/** Whether the boolean is 0 whose lower part has this split. */
// @ts-ignore: decorator
@inline
export function isBelow(window: u64, split: u32): bool {
  return <u32>(window >> 56) < split
}

/** One boolean whose chance of being 0 is `probability`/256 (§7.3). */
export function readBool(d: BoolDecoder, probability: u32): u32 {
  let window = d.window
  if (<u32>window == 0) window = refilled(d, window)
  const factor = probability << 16
  const below = partBelow(d.range, 0, factor, ONE - factor)
  const bigSplit = (<u64>(below & 0xff000000)) << 32
  const one = window >= bigSplit
  const part = one ? partAbove(d.range, 0, factor, ONE - factor) : below
  const shift = clz<u32>(part)
  d.range = (part >> 24) << shift
  d.window = (one ? window - bigSplit : window) << (<u64>shift)
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
  let shift: u32 = 0
  let at: i32 = 0
  do {
    if (<u32>window == 0) window = refilled(d, window)
    const factor = (<u32>load<u8>(probs + (at >> 1))) << 16
    let part = partBelow(range, shift, factor, ONE - factor)
    const split = part >> 24
    if (isBelow(window, split)) {
      at = load<i8>(tree + at)
    } else {
      at = load<i8>(tree + at, 1)
      part = partAbove(range, shift, factor, ONE - factor)
      window -= (<u64>split) << 56
    }
    range = part >> 24
    shift = clz<u32>(part)
    window <<= <u64>shift
  } while (at > 0)
  d.window = window
  d.range = range << shift
  return -at
}

/**
 * Whether more bits were taken than the partition has. The decoder looks 8 bits ahead, so a partition whose last zero
 * byte was left out still counts as whole.
 */
export function ranOut(d: BoolDecoder): bool {
  return <isize>(d.next - d.end) * 8 > 63 - <isize>ctz<u64>(d.window)
}
