import { hasText, uint16BE, uint32BE } from '../bytes.ts'
import type { Size } from '../format.ts'
import { ImageRefusal } from '../refusal.ts'
import { type AvifItem, type AvifItems, itemBytes } from './avif-items.ts'
import type { Box } from './boxes.ts'

/** What auxiliary pictures of alpha call themselves. */
export const ALPHA_TYPES = ['urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0', 'urn:mpeg:hevc:2015:auxid:1\0']

/** The first property of this type that an item has. */
export function findProperty({ properties }: AvifItem, type: string): Box | undefined {
  return properties.find((box) => box.type === type)
}

/** The coded items of a picture: the item itself, or the sources of a derived item such as a grid. */
export function codedItems({ items }: AvifItems, item: AvifItem): AvifItem[] {
  if (item.type === 'av01') return [item]
  const sources = item.references.filter(({ type }) => type === 'dimg').flatMap(({ to }) => to)
  return sources.map((id) => items.get(id)).filter((source) => source !== undefined)
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

/** How tiles form a picture: row by row, cropped to the size at the right and the bottom. */
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
