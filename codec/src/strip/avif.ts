import { concat } from '../bytes.ts'
import { type AvifItem, type AvifItems, propertyBoxes, readItems } from '../container/avif-items.ts'
import { type Box, boxes, boxHeader } from '../container/boxes.ts'
import { ImageRefusal } from '../refusal.ts'
import { blankAvif } from './avif-blank.ts'
import { keepExtents } from './avif-data.ts'
import { buildMeta, IDLE_BOXES, isDescription } from './avif-meta.ts'

/** Items with metadata. */
const DESCRIPTION_TYPES = ['Exif', 'mime', 'uri ']
const IMAGE_BOXES = ['ftyp', 'meta', 'mdat']
const BOX_HEADER_BYTES = 8
/** Encoders write four or five. */
const MAX_TOP_BOXES = 100

/**
 * Returns an AVIF without its Exif, XMP and thumbnail items, their bytes, and properties that describe it. It has ftyp, a rewritten
 * meta box, and one mdat with exactly the bytes of the other items. Returns the input if it has nothing else. Where the structure cannot be
 * rewritten safely, the metadata is overwritten by zeros; throws ImageRefusal where that is not safe either.
 */
export function stripAvif(bytes: Uint8Array): Uint8Array {
  const top = [...boxes(bytes, 0, bytes.length)]
  const parsed = readItems(bytes)
  const isKnown = top.every(({ type }) => [...IMAGE_BOXES, ...IDLE_BOXES].includes(type))
  if (!parsed || !isKnown || top.length > MAX_TOP_BOXES) {
    throw new ImageRefusal('unreadable', 'the AVIF holds more than its items and their data')
  }
  try {
    return rewrite(bytes, top, parsed)
  } catch (error) {
    if (!(error instanceof ImageRefusal) || error.reason !== 'unreadable') throw error
    const items = [...parsed.items.values()]
    return blankAvif(bytes, {
      metadata: items.filter(({ type }) => DESCRIPTION_TYPES.includes(type)),
      others: items.filter(({ type }) => !DESCRIPTION_TYPES.includes(type)),
      holders: [...top.filter(({ type }) => type === 'mdat'), ...(parsed.idat ? [parsed.idat] : [])],
      idle: [
        ...[...top, ...parsed.children].filter(({ type }) => IDLE_BOXES.includes(type)),
        ...describing(bytes, parsed),
      ],
    })
  }
}

function rewrite(bytes: Uint8Array, top: readonly Box[], parsed: AvifItems): Uint8Array {
  const [ftyp] = top
  if (!ftyp || top.some(({ whole }) => !whole)) {
    throw new ImageRefusal('unreadable', 'the AVIF is cut short')
  }
  const dropped = findDropped(parsed)
  const retained = [...parsed.items.values()].filter(({ id }) => !dropped.has(id))
  if (retained.some(({ external, construction }) => external || construction > 1)) {
    throw new ImageRefusal('unreadable', 'the AVIF has items whose bytes are elsewhere')
  }

  const extents = (construction: number) =>
    retained.filter((item) => item.construction === construction).flatMap((item) => item.extents)
  const mdat = keepExtents(
    bytes,
    top.filter(({ type }) => type === 'mdat'),
    extents(0),
  )
  const idat = keepExtents(bytes, parsed.idat ? [parsed.idat] : [], extents(1))
  const hasIdleBoxes = [...top, ...parsed.children].some(({ type }) => IDLE_BOXES.includes(type))
  const isDescribed = describing(bytes, parsed).some(({ body, end }) => end > body)
  if (dropped.size === 0 && !hasIdleBoxes && !isDescribed && mdat.isAll && idat.isAll) return bytes

  const start = bytes.subarray(ftyp.start, ftyp.end)
  const metaFor = (mdatBody: number) => buildMeta(bytes, parsed, { items: retained, dropped, idat, mdat, mdatBody })
  // The length of meta does not depend on the offsets in it.
  const mdatBody = start.length + metaFor(0).length + BOX_HEADER_BYTES
  return concat([start, metaFor(mdatBody), boxHeader('mdat', mdat.length), ...mdat.parts])
}

/** The properties that describe the image. */
function describing(bytes: Uint8Array, { children }: AvifItems): Box[] {
  return propertyBoxes(bytes, children).filter(isDescription)
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
  const isTileOfRetained = usedAs(
    'dimg',
    all.concat(primary).filter(({ id }) => !dropped.has(id)),
  )
  for (const item of all) {
    const describes = item.references.filter(({ type }) => type === 'auxl' || type === 'cdsc').flatMap(({ to }) => to)
    const isLeftAlone = describes.length > 0 && describes.every((id) => dropped.has(id))
    if (isLeftAlone || isTile(item)) if (!isTileOfRetained(item)) dropped.add(item.id)
  }
  return dropped
}

/** A test whether one of `items` refers to an item with a reference of this type. */
function usedAs(referenceType: string, items: AvifItem[]): (item: AvifItem) => boolean {
  const references = items.flatMap(({ references }) => references).filter(({ type }) => type === referenceType)
  const ids = new Set(references.flatMap(({ to }) => to))
  return ({ id }) => ids.has(id)
}
