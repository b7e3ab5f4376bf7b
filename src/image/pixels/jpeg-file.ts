import { bytesBE, concat, textBytes } from '../bytes.ts'

/** SOI and a JFIF segment: version 1.1, square pixels of no particular size, no thumbnail (JFIF 1.02). */
const START = concat([
  textBytes('\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00'),
  bytesBE(1, 2),
  bytesBE(1, 2),
  bytesBE(0, 2),
])
/** What a segment has room for after its length (2), the name (12), and the part's number and their count (2). */
const PROFILE_PART_MAX_BYTES = 0xffff - 16

/** A JPEG file as far as its first table: SOI, JFIF and, in parts, an ICC profile (ICC.1, B.4). */
export function jpegStart(profile: Uint8Array = new Uint8Array()): Uint8Array {
  const count = Math.ceil(profile.length / PROFILE_PART_MAX_BYTES)
  const segments = Array.from({ length: count }, (_, i) => {
    const part = profile.subarray(i * PROFILE_PART_MAX_BYTES, (i + 1) * PROFILE_PART_MAX_BYTES)
    const head = concat([textBytes('\xff\xe2'), bytesBE(part.length + 16, 2), textBytes('ICC_PROFILE\0')])
    return concat([head, Uint8Array.of(i + 1, count), part])
  })
  return concat([START, ...segments])
}
