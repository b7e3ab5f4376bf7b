import type { ErrorCode } from '../../errors.ts'

/** Why an image or its gallery failed: chosen by the code of the error. */
export type UploadFailure =
  | 'network'
  | 'tooLarge'
  | 'unsupportedFormat'
  | 'damaged'
  | 'tooManyPixels'
  | 'blocked'
  | 'denied'
  | 'human'
  | 'galleryClosed'
  | 'galleryFull'
  | 'galleryName'
  | 'notFinalizable'
  | 'limited'
  | 'busy'
  | 'slow'
  | 'storageFull'
  | 'keyRequired'
  | 'notStripped'
  | 'server'

/** The texts of failures. */
export interface FailureWords {
  errors: Record<UploadFailure, string>
  /** The service's sentence for a denial without one of the operator. */
  plainDenial: string
}

/** An error response of the service. */
export interface ErrorResponse {
  /** 0 if there was no response. */
  status: number
  /** The X-Error-Code field. */
  code: string | null
  text: string
}

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
  guest_link_not_found: 'galleryClosed',
  guest_link_closed: 'galleryClosed',
  guest_link_full: 'galleryClosed',
  gallery_full: 'galleryFull',
  gallery_not_finalizable: 'notFinalizable',
  invalid_gallery_name: 'galleryName',
}

/** Failures without the service's code: no response, or one of a proxy before the service. */
const FAILURES_BY_STATUS: Readonly<Record<number, UploadFailure>> = {
  0: 'network',
  401: 'keyRequired',
  408: 'slow',
  413: 'tooLarge',
  429: 'limited',
  503: 'busy',
}

/** Returns the failure that an error response means, by its code. A success that cannot be read is `server`. */
export function failureOf({ status, code }: Omit<ErrorResponse, 'text'>): UploadFailure {
  if (status === 200) return 'server'
  const known = Object.entries(FAILURES).find(([name]) => name === code)
  return known?.[1] ?? (code === null ? FAILURES_BY_STATUS[status] : undefined) ?? 'server'
}

/** Returns the sentence with which an upload was denied, if it was. */
export function denialOf({ code, text }: Omit<ErrorResponse, 'status'>): { reason?: string } {
  return code === 'upload_denied' ? { reason: text } : {}
}

/** Returns why an upload failed. A reason of the operator may be in another language, of another direction: it is isolated. */
export function describeFailure(
  { errors, plainDenial }: FailureWords,
  { failure, reason = plainDenial }: { failure: UploadFailure; reason?: string },
): string {
  return errors[failure] + (reason === plainDenial ? '' : ` \u2068${reason}\u2069`)
}
