import type { FailureCode } from '../domain/failure.ts'
import {
  FORM_BODY_MAX_BYTES,
  GALLERY_MAX_IMAGES,
  GALLERY_NAME_MAX_CHARACTERS,
  IDEMPOTENCY_ANSWER_LIFETIME_MS,
  IDEMPOTENCY_KEY_MAX_CHARACTERS,
  IDEMPOTENCY_MAX_WAITERS,
  IDEMPOTENCY_WAIT_MS,
  IMAGE_MAX_PIXELS,
  MANAGEMENT_TOKEN_LENGTH,
  STATUS_BODY_MAX_BYTES,
  STATUS_MAX_URLS,
  STATUS_RATE_BURST,
  STATUS_RATE_INTERVAL_MS,
  STATUS_URL_MAX_BYTES,
  THUMBNAIL_MAX_SIZE_PX,
  THUMBNAIL_MIN_SIZE_PX,
  UPLOAD_MAX_BYTES,
  UPLOAD_TOKEN_LIFETIME_MS,
} from '../limits.ts'
import * as routes from '../routes.ts'
import { HOUR_MS, KIB, MEGAPIXEL, MIB, SECOND_MS } from '../units.ts'

/** The stable `error` of an ApiError: every reason for a refusal, and unexpected failures. */
export type ErrorCode = FailureCode | 'internal_error'

/** What an error means to a client: its cause, and what to change. */
export interface ErrorHelp {
  cause: string
  cure: string
}

/** The URL of the documentation of an error, on the pages of this origin. */
export function errorDocumentationUrl(origin: string, code: ErrorCode): string {
  return `${origin}${routes.errors}#${code}`
}

