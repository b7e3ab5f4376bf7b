import { concat } from '../bytes.ts'
import { ImageRefusal } from '../refusal.ts'
import { type Box, boxes, type Fields, readFields } from './boxes.ts'

/** A range of the file with bytes of an item. */
export interface Extent {
  offset: number
  length: number
}

/** An item of the meta box (ISO/IEC 14496-12, 8.11), with what the other boxes say about it. */
export interface AvifItem {
  id: number
  /** Such as `av01`, `grid`, `Exif` or `mime`. */
  type: string
  /** Of a `mime` item. */
  contentType: string
  /** In the order of its associations. */
  properties: Box[]
  references: { type: string; to: number[] }[]
  /** 0 the file, 1 idat, 2 another item (8.11.3). */
  construction: number
  /** Whether its bytes are in another file. */
  external: boolean
  extents: Extent[]
}

/** The parsed meta box. */
export interface AvifItems {
  meta: Box
  /** Boxes inside meta. */
  children: Box[]
  primary: AvifItem
  items: Map<number, AvifItem>
  idat: Box | undefined
}

/** Enough for 100 megapixels in tiles of 256 x 256, with alpha. Real files have fewer than a hundred. */
const MAX_ITEMS = 4096
const MAX_REFERENCES = 4 * MAX_ITEMS
const MAX_EXTENTS = 4 * MAX_ITEMS

/** Parses the items of an AVIF; `undefined` if it has no meta box or no primary item, as an image sequence may. */
export function readItems(bytes: Uint8Array): AvifItems | undefined {
  const meta = [...boxes(bytes, 0, bytes.length)].find(({ type }) => type === 'meta')
  if (!meta) return undefined
  const children = [...boxes(bytes, meta.body + 4, meta.end)]
  const find = (type: string) => children.find((box) => box.type === type)
  const [pitm, iinf, iloc, iprp, iref] = ['pitm', 'iinf', 'iloc', 'iprp', 'iref'].map(find)
  if (!pitm || !iinf) return undefined

  const items = readInfos(bytes, iinf)
  const idat = find('idat')
  if (iloc) readLocations(bytes, iloc, items, idat)
  if (iprp) readProperties(bytes, iprp, items)
  if (iref) readReferences(bytes, iref, items)
  const primary = items.get(readPrimaryId(bytes, pitm))
  return primary && { meta, children, primary, items, idat }
}

/** Copies of the bytes of several extents, which items may share. */
const copies = new WeakMap<readonly Extent[], Uint8Array>()

/** The bytes of an item, joined; empty if they are in another file or item. */
export function itemBytes(bytes: Uint8Array, { external, construction, extents }: AvifItem): Uint8Array {
  if (external || construction > 1) return new Uint8Array()
  const copied = copies.get(extents)
  if (copied) return copied
  const [first, ...others] = extents.map(({ offset, length }) => bytes.subarray(offset, offset + length))
  if (first && others.length === 0) return first
  const joined = concat(first ? [first, ...others] : [])
  copies.set(extents, joined)
  return joined
}

function readPrimaryId(bytes: Uint8Array, pitm: Box): number {
  const fields = readFields(bytes, pitm)
  const { version } = readVersion(fields)
  return fields.uint(version === 0 ? 2 : 4)
}

/** Version and flags, with which every full box begins (14496-12, 4.2). */
export function readVersion(fields: Fields): { version: number; flags: number } {
  return { version: fields.uint(1), flags: fields.uint(3) }
}

/** iinf: what items there are (8.11.6). */
function readInfos(bytes: Uint8Array, iinf: Box): Map<number, AvifItem> {
  const fields = readFields(bytes, iinf)
  const { version } = readVersion(fields)
  fields.uint(version === 0 ? 2 : 4)
  const items = new Map<number, AvifItem>()
  for (const infe of boxes(bytes, fields.at(), iinf.end)) {
    if (infe.type !== 'infe') continue
    requireFewer(items.size, MAX_ITEMS, 'items')
    const item = readInfo(bytes, infe)
    if (item && !items.has(item.id)) items.set(item.id, item)
  }
  return items
}

/** infe: an item (8.11.6). Those of versions 0 and 1 have no type and are not images. */
export function readInfo(bytes: Uint8Array, infe: Box): AvifItem | undefined {
  const fields = readFields(bytes, infe)
  const { version } = readVersion(fields)
  if (version < 2) return undefined
  const id = fields.uint(version === 2 ? 2 : 4)
  fields.uint(2) // protection index
  const type = String.fromCharCode(fields.uint(1), fields.uint(1), fields.uint(1), fields.uint(1))
  fields.text() // name
  const contentType = type === 'mime' ? fields.text() : ''
  return { id, type, contentType, properties: [], references: [], construction: 0, external: false, extents: [] }
}

