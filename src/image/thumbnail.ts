import { THUMBNAIL_WEBP_QUALITY } from '../limits.ts'
import { encodeWebp } from './codecs.ts'
import type { ImageFile } from './image-file.ts'
import type { Picture } from './picture.ts'

/** The thumbnail of a picture: a WebP that fits into a square of `maxSizePx` (D30). Throws ImageRefusal if none can be made. */
export function makeThumbnail(picture: Picture, maxSizePx: number): Promise<ImageFile> {
  return encodeWebp(picture, { width: maxSizePx, height: maxSizePx }, THUMBNAIL_WEBP_QUALITY)
}
