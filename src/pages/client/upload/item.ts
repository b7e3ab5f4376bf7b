import type { UploadTrouble } from '../../upload-words.ts'
import type { Uploaded } from './answers.ts'

/** A file of the list, and how far it is. */
export interface Item {
  readonly file: File
  /** The same for every attempt: what arrived although its answer did not is not stored again. Absent where the page is not secure. */
  readonly key: string | undefined
  progress: Progress
}

export type Progress =
  | { state: 'waiting' }
  /** `sent` is the share of the file that is sent, from 0 to 1. */
  | { state: 'sending'; sent: number }
  /** All is sent; the service works on it. */
  | { state: 'processing' }
  | { state: 'done'; uploaded: Uploaded }
  | { state: 'failed'; trouble: UploadTrouble; hopeless?: boolean }
  | { state: 'stopped' }

/** Whether a picture is uploaded. */
export function isDone({ progress }: Item): boolean {
  return progress.state === 'done'
}

/** Whether a picture is still to be uploaded: a file that is too large never is. */
export function isUnfinished({ progress }: Item): boolean {
  return progress.state !== 'done' && !(progress.state === 'failed' && progress.hopeless)
}

/** The share of a file that is sent, from 0 to 1. */
export function sentShare({ progress }: Item): number {
  if (progress.state === 'sending') return progress.sent
  return progress.state === 'processing' || progress.state === 'done' ? 1 : 0
}

/** What has a chance: everything but files that are too large. */
export function hopeful(items: readonly Item[]): Item[] {
  return items.filter(({ progress }) => progress.state !== 'failed' || !progress.hopeless)
}

/** The share of all bytes that are sent, from 0 to 1. */
export function sentShareOfAll(items: readonly Item[]): number {
  const total = items.reduce((sum, { file }) => sum + file.size, 0)
  const sent = items.reduce((sum, item) => sum + item.file.size * sentShare(item), 0)
  return total === 0 ? 0 : sent / total
}
