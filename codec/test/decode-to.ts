import type { ProbedImage, Raster, Size } from '../src/interface.ts'
import { codec } from './codec.ts'

/** The first frame's pixels, upright and at an upright size no larger than its own. */
export async function decodeTo(image: ProbedImage, size: Size): Promise<Raster> {
  return codec.pixels(image, size)
}
