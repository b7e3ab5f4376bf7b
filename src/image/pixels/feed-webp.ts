import type { Picture } from '../picture.ts'
import { requireBudget } from './budget.ts'
import { type Core, put, requireOk, runOnCore } from './core.ts'
import { blankRaster, paste, type Raster, takeRaster } from './raster.ts'
import { findFirstFrame, type WebpFrame } from './webp-file.ts'

/** Decodes the first frame of a WebP that fills its canvas into what the core was told to make. Throws ImageRefusal. */
export function feedWebp(core: Core, { bytes }: Picture): void {
  feedFrame(core, findFirstFrame(bytes))
}

/**
 * The canvas of an animation whose first frame leaves some of it free, with that frame on it; undefined for all other files.
 * It is small or refused: rows of such a frame do not follow each other from edge to edge.
 */
export async function composeFirstFrame({ bytes, facts }: Picture): Promise<Raster | undefined> {
  const frame = findFirstFrame(bytes)
  const { place } = frame
  if (!place || (place.width === facts.size.width && place.height === facts.size.height)) return undefined
  requireBudget(facts.size)
  const canvas = blankRaster(facts.size)
  const raster = await runOnCore((core) => {
    core.toPicture(place.width, place.height, 1)
    feedFrame(core, frame)
    return takeRaster(core, place)
  })
  paste(canvas, raster, place.left, place.top)
  return canvas
}

function feedFrame(core: Core, { coding, bitstream, alpha }: WebpFrame): void {
  const address = put(core, bitstream)
  if (coding === 'VP8L') {
    requireOk(core.openVp8l(address, bitstream.length))
    requireOk(core.decodeVp8l())
  } else if (alpha) {
    requireOk(core.openWebpAlpha(address, bitstream.length, put(core, alpha), alpha.length))
    requireOk(core.decodeWebpAlpha())
  } else {
    requireOk(core.openVp8(address, bitstream.length))
    requireOk(core.decodeVp8())
  }
}
