import type { UploadFailure } from '../../upload-words.ts'
import type { Uploaded } from './answers.ts'

/** A file in the list, and its progress. */
export interface Item {
  readonly file: File
  /** The Idempotency-Key, the same for every attempt, so that no file is stored twice. Absent without HTTPS. */
  readonly key: string | undefined
  progress: Progress
}

/** The state of an upload. */
export type Progress =
  | { state: 'waiting' }
  /** `sent` is the sent share of the file, from 0 to 1. */
  | { state: 'sending'; sent: number }
  /** The service said when to send it again. */
  | { state: 'paused' }
  /** Everything is sent; the service is processing the file. */
  | { state: 'processing' }
  | { state: 'done'; uploaded: Uploaded }
  | { state: 'failed'; failure: UploadFailure; permanent?: boolean }
  | { state: 'stopped' }

/** Whether a picture is uploaded. */
export function isDone({ progress }: Item): boolean {
  return progress.state === 'done'
}

/** Whether a picture is still to be uploaded: a file that is too large never is. */
export function isUnfinished({ progress }: Item): boolean {
  return progress.state !== 'done' && !(progress.state === 'failed' && progress.permanent)
}

/** The sent share of a file, from 0 to 1. */
export function sentShare({ progress }: Item): number {
  if (progress.state === 'sending') return progress.sent
  return progress.state === 'processing' || progress.state === 'done' ? 1 : 0
}

/** The files that can be uploaded: all but those that are too large. */
export function hopeful(items: readonly Item[]): Item[] {
  return items.filter(({ progress }) => progress.state !== 'failed' || !progress.permanent)
}

/** The sent share of all bytes, from 0 to 1. */
export function sentShareOfAll(items: readonly Item[]): number {
  const total = items.reduce((sum, { file }) => sum + file.size, 0)
  const sent = items.reduce((sum, item) => sum + item.file.size * sentShare(item), 0)
  return total === 0 ? 0 : sent / total
}
