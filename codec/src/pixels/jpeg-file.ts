import { bytesBE, concat, textBytes } from '../bytes.ts'
import { jpegSegment, MARKER, PROFILE_KIND } from '../container/jpeg-segments.ts'

/** Version 1.1, square pixels of no particular size, no thumbnail (JFIF 1.02). */
const JFIF = concat([textBytes('JFIF\0'), Uint8Array.of(1, 1, 0), bytesBE(1, 2), bytesBE(1, 2), bytesBE(0, 2)])
/** The capacity of a segment after its length (2), the name (12), and the part's number and count (2). */
const PROFILE_PART_MAX_BYTES = 0xffff - 16

/** A JPEG file as far as its first table: SOI, JFIF and, in parts, an ICC profile (ICC.1, B.4). */
export function jpegStart(profile: Uint8Array = new Uint8Array()): Uint8Array {
  const count = Math.ceil(profile.length / PROFILE_PART_MAX_BYTES)
  const profileParts = Array.from({ length: count }, (_, i) => {
    const part = profile.subarray(i * PROFILE_PART_MAX_BYTES, (i + 1) * PROFILE_PART_MAX_BYTES)
    return jpegSegment(MARKER.APP2, concat([textBytes(PROFILE_KIND), Uint8Array.of(i + 1, count), part]))
  })
  return concat([Uint8Array.of(0xff, MARKER.SOI), jpegSegment(MARKER.APP0, JFIF), ...profileParts])
}
