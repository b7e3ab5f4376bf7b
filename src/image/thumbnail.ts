import { decodePixels, encodeWebp } from '../../codec/src/codecs.ts'
import type { ImageFile } from '../../codec/src/image-file.ts'
import type { Picture } from '../../codec/src/picture.ts'
import { probe } from '../../codec/src/probe.ts'
import { THUMBNAIL_WEBP_QUALITY } from '../limits.ts'
import { type Fingerprint, fingerprintOf } from './fingerprint.ts'

/** The thumbnail of a picture: a WebP that fits into a square of `maxSizePx` (D30). Throws ImageRefusal if none can be made. */
export function makeThumbnail(picture: Picture, maxSizePx: number): Promise<ImageFile> {
  return encodeWebp(picture, { width: maxSizePx, height: maxSizePx }, THUMBNAIL_WEBP_QUALITY)
}

/** What the picture of a thumbnail looks like; undefined where it is too even to tell. Throws ImageRefusal for what is no thumbnail. */
export async function fingerprintOfThumbnail(bytes: Uint8Array): Promise<Fingerprint | undefined> {
  const facts = probe(bytes)
  return facts && fingerprintOf(await decodePixels({ bytes, facts }))
}
