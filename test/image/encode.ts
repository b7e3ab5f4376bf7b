import type { ImageFile, Picture, Size, SizedPicture } from '../../codec/src/interface.ts'
import { codec } from '../../src/image/codec.ts'

/** A WebP of the service's codec. */
export function encodeWebp(picture: Picture, box: Size, quality: number): Promise<ImageFile> {
  return codec.resize(picture, { ...box, quality })
}

/** Two pictures joined by the service's codec. */
export function joinSideBySide(left: SizedPicture, right: SizedPicture, format: 'jpeg' | 'png'): Promise<ImageFile> {
  return codec.join(left, right, format)
}
