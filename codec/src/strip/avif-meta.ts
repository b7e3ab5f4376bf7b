import { bytesBE, concat } from '../bytes.ts'
import {
  type AvifItem,
  type AvifItems,
  propertyBoxes,
  readInfo,
  readReference,
  readVersion,
} from '../container/avif-items.ts'
import { type Box, box, boxes, readFields, versionAndFlags } from '../container/boxes.ts'
import { ImageRefusal } from '../refusal.ts'
import type { RetainedExtents } from './avif-data.ts'

/** The remaining parts of a meta box, and their new position. */
interface Retained {
  items: AvifItem[]
  /** The ids of the other items. */
  dropped: Set<number>
  idat: RetainedExtents
  mdat: RetainedExtents
  /** The offset in the new file at which `mdat.bytes` begin. */
  mdatBody: number
}

/** Boxes that no reader of images needs (ISO/IEC 14496-12, 8.1.2 and 11.1). */
export const IDLE_BOXES: readonly string[] = ['free', 'skip', 'uuid']
/**
 * Properties that do not change how the image is shown: user description, accessibility text, times of creation and modification
 * (ISO/IEC 23008-12, 6.5), a TAI timestamp (ISO/IEC 23001-17), and idle boxes.
 */
const DESCRIPTIONS = new Set(['udes', 'altt', 'crtm', 'mdft', 'itai', ...IDLE_BOXES])

type Rewrite = (bytes: Uint8Array, box: Box, retained: Retained) => Uint8Array

/** Boxes of meta that refer to items or have their bytes. All others are copied. */
const REWRITES: Partial<Record<string, Rewrite>> = {
  iinf: buildInfos,
  iloc: (_bytes, _box, retained) => buildLocations(retained),
  iref: buildReferences,
  iprp: buildProperties,
  idat: (_bytes, _box, { idat }) => (idat.length > 0 ? box('idat', ...idat.parts) : new Uint8Array()),
  grpl: requireUntouched,
  free: () => new Uint8Array(),
  skip: () => new Uint8Array(),
  uuid: () => new Uint8Array(),
}

/** Whether a property describes the image alone. */
export function isDescription({ type }: Box): boolean {
  return DESCRIPTIONS.has(type)
}

/** The meta box for the retained items (ISO/IEC 14496-12, 8.11). */
export function buildMeta(bytes: Uint8Array, { meta, children }: AvifItems, retained: Retained): Uint8Array {
  const rewritten = children.map((child) => {
    if (!child.whole) throw new ImageRefusal('unreadable', `the AVIF's ${child.type} box is cut short`)
    return REWRITES[child.type]?.(bytes, child, retained) ?? copy(bytes, child)
  })
  return box('meta', bytes.subarray(meta.body, meta.body + 4), ...rewritten)
}

function copy(bytes: Uint8Array, { start, end }: Box): Uint8Array {
  return bytes.subarray(start, end)
}

function buildInfos(bytes: Uint8Array, iinf: Box, { items }: Retained): Uint8Array {
  const fields = readFields(bytes, iinf)
  const { version, flags } = readVersion(fields)
  const countSize = version === 0 ? 2 : 4
  fields.uint(countSize)
  const ids = new Set(items.map(({ id }) => id))
  const infos = [...boxes(bytes, fields.at(), iinf.end)].filter((infe) => {
    const item = infe.type === 'infe' ? readInfo(bytes, infe) : undefined
    if (!item) throw new ImageRefusal('unreadable', 'the AVIF has items without a type')
    return ids.has(item.id)
  })
  const copies = infos.map((infe) => copy(bytes, infe))
  return box('iinf', versionAndFlags(version, flags), bytesBE(infos.length, countSize), ...copies)
}

