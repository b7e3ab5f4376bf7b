import { SECOND_MS } from '../../units.ts'

/** The validators of a stored file: its strong entity tag, with quotes, and when it was stored. */
interface Validators {
  etag: string
  lastModified: Date
}

/** The status that the conditions of a request result in (RFC 9110, 13.2.2); undefined if the file is to be sent. */
export function checkConditions(headers: Headers, { etag, lastModified }: Validators): 304 | 412 | undefined {
  const ifMatch = headers.get('If-Match')
  const ifNoneMatch = headers.get('If-None-Match')
  const unmodifiedSince = parseHttpDate(headers.get('If-Unmodified-Since'))
  const modifiedSince = parseHttpDate(headers.get('If-Modified-Since'))
  // HTTP dates have whole seconds.
  const storedMs = Math.floor(lastModified.getTime() / SECOND_MS) * SECOND_MS

  if (ifMatch !== null) {
    if (!listsTag(ifMatch, etag, { weak: false })) return 412
  } else if (unmodifiedSince !== undefined && storedMs > unmodifiedSince) return 412

  if (ifNoneMatch !== null) return listsTag(ifNoneMatch, etag, { weak: true }) ? 304 : undefined
  return modifiedSince !== undefined && storedMs <= modifiedSince ? 304 : undefined
}

/** Whether If-None-Match lists this entity tag, by the weak comparison (RFC 9110, 13.1.2). It is given without `W/`. */
export function isUnchanged(headers: Headers, etag: string): boolean {
  return listsTag(headers.get('If-None-Match') ?? '', etag, { weak: true })
}

/** Whether an If-Range field matches, so that the Range applies (RFC 9110, 13.1.5): a strong tag or the exact date. */
export function ifRangeMatches(ifRange: string, { etag, lastModified }: Validators): boolean {
  return ifRange.trim() === etag || ifRange.trim() === lastModified.toUTCString()
}

function listsTag(field: string, etag: string, { weak }: { weak: boolean }): boolean {
  if (field.trim() === '*') return true
  return field.split(',').some((item) => {
    const tag = item.trim()
    return tag === etag || (weak && tag === `W/${etag}`)
  })
}

function parseHttpDate(field: string | null): number | undefined {
  const ms = field === null ? Number.NaN : Date.parse(field)
  return Number.isNaN(ms) ? undefined : ms
}
