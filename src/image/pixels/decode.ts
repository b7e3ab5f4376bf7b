import type { Size } from '../format.ts'
import type { Picture } from '../picture.ts'
import { MEMORY_SHARES, requireComposable } from './budget.ts'
import { type Core, runOnCore } from './core.ts'
import { decodeAll, decodeSteps, isHeldWhileDecoded } from './decode-steps.ts'
import { createGiveWay } from './give-way.ts'
import { dropWaiting } from './instances.ts'
import { blankRaster, paste, type Raster, takeRaster } from './raster.ts'
import { findFirstFrame } from './webp-file.ts'
import { webpSteps } from './webp-steps.ts'

/** Decoded at this many times the size of a thumbnail, nobody sees that it was not decoded whole. */
const THUMBNAIL_OVERSAMPLING = 2
/** Large pictures cost more to decode: this much still gives 49 dB of the whole. */
const LARGE_OVERSAMPLING = 1.5
const LARGE_FROM_PX = 1000

/** How much larger than wanted a JPEG is decoded at least, before it is resampled. */
export function oversamplingFor({ width, height }: Size): number {
  return Math.max(width, height) < LARGE_FROM_PX ? THUMBNAIL_OVERSAMPLING : LARGE_OVERSAMPLING
}

/** Decodes the first frame of a picture, or its `whole` pixels, into what the core was told to make of this size. Throws ImageRefusal. */
export function decodeInto(core: Core, picture: Picture, whole: Raster | undefined, size: Size): Promise<void> {
  const { bytes, facts } = picture
  const { held } = MEMORY_SHARES[facts.format]
  if (isHeldWhileDecoded(facts) && facts.format !== 'avif') dropWaiting()
  const heldMaxBytes = facts.format === 'jpeg' ? held - bytes.length : held
  const steps = decodeSteps(core, picture, whole, { oversamplings: [oversamplingFor(size)], heldMaxBytes })
  return decodeAll(steps, createGiveWay(facts.size.width))
}

/** The pixels of a picture that cannot be decoded by rows; undefined for all others. Throws ImageRefusal. */
export async function decodeWhole({ bytes, facts }: Picture): Promise<Raster | undefined> {
  if (facts.format === 'webp') return composeFirstFrame(bytes, facts.size)
  return undefined
}

/**
 * The canvas of an animated WebP whose first frame leaves some of it free, with that frame on it; undefined for all others.
 * It is small or refused: rows of such a frame do not go from edge to edge.
 */
async function composeFirstFrame(bytes: Uint8Array, size: Size): Promise<Raster | undefined> {
  const frame = findFirstFrame(bytes)
  const { place } = frame
  if (!place || (place.width === size.width && place.height === size.height)) return undefined
  requireComposable(size)
  const canvas = blankRaster(size)
  const raster = await runOnCore(async (core) => {
    core.toPicture(place.width, place.height, 1)
    await decodeAll(webpSteps(core, frame), createGiveWay(place.width))
    return takeRaster(core, place)
  })
  paste(canvas, raster, place.left, place.top)
  return canvas
}
