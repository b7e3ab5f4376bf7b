import { hasText, uint32BE } from '../bytes.ts'
import { crc32 } from '../checksum.ts'
import { isIntact, isPng, pngChunks } from '../container/png-chunks.ts'
import { findOrientation } from '../exif.ts'
import type { ImageFacts, Orientation } from '../format.ts'
import { ImageRefusal } from '../refusal.ts'
import { requireSize } from './size.ts'

export interface PngFacts extends ImageFacts {
  format: 'png'
  /** 0 gray, 2 RGB, 3 palette, 4 gray and alpha, 6 RGBA. */
  colourType: number
  /** Bits a sample, or a palette index: 1, 2, 4, 8 or 16. */
  bitDepth: number
  interlaced: boolean
  /** A tRNS chunk: a transparent colour, or a palette with alpha. */
  transparent: boolean
}

/** The bit depths each colour type allows (PNG 3rd edition, table 12). */
const BIT_DEPTHS: Partial<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

/** Ancillary chunks that are searched for. */
const PROBED = new Set(['eXIf', 'tRNS', 'acTL'])

const IHDR_TYPE = 12
const IHDR_BODY = 16
const IHDR_BODY_END = 29

/** Reads the IHDR of a PNG, and searches its chunks for an orientation, a transparent colour and an animation. */
export function probePng(bytes: Uint8Array): PngFacts | undefined {
  if (!isPng(bytes)) return undefined
  const { colourType, bitDepth, interlaced, size } = readHeader(bytes)
  let orientation: Orientation | undefined
  let transparent = false
  let frames = 1
  let hasPixels = false
  let last = ''

  for (const chunk of pngChunks(bytes)) {
    const { type, body, bodyEnd } = chunk
    last = type
    if (type === 'IDAT') hasPixels = true
    // Browsers ignore an orientation after the pixels, and damaged ones.
    else if (hasPixels || !PROBED.has(type) || !isIntact(bytes, chunk)) continue
    else if (type === 'eXIf') orientation ??= findOrientation(bytes.subarray(body, bodyEnd))
    else if (type === 'tRNS') transparent = true
    else if (type === 'acTL') frames = uint32BE(bytes, body) ?? 1
  }

  if (!hasPixels) throw new ImageRefusal('unreadable', 'the PNG ends before its picture begins')
  return {
    format: 'png',
    size,
    colourType,
    bitDepth,
    interlaced,
    transparent,
    orientation: orientation ?? 1,
    animated: frames > 1,
    // The rows that a file lacks that is cut off are transparent.
    alpha: transparent || colourType === 4 || colourType === 6 || last === 'IDAT',
  }
}

/** IHDR, always the first chunk (PNG 3rd edition, 11.2.1). */
function readHeader(bytes: Uint8Array): Pick<PngFacts, 'size' | 'colourType' | 'bitDepth' | 'interlaced'> {
  const isHeader = uint32BE(bytes, 8) === IHDR_BODY_END - IHDR_BODY && hasText(bytes, IHDR_TYPE, 'IHDR')
  if (!isHeader || uint32BE(bytes, IHDR_BODY_END) !== crc32(bytes.subarray(IHDR_TYPE, IHDR_BODY_END))) {
    throw new ImageRefusal('unreadable', 'a PNG must begin with a header chunk whose checksum is right')
  }
  const size = requireSize(uint32BE(bytes, IHDR_BODY), uint32BE(bytes, IHDR_BODY + 4))
  const [bitDepth = 0, colourType = 0, compression, filter, interlace = 0] = bytes.subarray(
    IHDR_BODY + 8,
    IHDR_BODY_END,
  )
  if (!BIT_DEPTHS[colourType]?.includes(bitDepth)) {
    throw new ImageRefusal('unreadable', `a PNG must not have colour type ${colourType} with ${bitDepth} bits a sample`)
  }
  if (compression !== 0 || filter !== 0 || interlace > 1) {
    throw new ImageRefusal('unreadable', 'a PNG must use the compression, filter and interlace methods of its standard')
  }
  return { size, colourType, bitDepth, interlaced: interlace === 1 }
}

/** The samples of a pixel, by colour type. */
const CHANNELS: Partial<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** The passes of an interlaced image: the first column and row of each, and its steps (PNG 3rd edition, 8.2). */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** Returns the size of all rows before compression, each with the byte of its filter. */
export function filteredBytes({ size, colourType, bitDepth, interlaced }: PngFacts): number {
  const pixelBits = bitDepth * (CHANNELS[colourType] ?? 0)
  let bytes = 0
  for (const [left, top, across, down] of interlaced ? PASSES : [[0, 0, 1, 1] as const]) {
    const columns = Math.ceil((size.width - left) / across)
    const rows = Math.ceil((size.height - top) / down)
    if (columns > 0 && rows > 0) bytes += rows * (1 + Math.ceil((columns * pixelBits) / 8))
  }
  return bytes
}
