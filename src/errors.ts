import { KIB, MEGAPIXEL, MIB } from 'tintype-codec/units'
import {
  BODY_FLOOR_BYTES,
  BODY_FLOOR_MS,
  EXPIRY_MAX_S,
  EXPIRY_MIN_S,
  FORM_BODY_MAX_BYTES,
  GALLERY_MAX_IMAGES,
  GALLERY_NAME_MAX_CHARACTERS,
  IDEMPOTENCY_KEY_MAX_CHARACTERS,
  IDEMPOTENCY_MAX_WAITERS,
  IDEMPOTENCY_RESPONSE_LIFETIME_MS,
  IDEMPOTENCY_WAIT_MS,
  IMAGE_MAX_PIXELS,
  MANAGEMENT_TOKEN_LENGTH,
  MULTIPART_MAX_BYTES,
  OPERATOR_KEY_MIN_CHARACTERS,
  STATUS_BODY_MAX_BYTES,
  STATUS_MAX_URLS,
  STATUS_RATE_BURST,
  STATUS_RATE_INTERVAL_MS,
  STATUS_URL_MAX_BYTES,
  THUMBNAIL_MAX_SIZE_PX,
  THUMBNAIL_MIN_SIZE_PX,
  UPLOAD_MAX_BYTES,
  UPLOAD_TOKEN_LIFETIME_MS,
} from './limits.ts'
import * as routes from './routes.ts'
import { HOUR_MS, SECOND_MS } from './units.ts'

/**
 * Whether the same request may succeed when it is sent again: `never` as it is, `later` after a wait of the client's choice,
 * `after` the seconds in Retry-After.
 */
export type Retry = 'never' | 'later' | 'after'

/** Reasons that the upload page has a text for, in each language. */
export type UploadReason =
  | 'missing'
  | 'tooLarge'
  | 'unsupportedFormat'
  | 'damaged'
  | 'tooManyPixels'
  | 'blocked'
  | 'denied'
  | 'human'

interface ErrorRow {
  /** 414 to 417 do not have their standard meanings: existing clients rely on the ones here. */
  status: number
  /** The `message` of the response, where it is always the same. */
  sentence?: string
  cause: string
  fix: string
  retry: Retry
  /** Errors that another file corrects: the upload form is shown again, with this reason. */
  uploadReason?: UploadReason
}

/**
 * Every error of the service, by its stable code, in the order of the documentation. Status codes, OpenAPI, docs/errors.md,
 * `/docs/errors`, the upload form and the retries of the command line are read from it.
 */
