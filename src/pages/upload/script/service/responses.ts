import type { Optimization } from '../../optimization.ts'

/** The fields of an UploadResponse that the page shows. */
export interface Uploaded {
  /** As in the address. */
  name: string
  /** The name of the file that was chosen. */
  title: string
  pageUrl: string
  thumbnailUrl: string
  thumbWidth: number
  thumbHeight: number
  manageUrl: string | undefined
  optimization: Optimization | undefined
  expiresAtMs?: number | undefined
}

/** A gallery just created (specification, "GalleryCreateResponse"). */
export interface CreatedGallery {
  hash: string
  url: string
  uploadToken: string
  manageUrl: string | undefined
  expiresAtMs?: number | undefined
}

/** Parses the response to the upload of a file with this name; undefined if it is not one. */
export function readUploaded(text: string, title: string): Uploaded | undefined {
  const response = readObject(text)
  const { name, show_url, th_url, thumb_width, thumb_height, manage_url, optimization, expires_at } = response
  if (!isText(name) || !isText(show_url) || !isText(th_url) || !isNumber(thumb_width) || !isNumber(thumb_height))
    return undefined
  return {
    name,
    title,
    pageUrl: show_url,
    thumbnailUrl: th_url,
    thumbWidth: thumb_width,
    thumbHeight: thumb_height,
    manageUrl: isText(manage_url) ? manage_url : undefined,
    optimization: isObject(optimization) ? readOptimization(optimization) : undefined,
    expiresAtMs: readTime(expires_at),
  }
}

function readOptimization(report: Fields): Optimization | undefined {
  const { applied, converted, reason, source_bytes, stored_bytes, source_width } = report
  const { stored_width: width, stored_height: height } = report
  if (!isNumber(source_bytes) || !isNumber(stored_bytes)) return undefined
  const resized = isNumber(source_width) && isNumber(width) && isNumber(height) && width < source_width
  return {
    applied: applied === true,
    originalBytes: source_bytes,
    storedBytes: stored_bytes,
    storedSize: resized ? { width, height } : undefined,
    isConverted: converted === true,
    reason: isText(reason) ? reason : undefined,
  }
}

/** Parses the response to the creation of a gallery; undefined if it is not one. */
export function readGallery(text: string): CreatedGallery | undefined {
  const { gallery_hash, gallery_url, gallery_upload_hash, manage_url, expires_at } = readObject(text)
  if (!isText(gallery_hash) || !isText(gallery_url) || !isText(gallery_upload_hash)) return undefined
  return {
    hash: gallery_hash,
    url: gallery_url,
    uploadToken: gallery_upload_hash,
    manageUrl: isText(manage_url) ? manage_url : undefined,
    expiresAtMs: readTime(expires_at),
  }
}

function readTime(value: unknown): number | undefined {
  return isText(value) ? Date.parse(value) : undefined
}

type Fields = Record<string, unknown>

/** The fields of a JSON object; none if it is not a JSON object. */
function readObject(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}
