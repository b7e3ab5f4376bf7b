import { parseAddress } from '../../shell/script/addresses.ts'

/** An upload in the browser's local storage: one entry each, so that two windows do not conflict. */
export interface Remembered {
  kind: 'picture' | 'gallery'
  /** Empty for a gallery without a name. */
  name: string
  pageUrl: string
  thumbnailUrl: string | undefined
  /** The private link. */
  manageUrl: string
  timeMs: number
  /** The time at which it is gone, in milliseconds; absent for what stays. */
  expiresAtMs?: number | undefined
}

const PREFIX = 'upload '
const REFUSAL = 'do-not-remember'
const TRIAL = 'trial'
/** As many as an upload takes, about. */
const TRIAL_CHARACTERS = 500
/** The mark of an exported file. */
const FILE_KIND = 'uploads'

/** Whether uploads are remembered: unless the user turned it off, or there is no storage. */
export function isRemembering(): boolean {
  return attempt(() => localStorage.getItem(REFUSAL) === null) ?? false
}

/** Whether the browser lets anything be remembered: a storage may be forbidden, or full. */
export function canRemember(): boolean {
  const tried = attempt(() => {
    localStorage.setItem(TRIAL, ' '.repeat(TRIAL_CHARACTERS))
    localStorage.removeItem(TRIAL)
    return true
  })
  return tried ?? false
}

/** Keeps whether uploads are to be remembered. */
export function setRemembering(on: boolean): void {
  attempt(() => (on ? localStorage.removeItem(REFUSAL) : localStorage.setItem(REFUSAL, '1')))
}

/** Remembers an upload, instead of what was remembered of it; false if the browser does not let it. */
export function remember(upload: Remembered): boolean {
  const text = JSON.stringify(upload)
  return attempt(() => localStorage.setItem(PREFIX + upload.pageUrl, text) === undefined) ?? false
}

/** Whether the upload with this page is remembered. */
export function isRemembered(pageUrl: string): boolean {
  return attempt(() => localStorage.getItem(PREFIX + pageUrl) !== null) ?? false
}

/** Forgets the upload with this page. */
export function forget(pageUrl: string): void {
  attempt(() => localStorage.removeItem(PREFIX + pageUrl))
}

/** All uploads that are remembered, the latest first. */
export function remembered(): Remembered[] {
  const keys = attempt(() => Object.keys(localStorage)) ?? []
  const texts = keys.filter((key) => key.startsWith(PREFIX)).map((key) => localStorage.getItem(key) ?? '')
  return texts.flatMap((text) => readRemembered(parse(text)) ?? []).toSorted((a, b) => b.timeMs - a.timeMs)
}

/** The list as the text of a file. */
export function exportUploads(uploads: readonly Remembered[]): string {
  return JSON.stringify({ kind: FILE_KIND, uploads }, undefined, 2)
}

/** The uploads in an exported file, without what is none; undefined if it is no such file. */
export function importUploads(text: string): Remembered[] | undefined {
  const file = parse(text)
  if (!isObject(file) || file.kind !== FILE_KIND || !Array.isArray(file.uploads)) return undefined
  return file.uploads.flatMap((upload: unknown) => readRemembered(upload) ?? [])
}

/** An upload as it was remembered. Files come from anywhere: nothing but addresses of pages may get into a link. */
function readRemembered(value: unknown): Remembered | undefined {
  if (!isObject(value)) return undefined
  const { kind, name, pageUrl, thumbnailUrl, manageUrl, timeMs, expiresAtMs } = value
  if ((kind !== 'picture' && kind !== 'gallery') || typeof name !== 'string' || typeof timeMs !== 'number') {
    return undefined
  }
  if (!isWebAddress(pageUrl) || !isWebAddress(manageUrl) || !Number.isFinite(timeMs)) return undefined
  return {
    kind,
    name,
    pageUrl,
    thumbnailUrl: isWebAddress(thumbnailUrl) ? thumbnailUrl : undefined,
    manageUrl,
    timeMs,
    expiresAtMs: isTime(expiresAtMs) ? expiresAtMs : undefined,
  }
}

/** Dates end 100 million days from 1970. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= 8.64e15
}

function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//.test(value) && parseAddress(value) !== undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A storage may be forbidden, or full: both throw. */
function attempt<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}
