// The binary arithmetic decoder (T.81 annex D.2): decisions from an entropy-coded segment, each with an adaptive probability.

import { endBits } from './bit-reader'

/** Probability estimates (table D.3): Qe, and the next estimate after a less and after a more probable symbol. */
// biome-ignore format: a row for each ten estimates
const QE: usize = memory.data<u16>([
  0x5a1d, 0x2586, 0x1114, 0x080b, 0x03d8, 0x01da, 0x00e5, 0x006f, 0x0036, 0x001a,
  0x000d, 0x0006, 0x0003, 0x0001, 0x5a7f, 0x3f25, 0x2cf2, 0x207c, 0x17b9, 0x1182,
  0x0cef, 0x09a1, 0x072f, 0x055c, 0x0406, 0x0303, 0x0240, 0x01b1, 0x0144, 0x00f5,
  0x00b7, 0x008a, 0x0068, 0x004e, 0x003b, 0x002c, 0x5ae1, 0x484c, 0x3a0d, 0x2ef1,
  0x261f, 0x1f33, 0x19a8, 0x1518, 0x1177, 0x0e74, 0x0bfb, 0x09f8, 0x0861, 0x0706,
  0x05cd, 0x04de, 0x040f, 0x0363, 0x02d4, 0x025c, 0x01f8, 0x01a4, 0x0160, 0x0125,
  0x00f6, 0x00cb, 0x00ab, 0x008f, 0x5b12, 0x4d04, 0x412c, 0x37d8, 0x2fe8, 0x293c,
  0x2379, 0x1edf, 0x1aa9, 0x174e, 0x1424, 0x119c, 0x0f6b, 0x0d51, 0x0bb6, 0x0a40,
  0x5832, 0x4d1c, 0x438e, 0x3bdd, 0x34ee, 0x2eae, 0x299a, 0x2516, 0x5570, 0x4ca9,
  0x44d9, 0x3e22, 0x3824, 0x32b4, 0x2e17, 0x56a8, 0x4f46, 0x47e5, 0x41cf, 0x3c3d,
  0x375e, 0x5231, 0x4c0f, 0x4639, 0x415e, 0x5627, 0x50e7, 0x4b85, 0x5597, 0x504f,
  0x5a10, 0x5522, 0x59eb,
])
// biome-ignore format: a row for each ten estimates
const NEXT_LPS: usize = memory.data<u8>([
  1, 14, 16, 18, 20, 23, 25, 28, 30, 33,
  35, 9, 10, 12, 15, 36, 38, 39, 40, 42,
  43, 45, 46, 48, 49, 51, 52, 54, 56, 57,
  59, 60, 62, 63, 32, 33, 37, 64, 65, 67,
  68, 69, 70, 72, 73, 74, 75, 77, 78, 79,
  48, 50, 50, 51, 52, 53, 54, 55, 56, 57,
  58, 59, 61, 61, 65, 80, 81, 82, 83, 84,
  86, 87, 87, 72, 72, 74, 74, 75, 77, 77,
  80, 88, 89, 90, 91, 92, 93, 86, 88, 95,
  96, 97, 99, 99, 93, 95, 101, 102, 103, 104,
  99, 105, 106, 107, 103, 105, 108, 109, 110, 111,
  110, 112, 112,
])
// biome-ignore format: a row for each ten estimates
const NEXT_MPS: usize = memory.data<u8>([
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  11, 12, 13, 13, 15, 16, 17, 18, 19, 20,
  21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
  31, 32, 33, 34, 35, 9, 37, 38, 39, 40,
  41, 42, 43, 44, 45, 46, 47, 48, 49, 50,
  51, 52, 53, 54, 55, 56, 57, 58, 59, 60,
  61, 62, 63, 32, 65, 66, 67, 68, 69, 70,
  71, 72, 73, 74, 75, 76, 77, 78, 79, 48,
  81, 82, 83, 84, 85, 86, 87, 71, 89, 90,
  91, 92, 93, 94, 86, 96, 97, 98, 99, 100,
  93, 102, 103, 104, 99, 106, 107, 103, 109, 107,
  111, 109, 111,
])
/** Estimates whose less probable symbol becomes the more probable one. */
const SWITCHES: usize = memory.data<u8>([0, 14, 36, 64, 80, 88, 95, 105, 110, 112])
const SWITCH_COUNT: usize = 10
const ESTIMATES: usize = 113

