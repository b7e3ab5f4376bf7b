import type { ErrorCode } from '../../../../errors.ts'
import type { UploadFailure } from '../../upload-words.ts'

/** The failure for each error that an upload or its gallery can meet. The others are mistakes of the page: `server`. */
const FAILURES: Partial<Record<ErrorCode, UploadFailure>> = {
  request_in_progress: 'busy',
  overloaded: 'busy',
  storage_unavailable: 'busy',
  upload_check_unavailable: 'busy',
  storage_full: 'storageFull',
  upload_key_required: 'keyRequired',
  rate_limited: 'limited',
  client_limit_reached: 'limited',
  body_too_slow: 'slow',
  body_too_large: 'tooLarge',
  file_too_large: 'tooLarge',
  unsupported_image_format: 'unsupportedFormat',
  unreadable_image: 'damaged',
  image_too_large: 'tooManyPixels',
  blocked_content: 'blocked',
  upload_denied: 'denied',
  human_check_required: 'human',
  gallery_not_found: 'galleryClosed',
  upload_token_incorrect: 'galleryClosed',
  gallery_already_finalized: 'galleryClosed',
  gallery_full: 'galleryFull',
  gallery_not_finalizable: 'notFinalizable',
  invalid_gallery_name: 'galleryName',
}

/** Failures without the service's code: no response, or one of a proxy before the service. */
const FAILURES_BY_STATUS: Readonly<Record<number, UploadFailure>> = {
  0: 'network',
  408: 'slow',
  413: 'tooLarge',
  429: 'limited',
  503: 'busy',
}

/** Returns the failure that an error response means, by its code. A success that cannot be read is `server`. */
export function failureOf({ status, code }: { status: number; code: string | null }): UploadFailure {
  if (status === 200) return 'server'
  const known = Object.entries(FAILURES).find(([name]) => name === code)
  return known?.[1] ?? (code === null ? FAILURES_BY_STATUS[status] : undefined) ?? 'server'
}

/** Returns the sentence with which an upload was denied, if it was. */
export function denialOf({ code, text }: { code: string | null; text: string }): { reason?: string } {
  return code === 'upload_denied' ? { reason: text } : {}
}
