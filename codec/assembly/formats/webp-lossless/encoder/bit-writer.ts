// Bits out, the first of them lowest: WebP Lossless Bitstream Specification, chapter 1. They are one run of bytes, which grows
// in place as long as nothing else is allocated.
import { allocate } from '../../../arena/memory'

const GROWTH: usize = 1 << 16

/** The bytes in front of the run that are free, u32. */
const BEFORE: usize = memory.data(4, 4)

let start: usize = 0
let position: usize = 0
let limit: usize = 0
let window: u64 = 0
let held: i32 = 0

/** Starts a run of bits, with room for `room` bytes at first. At least `before` bytes in front of it are free. */
export function startBits(room: usize, before: usize = 0): void {
  // The run ends where the next allocation begins: all are 16-aligned.
  const free = (before + 15) & ~15
  store<u32>(BEFORE, <u32>free)
  start = allocate(free + room) + free
  position = start
  limit = start + room
  window = 0
  held = 0
}

/** Appends the low `count` bits of `value`, at most 32; the bits above them must be 0. */
// @ts-ignore: decorator
@inline
export function putBits(value: u32, count: i32): void {
  window |= (<u64>value) << (<u64>held)
  held += count
  if (held >= 32) putWord()
}

/** Bits appended since `startBits`. */
export function bitsPut(): usize {
  return ((position - start) << 3) + held
}

/** Ends the run and fills its last byte up with zeros. Returns its address. */
export function finishBits(): usize {
  makeRoom()
  store<u64>(position, window)
  return start
}

function putWord(): void {
  makeRoom()
  store<u32>(position, <u32>window)
  position += 4
  window >>= 32
  held -= 32
}

/** For a word, and the eight bytes of the end. */
function makeRoom(): void {
  if (position + 8 <= limit) return
  const grown = allocate(GROWTH)
  if (grown == limit) {
    limit += GROWTH
    return
  }
  const from = start
  const written = position - start
  const before = <usize>load<u32>(BEFORE)
  start = allocate(before + written + GROWTH) + before
  memory.copy(start, from, written)
  position = start + written
  limit = position + GROWTH
}

/** Moves the bits of the `bytes` bytes at `data` up by `shift`, 0 to 7 bits; those moved in are 0. */
export function shiftBits(data: usize, bytes: usize, shift: i32): void {
  if (shift == 0) return
  let above: u32 = 0
  for (const end = data + bytes; data < end; data++) {
    const moved = ((<u32>load<u8>(data)) << shift) | above
    store<u8>(data, <u8>moved)
    above = moved >> 8
  }
}
