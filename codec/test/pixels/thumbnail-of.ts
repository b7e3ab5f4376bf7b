import { uprightSize } from '../../src/format.ts'
import type { Raster } from '../../src/pixels/raster.ts'
import type { ProbedImage } from '../../src/probed-image.ts'
import { codec } from '../codec.ts'
import { thumbnailSize } from '../corpus.ts'

/** The image upright, fitted into a square of 200 pixels. */
export function thumbnailOf(image: ProbedImage): Promise<Raster> {
  const { width, height } = uprightSize(image.facts)
  return codec.pixels(image, thumbnailSize(width, height))
}
