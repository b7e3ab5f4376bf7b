import type { Size } from '../format.ts'
import { IMAGE_MAX_PIXELS } from '../limits.ts'
import { ImageRefusal } from '../refusal.ts'
import { MEGAPIXEL } from '../units.ts'

/** The size in a header. Refuses sides below 1 ('unreadable') and more pixels than D36 allows ('over_budget'). */
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

/** Refuses more pixels than D36 allows ('over_budget'). */
export function requirePixels(count: number, received = `${Math.ceil(count / MEGAPIXEL)} megapixels`): void {
  if (count > IMAGE_MAX_PIXELS) {
    const limit = IMAGE_MAX_PIXELS / MEGAPIXEL
    throw new ImageRefusal('over_budget', `a picture must have at most ${limit} megapixels: received ${received}`)
  }
}
