import { riffChunk, webpChunks, webpFile } from '../container/webp-chunks.ts'
import { orientationExif } from '../exif.ts'
import type { Orientation } from '../format.ts'
import { ImageRefusal } from '../refusal.ts'

const NEEDED = new Set(['VP8X', 'ICCP', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L'])
const VP8X_EXIF = 0x08
const VP8X_XMP = 0x04

/** A WebP without metadata: keeps the image, colour profile and animation, and adds the orientation. */
export function stripWebp(bytes: Uint8Array, orientation: Orientation): Uint8Array {
  const retained: Uint8Array[] = []
  for (const { type, body, bodyEnd, whole } of webpChunks(bytes)) {
    if (!NEEDED.has(type)) continue
    if (!whole) throw new ImageRefusal('unreadable', `the WebP ends inside its ${type.trim()} chunk`)
    const content = bytes.subarray(body, bodyEnd)
    retained.push(...riffChunk(type, type === 'VP8X' ? withoutMetadataFlags(content, orientation) : content))
  }
  if (orientation !== 1) retained.push(...riffChunk('EXIF', orientationExif(orientation)))
  return webpFile(retained)
}

function withoutMetadataFlags(vp8x: Uint8Array, orientation: Orientation): Uint8Array {
  const [flags = 0, ...sizes] = vp8x
  return Uint8Array.of((flags & ~(VP8X_EXIF | VP8X_XMP)) | (orientation === 1 ? 0 : VP8X_EXIF), ...sizes)
}
