import { hasText, uint16BE } from '../bytes.ts'
import { isKind, isStartOfFrame, jpegSegments, MARKER, type Segment } from '../container/jpeg-segments.ts'
import { findOrientation } from '../exif.ts'
import type { ImageFacts, Orientation, Size } from '../format.ts'
import { JPEG_MAX_SCANS } from '../limits.ts'
import { ImageRefusal } from '../refusal.ts'
import { requireSize } from './size.ts'

/** Horizontal and vertical sampling factors of a component, 1 to 4 each (T.81 A.1.1). */
export interface Sampling {
  horizontal: number
  vertical: number
}

/** A JPEG here is sequential or progressive, with 8 bits a sample. */
export interface JpegFacts extends ImageFacts {
  format: 'jpeg'
  progressive: boolean
  /** Whether it has arithmetic instead of Huffman coding. */
  arithmetic: boolean
  /** One entry for each component: 1 for gray, 3 for colour, 4 for CMYK or YCCK. */
  sampling: Sampling[]
  scans: number
}

/** The codings of frames (T.81, table B.1). */
const CODINGS: ReadonlyMap<number, Pick<FrameHeader, 'progressive' | 'arithmetic'>> = new Map([
  [MARKER.SOF0, { progressive: false, arithmetic: false }],
  [MARKER.SOF1, { progressive: false, arithmetic: false }],
  [MARKER.SOF2, { progressive: true, arithmetic: false }],
  [MARKER.SOF9, { progressive: false, arithmetic: true }],
  [MARKER.SOF10, { progressive: true, arithmetic: true }],
])
/** Lossless frames, SOF3 and SOF11. */
const LOSSLESS: readonly number[] = [0xc3, 0xcb]

interface FrameHeader {
  size: Size
  progressive: boolean
  arithmetic: boolean
  sampling: Sampling[]
}

/** Reads the markers of a JPEG up to its last scan (T.81 annex B), without decoding any scan. */
export function probeJpeg(bytes: Uint8Array): JpegFacts | undefined {
  if (!hasText(bytes, 0, '\xff\xd8\xff')) return undefined
  let frame: FrameHeader | undefined
  let orientation: Orientation | undefined
  let scans = 0

  for (const segment of jpegSegments(bytes)) {
    if (segment.marker === MARKER.SOS) {
      if (!frame) throw new ImageRefusal('unreadable', 'a JPEG must give its size before its first scan')
      scans++
      if (scans > JPEG_MAX_SCANS) {
        throw new ImageRefusal('over_budget', `a JPEG must have at most ${JPEG_MAX_SCANS} scans: received more`)
      }
    }
    // After the first scan come only further scans, or damage that the decoder handles.
    if (scans > 0) continue

    if (segment.marker === MARKER.SOI) throw new ImageRefusal('unreadable', 'a JPEG must not start twice')
    if (isStartOfFrame(segment.marker)) {
      if (frame) throw new ImageRefusal('unreadable', 'a JPEG must give its size once')
      frame = readFrameHeader(bytes, segment)
    }
    if (segment.marker === MARKER.APP1 && isKind(bytes, segment, 'Exif\0')) {
      orientation ??= findOrientation(bytes.subarray(segment.body, segment.bodyEnd))
    }
  }

  if (!frame || scans === 0) throw new ImageRefusal('unreadable', 'the JPEG ends before its picture begins')
  return { format: 'jpeg', ...frame, scans, orientation: orientation ?? 1, animated: false, alpha: false }
}

/** The frame header (T.81 B.2.2). */
function readFrameHeader(bytes: Uint8Array, { marker, body, bodyEnd }: Segment): FrameHeader {
  const coding = CODINGS.get(marker)
  if (!coding) {
    const received = LOSSLESS.includes(marker) ? 'lossless' : 'hierarchical'
    throw new ImageRefusal(
      'unreadable',
      `a JPEG must have sequential or progressive coding: received ${received} coding`,
    )
  }
  const bits = bytes[body]
  if (bits !== 8) throw new ImageRefusal('unreadable', `a JPEG must have 8 bits a sample: received ${bits}`)

  const size = requireSize(uint16BE(bytes, body + 3), uint16BE(bytes, body + 1))
  const components = bytes[body + 5] ?? 0
  if (![1, 3, 4].includes(components) || body + 6 + 3 * components > bodyEnd) {
    throw new ImageRefusal('unreadable', `a JPEG must have 1, 3 or 4 components: received ${components}`)
  }
  const sampling = Array.from({ length: components }, (_, i) => readSampling(bytes[body + 7 + 3 * i] ?? 0))
  return { size, ...coding, sampling }
}

function readSampling(factors: number): Sampling {
  const horizontal = factors >> 4
  const vertical = factors & 15
  if (Math.min(horizontal, vertical) < 1 || Math.max(horizontal, vertical) > 4) {
    throw new ImageRefusal(
      'unreadable',
      `a JPEG's sampling factors must be from 1 to 4: received ${horizontal} x ${vertical}`,
    )
  }
  return { horizontal, vertical }
}