export const ERRORS = {
  unsupported_endpoint: {
    status: 400,
    cause: 'There is no such path, or it does not support this method. A path with a slash at its end is another path.',
    fix: 'Compare the method and the path with the list of operations. Uploads, galleries, management and status use POST.',
    retry: 'never',
  },
  malformed_request: {
    status: 400,
    cause:
      'The body does not match its Content-Type: it is not a multipart form, has no boundary, is incomplete, or is not valid JSON.',
    fix: 'Let your HTTP library write the body and its Content-Type. Do not set the Content-Type of a multipart form yourself: it would lack the boundary.',
    retry: 'never',
  },
  missing_field: {
    status: 400,
    cause:
      'A field or file that the operation requires is absent or empty, or only one of the two gallery fields was sent.',
    fix: 'Send the field that the message names. The part of a file needs a file name; without one it counts as text.',
    retry: 'never',
    uploadReason: 'missing',
  },
  duplicate_field: {
    status: 400,
    cause: 'A field of the operation was sent more than once.',
    fix: 'Send it once. Send several images in several requests.',
    retry: 'never',
  },
  upload_key_required: {
    status: 401,
    sentence:
      'this service lets holders of a key upload: send Authorization: Bearer with yours, or the field upload_key',
    cause: "Uploads need a key of this service's operator, and the request has none, or a wrong one.",
    fix: 'Send the key as `Authorization: Bearer`, as the password of Basic authentication, or in the form field `upload_key`. Ask the operator for one.',
    retry: 'never',
  },
  human_check_required: {
    status: 403,
    sentence: "confirm on this service's upload page that you are human, then upload again",
    cause:
      'The operator has visitors of the upload page confirm that they are human, and this upload has no valid confirmation.',
    fix: 'Confirm it on the page, which lasts an hour. Programs need none, unless the operator says so: ask for an upload key.',
    retry: 'never',
    uploadReason: 'human',
  },
  invalid_idempotency_key: {
    status: 400,
    sentence: `Idempotency-Key must be 1 to ${IDEMPOTENCY_KEY_MAX_CHARACTERS} visible ASCII characters, bare or in double quotes`,
    cause: `The Idempotency-Key is not 1 to ${IDEMPOTENCY_KEY_MAX_CHARACTERS} visible ASCII characters, bare or in double quotes.`,
    fix: 'Use a new random UUID for each request, and the same one for its retries.',
    retry: 'never',
  },
  request_in_progress: {
    status: 409,
    cause: `Another request with this Idempotency-Key has been in progress for over ${IDEMPOTENCY_WAIT_MS / SECOND_MS} seconds, or ${IDEMPOTENCY_MAX_WAITERS} of your requests wait for it already.`,
    fix: 'Retry the same request with the same key: it gets the response, or does the work.',
    retry: 'after',
  },
  idempotency_key_reused: {
    status: 422,
    sentence:
      'this Idempotency-Key was sent with a different request before: repeat that request unchanged, or use a new key',
    cause: `Within the last ${IDEMPOTENCY_RESPONSE_LIFETIME_MS / HOUR_MS} hours, this Idempotency-Key was sent with a different request.`,
    fix: 'Use a new key for each operation with its own fields and files.',
    retry: 'never',
  },
  invalid_option: {
    status: 422,
    cause: `A field has an invalid value: flags are 0 or 1, max_th_size is ${THUMBNAIL_MIN_SIZE_PX} to ${THUMBNAIL_MAX_SIZE_PX}, expires_in is ${EXPIRY_MIN_S} to ${EXPIRY_MAX_S} or the operator's maximum, integers are plain digits.`,
    fix: 'Send a value that the message allows, or leave out an optional field.',
    retry: 'never',
  },
  invalid_gallery_name: {
    status: 422,
    cause: `The name has over ${GALLERY_NAME_MAX_CHARACTERS} characters, or a forbidden one: a control or format character, a line separator, an angle bracket, an emoji.`,
    fix: 'Remove such characters, or shorten the name. An empty name is valid.',
    retry: 'never',
  },
  invalid_urls: {
    status: 422,
    cause: `urls is not an array of strings, is empty, has over ${STATUS_MAX_URLS} items, or has an item of over ${STATUS_URL_MAX_BYTES} bytes.`,
    fix: `Ask for 1 to ${STATUS_MAX_URLS} show URLs in a request. URLs of other services are accepted: their status is invalid.`,
    retry: 'never',
  },
  method_not_allowed: {
    status: 405,
    cause: 'The image status was requested with a method other than POST.',
    fix: 'Use POST with a JSON body, as the Allow header says.',
    retry: 'never',
  },
  unsupported_media_type: {
    status: 415,
    sentence: 'the request must have Content-Type: application/json',
    cause: 'The Content-Type of an image status request is not application/json.',
    fix: 'Send the header Content-Type: application/json.',
    retry: 'never',
  },
  rate_limited: {
    status: 429,
    cause: `Your network address sent more status requests than ${STATUS_RATE_BURST} at once and one every ${STATUS_RATE_INTERVAL_MS / SECOND_MS} seconds.`,
    fix: `Wait for the number of seconds in Retry-After, and send up to ${STATUS_MAX_URLS} URLs in each request. The RateLimit header tells how many requests are left.`,
    retry: 'after',
  },
  client_limit_reached: {
    status: 429,
    cause:
      "Your network address, or your upload key, has reached a limit of this service's operator. Limits per hour apply to uploads, their bytes and pixels, files of downloaded galleries, covers, new and finalized galleries, and changes of galleries and images. They also apply to requests with an Idempotency-Key, wrong management tokens and wrong operator keys.",
    fix: 'Wait for the number of seconds in Retry-After: the limit refills evenly. Ask the operator if you need more.',
    retry: 'after',
  },
  body_too_slow: {
    status: 408,
    sentence: 'the body arrives too slowly: send it again over a better connection, or make it smaller',
    cause: `The body arrived at less than ${(BODY_FLOOR_BYTES * SECOND_MS) / BODY_FLOOR_MS / KIB} KiB a second.`,
    fix: 'Retry with a better connection or a smaller file. Begin to send only when all data is available.',
    retry: 'never',
  },
  overloaded: {
    status: 503,
    cause: 'Too many uploads arrived at once, or this one stalled while others waited.',
    fix: 'Wait for the number of seconds in Retry-After, then retry. Send fewer at once.',
    retry: 'after',
  },
  upload_check_unavailable: {
    status: 503,
    cause: 'The operator of this service has every upload checked, and the check did not respond in time, or failed.',
    fix: 'Wait for the number of seconds in Retry-After, then retry. Nothing was stored.',
    retry: 'after',
  },
  storage_unavailable: {
    status: 503,
    cause: 'The database or the files did not respond in time, or failed.',
    fix: 'Wait for the number of seconds in Retry-After and send the same request again, with an Idempotency-Key where the operation supports it: the request may have been carried out.',
    retry: 'after',
  },
  storage_full: {
    status: 507,
    sentence: 'the service is out of space: try again later',
    cause:
      'The database is full, the disk has less free space than the operator wants to keep, or all files have the size that the operator allows.',
    fix: 'Try again when the operator has freed space. Nothing was stored.',
    retry: 'later',
  },
  file_too_large: {
    status: 413,
    cause: `A file has more than ${UPLOAD_MAX_BYTES / MIB} MiB.`,
    fix: 'Make the file smaller. The limit applies to each file of a cover.',
    retry: 'never',
    uploadReason: 'tooLarge',
  },
  body_too_large: {
    status: 413,
    cause: `The body is larger than the operation allows: ${STATUS_BODY_MAX_BYTES / KIB} KiB for JSON and ${FORM_BODY_MAX_BYTES / KIB} KiB for a form without files, ${MULTIPART_MAX_BYTES / MIB} MiB for a form with files.`,
    fix: 'Send less at a time, and only the fields of the operation.',
    retry: 'never',
    uploadReason: 'tooLarge',
  },
  unsupported_image_format: {
    status: 414,
    cause:
      'The file is not a JPEG, PNG, GIF, WebP or AVIF by its first bytes. Its name and its declared type are ignored.',
    fix: 'Convert the image to one of these formats, and make sure that the file is not empty.',
    retry: 'never',
    uploadReason: 'unsupportedFormat',
  },
  unreadable_image: {
    status: 422,
    cause: 'The file begins as an image, but cannot be decoded: it is incomplete or damaged.',
    fix: 'Open it in a viewer, save it again, and check that the upload sends all of its bytes.',
    retry: 'never',
    uploadReason: 'damaged',
  },
  image_too_large: {
    status: 422,
    cause: `The image has more than ${IMAGE_MAX_PIXELS / MEGAPIXEL} megapixels, or more than this service can decode in its format.`,
    fix: 'Scale it down, or save it as JPEG, which may have the most pixels.',
    retry: 'never',
    uploadReason: 'tooManyPixels',
  },
  blocked_content: {
    status: 422,
    sentence: 'this picture was removed by the operator and cannot be uploaded again',
    cause: 'The operator of this service removed this image, or one that looks the same, and blocked it.',
    fix: 'Do not send it again. If you think that it is mistaken for another image, ask the operator.',
    retry: 'never',
    uploadReason: 'blocked',
  },
  upload_denied: {
    status: 422,
    sentence: 'the operator of this service does not accept this image',
    cause:
      'The operator of this service has every upload checked, and this one was denied. The message says why, where the operator tells.',
    fix: 'Do not send it again. If you think that the check is mistaken, ask the operator.',
    retry: 'never',
    uploadReason: 'denied',
  },
  gallery_not_found: {
    status: 415,
    sentence: `no gallery has this gallery_hash: create one with POST ${routes.galleries}`,
    cause:
      'No gallery has this gallery_hash: it was mistyped, deleted, removed because it was finalized empty, or has expired.',
    fix: `Use the gallery_hash from the response of POST ${routes.galleries}, or create a new gallery.`,
    retry: 'never',
  },
  upload_token_incorrect: {
    status: 416,
    sentence: `gallery_upload_hash is wrong or older than ${UPLOAD_TOKEN_LIFETIME_MS / HOUR_MS} hours: send the one that came with this gallery_hash`,
    cause: `The gallery_upload_hash is not that of the gallery, or is older than ${UPLOAD_TOKEN_LIFETIME_MS / HOUR_MS} hours.`,
    fix: 'Send both hashes from the same response. After that time the gallery is finalized automatically: create a new one.',
    retry: 'never',
  },
  gallery_already_finalized: {
    status: 422,
    sentence: 'the gallery is finalized and takes no more uploads: create a new one',
    cause: 'The gallery is finalized, and accepts no more images.',
    fix: 'Finalize after the last upload, or create a new gallery.',
    retry: 'never',
  },
  gallery_full: {
    status: 422,
    sentence: `a gallery holds at most ${GALLERY_MAX_IMAGES} images: finalize it and create a new one`,
    cause: `The gallery has ${GALLERY_MAX_IMAGES} images, and accepts no more.`,
    fix: 'Finalize it, and create a new gallery for the others.',
    retry: 'never',
  },
  gallery_not_finalizable: {
    status: 417,
    sentence: 'the gallery could not be finalized: try again',
    cause: 'The gallery could not be made public.',
    fix: 'Retry. If that fails, wait: galleries are finalized automatically a day after their creation.',
    retry: 'later',
  },
  management_token_not_found: {
    status: 404,
    sentence: 'no content has this management token: check that the link is complete',
    cause: 'No content has this management token.',
    fix: `Use the last part of manage_url: ${MANAGEMENT_TOKEN_LENGTH} characters of A-Z a-z 0-9 _ -. A lost token cannot be recovered.`,
    retry: 'never',
  },
  guest_link_not_found: {
    status: 404,
    sentence: 'no gallery has this guest link: it is incomplete, was replaced by a new one, or its gallery is deleted',
    cause: 'No gallery has this guest link: it is incomplete, a new one has replaced it, or the gallery is deleted.',
    fix: 'Ask whoever gave it to you for the present one.',
    retry: 'never',
  },
  guest_link_closed: {
    status: 410,
    sentence: 'this guest link is closed or has expired: ask whoever gave it to you for a new one',
    cause: 'The owner of the gallery has closed the guest link, or it or the gallery has expired.',
    fix: 'Ask whoever gave it to you for a new one.',
    retry: 'never',
  },
  guest_link_full: {
    status: 403,
    sentence: 'guests have added as many images as this link allows: ask whoever gave it to you for a new one',
    cause: 'Guests have added as many images as the guest link allows.',
    fix: 'Ask whoever gave it to you for a new one.',
    retry: 'never',
  },
  content_deleted: {
    status: 410,
    cause: 'The image or gallery is deleted or has expired, and its management token is revoked.',
    fix: 'There is nothing left to do. Of simultaneous deletes, one gets 200 and the others this error.',
    retry: 'never',
  },
  operation_not_allowed: {
    status: 422,
    cause:
      'The management token belongs to an image or cover. Only galleries have a name, an order and further images.',
    fix: 'Use the token from the manage_url of a gallery.',
    retry: 'never',
  },
  image_not_in_gallery: {
    status: 422,
    cause:
      'An image that the request names is not in this gallery: its address is wrong, it is deleted, or it is in another gallery.',
    fix: `Send show_url of images of this gallery, or the part of it after ${routes.prefixOf(routes.show)}.`,
    retry: 'never',
  },
  content_not_found: {
    status: 404,
    cause: 'There is no public image or gallery at this address: it is unknown, deleted, or not finalized yet.',
    fix: 'Send the complete address of an image page or gallery, as in the response of the service.',
    retry: 'never',
  },
  unsupported_format: {
    status: 501,
    sentence: 'format must be json or xml',
    cause: 'The requested format is not supported.',
    fix: 'Use format=json or format=xml.',
    retry: 'never',
  },
  operator_key_incorrect: {
    status: 401,
    cause: `The operator's key is missing or wrong, or has fewer than ${OPERATOR_KEY_MIN_CHARACTERS} characters.`,
    fix: 'These operations are only for the operator of the service: see docs/operating.md.',
    retry: 'never',
  },
  foreign_origin: {
    status: 403,
    sentence: 'this form was sent by a page of another site: open its own page and send it there',
    cause: 'A form of the pages was sent by a page of another site.',
    fix: 'Send the form from its own page. Programs, and pages of any site, use the API, which this does not apply to.',
    retry: 'never',
  },
  internal_error: {
    status: 500,
    sentence: 'something went wrong on our side: try again later',
    cause: 'An unexpected failure. It is logged with the request_id.',
    fix: 'Retry in a while, with an Idempotency-Key if the operation supports it. If it keeps failing, report it with the request_id.',
    retry: 'later',
  },
} as const satisfies Record<string, ErrorRow>

/** The stable `error` of an ApiError, and the value of X-Error-Code. */
export type ErrorCode = keyof typeof ERRORS

/** Every reason to refuse a request: all but the unexpected. */
export type FailureCode = Exclude<ErrorCode, 'internal_error'>

/** Codes with one sentence for every occasion. */
export type FixedCode = {
  [Code in FailureCode]: (typeof ERRORS)[Code] extends { sentence: string } ? Code : never
}[FailureCode]

/** Every code, in the order of the documentation. */
export const ERROR_CODES: readonly ErrorCode[] = Object.keys(ERRORS).filter(isErrorCode)

/** Whether a text is the code of an error. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text)
}

/** Returns the reason that the upload form shows for an error; undefined if no other file corrects it. */
export function uploadReasonOf(code: ErrorCode): UploadReason | undefined {
  const row: ErrorRow = ERRORS[code]
  return row.uploadReason
}

/** Returns the URL of the documentation of an error, on the pages of this origin. */
export function errorDocumentationUrl(origin: string, code: ErrorCode): string {
  return `${origin}${routes.errors}#${code}`
}