/** Every error of the API, in the order of its documentation. */
export const ERROR_HELP: Readonly<Record<ErrorCode, ErrorHelp>> = {
  unsupported_endpoint: {
    cause: 'There is no such path, or it does not support this method. A path with a slash at its end is another path.',
    cure: 'Compare the method and the path with the list of operations. Uploads, galleries, management and status use POST.',
  },
  malformed_request: {
    cause:
      'The body does not match its Content-Type: it is not a multipart form, has no boundary, is incomplete, or is not valid JSON.',
    cure: 'Let your HTTP library write the body and its Content-Type. Do not set the Content-Type of a multipart form yourself: it would lack the boundary.',
  },
  missing_field: {
    cause:
      'A field or file that the operation requires is absent or empty, or only one of the two gallery fields was sent.',
    cure: 'Send the field that the message names. The part of a file needs a file name; without one it counts as text.',
  },
  duplicate_field: {
    cause: 'A field of the operation was sent more than once.',
    cure: 'Send it once. Send several pictures in several requests.',
  },
  invalid_idempotency_key: {
    cause: `The Idempotency-Key is not 1 to ${IDEMPOTENCY_KEY_MAX_CHARACTERS} visible ASCII characters, bare or in double quotes.`,
    cure: 'Use a new random UUID for each request, and the same one for its retries.',
  },
  request_in_progress: {
    cause: `Another request with this Idempotency-Key has been in progress for over ${IDEMPOTENCY_WAIT_MS / SECOND_MS} seconds, or ${IDEMPOTENCY_MAX_WAITERS} of your requests wait for it already.`,
    cure: 'Retry the same request with the same key: it gets the answer, or does the work.',
  },
  idempotency_key_reused: {
    cause: `Within the last ${IDEMPOTENCY_ANSWER_LIFETIME_MS / HOUR_MS} hours, this Idempotency-Key was sent with a different request.`,
    cure: 'Use a new key for each operation with its own fields and files.',
  },
  invalid_option: {
    cause: `A field has an invalid value: flags are 0 or 1, max_th_size is ${THUMBNAIL_MIN_SIZE_PX} to ${THUMBNAIL_MAX_SIZE_PX}, integers are plain digits.`,
    cure: 'Send a value that the message allows, or leave out an optional field.',
  },
  invalid_gallery_name: {
    cause: `The name has over ${GALLERY_NAME_MAX_CHARACTERS} characters, or a forbidden one: a control or format character, a line separator, an angle bracket, an emoji.`,
    cure: 'Remove such characters, or shorten the name. An empty name is valid.',
  },
  invalid_urls: {
    cause: `urls is not an array of strings, is empty, has over ${STATUS_MAX_URLS} items, or has an item of over ${STATUS_URL_MAX_BYTES} bytes.`,
    cure: `Ask for 1 to ${STATUS_MAX_URLS} show URLs in a request. URLs of other services are accepted: their status is invalid.`,
  },
  method_not_allowed: {
    cause: 'The image status was requested with a method other than POST.',
    cure: 'Use POST with a JSON body, as the Allow header says.',
  },
  unsupported_media_type: {
    cause: 'The Content-Type of an image status request is not application/json.',
    cure: 'Send the header Content-Type: application/json.',
  },
  rate_limited: {
    cause: `Your network address sent more status requests than ${STATUS_RATE_BURST} at once and one every ${STATUS_RATE_INTERVAL_MS / SECOND_MS} seconds.`,
    cure: `Wait for the number of seconds in Retry-After, and send up to ${STATUS_MAX_URLS} URLs in each request. The RateLimit header tells how many requests are left.`,
  },
  client_limit_reached: {
    cause:
      "Your network address has reached a limit of this service's operator: how much one may upload, how many files of galleries it may download, or how many covers, galleries, renames, finalizes, keyed requests, wrong management tokens or wrong operator keys it may send in an hour.",
    cure: 'Wait for the seconds in Retry-After; as much comes back evenly. Ask the operator if you need more.',
  },
  body_too_slow: {
    cause: 'The body arrived at less than 8 KB a second.',
    cure: 'Retry with a better connection or a smaller file. Begin to send only when all data is available.',
  },
  overloaded: {
    cause: 'Too many uploads arrived at once, or this one stalled while others waited.',
    cure: 'Wait for the number of seconds in Retry-After, then retry. Send fewer at once.',
  },
  storage_unavailable: {
    cause: 'The database or the files did not answer in time, or failed.',
    cure: 'Wait for the seconds in Retry-After, and send the same request again, with an Idempotency-Key where the operation takes one: it may have been done.',
  },
  storage_full: {
    cause: 'The database is full, or the disk has less room than the operator wants to keep free.',
    cure: 'Try again when the operator has made room. Nothing was stored.',
  },
  file_too_large: {
    cause: `A file has more than ${UPLOAD_MAX_BYTES / MIB} MB, of 1,048,576 bytes each.`,
    cure: 'Make the file smaller. The limit applies to each file of a cover.',
  },
  body_too_large: {
    cause: `The body is larger than the operation allows: ${STATUS_BODY_MAX_BYTES / KIB} KiB for JSON, ${FORM_BODY_MAX_BYTES / KIB} KiB for a form without files.`,
    cure: 'Send less at a time, and only the fields of the operation.',
  },
  unsupported_image_format: {
    cause:
      'The file is not a JPEG, PNG, GIF, WebP or AVIF by its first bytes. Its name and its declared type are ignored.',
    cure: 'Convert the picture to one of these formats, and make sure that the file is not empty.',
  },
  unreadable_image: {
    cause: 'The file begins as a picture, but cannot be decoded: it is incomplete or damaged.',
    cure: 'Open it in a viewer, save it again, and check that the upload sends all of its bytes.',
  },
  image_too_large: {
    cause: `The picture has more than ${IMAGE_MAX_PIXELS / MEGAPIXEL} megapixels, or more than this service can decode in its format.`,
    cure: 'Scale it down, or save it as JPEG, which may have the most pixels.',
  },
  blocked_content: {
    cause: 'The operator of this service removed this picture, or one that looks the same, and blocked it.',
    cure: 'Do not send it again. If you think that it is taken for another picture, ask the operator.',
  },
  gallery_not_found: {
    cause: 'No gallery has this gallery_hash: it was mistyped, deleted, or removed because it was finalized empty.',
    cure: `Use the gallery_hash from the answer of POST ${routes.galleries}, or create a new gallery.`,
  },
  upload_token_incorrect: {
    cause: `The gallery_upload_hash is not that of the gallery, or is older than ${UPLOAD_TOKEN_LIFETIME_MS / HOUR_MS} hours.`,
    cure: 'Send both hashes from the same answer. After that time the gallery is finalized automatically: create a new one.',
  },
  gallery_already_finalized: {
    cause: 'The gallery is finalized, and accepts no more pictures.',
    cure: 'Finalize after the last upload, or create a new gallery.',
  },
  gallery_full: {
    cause: `The gallery has ${GALLERY_MAX_IMAGES} pictures, and takes no more.`,
    cure: 'Finalize it, and create a new gallery for the others.',
  },
  gallery_not_finalizable: {
    cause: 'The gallery could not be made public.',
    cure: 'Retry. If that fails, wait: galleries are finalized automatically a day after their creation.',
  },
  management_token_not_found: {
    cause: 'No content has this management token.',
    cure: `Use the last part of manage_url: ${MANAGEMENT_TOKEN_LENGTH} characters of A-Z a-z 0-9 _ -. A lost token cannot be recovered.`,
  },
  content_deleted: {
    cause: 'The picture or gallery is deleted, and its management token is revoked.',
    cure: 'There is nothing left to do. Of simultaneous deletes, one gets 200 and the others this error.',
  },
  operation_not_allowed: {
    cause: 'The management token belongs to a picture or cover, which cannot be renamed.',
    cure: 'Rename only galleries, with the token from their manage_url.',
  },
  content_not_found: {
    cause: 'There is no public picture or gallery at this address: it is unknown, deleted, or not finalized yet.',
    cure: 'Send the complete address of a picture page or gallery, as in the answer of the service.',
  },
  unsupported_format: {
    cause: 'The requested format is not supported.',
    cure: 'Use format=json or format=xml.',
  },
  operator_key_incorrect: {
    cause: "The operator's key is missing or wrong, or has fewer than 32 characters.",
    cure: 'These operations are only for the operator of the service: see docs/operating.md.',
  },
  foreign_origin: {
    cause: 'A form of the pages was sent by a page of another site.',
    cure: 'Send the form from its own page. Programs, and pages of any site, use the API, which this does not apply to.',
  },
  internal_error: {
    cause: 'An unexpected failure. It is logged with the request_id.',
    cure: 'Retry in a while, with an Idempotency-Key if the operation supports it. If it keeps failing, report it with the request_id.',
  },
}
