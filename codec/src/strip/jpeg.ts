import { concat, textBytes, uint16BE } from '../bytes.ts'
import { isKind, jpegSegment, jpegSegments, MARKER, PROFILE_KIND, type Segment } from '../container/jpeg-segments.ts'
import { orientationExif } from '../exif.ts'
import type { Orientation } from '../format.ts'

const JFIF_BYTES = 14

/** A JPEG without metadata: keeps the coded data, colour profile, JFIF density and Adobe transform, and adds the orientation. */
export function stripJpeg(bytes: Uint8Array, orientation: Orientation): Uint8Array {
  const segments = [...jpegSegments(bytes)]
  const firstScan = segments.findIndex(({ marker }) => marker === MARKER.SOS)
  const header = segments.slice(0, firstScan)
  const jfif = header.find((segment) => segment.marker === MARKER.APP0 && isKind(bytes, segment, 'JFIF\0'))
  return concat([
    bytes.subarray(0, 2),
    ...(jfif ? [withoutThumbnail(bytes, jfif)] : []),
    ...(orientation === 1 ? [] : [exifSegment(orientation)]),
    ...header.filter((segment) => isNeeded(bytes, segment)).map(({ start, end }) => bytes.subarray(start, end)),
    ...stripScans(bytes, segments.slice(firstScan), header.some(hasRestarts(bytes))),
  ])
}

/** The scans, and the tables between them. */
function stripScans(bytes: Uint8Array, segments: Segment[], canResume: boolean): Uint8Array[] {
  const [first, last] = [segments[0], segments.at(-1)]
  if (!first || !last) return []
  // With restart markers, decoders continue after damage, so what looks like a segment may be damaged data that is still of use.
  if (canResume) return [bytes.subarray(first.start, last.marker === MARKER.EOI ? last.end : bytes.length)]
  const retained = segments
    .filter((segment) => isNeeded(bytes, segment))
    .map(({ start, end }) => bytes.subarray(start, end))
  return last.marker === MARKER.EOI ? retained : [...retained, bytes.subarray(last.end)]
}

function hasRestarts(bytes: Uint8Array): (segment: Segment) => boolean {
  return ({ marker, body }) => marker === MARKER.DRI && uint16BE(bytes, body) !== 0
}

/** Whether a segment is kept: everything but comments and application data other than the profile and Adobe's transform. */
function isNeeded(bytes: Uint8Array, segment: Segment): boolean {
  const { marker } = segment
  if (marker === MARKER.APP2) return isKind(bytes, segment, PROFILE_KIND)
  if (marker === MARKER.APP14) return isKind(bytes, segment, 'Adobe')
  return marker !== MARKER.COM && (marker < MARKER.APP0 || marker > MARKER.APP15)
}

/** A JFIF segment with a thumbnail of 0 x 0 pixels (JFIF 1.02, page 5). */
function withoutThumbnail(bytes: Uint8Array, { body, bodyEnd }: Segment): Uint8Array {
  const fields = new Uint8Array(JFIF_BYTES)
  fields.set(bytes.subarray(body, Math.min(body + JFIF_BYTES - 2, bodyEnd)))
  return jpegSegment(MARKER.APP0, fields)
}

function exifSegment(orientation: Orientation): Uint8Array {
  return jpegSegment(MARKER.APP1, concat([textBytes('Exif\0\0'), orientationExif(orientation)]))
}
