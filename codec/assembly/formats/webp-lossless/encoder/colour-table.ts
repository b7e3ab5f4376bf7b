// The colours of an image that has few (WebP Lossless Bitstream Specification, 4.4): a table, and indices to it, bundled where
// several go into a byte.
import { allocate } from '../../../arena/memory'

/** The largest table. */
export const MAX_COLOURS: i32 = 256
/** The hash table has room for more, so that searches are short. */
const SLOT_BITS: i32 = 10
const SLOTS: i32 = 1 << SLOT_BITS

/** u32[256]: the colours. */
const TABLE: usize = memory.data(4 * MAX_COLOURS, 16)
/** u32[1024] and u16[1024]: a hash table of colours, and their indices + 1, 0 where a slot is free. */
let keys: usize = 0
let indices: usize = 0

/** The number of colours that were found: `MAX_COLOURS` + 1 if too many. */
export let colours: i32 = 0

/** Prepares: `clearColours` or `orderColours` is to follow. */
export function startColours(): void {
  keys = allocate(4 * SLOTS)
  indices = allocate(2 * SLOTS)
}

/** Forgets all colours. */
export function clearColours(): void {
  colours = 0
  memory.fill(indices, 0, 2 * SLOTS)
}

/** Takes a colour into the table. Returns its index, `MAX_COLOURS` if there are too many. */
// @ts-ignore: decorator
@inline
export function addColour(argb: u32): i32 {
  if (colours > MAX_COLOURS) return MAX_COLOURS
  const slot = slotOf(argb)
  const number = <i32>load<u16>(indices + (slot << 1))
  if (number != 0) return number - 1
  if (colours++ == MAX_COLOURS) return MAX_COLOURS
  store<u32>(TABLE + ((<usize>(colours - 1)) << 2), argb)
  put(slot, argb, colours)
  return colours - 1
}

/** Orders the table by value, or so that each colour is like the one before: only their differences are sent. */
export function orderColours(byValue: bool): void {
  if (byValue) sortColours()
  else chainColours()
  memory.fill(indices, 0, 2 * SLOTS)
  for (let i = 0; i < colours; i++) {
    const colour = load<u32>(TABLE + ((<usize>i) << 2))
    put(slotOf(colour), colour, i + 1)
  }
}

function sortColours(): void {
  for (let i = 1; i < colours; i++) {
    const colour = load<u32>(TABLE + ((<usize>i) << 2))
    let at = TABLE + ((<usize>i) << 2)
    for (; at > TABLE && load<u32>(at - 4) > colour; at -= 4) store<u32>(at, load<u32>(at - 4))
    store<u32>(at, colour)
  }
}

function chainColours(): void {
  let before: u32 = 0
  for (let i = 0; i < colours; i++) {
    let best = i
    let least = i32.MAX_VALUE
    for (let other = i; other < colours; other++) {
      const distance = distanceOf(load<u32>(TABLE + ((<usize>other) << 2)), before)
      if (distance >= least) continue
      least = distance
      best = other
    }
    const chosen = TABLE + ((<usize>best) << 2)
    const next = TABLE + ((<usize>i) << 2)
    before = load<u32>(chosen)
    store<u32>(chosen, load<u32>(next))
    store<u32>(next, before)
  }
}

/** Writes the table as the differences of its colours at `to` (u32[]). */
export function writeDifferences(to: usize): void {
  let before: u32 = 0
  for (let i: usize = 0; i < <usize>colours; i++) {
    const colour = load<u32>(TABLE + (i << 2))
    store<u32>(to + (i << 2), i32x4.extract_lane(i8x16.sub(i32x4.splat(colour), i32x4.splat(before)), 0))
    before = colour
  }
}

/** Bits of a bundled index. */
export function indexBits(): i32 {
  return colours <= 2 ? 1 : colours <= 4 ? 2 : colours <= 16 ? 4 : 8
}

/** Writes the bundled indices of `columns` pixels at `to`, as green. */
export function bundleRow(pixels: usize, columns: i32, to: usize): void {
  const bits = indexBits()
  const bundled = 8 / bits
  let pixel: u32 = 0
  let index: u32 = 0
  for (let x = 0, at = to; x < columns; x += bundled, at += 4) {
    const count = min(bundled, columns - x)
    let bundle: u32 = 0
    for (let i = 0; i < count; i++) {
      const next = load<u32>(pixels + ((<usize>(x + i)) << 2))
      if (next != pixel || x + i == 0) {
        pixel = next
        index = <u32>load<u16>(indices + (slotOf(pixel) << 1)) - 1
      }
      bundle |= index << (i * bits)
    }
    store<u32>(at, 0xff000000 | (bundle << 8))
  }
}

/** The slot of a colour, or the free one that it may have. */
// @ts-ignore: decorator
@inline
function slotOf(argb: u32): usize {
  let slot = (argb * 0x9e3779b1) >> (32 - SLOT_BITS)
  while (load<u16>(indices + ((<usize>slot) << 1)) != 0 && load<u32>(keys + ((<usize>slot) << 2)) != argb) {
    slot = (slot + 1) & (SLOTS - 1)
  }
  return slot
}

function put(slot: usize, argb: u32, number: i32): void {
  store<u32>(keys + (slot << 2), argb)
  store<u16>(indices + (slot << 1), <u16>number)
}

/** Cost of the difference between two colours. */
function distanceOf(a: u32, b: u32): i32 {
  const sizes = i8x16.abs(i8x16.sub(i32x4.splat(a), i32x4.splat(b)))
  return i32x4.extract_lane(i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(sizes)), 0)
}
