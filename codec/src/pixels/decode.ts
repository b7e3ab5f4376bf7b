import { uint32BE } from '../bytes.ts'
import { type AvifItem, type AvifItems, readItems } from '../container/avif-items.ts'
import { findProperty, readOverlay, withoutIdentity } from '../container/avif-sources.ts'
import { type Size, uprightSize } from '../format.ts'
import type { Picture } from '../picture.ts'
import { readOrientation } from '../probe/avif-orientation.ts'
import { ImageRefusal } from '../refusal.ts'
import { findItemObus } from './avif-obus.ts'
import { avifSteps } from './avif-steps.ts'
import { MEMORY_SHARES, requireComposable } from './budget.ts'
import { type Core, runOnCore } from './core.ts'
import { decodeAll, decodeSteps, isHeldWhileDecoded } from './decode-steps.ts'
import { createGiveWay } from './give-way.ts'
import { dropWaiting } from './instances.ts'
import { blankRaster, layOver, paste, type Raster, takeRaster } from './raster.ts'
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
  return facts.format === 'avif' ? composeOverlay(bytes) : undefined
}

/** The canvas of an AVIF whose primary item is an overlay, with its pictures on it; undefined for all others. It is small or refused. */
async function composeOverlay(bytes: Uint8Array): Promise<Raster | undefined> {
  const read = readItems(bytes)
  if (!read) return undefined
  const items = withoutIdentity(read)
  if (items.primary.type !== 'iovl') return undefined
  const { places, fill, ...size } = readOverlay(bytes, items, items.primary)
  requireComposable(size, 'an AVIF that is an overlay')
  const canvas = blankRaster(size)
  for (let i = 0; i < canvas.rgba.length; i++) canvas.rgba[i] = fill[i % 4] ?? 0
  for (const { item, left, top } of places) layOver(canvas, await decodeItem(bytes, items, item), left, top)
  return canvas
}

/** The pixels of one item of an AVIF, turned as it says. */
async function decodeItem(bytes: Uint8Array, items: AvifItems, item: AvifItem): Promise<Raster> {
  const ispe = findProperty(item, 'ispe')
  const size = {
    width: (ispe && uint32BE(bytes, ispe.body + 4)) ?? 0,
    height: (ispe && uint32BE(bytes, ispe.body + 8)) ?? 0,
  }
  if (size.width === 0 || size.height === 0) throw new ImageRefusal('unreadable', "an AVIF's pictures must have a size")
  requireComposable(size, 'an AVIF that is laid over another')
  const orientation = readOrientation(bytes, item.properties)
  const upright = uprightSize({ size, orientation })
  const coded = findItemObus(bytes, items, item)
  return runOnCore(async (core) => {
    core.toPicture(upright.width, upright.height, orientation)
    await decodeAll(avifSteps(core, coded, MEMORY_SHARES.avif.held), createGiveWay(size.width))
    return takeRaster(core, upright)
  })
}

/**
 * The canvas of an animated WebP whose first frame leaves some of it free, with that frame on it; undefined for all others.
 * It is small or refused: rows of such a frame do not go from edge to edge.
 */
async function composeFirstFrame(bytes: Uint8Array, size: Size): Promise<Raster | undefined> {
  const frame = findFirstFrame(bytes)
  const { place } = frame
  if (!place || (place.width === size.width && place.height === size.height)) return undefined
  requireComposable(size, 'an animated WebP whose first frame is smaller than its canvas')
  const canvas = blankRaster(size)
  const raster = await runOnCore(async (core) => {
    core.toPicture(place.width, place.height, 1)
    await decodeAll(webpSteps(core, frame), createGiveWay(place.width))
    return takeRaster(core, place)
  })
  paste(canvas, raster, place.left, place.top)
  return canvas
}