/** iloc, with offsets and lengths of four bytes each. */
function buildLocations({ items, idat, mdat, mdatBody }: Retained): Uint8Array {
  const placed = items.filter(({ extents }) => extents.length > 0)
  const hasLongIds = placed.some(({ id }) => id > 0xffff)
  const version = hasLongIds ? 2 : placed.some(({ construction }) => construction > 0) ? 1 : 0
  const idSize = hasLongIds ? 4 : 2
  const entries = placed.map(({ id, construction, extents }) =>
    concat([
      bytesBE(id, idSize),
      bytesBE(construction, version === 0 ? 0 : 2),
      bytesBE(0, 2), // data reference: this file
      bytesBE(extents.length, 2),
      ...extents.flatMap(({ offset, length }) => [
        bytesBE(construction === 0 ? mdatBody + mdat.find(offset) : idat.find(offset), 4),
        bytesBE(length, 4),
      ]),
    ]),
  )
  const fieldSizes = bytesBE(0x4400, 2)
  return box('iloc', versionAndFlags(version, 0), fieldSizes, bytesBE(entries.length, idSize), ...entries)
}

function buildReferences(bytes: Uint8Array, iref: Box, { dropped }: Retained): Uint8Array {
  const { version, flags } = readVersion(readFields(bytes, iref))
  const idSize = version === 0 ? 2 : 4
  const retained = [...boxes(bytes, iref.body + 4, iref.end)].flatMap((reference) => {
    const { from, to } = readReference(bytes, reference, version)
    if (dropped.has(from)) return []
    const left = to.filter((id) => !dropped.has(id))
    if (left.length === to.length) return [copy(bytes, reference)]
    // The order and the number of a grid's tiles matter.
    if (reference.type === 'dimg') throw new ImageRefusal('unreadable', 'the AVIF is made from what describes it')
    if (left.length === 0) return []
    return [
      box(reference.type, ...[from, left.length, ...left].map((value, i) => bytesBE(value, i === 1 ? 2 : idSize))),
    ]
  })
  return retained.length > 0 ? box('iref', versionAndFlags(version, flags), ...retained) : new Uint8Array()
}

/**
 * iprp without properties that describe the image. An empty box stays for each, so that the others keep their numbers, and nothing
 * is associated with it.
 */
function buildProperties(bytes: Uint8Array, iprp: Box, retained: Retained): Uint8Array {
  const properties = propertyBoxes(bytes, [iprp])
  const isDropped = properties.map(isDescription)
  const rewritten = [...boxes(bytes, iprp.body, iprp.end)].map((child) => {
    if (child.type === 'ipma') return buildAssociations(bytes, child, retained, isDropped)
    if (child.type !== 'ipco') return copy(bytes, child)
    return box('ipco', ...properties.map((property) => (isDescription(property) ? box('free') : copy(bytes, property))))
  })
  return box('iprp', ...rewritten)
}

function buildAssociations(bytes: Uint8Array, ipma: Box, { dropped }: Retained, isDropped: boolean[]): Uint8Array {
  const fields = readFields(bytes, ipma)
  const { version, flags } = readVersion(fields)
  const [idSize, indexSize] = [version === 0 ? 2 : 4, flags & 1 ? 2 : 1]
  const entries: Uint8Array[] = []
  let count = 0
  for (let left = fields.uint(4); left > 0; left--) {
    const id = fields.uint(idSize)
    const indices = Array.from({ length: fields.uint(1) }, () => fields.uint(indexSize))
    if (dropped.has(id)) continue
    // The highest bit says whether the property is essential; index 0 means none.
    const others = indices.map((index) => (isDropped[(index & (indexSize === 2 ? 0x7fff : 0x7f)) - 1] ? 0 : index))
    count++
    entries.push(bytesBE(id, idSize), bytesBE(others.length, 1), ...others.map((index) => bytesBE(index, indexSize)))
  }
  return box('ipma', versionAndFlags(version, flags), bytesBE(count, 4), ...entries)
}

/** Copies grpl, groups of items (8.15.3). Throws ImageRefusal if a group contains a dropped item. */
function requireUntouched(bytes: Uint8Array, grpl: Box, { dropped }: Retained): Uint8Array {
  for (const group of boxes(bytes, grpl.body, grpl.end)) {
    const fields = readFields(bytes, group)
    fields.uint(4) // version and flags
    fields.uint(4)
    for (let left = fields.uint(4); left > 0; left--) {
      if (dropped.has(fields.uint(4)))
        throw new ImageRefusal('unreadable', 'the AVIF groups its picture with what describes it')
    }
  }
  return copy(bytes, grpl)
}
