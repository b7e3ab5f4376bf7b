import { SECOND_MS } from '../../../units.ts'
import { type Item, isFailed, sentShare } from './item.ts'

/** Upload speed since the first bytes after a start or a pause. */
export interface Pace {
  sinceMs: number
  /** Of all images, sent before. */
  sinceBytes: number
  nowMs: number
}

/** The pace of the first bytes says little: they go into buffers of the network. */
const MEASURED_MS = 3 * SECOND_MS

/** Returns the pace when these images have made progress. */
export function paceAt(nowMs: number, items: readonly Item[], pace: Pace | undefined): Pace {
  return pace ? { ...pace, nowMs } : { sinceMs: nowMs, sinceBytes: sentBytes(items), nowMs }
}

/** Estimates the time until all images are sent, in seconds; undefined if it is not known yet. */
export function secondsLeft(items: readonly Item[], pace: Pace | undefined): number | undefined {
  if (!pace || pace.nowMs - pace.sinceMs < MEASURED_MS) return undefined
  const bytes = sentBytes(items) - pace.sinceBytes
  const left = items.filter((item) => !isFailed(item)).reduce((sum, item) => sum + unsentBytes(item), 0)
  if (bytes <= 0 || left === 0) return undefined
  return ((left / bytes) * (pace.nowMs - pace.sinceMs)) / SECOND_MS
}

function sentBytes(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + item.file.size - unsentBytes(item), 0)
}

function unsentBytes(item: Item): number {
  return item.file.size * (1 - sentShare(item))
}
