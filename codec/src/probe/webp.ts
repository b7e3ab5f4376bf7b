import { hasText, uint16LE, uint24LE, uint32LE } from '../bytes.ts'
import type { Chunk } from '../container/chunk.ts'
import { isWebp, riffChunks, webpChunks } from '../container/webp-chunks.ts'
import { findOrientation } from '../exif.ts'
import type { ImageFacts, Orientation, Size } from '../format.ts'
import { ImageRefusal } from '../refusal.ts'
import { requireSize } from './size.ts'

/** For an animation, the size is that of the canvas, and `coding` that of the first frame. */
export interface WebpFacts extends ImageFacts {
  format: 'webp'
  coding: 'lossy' | 'lossless'
}

type Bitstream = Pick<WebpFacts, 'size' | 'coding' | 'alpha'>

const VP8X_ALPHA = 0x10
const VP8X_ANIMATION = 0x02
const ANMF_HEADER_BYTES = 16

/**
 * Reads the chunks of a WebP and the header of its first bitstream (WebP Container Specification; RFC 6386, 9.1; WebP lossless,
 * 3).
 */
export function probeWebp(bytes: Uint8Array): WebpFacts | undefined {
  if (!isWebp(bytes)) return undefined
  const [first] = webpChunks(bytes)
  const facts = first?.type === 'VP8X' ? probeExtended(bytes, first) : probeSimple(bytes, first)
  requireWhole(bytes)
  return facts
}

function probeSimple(bytes: Uint8Array, first: Chunk | undefined): WebpFacts {
  const bitstream = first && readBitstream(bytes, first)
  if (!bitstream) throw new ImageRefusal('unreadable', 'a WebP must begin with a VP8, VP8L or VP8X chunk')
  return { format: 'webp', ...bitstream, orientation: 1, animated: false }
}

/** Refuses a file that ends before its RIFF size, or whose chunks do, with their padding bytes: no browser shows it. */
function requireWhole(bytes: Uint8Array): void {
  const riffEnd = 8 + (uint32LE(bytes, 4) ?? 0)
  const isWhole =
    riffEnd <= bytes.length &&
    [...webpChunks(bytes)].every(({ body, bodyEnd, whole }) => whole && bodyEnd + ((bodyEnd - body) % 2) <= riffEnd)
  if (!isWhole)
    throw new ImageRefusal('unreadable', 'the WebP is cut short: it must have all the bytes that its header announces')
}

function probeExtended(bytes: Uint8Array, header: Chunk): WebpFacts {
  const flags = bytes[header.body] ?? 0
  const canvas = requireSize(1 + (uint24LE(bytes, header.body + 4) ?? -1), 1 + (uint24LE(bytes, header.body + 7) ?? -1))
  const isAnimation = (flags & VP8X_ANIMATION) !== 0
  let orientation: Orientation | undefined
  let image: Bitstream | undefined
  let frames = 0
  let alpha = (flags & VP8X_ALPHA) !== 0

  for (const chunk of webpChunks(bytes)) {
    if (chunk.type === 'EXIF') orientation ??= findOrientation(bytes.subarray(chunk.body, chunk.bodyEnd))
    else if (isAnimation) {
      if (chunk.type !== 'ANMF') continue
      frames++
      image ??= readFirstFrame(bytes, chunk, canvas)
    } else if (chunk.type === 'ALPH') alpha = true
    else image ??= readBitstream(bytes, chunk)
  }

  if (!image) throw new ImageRefusal('unreadable', 'the WebP ends before its picture begins')
  const { width, height } = image.size
  if (!isAnimation && (width !== canvas.width || height !== canvas.height)) {
    throw new ImageRefusal(
      'unreadable',
      `a WebP's picture must be as large as its canvas, ${canvas.width} x ${canvas.height}: received ${width} x ${height}`,
    )
  }
  return {
    format: 'webp',
    size: canvas,
    coding: image.coding,
    orientation: orientation ?? 1,
    animated: frames > 1,
    alpha: alpha || image.alpha,
  }
}

/** The bitstream of an ANMF chunk. The part of the canvas that it does not cover is transparent. */
function readFirstFrame(bytes: Uint8Array, { body, bodyEnd }: Chunk, canvas: Size): Bitstream | undefined {
  let hasAlphaChunk = false
  for (const chunk of riffChunks(bytes, body + ANMF_HEADER_BYTES, bodyEnd)) {
    if (chunk.type === 'ALPH') hasAlphaChunk = true
    const bitstream = readBitstream(bytes, chunk)
    if (!bitstream) continue
    const { size, coding, alpha } = bitstream
    const isWholeCanvas = size.width === canvas.width && size.height === canvas.height
    return { size, coding, alpha: alpha || hasAlphaChunk || !isWholeCanvas }
  }
  return undefined
}

/** The header of a VP8 or VP8L bitstream; `undefined` for any other chunk. */
function readBitstream(bytes: Uint8Array, { type, body }: Chunk): Bitstream | undefined {
  if (type === 'VP8 ') {
    const isKeyFrame = ((bytes[body] ?? 1) & 1) === 0 && hasText(bytes, body + 3, '\x9d\x01\x2a')
    if (!isKeyFrame) throw new ImageRefusal('unreadable', 'a lossy WebP must begin with a VP8 key frame')
    const [width = 0, height = 0] = [uint16LE(bytes, body + 6), uint16LE(bytes, body + 8)]
    // The upper two bits of each are a scaling hint.
    return { size: requireSize(width & 0x3fff, height & 0x3fff), coding: 'lossy', alpha: false }
  }
  if (type === 'VP8L') {
    // From the lowest bit: 14 bits of width - 1, 14 of height - 1, alpha_is_used, 3 bits of version.
    const header = uint32LE(bytes, body + 1)
    if (bytes[body] !== 0x2f || header === undefined || header >>> 29 !== 0) {
      throw new ImageRefusal('unreadable', 'a lossless WebP must begin with a VP8L header of version 0')
    }
    const size = requireSize(1 + (header & 0x3fff), 1 + ((header >>> 14) & 0x3fff))
    return { size, coding: 'lossless', alpha: ((header >>> 28) & 1) === 1 }
  }
  return undefined
}
