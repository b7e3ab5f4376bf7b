import { type AvifItem, type AvifItems, readItems } from '../container/avif-items.ts'
import { itemSize, readOverlay, withoutIdentity } from '../container/avif-sources.ts'
import { type Size, uprightSize } from '../format.ts'
import { readOrientation } from '../probe/avif-orientation.ts'
import type { ProbedImage } from '../probed-image.ts'
import { ImageRefusal } from '../refusal.ts'
import { findItemObus } from './avif-obus.ts'
import { avifSource } from './avif-source.ts'
import { heldBytes, requireComposable } from './budget.ts'
import type { Core } from './core.ts'
import type { Cores } from './cores.ts'
import { decodeAll, isHeldWhileDecoded, sourceOf } from './decode-steps.ts'
import { oversamplingFor } from './oversampling.ts'
import { blankRaster, layOver, paste, type Raster, takeRaster } from './raster.ts'
import type { Source } from './source.ts'
import { findFirstFrame } from './webp-file.ts'
import { webpSource } from './webp-source.ts'

/**
 * Decodes the first frame of an image, or its `whole` pixels, into what the core was told to make of this size. Outputs hold
 * `outputBytes` more than usual. Throws ImageRefusal.
 */
export function decodeInto(
  cores: Cores,
  core: Core,
  image: ProbedImage,
  whole: Raster | undefined,
  size: Size,
  outputBytes = 0,
): Promise<void> {
  return decodeAll(
    core,
    wholeSource(cores, image, whole, size, outputBytes),
    cores.createYielder(image.facts.size.width),
  )
}

/** Returns the source of an image that may use all memory. */
export function wholeSource(
  cores: Cores,
  image: ProbedImage,
  whole: Raster | undefined,
  size: Size,
  outputBytes = 0,
): Source {
  const { bytes, facts } = image
  const held = Math.max(0, heldBytes(facts.format, cores.maxBytes) - outputBytes)
  if (isHeldWhileDecoded(facts) && facts.format !== 'avif') cores.dropWaiting()
  const heldMaxBytes = facts.format === 'jpeg' ? held - bytes.length : held
  const upright = uprightSize(facts)
  const scale = Math.min(upright.width / size.width, upright.height / size.height)
  return sourceOf(cores, image, whole, { oversamplings: [oversamplingFor(size)], heldMaxBytes, scale })
}

/** The pixels of an image that cannot be decoded by rows; undefined for all others. Throws ImageRefusal. */
export async function decodeWhole(cores: Cores, { bytes, facts }: ProbedImage): Promise<Raster | undefined> {
  if (facts.format === 'webp') return composeFirstFrame(cores, bytes, facts.size)
  return facts.format === 'avif' ? composeOverlay(cores, bytes) : undefined
}

/**
 * The canvas of an AVIF whose primary item is an overlay, with its images on it; undefined for all others. It is small or
 * refused.
 */
async function composeOverlay(cores: Cores, bytes: Uint8Array): Promise<Raster | undefined> {
  const read = readItems(bytes)
  if (!read) return undefined
  const items = withoutIdentity(read)
  if (items.primary.type !== 'iovl') return undefined
  const { layers, fill, ...size } = readOverlay(bytes, items, items.primary)
  requireComposable(size, 'an AVIF that is an overlay')
  const canvas = blankRaster(size)
  for (let i = 0; i < canvas.rgba.length; i++) canvas.rgba[i] = fill[i % 4] ?? 0
  for (const { item, left, top } of layers) layOver(canvas, await decodeItem(cores, bytes, items, item), left, top)
  return canvas
}

/** The pixels of one item of an AVIF, turned as it says. */
async function decodeItem(cores: Cores, bytes: Uint8Array, items: AvifItems, item: AvifItem): Promise<Raster> {
  const size = itemSize(bytes, item)
  if (!size || size.width === 0 || size.height === 0)
    throw new ImageRefusal('unreadable', "an AVIF's pictures must have a size")
  requireComposable(size, 'an AVIF that is laid over another')
  const orientation = readOrientation(bytes, item.properties)
  const upright = uprightSize({ size, orientation })
  const coded = findItemObus(bytes, items, item)
  return cores.runOnCore(async (core) => {
    core.toImage(upright.width, upright.height, orientation)
    const source = avifSource(cores, coded, { heldMaxBytes: heldBytes('avif', cores.maxBytes) })
    await decodeAll(core, source, cores.createYielder(size.width))
    return takeRaster(core, upright)
  })
}

/**
 * The canvas of an animated WebP whose first frame leaves some of it free, with that frame on it; undefined for all others.
 * It is small or refused: rows of such a frame do not go from edge to edge.
 */
async function composeFirstFrame(cores: Cores, bytes: Uint8Array, size: Size): Promise<Raster | undefined> {
  const frame = findFirstFrame(bytes)
  const { area } = frame
  if (!area || (area.width === size.width && area.height === size.height)) return undefined
  requireComposable(size, 'an animated WebP whose first frame is smaller than its canvas')
  const canvas = blankRaster(size)
  const raster = await cores.runOnCore(async (core) => {
    core.toImage(area.width, area.height, 1)
    await decodeAll(core, webpSource(frame), cores.createYielder(area.width))
    return takeRaster(core, area)
  })
  paste(canvas, raster, area.left, area.top)
  return canvas
}
