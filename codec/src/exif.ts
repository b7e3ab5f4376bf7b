import { hasText, uint16BE, uint16LE, uint32BE, uint32LE } from './bytes.ts'
import type { Orientation } from './format.ts'

const ORIENTATION_TAG = 0x0112
const GPS_TAG = 0x8825
const GPS_LATITUDE_TAG = 2
const ENTRY_BYTES = 12
const SHORT = 3
const LONG = 4

/**
 * Returns the Orientation of an EXIF block, a TIFF file with the tag in its first directory (EXIF 2.32, 4.6.4 A). It is
 * `undefined` if the block is broken or has no such tag.
 */
export function findOrientation(exif: Uint8Array): Orientation | undefined {
  const tiff = readTiff(exif)
  const entry = tiff && findEntry(tiff, tiff.firstDirectory, ORIENTATION_TAG)
  if (!tiff || entry === undefined) return undefined
  const type = tiff.uint16(entry + 2)
  if (type === SHORT) return toOrientation(tiff.uint16(entry + 8))
  return type === LONG ? toOrientation(tiff.uint32(entry + 8)) : undefined
}

/** Whether an EXIF block has a latitude (EXIF 2.32, 4.6.6). */
export function hasLatitude(exif: Uint8Array): boolean {
  const tiff = readTiff(exif)
  const pointer = tiff && findEntry(tiff, tiff.firstDirectory, GPS_TAG)
  if (!tiff || pointer === undefined) return false
  return findEntry(tiff, tiff.uint32(pointer + 8), GPS_LATITUDE_TAG) !== undefined
}

/** A TIFF file: its integers in its own byte order, and the offset of its first directory. */
interface Tiff {
  uint16: (at: number) => number | undefined
  uint32: (at: number) => number | undefined
  firstDirectory: number | undefined
}

/** The prefix `Exif\0\0` belongs to JPEG, but some writers keep it in other formats. */
function readTiff(exif: Uint8Array): Tiff | undefined {
  const bytes = hasText(exif, 0, 'Exif\0\0') ? exif.subarray(6) : exif
  const littleEndian = hasText(bytes, 0, 'II*\0')
  if (!littleEndian && !hasText(bytes, 0, 'MM\0*')) return undefined
  const [uint16, uint32] = littleEndian ? [uint16LE, uint32LE] : [uint16BE, uint32BE]
  return { uint16: (at) => uint16(bytes, at), uint32: (at) => uint32(bytes, at), firstDirectory: uint32(bytes, 4) }
}

/** The offset of a directory's entry with this tag. */
function findEntry({ uint16 }: Tiff, directory: number | undefined, wanted: number): number | undefined {
  if (directory === undefined) return undefined
  const entries = uint16(directory) ?? 0
  for (let i = 0; i < entries; i++) {
    const entry = directory + 2 + i * ENTRY_BYTES
    const tag = uint16(entry)
    if (tag === undefined || tag === wanted) return tag && entry
  }
  return undefined
}

const ORIENTATIONS: readonly Orientation[] = [1, 2, 3, 4, 5, 6, 7, 8]

function toOrientation(value: number | undefined): Orientation | undefined {
  return ORIENTATIONS.find((orientation) => orientation === value)
}

/** The smallest possible EXIF block: one directory with only the orientation. Without the prefix `Exif\0\0`. */
export function orientationExif(orientation: Orientation): Uint8Array {
  // biome-ignore format: a field a line
  return Uint8Array.of(
    0x4d, 0x4d, 0, 42, 0, 0, 0, 8,                                    // 'MM', 42, the directory is at 8
    0, 1,                                                             // one entry:
    ORIENTATION_TAG >> 8, ORIENTATION_TAG & 0xff, 0, SHORT, 0, 0, 0, 1, 0, orientation, 0, 0,
    0, 0, 0, 0,                                                       // no further directory
  )
}
