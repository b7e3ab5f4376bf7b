import { concat } from '../bytes.ts'
import { type AvifItem, type AvifItems, readItems } from '../container/avif-items.ts'
import { boxes, boxHeader } from '../container/boxes.ts'
import { ImageRefusal } from '../refusal.ts'
import { keepExtents } from './avif-data.ts'
import { buildMeta } from './avif-meta.ts'

/** Items with metadata. */
const DESCRIPTION_TYPES = ['Exif', 'mime', 'uri ']
const IDLE_BOXES = ['free', 'skip', 'uuid']
const PICTURE_BOXES = ['ftyp', 'meta', 'mdat']
const BOX_HEADER_BYTES = 8
/** Encoders write four or five. */
const MAX_TOP_BOXES = 100

/**
 * An AVIF without its Exif, XMP and thumbnail items and without their bytes: ftyp, a rewritten meta box, and one mdat with
 * exactly the bytes of the other items. The input itself if it has nothing else. Throws ImageRefusal if it has boxes or items
 * that cannot be rewritten safely.
 */
export function stripAvif(bytes: Uint8Array): Uint8Array {
  const top = [...boxes(bytes, 0, bytes.length)]
  const parsed = readItems(bytes)
  const [ftyp] = top
  const isPlain = top.every(({ type, whole }) => whole && [...PICTURE_BOXES, ...IDLE_BOXES].includes(type))
  if (!parsed || !ftyp || !isPlain || top.length > MAX_TOP_BOXES) {
    throw new ImageRefusal('unreadable', 'the AVIF holds more than its items and their data')
  }
  const dropped = findDropped(parsed)
  const kept = [...parsed.items.values()].filter(({ id }) => !dropped.has(id))
  if (kept.some(({ external, construction }) => external || construction > 1)) {
    throw new ImageRefusal('unreadable', 'the AVIF has items whose bytes are elsewhere')
  }

  const extents = (construction: number) =>
    kept.filter((item) => item.construction === construction).flatMap((item) => item.extents)
  const mdat = keepExtents(
    bytes,
    top.filter(({ type }) => type === 'mdat'),
    extents(0),
  )
  const idat = keepExtents(bytes, parsed.idat ? [parsed.idat] : [], extents(1))
  const hasIdleBoxes = [...top, ...parsed.children].some(({ type }) => IDLE_BOXES.includes(type))
  if (dropped.size === 0 && !hasIdleBoxes && mdat.isAll && idat.isAll) return bytes

  const start = bytes.subarray(ftyp.start, ftyp.end)
  const metaFor = (mdatBody: number) => buildMeta(bytes, parsed, { items: kept, dropped, idat, mdat, mdatBody })
  // The length of meta does not depend on the offsets in it.
  const mdatBody = start.length + metaFor(0).length + BOX_HEADER_BYTES
  return concat([start, metaFor(mdatBody), boxHeader('mdat', mdat.length), ...mdat.parts])
}

/** The ids of the items to drop: metadata, thumbnails, and items that belong only to those (alpha, tiles). */
function findDropped({ items, primary }: AvifItems): Set<number> {
  const all = [...items.values()].filter((item) => item !== primary)
  const dropped = new Set<number>()
  const isTile = usedAs('dimg', all.concat(primary))
  for (const item of all) {
    const isThumbnail = item.references.some(({ type }) => type === 'thmb') && !isTile(item)
    if (DESCRIPTION_TYPES.includes(item.type) || isThumbnail) dropped.add(item.id)
  }
  const isTileOfKept = usedAs(
    'dimg',
    all.concat(primary).filter(({ id }) => !dropped.has(id)),
  )
  for (const item of all) {
    const describes = item.references.filter(({ type }) => type === 'auxl' || type === 'cdsc').flatMap(({ to }) => to)
    const isLeftAlone = describes.length > 0 && describes.every((id) => dropped.has(id))
    if (isLeftAlone || isTile(item)) if (!isTileOfKept(item)) dropped.add(item.id)
  }
  return dropped
}

/** A test whether one of `items` refers to an item with a reference of this type. */
function usedAs(referenceType: string, items: AvifItem[]): (item: AvifItem) => boolean {
  const references = items.flatMap(({ references }) => references).filter(({ type }) => type === referenceType)
  const ids = new Set(references.flatMap(({ to }) => to))
  return ({ id }) => ids.has(id)
}
