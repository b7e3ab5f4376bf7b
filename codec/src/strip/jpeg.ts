import { concat, textBytes, uint16BE, uint32BE } from '../bytes.ts'
import { findGainMap, joinGainMap } from '../container/gain-map.ts'
import {
  isKind,
  isProfilePart,
  jpegSegment,
  jpegSegments,
  MARKER,
  readProfilePart,
  type Segment,
} from '../container/jpeg-segments.ts'
import { orientationExif } from '../exif.ts'
import type { Orientation } from '../format.ts'
import { findUnusedTables, withoutTables } from './jpeg-tables.ts'

const JFIF_BYTES = 14
const ADOBE_BYTES = 12
const PROFILE_HEADER_BYTES = 128

/**
 * A JPEG without metadata: keeps the coded data with the tables that it uses, colour profile, JFIF density, Adobe transform and gain map, and adds the
 * orientation.
 */
export function stripJpeg(bytes: Uint8Array, orientation: Orientation): Uint8Array {
  const found = findGainMap(bytes)
  if (!found) return stripOne(bytes, orientation)
  return joinGainMap(stripOne(found.base, orientation), stripOne(found.map, 1), found)
}

function stripOne(bytes: Uint8Array, orientation: Orientation): Uint8Array {
  const segments = [...jpegSegments(bytes)]
  const firstScan = segments.findIndex(({ marker }) => marker === MARKER.SOS)
  const header = segments.slice(0, firstScan)
  const unused = findUnusedTables(bytes, segments)
  const profile = cutProfile(bytes, header)
  const jfif = header.find((segment) => segment.marker === MARKER.APP0 && isKind(bytes, segment, 'JFIF\0'))
  return concat([
    bytes.subarray(0, 2),
    ...(jfif ? [firstBytes(bytes, jfif, JFIF_BYTES)] : []),
    ...(orientation === 1 ? [] : [exifSegment(orientation)]),
    ...header
      .filter((segment) => isNeeded(bytes, segment))
      .map((segment) => {
        const tables = unused.get(segment)
        return tables ? withoutTables(bytes, segment, tables) : (profile.get(segment) ?? copyOf(bytes, segment))
      }),
    ...stripScans(bytes, segments.slice(firstScan), header.some(hasRestarts(bytes))),
  ])
}

/** The scans, and the tables between them. */
function stripScans(bytes: Uint8Array, segments: Segment[], canResume: boolean): Uint8Array[] {
  if (canResume) return stripResumable(bytes, segments)
  // Another image begins where the end of this one is missing.
  const next = segments.findIndex(({ marker }) => marker === MARKER.SOI)
  const own = next < 0 ? segments : segments.slice(0, next)
  const retained = own.filter((segment) => isNeeded(bytes, segment)).map((segment) => copyOf(bytes, segment))
  const last = own.at(-1)
  if (!last || last.marker === MARKER.EOI) return retained
  if (next >= 0) return [...retained, Uint8Array.of(0xff, MARKER.EOI)]
  return isMetadata(bytes[last.end + 1] ?? 0) ? retained : [...retained, bytes.subarray(last.end)]
}

/**
 * Strips the segments of a JPEG with restart markers. Decoders then continue after damage, so damaged data that looks like a segment is still of
 * use. Metadata ends where a segment begins.
 */
function stripResumable(bytes: Uint8Array, segments: Segment[]): Uint8Array[] {
  const retained = segments.map((segment, i) => {
    const isDropped = !isNeeded(bytes, segment) && bytes[segment.bodyEnd] === 0xff
    return isDropped ? new Uint8Array() : bytes.subarray(segment.start, segments[i + 1]?.start ?? segment.end)
  })
  const last = segments.at(-1)
  return last && last.marker !== MARKER.EOI ? [...retained, bytes.subarray(last.end)] : retained
}

function hasRestarts(bytes: Uint8Array): (segment: Segment) => boolean {
  return ({ marker, body }) => marker === MARKER.DRI && uint16BE(bytes, body) !== 0
}

/** Whether a segment stays: one that decoders need, the profile or Adobe's transform. */
function isNeeded(bytes: Uint8Array, segment: Segment): boolean {
  const { marker } = segment
  if (marker === MARKER.APP2) return isProfilePart(bytes, segment)
  if (marker === MARKER.APP14) return isKind(bytes, segment, 'Adobe')
  return marker !== MARKER.JPG && !isMetadata(marker)
}

/** Comments, application data, and the codes that no decoder knows (T.81, table B.1). */
function isMetadata(marker: number): boolean {
  return marker >= MARKER.APP0 || marker === MARKER.DHP || marker === MARKER.EXP
}

/** A segment as it is, but for bytes after the fields of Adobe's. */
function copyOf(bytes: Uint8Array, segment: Segment): Uint8Array {
  const { marker, start, end } = segment
  return marker === MARKER.APP14 ? firstBytes(bytes, segment, ADOBE_BYTES) : bytes.subarray(start, end)
}

/** A segment of so many bytes. The last two of JFIF are the sides of a thumbnail, which it then has none of (JFIF 1.02, page 5). */
function firstBytes(bytes: Uint8Array, { marker, body, bodyEnd }: Segment, count: number): Uint8Array {
  const fields = new Uint8Array(count)
  fields.set(bytes.subarray(body, Math.min(body + count - (marker === MARKER.APP0 ? 2 : 0), bodyEnd)))
  return jpegSegment(marker, fields)
}

/** The segments of a profile that has bytes after its own, without them. None if a part comes twice: decoders differ in which they read. */
function cutProfile(bytes: Uint8Array, header: readonly Segment[]): Map<Segment, Uint8Array> {
  const parts = header
    .filter((segment) => isProfilePart(bytes, segment))
    .map((segment) => ({ segment, ...readProfilePart(bytes, segment) }))
    .toSorted((one, other) => one.number - other.number)
  const cut = new Map<Segment, Uint8Array>()
  const [first] = parts
  let left = (first && uint32BE(bytes, first.start)) ?? 0
  const isTwice = new Set(parts.map(({ number }) => number)).size < parts.length
  if (left < PROFILE_HEADER_BYTES || isTwice) return cut
  for (const { segment, start } of parts) {
    const end = Math.min(segment.bodyEnd, start + left)
    left -= Math.max(0, end - start)
    if (end < segment.bodyEnd) cut.set(segment, jpegSegment(segment.marker, bytes.subarray(segment.body, end)))
  }
  return cut
}

function exifSegment(orientation: Orientation): Uint8Array {
  return jpegSegment(MARKER.APP1, concat([textBytes('Exif\0\0'), orientationExif(orientation)]))
}
