import type { ImageFile, ProbedImage, Size, SizedImage } from '../src/interface.ts'
import { codec } from './codec.ts'

/** A WebP of the tests' codec. */
export function encodeWebp(image: ProbedImage, box: Size, quality: number): Promise<ImageFile> {
  return codec.resize(image, { ...box, quality })
}

/** Two images joined by the tests' codec. */
export function joinSideBySide(left: SizedImage, right: SizedImage, format: 'jpeg' | 'png'): Promise<ImageFile> {
  return codec.join(left, right, format)
}
