import { findAv1Size } from '../container/av1-sequence.ts'
import { type AvifItem, type AvifItems, itemBytes, readItems } from '../container/avif-items.ts'
import {
  codedItems,
  findAlphas,
  findProperty,
  itemSize,
  readGrid,
  readOverlay,
  withoutIdentity,
} from '../container/avif-sources.ts'
import { findAlphaTrack, findImageTrack } from '../container/avif-track.ts'
import { boxes } from '../container/boxes.ts'
import type { Size } from '../format.ts'
import { ImageRefusal } from '../refusal.ts'
import { readCoding } from './avif-coding.ts'
import type { AvifFacts, StillFacts } from './avif-facts.ts'
import { readOrientation } from './avif-orientation.ts'
import { countFirstFramePixels, countSamples, readTrack } from './avif-track.ts'
import { requirePixels, requireSize } from './size.ts'

const MAX_FTYP_BYTES = 1024

/**
 * Reads the boxes of an AVIF (AV1 Image File Format 1.1; ISO/IEC 23008-12): those of its primary item or, without one, of its
 * track.
 */
export function probeAvif(bytes: Uint8Array): AvifFacts | undefined {
  const brands = readBrands(bytes)
  if (!brands.includes('avif') && !brands.includes('avis')) return undefined
  const [track, alphaTrack] = brands.includes('avis') ? [findImageTrack(bytes), findAlphaTrack(bytes)] : []
  const read = readItems(bytes)
  const items = read && withoutIdentity(read)
  const still = items ? readPrimaryItem(bytes, items) : track && readTrack(bytes, track)
  if (!still) throw new ImageRefusal('unreadable', 'an AVIF must have a primary item or a track')
  const framePixels = [track, alphaTrack].map((frames) => (frames ? countFirstFramePixels(bytes, frames) : 0))
  const codedPixels = Math.max(still.codedPixels, ...framePixels)
  requirePixels(codedPixels)
  return {
    format: 'avif',
    ...still,
    codedPixels,
    animated: track !== undefined && countSamples(bytes, track) > 1,
    alpha: still.alpha || alphaTrack !== undefined,
  }
}

/** The major and the compatible brands of ftyp (ISO/IEC 14496-12, 4.3). */
function readBrands(bytes: Uint8Array): string[] {
  const [ftyp] = boxes(bytes, 0, Math.min(bytes.length, MAX_FTYP_BYTES))
  if (ftyp?.type !== 'ftyp') return []
  const [major, , ...compatible] = String.fromCharCode(...bytes.subarray(ftyp.body, ftyp.end)).match(/[\s\S]{4}/g) ?? []
  return major === undefined ? [] : [major, ...compatible]
}

function readPrimaryItem(bytes: Uint8Array, items: AvifItems): StillFacts {
  const { primary } = items
  const size = requireItemSize(bytes, primary)
  if (primary.type === 'grid') requireSame(size, readGrid(bytes, items, primary), 'grid')
  const overlay = primary.type === 'iovl' ? readOverlay(bytes, items, primary) : undefined
  if (overlay) requireSame(size, overlay, 'overlay')

  const tiles = codedItems(items, primary)
  const [tile] = tiles
  const av1C = tile && findProperty(tile, 'av1C')
  if (!av1C) throw new ImageRefusal('unreadable', "an AVIF's picture must be coded in AV1")

  const alphas = findAlphas(bytes, items)
  const alphaItems = new Set([primary, ...tiles].map(({ id }) => alphas.get(id)).filter((item) => item !== undefined))
  const alphaTiles = [...alphaItems].flatMap((item) => codedItems(items, item))
  return {
    size,
    orientation: readOrientation(bytes, primary.properties),
    alpha: alphaItems.size > 0 || (overlay !== undefined && overlay.fill[3] !== 255),
    ...readCoding(bytes, av1C),
    grid: primary.type === 'grid',
    codedPixels: Math.max(countPixels(bytes, tiles), countPixels(bytes, alphaTiles)),
  }
}

function requireItemSize(bytes: Uint8Array, item: AvifItem): Size {
  const size = itemSize(bytes, item)
  if (!size) throw new ImageRefusal('unreadable', 'an AVIF must give the size of its picture and of each tile')
  return requireSize(size.width, size.height)
}

/** Refuses a derived image whose data has another size than its item. */
function requireSame(size: Size, { width, height }: Size, what: string): void {
  if (width !== size.width || height !== size.height) {
    throw new ImageRefusal('unreadable', `an AVIF ${what} must have its item's size`)
  }
}

/** The pixels of these items in total. The size of each is that of its ispe or of its AV1 data, whichever is larger. */
function countPixels(bytes: Uint8Array, coded: AvifItem[]): number {
  const known = new Map<AvifItem, number>()
  let total = 0
  for (const item of coded) {
    const pixels = known.get(item) ?? countItemPixels(bytes, item)
    known.set(item, pixels)
    total += pixels
  }
  requirePixels(total)
  return total
}

function countItemPixels(bytes: Uint8Array, item: AvifItem): number {
  const boxed = requireItemSize(bytes, item)
  const coded = findAv1Size(itemBytes(bytes, item))
  return Math.max(boxed.width * boxed.height, coded ? coded.width * coded.height : 0)
}
