import { IMAGE_MAX_PIXELS } from '../../limits.ts'
import { MEGAPIXEL } from '../../units.ts'
import type { Size } from '../format.ts'
import { ImageRefusal } from '../refusal.ts'

/** The size a header gives, once it can be right: both sides at least 1 ('unreadable'), the area within D36 ('over_budget'). */
export function requireSize(width = 0, height = 0): Size {
  if (width < 1 || height < 1) {
    throw new ImageRefusal(
      'unreadable',
      `each side of a picture must be at least 1 pixel: received ${width} x ${height}`,
    )
  }
  requirePixels(width * height, `${width} x ${height}`)
  return { width, height }
}

/** D36: refuses more pixels than the service takes ('over_budget'). */
export function requirePixels(count: number, received = `${Math.ceil(count / MEGAPIXEL)} megapixels`): void {
  if (count > IMAGE_MAX_PIXELS) {
    const limit = IMAGE_MAX_PIXELS / MEGAPIXEL
    throw new ImageRefusal('over_budget', `a picture must have at most ${limit} megapixels: received ${received}`)
  }
}
