import type { ImageFile, Picture } from '../../codec/src/interface.ts'
import { probe } from '../../codec/src/interface.ts'
import { THUMBNAIL_WEBP_QUALITY } from '../limits.ts'
import { codec } from './codec.ts'
import { type Fingerprint, fingerprintOf } from './fingerprint.ts'

/** The thumbnail of a picture: a WebP that fits into a square of `maxSizePx` (D30). Throws ImageRefusal if none can be made. */
export function makeThumbnail(picture: Picture, maxSizePx: number): Promise<ImageFile> {
  return codec.thumbnail(picture, { width: maxSizePx, height: maxSizePx, quality: THUMBNAIL_WEBP_QUALITY })
}

/** What the picture of a thumbnail looks like; undefined where it is too even to tell. Throws ImageRefusal for what is no thumbnail. */
export async function fingerprintOfThumbnail(bytes: Uint8Array): Promise<Fingerprint | undefined> {
  const facts = probe(bytes)
  return facts && fingerprintOf(await codec.pixels({ bytes, facts }))
}
