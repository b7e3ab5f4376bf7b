import type { ImageFile, Picture, Size, SizedPicture } from '../src/interface.ts'
import { codec } from './codec.ts'

/** A WebP of the tests' codec. */
export function encodeWebp(picture: Picture, box: Size, quality: number): Promise<ImageFile> {
  return codec.resize(picture, { ...box, quality })
}

/** Two images joined by the tests' codec. */
export function joinSideBySide(left: SizedPicture, right: SizedPicture, format: 'jpeg' | 'png'): Promise<ImageFile> {
  return codec.join(left, right, format)
}
