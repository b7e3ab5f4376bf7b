import type { AnyFacts } from './probe.ts'
import { ImageRefusal } from './refusal.ts'
import { stripAvif } from './strip/avif.ts'
import { stripJpeg } from './strip/jpeg.ts'
import { stripPng, trimPng } from './strip/png.ts'
import { stripWebp } from './strip/webp.ts'

/**
 * Removes metadata without re-encoding (D33). Kept are the colour profile, everything else that decoders need, and of the EXIF
 * of a rotated or flipped JPEG, PNG or WebP only the orientation. Never longer than the input, which is returned if nothing is
 * gained. Throws `ImageRefusal` ('unreadable') for a structure that cannot be rewritten safely, and for every GIF: GIFs are
 * stored unchanged.
 */
export function stripMetadata(bytes: Uint8Array, facts: AnyFacts): Uint8Array {
  const stripped = strip(bytes, facts)
  return stripped.length <= bytes.length ? stripped : bytes
}

/** Removes what follows the rows of a PNG in its image data and its chunks, which no decoder reads. Other formats stay as they are. */
export function trimImageData(bytes: Uint8Array, facts: AnyFacts): Uint8Array {
  return facts.format === 'png' ? trimPng(bytes, facts) : bytes
}

function strip(bytes: Uint8Array, { format, orientation }: AnyFacts): Uint8Array {
  switch (format) {
    case 'jpeg':
      return stripJpeg(bytes, orientation)
    case 'png':
      return stripPng(bytes, orientation)
    case 'webp':
      return stripWebp(bytes, orientation)
    case 'avif':
      return stripAvif(bytes)
    case 'gif':
      throw new ImageRefusal('unreadable', 'a GIF keeps its metadata')
  }
}