/** iloc: where the bytes of each item are (8.11.3). */
function readLocations(bytes: Uint8Array, iloc: Box, items: Map<number, AvifItem>, idat: Box | undefined): void {
  const fields = readFields(bytes, iloc)
  const { version } = readVersion(fields)
  const sizes = fields.uint(2)
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15]
  const indexSize = version === 0 ? 0 : sizes & 15
  const count = fields.uint(version < 2 ? 2 : 4)
  requireFewer(count, MAX_ITEMS, 'items')

  /** Lists of several extents. The layers of an image may be several items of the same bytes. */
  const scattered = new Map<string, Extent[]>()
  let extentCount = 0
  let scatteredBytes = 0
  for (let i = 0; i < count; i++) {
    const item = items.get(fields.uint(version < 2 ? 2 : 4))
    const construction = version === 0 ? 0 : fields.uint(2) & 15
    const external = fields.uint(2) !== 0
    const origin = construction === 1 ? (idat?.body ?? bytes.length) : 0
    const base = origin + fields.uint(baseSize)
    let extents = Array.from({ length: fields.uint(2) }, () => {
      requireFewer(++extentCount, MAX_EXTENTS, 'extents')
      fields.uint(indexSize)
      return { offset: base + fields.uint(offsetSize), length: fields.uint(lengthSize) }
    })
    // Several extents are copied to be read: in total, never more bytes than the file has.
    if (extents.length > 1) {
      const key = extents.map(({ offset, length }) => `${offset} ${length}`).join()
      const same = scattered.get(key)
      if (!same) scatteredBytes += extents.reduce((sum, { length }) => sum + length, 0)
      extents = same ?? extents
      scattered.set(key, extents)
    }
    if (scatteredBytes > bytes.length)
      throw new ImageRefusal('unreadable', 'an AVIF must not repeat its bytes in many items')
    if (item) Object.assign(item, { construction, external, extents })
  }
}

/** iprp: ipco has the properties, ipma assigns them to items (ISO/IEC 23008-12, 9.3). */
function readProperties(bytes: Uint8Array, iprp: Box, items: Map<number, AvifItem>): void {
  const properties = propertyBoxes(bytes, [iprp])
  for (const ipma of boxes(bytes, iprp.body, iprp.end)) {
    if (ipma.type !== 'ipma') continue
    const fields = readFields(bytes, ipma)
    const { version, flags } = readVersion(fields)
    const count = fields.uint(4)
    requireFewer(count, MAX_ITEMS, 'items')
    for (let i = 0; i < count; i++) {
      const item = items.get(fields.uint(version === 0 ? 2 : 4))
      for (let left = fields.uint(1); left > 0; left--) {
        // The highest bit says whether the property is essential; index 0 means none.
        const index = flags & 1 ? fields.uint(2) & 0x7fff : fields.uint(1) & 0x7f
        const property = properties[index - 1]
        // A box that is there twice must not turn the image twice.
        if (property && !item?.properties.includes(property)) item?.properties.push(property)
      }
    }
  }
}

/** The properties in the iprp box of these boxes (ISO/IEC 23008-12, 9.3), in the order of their numbers from 1 on. */
export function propertyBoxes(bytes: Uint8Array, children: readonly Box[]): Box[] {
  const iprp = children.find(({ type }) => type === 'iprp')
  const ipco = iprp && [...boxes(bytes, iprp.body, iprp.end)].find(({ type }) => type === 'ipco')
  return ipco ? [...boxes(bytes, ipco.body, ipco.end)] : []
}

/** iref: which items refer to which (14496-12, 8.11.12). */
function readReferences(bytes: Uint8Array, iref: Box, items: Map<number, AvifItem>): void {
  const { version } = readVersion(readFields(bytes, iref))
  let referenceCount = 0
  for (const box of boxes(bytes, iref.body + 4, iref.end)) {
    const { from, to } = readReference(bytes, box, version)
    referenceCount += to.length
    requireFewer(referenceCount, MAX_REFERENCES, 'references')
    items.get(from)?.references.push({ type: box.type, to })
  }
}

/** One box of iref. Item ids have two bytes in version 0 of iref, otherwise four. */
export function readReference(bytes: Uint8Array, box: Box, version: number): { from: number; to: number[] } {
  const idSize = version === 0 ? 2 : 4
  const fields = readFields(bytes, box)
  const from = fields.uint(idSize)
  const to = Array.from({ length: fields.uint(2) }, () => fields.uint(idSize))
  return { from, to }
}

function requireFewer(count: number, limit: number, what: string): void {
  if (count > limit) throw new ImageRefusal('over_budget', `an AVIF must have at most ${limit} ${what}: received more`)
}
