import { RequestFailed } from '../problems.ts'

/** The specification's UploadResponse. */
export interface Upload {
  name: string
  showUrl: string
  thumbnailUrl: string
  manageUrl: string | undefined
  /** When the host deletes it (RFC 3339), if it was asked to. */
  expiresAt: string | undefined
  /** All of it, under the specification's names. */
  fields: Record<string, unknown>
}

/** The specification's GalleryCreateResponse. */
export interface Gallery {
  hash: string
  uploadToken: string
  url: string
  name: string
  manageUrl: string | undefined
  expiresAt?: string | undefined
}

/** One entry of the specification's ImageStatusResponse. */
export interface UrlStatus {
  url: string
  status: string
}

const URL_TEXT = /^https?:\/\/[^\s"<>\p{Cc}]+$/u
const TIME_TEXT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/
const STATUS_TEXT = /^[a-z_]{1,40}$/

/** Reads an UploadResponse. Throws `RequestFailed` for anything else, as all here do. */
export function readUpload(text: string): Upload {
  const fields = readObject(text)
  return {
    name: requireText(fields, 'name'),
    showUrl: requireUrl(fields, 'show_url'),
    thumbnailUrl: requireUrl(fields, 'th_url'),
    manageUrl: findUrl(fields, 'manage_url'),
    expiresAt: findTime(fields, 'expires_at'),
    fields,
  }
}

/** Returns an upload without its private link, which was requested for the history alone. */
export function withoutManageUrl({ fields: { manage_url, ...fields }, ...upload }: Upload): Upload {
  return { ...upload, manageUrl: undefined, fields }
}

/** Reads a GalleryCreateResponse. */
export function readGallery(text: string): Gallery {
  const fields = readObject(text)
  return {
    hash: requireText(fields, 'gallery_hash'),
    uploadToken: requireText(fields, 'gallery_upload_hash'),
    url: requireUrl(fields, 'gallery_url'),
    name: requireText(fields, 'gallery_name'),
    manageUrl: findUrl(fields, 'manage_url'),
    expiresAt: findTime(fields, 'expires_at'),
  }
}

/** The statuses of a batch: one for each of its URLs, in their order. */
export function readStatuses(text: string, urls: readonly string[]): UrlStatus[] {
  const { results } = readObject(text)
  if (!Array.isArray(results) || results.length !== urls.length) throw notOfThisApi()
  return urls.map((url, index) => {
    const result: unknown = results[index]
    const status = isObject(result) ? result.status : undefined
    if (typeof status !== 'string' || !STATUS_TEXT.test(status)) throw notOfThisApi()
    return { url, status }
  })
}

/** Reads a GalleryRenameResponse. */
export function readRenamed(text: string): { name: string; url: string } {
  const fields = readObject(text)
  return { name: requireText(fields, 'gallery_name'), url: requireUrl(fields, 'gallery_url') }
}

/** Reads the resource type of the specification's DeleteResponse. */
export function readDeleted(text: string): string {
  const fields = readObject(text)
  if (fields.deleted !== true || (fields.resource_type !== 'image' && fields.resource_type !== 'gallery')) {
    throw notOfThisApi()
  }
  return fields.resource_type
}

/** The code and the sentence of an ApiError; undefined for any other text. */
export function readApiError(text: string): { code: string | undefined; message: string } | undefined {
  const fields = parseObject(text)
  if (typeof fields?.message !== 'string') return undefined
  return { code: typeof fields.error === 'string' ? fields.error : undefined, message: fields.message }
}

function readObject(text: string): Record<string, unknown> {
  const fields = parseObject(text)
  if (fields === undefined) throw notOfThisApi()
  return fields
}

/** The object that a text of JSON holds; undefined for any other text. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function requireText(fields: Record<string, unknown>, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string') throw notOfThisApi()
  return value
}

function requireUrl(fields: Record<string, unknown>, name: string): string {
  const value = requireText(fields, name)
  if (!URL_TEXT.test(value)) throw notOfThisApi()
  return value
}

function findUrl(fields: Record<string, unknown>, name: string): string | undefined {
  return fields[name] === undefined ? undefined : requireUrl(fields, name)
}

function findTime(fields: Record<string, unknown>, name: string): string | undefined {
  const value = fields[name]
  return typeof value === 'string' && TIME_TEXT.test(value) ? value : undefined
}

/** Whether this is an object of JSON. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function notOfThisApi(): RequestFailed {
  return new RequestFailed("the host responded with success, but not like this API: check the host's address (--url)")
}
