import type { Size } from 'tintype-codec/interface'
import type { UploadFailure } from '../upload-failure.ts'
import type { Uploaded } from './service/responses.ts'

const FINAL: ReadonlySet<UploadFailure> = new Set([
  'tooLarge',
  'unsupportedFormat',
  'damaged',
  'tooManyPixels',
  'blocked',
  'denied',
])

/** A file in the list, and its progress. */
export interface Item {
  readonly id: number
  readonly file: File
  /** Of the upright image, in pixels. */
  readonly size: Size
  /** The Idempotency-Key, the same for every attempt, so that no file is stored twice. Absent without HTTPS. */
  readonly key: string | undefined
  /** Whether its metadata have a location, or could not be read. */
  readonly mayHaveLocation: boolean
  readonly progress: Progress
}

/** The state of an upload. */
export type Progress =
  | { state: 'waiting' }
  /** The connection was lost: it is sent again when it is back. */
  | { state: 'held' }
  /** `sent` is the sent share of the file, from 0 to 1. */
  | { state: 'sending'; sent: number }
  /** The service sent a time to retry. */
  | { state: 'paused' }
  /** Everything is sent; the service is processing the file. */
  | { state: 'processing' }
  | { state: 'done'; uploaded: Uploaded }
  /** `reason` is the sentence with which it was denied. */
  | { state: 'failed'; failure: UploadFailure; reason?: string }

/** Whether an image is uploaded. */
export function isDone({ progress }: Item): boolean {
  return progress.state === 'done'
}

/** Whether an image is still to be uploaded. */
export function isUnfinished(item: Item): boolean {
  return !isDone(item)
}

/** Whether an image was refused, and is sent again only if the user says so. */
export function isFailed({ progress }: Item): boolean {
  return progress.state === 'failed'
}

/** Whether it may still be uploaded: what the file itself was refused for is the same the next time. */
export function isRetryable(item: Item): boolean {
  return isUnfinished(item) && !(item.progress.state === 'failed' && FINAL.has(item.progress.failure))
}

/** Returns the results of the images that are uploaded, in the order of the list. */
export function uploadedOf(items: readonly Item[]): Uploaded[] {
  return items.flatMap(({ progress }) => (progress.state === 'done' ? [progress.uploaded] : []))
}

/** The sent share of a file, from 0 to 1. */
export function sentShare({ progress }: Item): number {
  if (progress.state === 'sending') return progress.sent
  return progress.state === 'processing' || progress.state === 'done' ? 1 : 0
}

/** The sent share of all bytes, from 0 to 1. */
export function sentShareOfAll(items: readonly Item[]): number {
  const total = items.reduce((sum, { file }) => sum + file.size, 0)
  const sent = items.reduce((sum, item) => sum + item.file.size * sentShare(item), 0)
  return total === 0 ? 0 : sent / total
}
