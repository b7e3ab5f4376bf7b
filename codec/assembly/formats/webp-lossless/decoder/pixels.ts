// The pixels of an image as they are coded: literals, copies of earlier ones and colours of the cache (WebP Lossless
// Bitstream Specification, 5.2 and 6.2.3). A copy may run on into the rows below.

import { Status } from '../../../status'
import { blocksOf } from '../blocks'
import { distanceOf, extraBits, lz77Value } from '../distances'
import { continueBits, eightBytes, REFILL_BITS, ranOut, reader, refilledBytes } from './bit-reader'
import { clearCache, colourAt, remember } from './colour-cache'
import { codeAt } from './prefix-code'
import { groupAt } from './prefix-groups'

const FIRST_LENGTH: u32 = 256
const FIRST_CACHED: u32 = 256 + 24

/** The bytes beyond the window that a copy may write. */
export const SLACK: usize = 16

/** The coded pixels of the image or sub-image, set by `startPixels`. */
@unmanaged
class CodedPixels {
  /** The window of the last pixels: pixel p, a u32 with blue lowest, is its number p & mask. */
  pixelWindow: usize
  mask: i32
  width: i32
  /** Pixels of the image, and how many of them are there. */
  total: i32
  decoded: i32
  /** The cache's hashes are shifted by this much; 0 if there is no cache. */
  cacheShift: u32
  /** The number (u16) of the group of each block of 2^blockBits x 2^blockBits pixels; 0 if there is one group. */
  blocks: usize
  blockBits: i32
  blocksAcross: i32
}

const coded: CodedPixels = changetype<CodedPixels>(memory.data(offsetof<CodedPixels>(), 4))

/**
 * Starts an image of `columns` x `rows` pixels whose last `capacity` pixels, a power of two or all of them, are held at
 * `at`, together with `SLACK` bytes. All of it is read by group 0 unless `useBlocks` follows.
 */
export function startPixels(columns: i32, rows: i32, at: usize, capacity: i32, cacheBits: i32): void {
  coded.width = columns
  coded.total = columns * rows
  coded.decoded = 0
  coded.pixelWindow = at
  coded.mask = capacity == coded.total ? -1 : capacity - 1
  coded.cacheShift = cacheBits > 0 ? 32 - cacheBits : 0
  coded.blocks = 0
  clearCache()
}

/** Has each block of 2^`bits` x 2^`bits` pixels read by the group whose number (u16) is at `numbers`. */
export function useBlocks(numbers: usize, bits: i32): void {
  coded.blocks = numbers
  coded.blockBits = bits
  coded.blocksAcross = blocksOf(coded.width, bits)
}

/** Where pixel `p` is held. */
export function addressOf(p: i32): usize {
  return coded.pixelWindow + ((<usize>(p & coded.mask)) << 2)
}

/**
 * Decodes up to the end of row `y`, or beyond it. The state lives in variables of this function, which is what makes it
 * fast: a symbol costs a look-up and a shift.
 */
export function decodePixels(y: i32): Status {
  const blocks = coded.blocks
  const blockBits = coded.blockBits
  const width = coded.width
  const total = coded.total
  const rowStart = y * width
  const rowEnd = rowStart + width
  const blockRow = blocks + ((<usize>((y >> blockBits) * coded.blocksAcross)) << 1)
  const cached = coded.cacheShift
  let position = coded.decoded
  let bits = reader.window
  let count = reader.bitsLeft
  let at = reader.next
  let blockEnd = 0
  let group = groupAt(0)
  while (position < rowEnd) {
    if (position >= blockEnd) {
      blockEnd = rowEnd
      if (blocks != 0) {
        const block = (position - rowStart) >> blockBits
        group = groupAt(load<u16>(blockRow + ((<usize>block) << 1)))
        blockEnd = min(rowEnd, rowStart + ((block + 1) << blockBits))
      }
    }
    bits |= eightBytes(at) << (<u64>count)
    at += refilledBytes(count)
    count |= REFILL_BITS
    const green = codeAt(group.green, bits)
    bits >>= <u64>(green & 15)
    count -= green & 15
    const symbol = green >> 4
    if (symbol < FIRST_LENGTH) {
      let argb = group.constant | (symbol << 8)
      if (!group.isConstant) {
        // Three codes take 45 bits at most; the fourth may need more than are left.
        const red = codeAt(group.red, bits)
        bits >>= <u64>(red & 15)
        const blue = codeAt(group.blue, bits)
        bits >>= <u64>(blue & 15)
        count -= (red & 15) + (blue & 15)
        if (count < 15) {
          bits |= eightBytes(at) << (<u64>count)
          at += refilledBytes(count)
          count |= REFILL_BITS
        }
        const alpha = codeAt(group.alpha, bits)
        bits >>= <u64>(alpha & 15)
        count -= alpha & 15
        argb = ((alpha >> 4) << 24) | ((red >> 4) << 16) | (symbol << 8) | (blue >> 4)
      }
      store<u32>(addressOf(position), argb)
      if (cached != 0) remember(argb, cached)
      position++
    } else if (symbol < FIRST_CACHED) {
      const lengthExtra = extraBits(symbol - FIRST_LENGTH)
      const length = lz77Value(symbol - FIRST_LENGTH, <i32>bits & ((1 << lengthExtra) - 1))
      bits >>= <u64>lengthExtra
      count -= lengthExtra
      bits |= eightBytes(at) << (<u64>count)
      at += refilledBytes(count)
      count |= REFILL_BITS
      const prefix = codeAt(group.distance, bits)
      bits >>= <u64>(prefix & 15)
      const distanceExtra = extraBits(prefix >> 4)
      const distanceCode = lz77Value(prefix >> 4, <i32>bits & ((1 << distanceExtra) - 1))
      bits >>= <u64>distanceExtra
      count -= (prefix & 15) + distanceExtra
      const distance = distanceOf(distanceCode, width)
      if (distance > position || length > total - position) return Status.Malformed
      copyPixels(position, distance, length)
      if (cached != 0) {
        for (let i = position; i < position + length; i++) remember(load<u32>(addressOf(i)), cached)
      }
      position += length
    } else {
      const argb = colourAt(symbol - FIRST_CACHED)
      store<u32>(addressOf(position), argb)
      remember(argb, cached)
      position++
    }
  }
  coded.decoded = position
  continueBits(bits, count, at)
  return ranOut() ? Status.Malformed : Status.Ok
}

/** The pixels may overlap: then they repeat. */
function copyPixels(position: i32, distance: i32, length: i32): void {
  const mask = coded.mask
  const pixelWindow = coded.pixelWindow
  const source = (position - distance) & mask
  const target = position & mask
  const wraps = mask >= 0 && max(source, target) + length > mask
  if (distance >= 4 && !wraps) {
    let from = pixelWindow + ((<usize>source) << 2)
    let to = pixelWindow + ((<usize>target) << 2)
    for (const end = to + ((<usize>length) << 2); to < end; to += 16, from += 16) v128.store(to, v128.load(from))
  } else {
    for (let i = position; i < position + length; i++) store<u32>(addressOf(i), load<u32>(addressOf(i - distance)))
  }
}
