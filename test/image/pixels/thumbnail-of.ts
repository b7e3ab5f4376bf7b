import { uprightSize } from '../../../codec/src/format.ts'
import type { Picture } from '../../../codec/src/picture.ts'
import type { Raster } from '../../../codec/src/pixels/raster.ts'
import { thumbnailSize } from '../../codec/corpus.ts'
import { decodeTo } from '../decode-to.ts'

/** The picture upright, fitted into a square of 200 pixels. */
export function thumbnailOf(picture: Picture): Promise<Raster> {
  const { width, height } = uprightSize(picture.facts)
  return decodeTo(picture, thumbnailSize(width, height))
}
