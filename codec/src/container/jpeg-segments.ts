import { bytesBE, concat, hasText, uint16BE } from '../bytes.ts'
import { requireFewParts } from './part-limit.ts'

/** JPEG markers (ITU T.81, table B.1). */
export const MARKER = {
  SOF0: 0xc0,
  SOF1: 0xc1,
  SOF2: 0xc2,
  SOF9: 0xc9,
  SOF10: 0xca,
  DHT: 0xc4,
  DQT: 0xdb,
  JPG: 0xc8,
  DAC: 0xcc,
  RST0: 0xd0,
  RST7: 0xd7,
  SOI: 0xd8,
  EOI: 0xd9,
  SOS: 0xda,
  DRI: 0xdd,
  DHP: 0xde,
  EXP: 0xdf,
  APP0: 0xe0,
  APP1: 0xe1,
  APP2: 0xe2,
  APP14: 0xee,
  APP15: 0xef,
  COM: 0xfe,
} as const

/** A marker segment as offsets into the file. */
export interface Segment {
  marker: number
  /** The offset of the marker's 0xFF. */
  start: number
  /** The offset of the parameters, after the length. */
  body: number
  bodyEnd: number
  /** The offset after the parameters; for SOS, after the entropy-coded data of its scan. */
  end: number
}

/** Start of the APP2 segments of an ICC profile (ICC.1:2022, B.4). After it come the number of the part, from 1, and how many there are. */
export const PROFILE_KIND = 'ICC_PROFILE\0'

/** Whether the parameters of a segment begin with this identifier, such as `Exif\0`. */
export function isKind(bytes: Uint8Array, { body, bodyEnd }: Segment, kind: string): boolean {
  return body + kind.length <= bodyEnd && hasText(bytes, body, kind)
}

/** Whether a segment is a part of an ICC profile. */
export function isProfilePart(bytes: Uint8Array, segment: Segment): boolean {
  return segment.marker === MARKER.APP2 && isKind(bytes, segment, PROFILE_KIND)
}

/** A part of an ICC profile: its number from 1, how many there are, and the offset of its bytes. */
export function readProfilePart(bytes: Uint8Array, { body, bodyEnd }: Segment) {
  const [number = 0, total = 0] = bytes.subarray(body + PROFILE_KIND.length, bodyEnd)
  return { number, total, start: body + PROFILE_KIND.length + 2 }
}

/** SOF0 to SOF15. Three codes in this range have other meanings. */
export function isStartOfFrame(marker: number): boolean {
  return (
    marker >= MARKER.SOF0 && marker <= 0xcf && ![MARKER.DHT, MARKER.JPG, MARKER.DAC].some((code) => code === marker)
  )
}

/**
 * Walks a JPEG's marker segments after SOI up to and including EOI (T.81 B.1.1). Stops at the first incomplete
 * segment. Skips stray bytes between segments; ignores data after EOI (embedded previews).
 */
export function jpegSegments(bytes: Uint8Array): Generator<Segment> {
  return walk(bytes, false)
}

/** Walks the segments before the first scan, whose data is most of the file. */
export function jpegHeader(bytes: Uint8Array): Generator<Segment> {
  return walk(bytes, true)
}

function* walk(bytes: Uint8Array, isHeader: boolean): Generator<Segment> {
  let at = 2
  for (let count = 1; ; count++) {
    requireFewParts(count)
    const start = findMarker(bytes, at)
    const marker = bytes[start + 1]
    if (marker === undefined) return
    const body = start + 4
    if (marker === MARKER.EOI || marker === MARKER.SOI) {
      yield { marker, start, body: start + 2, bodyEnd: start + 2, end: start + 2 }
      if (marker === MARKER.EOI) return
      at = start + 2
      continue
    }
    const given = uint16BE(bytes, start + 2) ?? 0
    // A comment or application segment that is shorter than its length is passed over, as by every decoder.
    const length = marker >= MARKER.APP0 ? Math.max(2, given) : given
    const bodyEnd = start + 2 + length
    if (length < 2 || bodyEnd > bytes.length || (isHeader && marker === MARKER.SOS)) return
    at = marker === MARKER.SOS ? findMarker(bytes, bodyEnd) : bodyEnd
    yield { marker, start, body, bodyEnd, end: at }
  }
}

/**
 * Returns the offset of the next marker outside of entropy-coded data; the end of the file if there is none. Codes
 * below 0xC0 are a stuffed zero or damage, RSTm belongs to the scan, and 0xFF is a fill byte (B.1.1.2).
 */
function findMarker(bytes: Uint8Array, from: number): number {
  for (let at = findFull(bytes, from); at < bytes.length - 1; at = findFull(bytes, at + 1)) {
    const code = bytes[at + 1] ?? 0
    if (code >= MARKER.SOF0 && code !== 0xff && (code < MARKER.RST0 || code > MARKER.RST7)) return at
  }
  return bytes.length
}

/** The offset of the next byte 0xFF, or the length. Four at once: of coded data one in 256 is, and there are megabytes of it. */
function findFull(bytes: Uint8Array, from: number): number {
  const unaligned = -bytes.byteOffset & 3
  let at = from
  for (; ((at - unaligned) & 3) !== 0; at++) if (bytes[at] === 0xff) return at
  if (at + 4 <= bytes.length) {
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset + at, (bytes.length - at) >> 2)
    let i = 0
    for (; i < words.length; i++) {
      const word = words[i] ?? 0
      if ((word & ~(word + 0x01010101) & 0x80808080) !== 0) break
    }
    at += 4 * i
  }
  while (at < bytes.length && bytes[at] !== 0xff) at++
  return at
}

/** Writes a marker segment: marker, length, parameters (T.81 B.1.1.4). */
export function jpegSegment(marker: number, parameters: Uint8Array): Uint8Array {
  return concat([Uint8Array.of(0xff, marker), bytesBE(parameters.length + 2, 2), parameters])
}
