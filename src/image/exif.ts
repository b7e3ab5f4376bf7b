import { hasText, uint16BE, uint16LE, uint32BE, uint32LE } from './bytes.ts'
import type { Orientation } from './format.ts'

const ORIENTATION_TAG = 0x0112
const ENTRY_BYTES = 12
const SHORT = 3
const LONG = 4

/**
 * The Orientation of an EXIF block, a TIFF file with the tag in its first directory (EXIF 2.32, 4.6.4 A); `undefined` if the
 * block is broken or has no such tag. The prefix `Exif\0\0` belongs to JPEG, but some writers keep it in other formats.
 */
export function findOrientation(exif: Uint8Array): Orientation | undefined {
  const tiff = hasText(exif, 0, 'Exif\0\0') ? exif.subarray(6) : exif
  const littleEndian = hasText(tiff, 0, 'II*\0')
  if (!littleEndian && !hasText(tiff, 0, 'MM\0*')) return undefined
  const uint16 = littleEndian ? uint16LE : uint16BE
  const uint32 = littleEndian ? uint32LE : uint32BE

  const directory = uint32(tiff, 4) ?? tiff.length
  const entries = uint16(tiff, directory) ?? 0
  for (let i = 0; i < entries; i++) {
    const entry = directory + 2 + i * ENTRY_BYTES
    const tag = uint16(tiff, entry)
    if (tag === undefined) return undefined
    if (tag !== ORIENTATION_TAG) continue
    const type = uint16(tiff, entry + 2)
    return type === SHORT
      ? toOrientation(uint16(tiff, entry + 8))
      : type === LONG
        ? toOrientation(uint32(tiff, entry + 8))
        : undefined
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
