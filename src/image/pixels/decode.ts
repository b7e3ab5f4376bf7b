import type { Size } from '../format.ts'
import type { Picture } from '../picture.ts'
import { requireBudget } from './budget.ts'
import { runOnCore } from './core.ts'
import { decodeWhole, feed } from './feed.ts'
import { type Raster, takeRaster } from './raster.ts'

/** Decoded at this many times the size of a thumbnail, nobody sees that it was not decoded whole. */
const THUMBNAIL_OVERSAMPLING = 2
/** Large pictures cost more to decode: this much still gives 49 dB of the whole. */
const LARGE_OVERSAMPLING = 1.5
const LARGE_FROM_PX = 1000

/** The first frame's pixels, upright and at an upright size no larger than its own. */
export async function decodeTo(picture: Picture, { width, height }: Size): Promise<Raster> {
  requireBudget({ width, height })
  const whole = await decodeWhole(picture)
  return runOnCore(async (core) => {
    core.toPicture(width, height, picture.facts.orientation)
    await feed(core, picture, whole, oversamplingFor({ width, height }))
    return takeRaster(core, { width, height })
  })
}

/** How much larger than wanted a JPEG is decoded at least, before it is resampled. */
export function oversamplingFor({ width, height }: Size): number {
  return Math.max(width, height) < LARGE_FROM_PX ? THUMBNAIL_OVERSAMPLING : LARGE_OVERSAMPLING
}
