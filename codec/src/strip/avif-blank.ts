import type { AvifItem } from '../container/avif-items.ts'
import type { Box } from '../container/boxes.ts'
import { ImageRefusal } from '../refusal.ts'
import { type Range, rangesOf } from './avif-data.ts'

/** Parts of a file, as its boxes describe them. */
interface Described {
  /** Items with metadata. */
  metadata: readonly AvifItem[]
  /** All other items. */
  others: readonly AvifItem[]
  /** Boxes that hold the bytes of items. */
  holders: readonly Box[]
  /** Boxes that hold nothing of the image. */
  idle: readonly Box[]
}

/**
 * Returns a copy of an AVIF in which metadata, and data of no item, are zeros: every other byte stays where it is. Throws
 * ImageRefusal where metadata may be a part of the image, or is not in the data of the file.
 */
export function blankAvif(bytes: Uint8Array, { metadata, others, holders, idle }: Described): Uint8Array {
  const shown = others.flatMap(rangesOf).toSorted((a, b) => a.from - b.from)
  const ids = new Set(metadata.map(({ id }) => id))
  const isPartOfImage = others.some(
    ({ construction, references }) =>
      construction > 1 || references.some(({ type, to }) => type === 'dimg' && to.some((id) => ids.has(id))),
  )
  const isHeld = ({ from, to }: Range) => to > from && holders.some(({ body, end }) => from >= body && to <= end)
  const isShown = (range: Range) => shown.some(({ from, to }) => range.from < to && from < range.to)
  const isApart = (item: AvifItem) =>
    !item.external && item.construction < 2 && rangesOf(item).every((range) => isHeld(range) && !isShown(range))
  if (isPartOfImage || !metadata.every(isApart)) {
    throw new ImageRefusal('unreadable', 'the AVIF cannot be shown without what describes it')
  }
  const copy = bytes.slice()
  for (const holder of holders) {
    let from = holder.body
    for (const range of shown) {
      if (range.to <= holder.body || range.from >= holder.end) continue
      copy.fill(0, from, Math.max(from, range.from))
      from = Math.max(from, range.to)
    }
    copy.fill(0, from, Math.max(from, holder.end))
  }
  for (const { body, end } of idle) copy.fill(0, body, end)
  return copy
}
