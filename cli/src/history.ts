import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { syncFolder } from './files/disk.ts'
import { RequestFailed } from './problems.ts'
import { parseObject, type Upload } from './requests/responses.ts'
import type { HistoryChoice } from './terminal/arguments.ts'

/** An upload, as the history records it. */
export interface Entry {
  kind: 'image' | 'cover' | 'gallery'
  /** The name at the host. */
  name: string
  /** The public page. */
  url: string
  /** The path of the file, as it was typed. */
  file?: string | undefined
  thumbnailUrl?: string | undefined
  /** The page of the gallery that an image is in. */
  galleryUrl?: string | undefined
  /** The private link. */
  manageUrl?: string | undefined
  /** When the host deletes it (RFC 3339). */
  expiresAt?: string | undefined
}

/** An entry of the file. Its number is its position in the file, from 1, and never changes. */
export interface Recorded extends Entry {
  number: number
  /** When it was recorded (RFC 3339). */
  at: string
  /** When it was deleted by its private link, from this computer. */
  deletedAt?: string | undefined
}

/** Records uploads. */
export interface Recorder {
  /** Records an upload, unless its page is recorded already. A failure is reported. */
  record: (entry: Entry) => void
  /** Whether all were recorded. */
  isComplete: () => boolean
}

/** Creates the recorder that `--history` asks for. Throws `RequestFailed` if the file cannot be read. */
export function createRecorder(choice: HistoryChoice, file: string, tell: (problem: string) => void): Recorder {
  if (choice === 'off') return { record: () => {}, isComplete: () => true }
  const known = new Set(readHistory(file).map(({ url }) => url))
  let isComplete = true
  return {
    isComplete: () => isComplete,
    record: ({ kind, name, url, file: source, thumbnailUrl, galleryUrl, manageUrl, expiresAt }) => {
      if (known.has(url)) return
      const links = { url, thumbnailUrl, galleryUrl, expiresAt, ...(choice === 'private' && { manageUrl }) }
      known.add(url)
      try {
        append(file, { at: new Date().toISOString(), kind, name, file: source, ...links })
      } catch (error) {
        if (!(error instanceof RequestFailed)) throw error
        isComplete = false
        tell(error.message)
      }
    },
  }
}

/** The recorded fields of an upload. */
export function entryOf({ name, showUrl, thumbnailUrl, manageUrl, expiresAt }: Upload): Omit<Entry, 'kind'> {
  return { name, url: showUrl, thumbnailUrl, manageUrl, expiresAt }
}

/** Returns all entries in their order; none if there is no file. Lines that a crash cut off are skipped. */
export function readHistory(file: string): Recorded[] {
  const entries = new Map<string, Recorded>()
  let number = 0
  for (const line of readText(file).split('\n')) {
    const fields = parseObject(line)
    if (fields === undefined || typeof fields.at !== 'string') continue
    const { at, kind, name, url, deleted } = fields
    const existing = typeof deleted === 'string' ? entries.get(deleted) : undefined
    if (existing) existing.deletedAt ??= at
    if (kind !== 'image' && kind !== 'cover' && kind !== 'gallery') continue
    if (typeof name !== 'string' || typeof url !== 'string' || entries.has(url)) continue
    const optional = (field: unknown) => (typeof field === 'string' ? field : undefined)
    entries.set(url, {
      number: ++number,
      at,
      kind,
      name,
      url,
      file: optional(fields.file),
      thumbnailUrl: optional(fields.thumbnailUrl),
      galleryUrl: optional(fields.galleryUrl),
      manageUrl: optional(fields.manageUrl),
      expiresAt: optional(fields.expiresAt),
    })
  }
  return [...entries.values()]
}

/** Records that the content of a page was deleted. */
export function recordDeleted(file: string, url: string): void {
  append(file, { at: new Date().toISOString(), deleted: url })
}

/** Removes the file. */
export function clearHistory(file: string): void {
  try {
    unlinkSync(file)
    syncFolder(dirname(file))
  } catch (error) {
    if (!isMissing(error)) throw new RequestFailed(`${file} cannot be removed`)
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return ''
    throw new RequestFailed(`${file} cannot be read`)
  }
}

/** Appends a line with one write, for its owner alone, and syncs it. A line that a crash cut off is ended first. */
function append(file: string, line: object): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const handle = openSync(file, 'a+', 0o600)
    try {
      const { size, mode } = fstatSync(handle)
      if (process.platform !== 'win32' && (mode & 0o077) !== 0) fchmodSync(handle, 0o600)
      const last = Buffer.alloc(1)
      if (size > 0) readSync(handle, last, 0, 1, size - 1)
      writeSync(handle, `${size > 0 && last.toString() !== '\n' ? '\n' : ''}${JSON.stringify(line)}\n`)
      fsyncSync(handle)
      if (size === 0) syncFolder(dirname(file))
    } finally {
      closeSync(handle)
    }
  } catch {
    throw new RequestFailed(`${file} cannot be written: the upload is not in the history`)
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
