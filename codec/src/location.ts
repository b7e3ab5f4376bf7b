import { hasText } from './bytes.ts'
import { itemBytes, readItems } from './container/avif-items.ts'
import { isKind, jpegSegments, MARKER } from './container/jpeg-segments.ts'
import { pngChunks } from './container/png-chunks.ts'
import { webpChunks } from './container/webp-chunks.ts'
import { hasLatitude } from './exif.ts'
import type { Format } from './format.ts'

/** The bytes before the TIFF file in an Exif item, which say where it begins (ISO/IEC 23008-12, A.2.1). */
const EXIF_ITEM_HEADER_BYTES = 4

/**
 * Whether the metadata of a picture tell where it was taken: in EXIF, or in XMP that is not compressed. Throws ImageRefusal as
 * `probe` does.
 */
export function hasLocation(bytes: Uint8Array, format: Format): boolean {
  for (const metadata of METADATA[format](bytes)) {
    if (hasLatitude(metadata) || holdsText(metadata, 'GPSLatitude')) return true
  }
  return false
}

/** The parts of a file that hold EXIF or XMP, by its format. */
const METADATA: Record<Format, (bytes: Uint8Array) => Iterable<Uint8Array>> = {
  *jpeg(bytes) {
    for (const segment of jpegSegments(bytes)) {
      if (segment.marker === MARKER.SOS) return
      const isMetadata = isKind(bytes, segment, 'Exif\0') || isKind(bytes, segment, 'http://ns.adobe.com/')
      if (segment.marker === MARKER.APP1 && isMetadata) yield bytes.subarray(segment.body, segment.bodyEnd)
    }
  },
  *png(bytes) {
    for (const { type, body, bodyEnd } of pngChunks(bytes)) {
      if (type === 'eXIf' || type === 'iTXt') yield bytes.subarray(body, bodyEnd)
    }
  },
  *webp(bytes) {
    for (const { type, body, bodyEnd } of webpChunks(bytes)) {
      if (type === 'EXIF' || type === 'XMP ') yield bytes.subarray(body, bodyEnd)
    }
  },
  *avif(bytes) {
    for (const item of readItems(bytes)?.items.values() ?? []) {
      if (item.type === 'Exif') yield itemBytes(bytes, item).subarray(EXIF_ITEM_HEADER_BYTES)
      if (item.type === 'mime') yield itemBytes(bytes, item)
    }
  },
  // Its only metadata is XMP in an application extension, which cameras do not write.
  gif: () => [],
}

function holdsText(bytes: Uint8Array, text: string): boolean {
  const first = text.charCodeAt(0)
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (hasText(bytes, at, text)) return true
  }
  return false
}
