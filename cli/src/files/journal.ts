import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { KEY_LIFETIME_MS } from '../limits.ts'
import { RequestFailed, UsageError } from '../problems.ts'
import { type Gallery, isObject, parseObject, readUpload, type Upload } from '../requests/responses.ts'
import { syncFolder } from './disk.ts'
import type { Image } from './images.ts'

/**
 * A file with the progress of an upload, one line of JSON for each step, from which the same command continues. The
 * Idempotency-Key of a request is written before it is sent, so a host that has received it stores nothing twice.
 */
export interface Journal {
  /** The stored result for an image that has not changed since. */
  uploadOf: (image: Image) => Upload | undefined
  /** The key to upload an image under: of a try that was cut off, or a new one. */
  keyFor: (image: Image) => string
  keepUpload: (image: Image, upload: Upload) => void
  gallery: () => Gallery | undefined
  galleryKey: () => string
  keepGallery: (gallery: Gallery) => void
  /** Whether the gallery is public. */
  isPublic: () => boolean
  keepPublic: () => void
}

/** A journal of nothing, for a command that keeps none. */
export const NO_JOURNAL: Journal = {
  uploadOf: () => undefined,
  keyFor: () => randomUUID(),
  keepUpload: () => {},
  gallery: () => undefined,
  galleryKey: () => randomUUID(),
  keepGallery: () => {},
  isPublic: () => false,
  keepPublic: () => {},
}

/**
 * The options of a command that change what is stored, by their names without dashes: text, or `true` for one without a value. An
 * option that was not used is absent.
 */
export type JournalOptions = Readonly<Record<string, string | true | undefined>>

interface Key {
  key: string
  atMs: number
}

/** The state that a journal records. */
interface Recorded {
  /** Whether the last line was cut off. */
  isCut: boolean
  host?: string
  /** Absent in a journal of version 2.0. */
  options?: JournalOptions
  galleryKey?: Key
  gallery?: Gallery
  isPublic: boolean
  keys: Map<string, Key>
  uploads: Map<string, Upload>
}

/**
 * Opens the journal at this path, which is made if it is not there, for its owner alone: a gallery's tokens are in it. Throws
 * `UsageError` if it is of another host, of other options, or no journal, and `RequestFailed`, as each of its steps, if it cannot be written.
 */
export function openJournal(path: string, host: string, options: JournalOptions): Journal {
  const recorded = readRecorded(path)
  if (recorded.host !== undefined && recorded.host !== host) {
    throw new UsageError(`${path} is of an upload to ${recorded.host}: name another file, or that host with --url`)
  }
  if (recorded.options !== undefined) requireSameOptions(path, recorded.options, options)
  if (recorded.isCut) orRefuse(path, () => append(path, '\n'))
  const write = (line: object) => orRefuse(path, () => append(path, `${JSON.stringify(line)}\n`))
  if (recorded.host === undefined) {
    write({ host, options })
    orRefuse(path, () => syncFolder(dirname(path)))
  } else if (recorded.options === undefined) write({ options })

  const keyOf = (known: Key | undefined, keep: (made: Key) => void) => {
    if (known && Date.now() - known.atMs < KEY_LIFETIME_MS) return known.key
    const made = { key: randomUUID(), atMs: Date.now() }
    keep(made)
    return made.key
  }
  return {
    uploadOf: (image) => recorded.uploads.get(nameOf(image)),
    keyFor: (image) => {
      const file = nameOf(image)
      return keyOf(recorded.keys.get(file), (made) => write({ file, ...made }))
    },
    keepUpload: (image, { fields }) => write({ file: nameOf(image), upload: fields }),
    gallery: () => recorded.gallery,
    galleryKey: () => keyOf(recorded.galleryKey, (galleryKey) => write({ galleryKey })),
    keepGallery: (gallery) => write({ gallery }),
    isPublic: () => recorded.isPublic,
    keepPublic: () => write({ isPublic: true }),
  }
}

/** A changed option would hold for the files that are left, and not for those that were uploaded. */
function requireSameOptions(path: string, before: JournalOptions, now: JournalOptions): void {
  for (const name of new Set([...Object.keys(before), ...Object.keys(now)])) {
    if (before[name] === now[name]) continue
    const used = before[name] === undefined ? `without --${name}` : `with ${asTyped(name, before[name])}`
    throw new UsageError(`${path} is of an upload ${used}: use the same options, or name another file`)
  }
}

function asTyped(name: string, value: string | true): string {
  return value === true ? `--${name}` : `--${name} ${JSON.stringify(value)}`
}

/** The identity of a file. A file that was modified since counts as another one. */
function nameOf({ path, bytes, modifiedMs }: Image): string {
  return `${path} ${bytes} ${modifiedMs}`
}

function readRecorded(path: string): Recorded {
  const text = readText(path)
  const isCut = text !== '' && !text.endsWith('\n')
  const recorded: Recorded = { isCut, isPublic: false, keys: new Map(), uploads: new Map() }
  for (const line of text.split('\n')) {
    const entry = parseObject(line)
    // The last line of a command that was killed may be cut off: then what it says did not happen.
    if (entry === undefined) continue
    if (isText(entry.host)) recorded.host = entry.host
    if (isOptions(entry.options)) recorded.options = entry.options
    if (isKey(entry.galleryKey)) recorded.galleryKey = entry.galleryKey
    if (isGallery(entry.gallery)) recorded.gallery = entry.gallery
    if (entry.isPublic === true) recorded.isPublic = true
    if (isText(entry.file) && isKey(entry)) recorded.keys.set(entry.file, entry)
    if (isText(entry.file) && entry.upload !== undefined) {
      recorded.uploads.set(entry.file, readUpload(JSON.stringify(entry.upload)))
    }
  }
  return recorded
}

function readText(path: string): string {
  try {
    const text = readFileSync(path, 'utf8')
    if (text !== '' && !text.startsWith('{"host":')) {
      throw new UsageError(`${path} is no file that --resume has written: name another, which is made`)
    }
    return text
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    if (error instanceof UsageError) throw error
    throw new UsageError(`${path} cannot be read`)
  }
}

/** On the disk before the request goes out. */
function append(path: string, line: string): void {
  const file = openSync(path, 'a', 0o600)
  writeSync(file, line)
  fsyncSync(file)
  closeSync(file)
}

function orRefuse(path: string, write: () => void): void {
  try {
    write()
  } catch {
    throw new RequestFailed(`${path} cannot be written: name another file with --resume`)
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isOptions(value: unknown): value is JournalOptions {
  return isObject(value) && Object.values(value).every((one) => isText(one) || one === true)
}

function isKey(value: unknown): value is Key {
  return isObject(value) && isText(value.key) && typeof value.atMs === 'number'
}

function isGallery(value: unknown): value is Gallery {
  if (!isObject(value)) return false
  const { hash, uploadToken, url, name, manageUrl, expiresAt } = value
  return (
    [hash, uploadToken, url, name].every(isText) &&
    [manageUrl, expiresAt].every((optional) => optional === undefined || isText(optional))
  )
}
