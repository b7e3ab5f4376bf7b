import { uprightSize } from '../../src/format.ts'
import type { Picture } from '../../src/picture.ts'
import type { Raster } from '../../src/pixels/raster.ts'
import { thumbnailSize } from '../corpus.ts'
import { decodeTo } from '../decode-to.ts'

/** The image upright, fitted into a square of 200 pixels. */
export function thumbnailOf(picture: Picture): Promise<Raster> {
  const { width, height } = uprightSize(picture.facts)
  return decodeTo(picture, thumbnailSize(width, height))
}
