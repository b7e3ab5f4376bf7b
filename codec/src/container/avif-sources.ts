import { hasText, uint16BE, uint32BE } from '../bytes.ts'
import type { Size } from '../format.ts'
import { ImageRefusal } from '../refusal.ts'
import { type AvifItem, type AvifItems, itemBytes } from './avif-items.ts'
import type { Box } from './boxes.ts'

/** Types of auxiliary images for alpha. */
export const ALPHA_TYPES = ['urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0', 'urn:mpeg:hevc:2015:auxid:1\0']

/** The first property of this type that an item has. */
export function findProperty({ properties }: AvifItem, type: string): Box | undefined {
  return properties.find((box) => box.type === type)
}

/** Reads the ispe property of an item (ISO/IEC 23008-12, 6.5.3); undefined without one. */
export function itemSize(bytes: Uint8Array, item: AvifItem): Size | undefined {
  const ispe = findProperty(item, 'ispe')
  return ispe && { width: uint32BE(bytes, ispe.body + 4) ?? 0, height: uint32BE(bytes, ispe.body + 8) ?? 0 }
}

/** Whether a property is an ICC profile: colr of type `prof`, or `rICC` if it is a restricted one (ISO/IEC 14496-12, 12.1.5). */
export function isProfile(bytes: Uint8Array, { type, body }: Box): boolean {
  return type === 'colr' && (hasText(bytes, body, 'prof') || hasText(bytes, body, 'rICC'))
}

/** The greatest depth of derived items. */
const MAX_DERIVATIONS = 4
const MAX_SOURCES = 4096

/** The coded items of an image: the item itself, or those that a derived item such as a grid is made of. */
export function codedItems(items: AvifItems, item: AvifItem): AvifItem[] {
  return sourcesOf(items, item, MAX_DERIVATIONS)
}

function sourcesOf(items: AvifItems, item: AvifItem, depth: number): AvifItem[] {
  if (item.type === 'av01') return [item]
  if (depth === 0)
    throw new ImageRefusal('unreadable', 'an AVIF must not derive its picture from derived ones so often')
  const sources = directSources(items, item)
  // The sources of a grid are coded.
  if (item.type === 'grid') return sources
  const coded: AvifItem[] = []
  for (const source of sources) {
    coded.push(...sourcesOf(items, source, depth - 1))
    if (coded.length > MAX_SOURCES) {
      throw new ImageRefusal('over_budget', `an AVIF must be made of at most ${MAX_SOURCES} pictures: received more`)
    }
  }
  return coded
}

/** Returns the source items of a derived item (ISO/IEC 23008-12, 6.4.1). */
function directSources({ items }: AvifItems, item: AvifItem): AvifItem[] {
  const sources = item.references.filter(({ type }) => type === 'dimg').flatMap(({ to }) => to)
  return sources.map((id) => items.get(id)).filter((source) => source !== undefined)
}

/**
 * The items with what an identity derivation (6.6.2.1) shows instead of a primary item that is one: its source, turned as the
 * source is and then as the derivation.
 */
export function withoutIdentity(items: AvifItems): AvifItems {
  let { primary } = items
  for (let depth = 0; primary.type === 'iden' && depth < MAX_DERIVATIONS; depth++) {
    const [source] = directSources(items, primary)
    if (!source) break
    primary = { ...source, properties: [...source.properties, ...primary.properties] }
  }
  return { ...items, primary }
}

/** Images laid on a canvas, one over the other. */
interface Overlay extends Size {
  /** Red, green, blue and alpha of the canvas, 0 to 255. */
  fill: readonly number[]
  layers: { item: AvifItem; left: number; top: number }[]
}

/** Parses the data of an overlay item (6.6.2.2). Throws ImageRefusal. */
export function readOverlay(bytes: Uint8Array, items: AvifItems, overlay: AvifItem): Overlay {
  const data = itemBytes(bytes, overlay)
  const isLong = ((data[1] ?? 0) & 1) !== 0
  const field = (i: number) => (isLong ? uint32BE(data, 10 + 4 * i) : uint16BE(data, 10 + 2 * i)) ?? 0
  const signed = (i: number) => (isLong ? field(i) | 0 : (field(i) << 16) >> 16)
  const [width, height] = [field(0), field(1)]
  if (width === 0 || height === 0) throw new ImageRefusal('unreadable', "an AVIF's overlay must have a size")
  return {
    width,
    height,
    fill: [2, 4, 6, 8].map((at) => data[at] ?? 0),
    layers: directSources(items, overlay).map((item, i) => ({ item, left: signed(2 + 2 * i), top: signed(3 + 2 * i) })),
  }
}

/** The alpha item of each item that has one, by the item's id: the first that is auxiliary to it and of the alpha type. */
export function findAlphas(bytes: Uint8Array, { items }: AvifItems): Map<number, AvifItem> {
  const alphas = new Map<number, AvifItem>()
  for (const item of items.values()) {
    const auxC = findProperty(item, 'auxC')
    if (!auxC || !ALPHA_TYPES.some((type) => hasText(bytes, auxC.body + 4, type))) continue
    for (const { type, to } of item.references) {
      if (type === 'auxl') for (const id of to) if (!alphas.has(id)) alphas.set(id, item)
    }
  }
  return alphas
}

/** Grid of the tiles of an image: row by row, cropped to the size at the right and the bottom. */
export interface Grid extends Size {
  columns: number
  rows: number
}

/** Parses the data of a grid item (ISO/IEC 23008-12, 6.6.2.3). Throws ImageRefusal unless each cell has a tile. */
export function readGrid(bytes: Uint8Array, items: AvifItems, grid: AvifItem): Grid {
  const data = itemBytes(bytes, grid)
  const [, flags = 0, rows = 0, columns = 0] = data
  const [width, height] = flags & 1 ? [uint32BE(data, 4), uint32BE(data, 8)] : [uint16BE(data, 4), uint16BE(data, 6)]
  if (!width || !height || (rows + 1) * (columns + 1) !== codedItems(items, grid).length) {
    throw new ImageRefusal('unreadable', 'an AVIF grid must have a size and a tile for each of its cells')
  }
  return { columns: columns + 1, rows: rows + 1, width, height }
}
