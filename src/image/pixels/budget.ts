import type { Size } from '../format.ts'
import { ImageRefusal } from '../refusal.ts'

const MEGAPIXEL = 1_000_000

/** Decoders of whole pictures hold some 8 to 12 bytes a pixel at their worst moment: 16 megapixels are all there is room for. */
export const FIRST_VERSION_MAX_PIXELS = 16 * MEGAPIXEL

/** Refuses ('over_budget') what is larger than can be decoded as a whole. */
export function requireBudget({ width, height }: Size): void {
  if (width * height <= FIRST_VERSION_MAX_PIXELS) return
  throw new ImageRefusal(
    'over_budget',
    `a picture must have at most ${FIRST_VERSION_MAX_PIXELS / MEGAPIXEL} megapixels: received ${width} x ${height}`,
  )
}
