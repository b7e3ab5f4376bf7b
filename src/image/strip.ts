import type { AnyFacts } from './probe.ts'
import { ImageRefusal } from './refusal.ts'
import { stripAvif } from './strip/avif.ts'
import { stripJpeg } from './strip/jpeg.ts'
import { stripPng } from './strip/png.ts'
import { stripWebp } from './strip/webp.ts'

/**
 * The picture without its metadata, every pixel's coding untouched (D33): what stays is the colour profile, what else
 * decoders need, and of the EXIF of a turned JPEG, PNG or WebP nothing but the orientation. Never longer than the input,
 * which is the answer when there is nothing to gain. Throws `ImageRefusal` ('unreadable') for a structure that cannot be taken
 * apart safely, and for every GIF: its original is to be kept.
 */
export function stripMetadata(bytes: Uint8Array, facts: AnyFacts): Uint8Array {
  const stripped = strip(bytes, facts)
  return stripped.length <= bytes.length ? stripped : bytes
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
