import { lengthOf } from '../bytes.ts'
import type { Extent } from '../container/avif-items.ts'
import type { Box } from '../container/boxes.ts'
import { ImageRefusal } from '../refusal.ts'

/** The bytes of some extents, to be joined without gaps. */
export interface RetainedExtents {
  parts: Uint8Array[]
  length: number
  /** Whether these are all bytes of the boxes they came from. */
  isAll: boolean
  /** The offset in the joined bytes of a byte at this offset of the file. */
  find(offset: number): number
}

/** Collects the bytes of these extents, each once. Throws ImageRefusal if an extent is not within one of `holders`. */
export function keepExtents(file: Uint8Array, holders: Box[], extents: Extent[]): RetainedExtents {
  for (const { offset, length } of extents) {
    const isHeld = holders.some(({ body, end }) => offset >= body && offset + length <= end)
    // A length of 0 means up to the end of the file.
    if (!isHeld || length === 0) throw new ImageRefusal('unreadable', 'the AVIF has items that lie outside of its data')
  }
  const ranges = mergeRanges(extents)
  const parts = ranges.map(({ from, to }) => file.subarray(from, to))
  const length = lengthOf(parts)
  const heldBytes = holders.reduce((sum, { body, end }) => sum + end - body, 0)
  return { parts, length, isAll: length === heldBytes, find: (offset) => findIn(ranges, offset) }
}

/** A range of the file, its end excluded. */
export interface Range {
  from: number
  to: number
}

/** A range of the file, and its offset in the result. */
interface MovedRange extends Range {
  target: number
}

/** Returns where the bytes of an item are in the file. */
export function rangesOf({ extents }: { extents: readonly Extent[] }): Range[] {
  return extents.map(({ offset, length }) => ({ from: offset, to: offset + length }))
}

/** The extents in the order of the file; adjacent and overlapping ones are merged. */
function mergeRanges(extents: Extent[]): MovedRange[] {
  const ranges: MovedRange[] = []
  for (const { offset, length } of extents.toSorted((a, b) => a.offset - b.offset)) {
    const last = ranges.at(-1)
    if (last && offset <= last.to) last.to = Math.max(last.to, offset + length)
    else ranges.push({ from: offset, to: offset + length, target: last ? last.target + last.to - last.from : 0 })
  }
  return ranges
}

/** A binary search: files may have thousands of extents. */
function findIn(ranges: MovedRange[], offset: number): number {
  let [low, high] = [0, ranges.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((ranges[middle]?.from ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  const range = ranges[low]
  return range ? range.target + offset - range.from : 0
}
