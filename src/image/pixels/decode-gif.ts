import { uint16LE } from '../bytes.ts'
import type { GifFacts } from '../probe/gif.ts'
import { ImageRefusal } from '../refusal.ts'
import { requireBudget } from './budget.ts'
import { blankRaster, type Raster } from './raster.ts'

const EXTENSION = 0x21
const GRAPHIC_CONTROL = 0xf9
const IMAGE = 0x2c

/** Codes have at most 12 bits (GIF89a, appendix F). */
const MAX_CODES = 4096
const MAX_CODE_BITS = 12

/** The rows of an interlaced frame in the order they come (appendix E). */
const INTERLACE_PASSES = [
  { first: 0, step: 8 },
  { first: 4, step: 8 },
  { first: 2, step: 4 },
  { first: 1, step: 2 },
]

interface Frame {
  left: number
  top: number
  width: number
  height: number
  interlaced: boolean
  /** Three bytes a colour. */
  palette: Uint8Array
  transparentIndex: number | undefined
  minCodeBits: number
  /** The data sub-blocks. */
  dataStart: number
}

/**
 * Decodes a GIF's first frame on its canvas; what the frame does not cover is see-through, what lies outside is left out.
 * Of damaged data the rows before the damage are kept. Throws ImageRefusal('unreadable') when there is not one pixel.
 */
export function decodeGif(bytes: Uint8Array, facts: GifFacts): Raster {
  const frame = findFirstFrame(bytes)
  requireBudget(frame)
  const canvas = blankRaster(facts.size)
  const rows = rowOrder(frame)
  let row = rows.next()
  let x = 0
  let decoded = 0

  for (const index of lzwIndices(bytes, frame)) {
    if (row.done) break
    putPixel(canvas, frame, x, row.value, index)
    decoded++
    if (++x === frame.width) {
      x = 0
      row = rows.next()
    }
  }
  if (decoded === 0) throw new ImageRefusal('unreadable', 'the GIF cannot be decoded: its first frame has no pixels')
  return canvas
}

function findFirstFrame(bytes: Uint8Array): Frame {
  let at = 13
  const screenColours = readColours(bytes, at, bytes[10] ?? 0)
  at += screenColours.length
  let transparentIndex: number | undefined

  for (;;) {
    const block = bytes[at]
    if (block === EXTENSION) {
      if (bytes[at + 1] === GRAPHIC_CONTROL) transparentIndex = (bytes[at + 3] ?? 0) & 1 ? bytes[at + 6] : undefined
      at = skipSubBlocks(bytes, at + 2)
    } else if (block === IMAGE) {
      const [left, top, width, height] = [1, 3, 5, 7].map((offset) => uint16LE(bytes, at + offset) ?? 0)
      const packed = bytes[at + 9] ?? 0
      const ownColours = readColours(bytes, at + 10, packed)
      const dataStart = at + 10 + ownColours.length
      return {
        left: left ?? 0,
        top: top ?? 0,
        width: width ?? 0,
        height: height ?? 0,
        interlaced: (packed & 0x40) !== 0,
        palette: packed & 0x80 ? ownColours : screenColours,
        transparentIndex,
        minCodeBits: bytes[dataStart] ?? 0,
        dataStart: dataStart + 1,
      }
    } else throw new ImageRefusal('unreadable', 'the GIF cannot be decoded: no frame could be found')
  }
}

/** The colour table that a descriptor's packed field announces, empty without one. */
function readColours(bytes: Uint8Array, at: number, packed: number): Uint8Array {
  return packed & 0x80 ? bytes.subarray(at, at + 3 * 2 ** ((packed & 7) + 1)) : new Uint8Array()
}

function skipSubBlocks(bytes: Uint8Array, from: number): number {
  let at = from
  for (let length = bytes[at]; length; length = bytes[at]) at += 1 + length
  return at + 1
}

/** The rows of a frame in the order of its data. */
function* rowOrder({ height, interlaced }: Frame): Generator<number, undefined> {
  for (const { first, step } of interlaced ? INTERLACE_PASSES : [{ first: 0, step: 1 }]) {
    for (let y = first; y < height; y += step) yield y
  }
}

function putPixel({ rgba, width, height }: Raster, frame: Frame, x: number, y: number, index: number): void {
  const left = frame.left + x
  const top = frame.top + y
  if (index === frame.transparentIndex || left >= width || top >= height) return
  const at = (top * width + left) * 4
  // An index past the palette's end is black.
  rgba[at] = frame.palette[index * 3] ?? 0
  rgba[at + 1] = frame.palette[index * 3 + 1] ?? 0
  rgba[at + 2] = frame.palette[index * 3 + 2] ?? 0
  rgba[at + 3] = 255
}

/** The palette indices that a frame's LZW codes stand for (appendix F). Ends at the end code, the end of the data or damage. */
function* lzwIndices(bytes: Uint8Array, { dataStart, minCodeBits }: Frame): Generator<number, undefined> {
  if (minCodeBits < 1 || minCodeBits > MAX_CODE_BITS - 1) return
  const clearCode = 1 << minCodeBits
  const endCode = clearCode + 1
  // A code's string is that of its prefix and one index more.
  const prefixes = new Uint16Array(MAX_CODES)
  const suffixes = new Uint16Array(MAX_CODES)
  const reversed = new Uint16Array(MAX_CODES)
  let codeBits = minCodeBits + 1
  let nextCode = endCode + 1
  let previous: number | undefined
  let firstIndex = 0

  for (const nextByte = byteReader(bytes, dataStart), bits = { held: 0, count: 0 }; ; ) {
    while (bits.count < codeBits) {
      const byte = nextByte()
      if (byte === undefined) return
      bits.held |= byte << bits.count
      bits.count += 8
    }
    const code = bits.held & ((1 << codeBits) - 1)
    bits.held >>= codeBits
    bits.count -= codeBits

    if (code === endCode) return
    if (code === clearCode) {
      codeBits = minCodeBits + 1
      nextCode = endCode + 1
      previous = undefined
      continue
    }
    if (code > nextCode || (code === nextCode && previous === undefined)) return

    let length = 0
    let walked = code
    // The code that is only now being defined: the previous string and its own first index.
    if (code === nextCode && previous !== undefined) {
      reversed[length++] = firstIndex
      walked = previous
    }
    while (walked > endCode) {
      reversed[length++] = suffixes[walked] ?? 0
      walked = prefixes[walked] ?? 0
    }
    firstIndex = walked
    reversed[length++] = firstIndex
    while (length > 0) yield reversed[--length] ?? 0

    // A full table stays as it is until a clear code comes.
    if (previous !== undefined && nextCode < MAX_CODES) {
      prefixes[nextCode] = previous
      suffixes[nextCode] = firstIndex
      nextCode++
      if (nextCode === 1 << codeBits && codeBits < MAX_CODE_BITS) codeBits++
    }
    previous = code
  }
}

/** Reads the bytes of data sub-blocks as one row; `undefined` after the last. */
function byteReader(bytes: Uint8Array, from: number): () => number | undefined {
  let at = from
  let left = 0
  return () => {
    if (left === 0) {
      left = bytes[at++] ?? 0
      if (left === 0) return undefined
    }
    left--
    return bytes[at++]
  }
}