/** The state of decisions with the fixed probability 0.5 (F.1.4.4.2), ESTIMATES << 1: it never changes. */
const FIXED: usize = memory.data<u8>([226])
/** For each state, estimate << 1 | more probable symbol: Qe, and the states after the less (<< 16) and the more (<< 24) probable one. */
const TRANSITIONS: usize = memory.data((<i32>ESTIMATES + 1) * 2 * 4, 16)

/** Bits that a decision needs below the 16 of Cx. */
const MIN_BITS: i32 = 16
const FULL_BITS: i32 = 40

/** The state of the decoder. */
@unmanaged
class Coder {
  /** The interval's size (A), and the position in it (C) with `extraBits` more bits than the size. */
  size: u32
  position: u64
  extraBits: i32
  next: usize
  end: usize
  /** Zero bits appended because the file ended. */
  missingBits: i32
}

const coder: Coder = changetype<Coder>(memory.data(offsetof<Coder>(), 8))

/** Prepares the table of transitions. */
export function prepareDecisions(): void {
  for (let estimate: usize = 0; estimate < ESTIMATES; estimate++) {
    let switched: u32 = 0
    for (let i: usize = 0; i < SWITCH_COUNT; i++) if (load<u8>(SWITCHES + i) == estimate) switched = 1
    for (let symbol: u32 = 0; symbol < 2; symbol++) {
      const less = ((<u32>load<u8>(NEXT_LPS + estimate)) << 1) | (symbol ^ switched)
      const more = ((<u32>load<u8>(NEXT_MPS + estimate)) << 1) | symbol
      store<u32>(
        TRANSITIONS + (((estimate << 1) | <usize>symbol) << 2),
        <u32>load<u16>(QE + (estimate << 1)) | (less << 16) | (more << 24),
      )
    }
  }
  const fixed: u32 = <u32>load<u8>(FIXED)
  store<u32>(TRANSITIONS + ((<usize>fixed) << 2), <u32>load<u16>(QE) | (fixed << 16) | (fixed << 24))
}

/** Begins to decode a segment at `from`; the data ends at `to` at the latest. INITDEC (D.2.7). */
export function beginDecisions(from: usize, to: usize): void {
  coder.next = from
  coder.end = to
  coder.missingBits = 0
  coder.size = 0x10000
  coder.position = 0
  coder.extraBits = -16
  refill()
}

/** Decodes a decision with the fixed probability 0.5. */
export function decideEvenly(): i32 {
  return decide(FIXED)
}

/** DECODE (D.2.1 to D.2.5): the next decision, by the state at `context`, which adapts. */
export function decide(context: usize): i32 {
  const state = <u32>load<u8>(context)
  const transition = load<u32>(TRANSITIONS + ((<usize>state) << 2))
  const lps = transition & 0xffff
  let symbol = <i32>(state & 1)
  let isLess = false
  let size = coder.size - lps
  const position = coder.position
  const split = (<u64>size) << (<u64>coder.extraBits)
  if (position < split) {
    if (size >= 0x8000) {
      coder.size = size
      return symbol
    }
    isLess = size < lps
  } else {
    coder.position = position - split
    isLess = size >= lps
    size = lps
  }
  if (isLess) symbol ^= 1
  store<u8>(context, <u8>(isLess ? transition >> 16 : transition >> 24))
  // RENORM_D
  const shift = <i32>clz(size) - 16
  coder.size = size << shift
  coder.extraBits -= shift
  if (coder.extraBits < MIN_BITS) refill()
  return symbol
}

/** BYTE_IN (D.2.6): zeros follow at a marker. Those after the end of the file end the segment's data. */
function refill(): void {
  while (coder.extraBits < FULL_BITS) {
    let byte: u64 = 0
    if (coder.next >= coder.end) {
      coder.missingBits += 8
    } else {
      byte = <u64>load<u8>(coder.next)
      if (byte != 0xff) coder.next++
      else byte = stuffed()
    }
    coder.position = (coder.position << 8) | byte
    coder.extraBits += 8
  }
  if (coder.missingBits > coder.extraBits + 16) endBits()
}

/** Returns the byte at an FF: FF itself if a zero follows; a marker stays where it is, and zeros follow. */
function stuffed(): u64 {
  let after = coder.next + 1
  while (after < coder.end && load<u8>(after) == 0xff) after++
  if (after >= coder.end) {
    coder.next = coder.end
    coder.missingBits += 8
    return 0
  }
  if (load<u8>(after) != 0) return 0
  coder.next = after + 1
  return 0xff
}
