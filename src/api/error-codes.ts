import type { FailureCode } from '../domain/failure.ts'
import {
  FORM_BODY_MAX_BYTES,
  GALLERY_MAX_IMAGES,
  GALLERY_NAME_MAX_CHARACTERS,
  IDEMPOTENCY_ANSWER_LIFETIME_MS,
  IDEMPOTENCY_KEY_MAX_CHARACTERS,
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

/** The stable `error` of an ApiError: each way to be refused, and the failure that nobody foresaw. */
export type ErrorCode = FailureCode | 'internal_error'

/** What an error means to who gets it, in sentences: why it came, and what to change. */
export interface ErrorHelp {
  cause: string
  cure: string
}

/** Where the documentation of an error stands, on the domain whose pages begin with this origin. */
export function errorDocumentationUrl(origin: string, code: ErrorCode): string {
  return `${origin}${routes.errors}#${code}`
}

/** Every error of the API, in the order of its documentation. */
export const ERROR_HELP: Readonly<Record<ErrorCode, ErrorHelp>> = {
  unsupported_endpoint: {
    cause:
      'This path does not answer this method, or nothing answers this path. A slash at the end makes another path.',
    cure: 'Compare method and path with the list of operations. Uploads, galleries, management and status use POST.',
  },
  malformed_request: {
    cause:
      'The body is not what its Content-Type says: no multipart form, a boundary that is missing, a body that was cut off, JSON that cannot be read.',
    cure: 'Let your HTTP library write the body and its Content-Type. Never set the Content-Type of a multipart form by hand: it lacks the boundary then.',
  },
  missing_field: {
    cause:
      'A field or file that the operation requires is absent or empty, or only one of the two gallery fields was sent.',
    cure: 'Send the field that the message names. A file needs a file name in its part, or it counts as text.',
  },
  duplicate_field: {
    cause: 'A field that the operation knows was sent twice.',
    cure: 'Send it once. Several pictures are several requests.',
  },
  invalid_idempotency_key: {
    cause: `The Idempotency-Key is not 1 to ${IDEMPOTENCY_KEY_MAX_CHARACTERS} visible ASCII characters, bare or in double quotes.`,
    cure: 'Use a new random UUID for each request, and the same one for its retries.',
  },
  request_in_progress: {
    cause: `Another request with this Idempotency-Key has been at work for over ${IDEMPOTENCY_WAIT_MS / SECOND_MS} seconds.`,
    cure: 'Send the same request with the same key again: it gets the answer, or does the work.',
  },
  idempotency_key_reused: {
    cause: `Within the last ${IDEMPOTENCY_ANSWER_LIFETIME_MS / HOUR_MS} hours this Idempotency-Key came with another request.`,
    cure: 'Use a new key. A key belongs to one operation with one set of fields and files.',
  },
  invalid_option: {
    cause: `A field has a value that it cannot have: flags are 0 or 1, max_th_size is ${THUMBNAIL_MIN_SIZE_PX} to ${THUMBNAIL_MAX_SIZE_PX}, integers are plain digits.`,
    cure: 'Send a value that the message allows, or leave an optional field out.',
  },
  invalid_gallery_name: {
    cause: `The name has over ${GALLERY_NAME_MAX_CHARACTERS} characters, or one that is not allowed: a control or format character, a line separator, an angle bracket, an emoji.`,
    cure: 'Take such characters out, or shorten the name. An empty name is fine.',
  },
  invalid_urls: {
    cause: `urls is no array of strings, has none or over ${STATUS_MAX_URLS} items, or one of over ${STATUS_URL_MAX_BYTES} bytes.`,
    cure: `Ask for 1 to ${STATUS_MAX_URLS} show URLs in a request. What is no URL of this service is fine: its status is invalid.`,
  },
  method_not_allowed: {
    cause: 'The image status was asked for with another method than POST.',
    cure: 'Use POST with a JSON body, as the Allow header says.',
  },
  unsupported_media_type: {
    cause: 'The body of an image status request was not announced as JSON.',
    cure: 'Send the header Content-Type: application/json.',
  },
  rate_limited: {
    cause: `More status requests came from your network address than ${STATUS_RATE_BURST} at once and one each ${STATUS_RATE_INTERVAL_MS / SECOND_MS} seconds.`,
    cure: `Wait for the seconds in Retry-After, and ask for up to ${STATUS_MAX_URLS} URLs at a time. The RateLimit header tells what is left.`,
  },
  client_limit_reached: {
    cause:
      "Your network address has reached a limit of this service's operator: how much one may upload, or how many covers, galleries, keyed requests or wrong management tokens it may send in an hour.",
    cure: 'Wait for the seconds in Retry-After; as much comes back evenly. Ask the operator if you need more.',
  },
  body_too_slow: {
    cause: 'The body came at less than 8 KB a second.',
    cure: 'Send it again, over a better connection or smaller. Begin to send only when you can go on.',
  },
  overloaded: {
    cause: 'So many uploads came at once that there was no room for this one, or it stood still while others waited.',
    cure: 'Wait for the seconds in Retry-After, and send the same request again. Send fewer at once.',
  },
  storage_unavailable: {
    cause: 'The database or the files did not answer in time, or failed.',
    cure: 'Wait for the seconds in Retry-After, and send the same request again, with an Idempotency-Key where the operation takes one: it may have been done.',
  },
  storage_full: {
    cause: 'The database or the disk is full.',
    cure: 'Try again when the operator has made room. Nothing was stored.',
  },
  file_too_large: {
    cause: `A file has more than ${UPLOAD_MAX_BYTES / MIB} MiB (${UPLOAD_MAX_BYTES} bytes).`,
    cure: 'Make the picture smaller. Each file of a cover has this limit for itself.',
  },
  body_too_large: {
    cause: `The body is larger than anything the operation can need: ${STATUS_BODY_MAX_BYTES / KIB} KiB of JSON, ${FORM_BODY_MAX_BYTES / KIB} KiB of a form without files.`,
    cure: 'Send less at a time, and nothing but the fields of the operation.',
  },
  unsupported_image_format: {
    cause: 'The file begins like no JPEG, PNG, GIF, WebP or AVIF. Its name and the type it was sent with do not count.',
    cure: 'Convert the picture to one of these formats. An empty file is none either.',
  },
  unreadable_image: {
    cause: 'The file begins like a picture, but cannot be decoded: it was cut off or damaged.',
    cure: 'Open it in a viewer, save it anew, and see that the upload sends all of its bytes.',
  },
  image_too_large: {
    cause: `The picture has more than ${IMAGE_MAX_PIXELS / MEGAPIXEL} megapixels, or more than its format can be decoded with here.`,
    cure: 'Scale it down, or save it as JPEG: that format has the largest allowance.',
  },
  gallery_not_found: {
    cause: 'No gallery has this gallery_hash: it was mistyped, deleted, or removed because it was finalized empty.',
    cure: `Take the gallery_hash as POST ${routes.galleries} gave it, or create a new gallery.`,
  },
  upload_token_incorrect: {
    cause: `The gallery_upload_hash is not that of the gallery, or older than ${UPLOAD_TOKEN_LIFETIME_MS / HOUR_MS} hours.`,
    cure: 'Send both hashes of the same answer. After that time the gallery is finalized by itself: create a new one.',
  },
  gallery_already_finalized: {
    cause: 'The gallery is public already, and takes no more pictures.',
    cure: 'Finalize after the last upload, or create a new gallery.',
  },
  gallery_full: {
    cause: `The gallery has ${GALLERY_MAX_IMAGES} pictures, and takes no more.`,
    cure: 'Finalize it, and create a new gallery for the others.',
  },
  gallery_not_finalizable: {
    cause: 'The gallery could not be made public.',
    cure: 'Try again. If that fails, wait: galleries are finalized by themselves a day after they were created.',
  },
  management_token_not_found: {
    cause: 'There is nothing under this management token.',
    cure: `Take the last part of manage_url: ${MANAGEMENT_TOKEN_LENGTH} characters of A-Z a-z 0-9 _ -. A lost token cannot be recovered.`,
  },
  content_deleted: {
    cause: 'The picture or gallery is deleted, and its management token is revoked.',
    cure: 'Nothing is left to do. Of several deletes at once, one gets 200 and the others this.',
  },
  operation_not_allowed: {
    cause: 'The management token is that of a picture or cover, which cannot be renamed.',
    cure: 'Rename galleries alone, with the token of their manage_url.',
  },
  content_not_found: {
    cause: 'There is no public picture or gallery at this address: it is unknown, deleted, or not finalized yet.',
    cure: 'Send the whole address of a picture page or gallery as the service gave it.',
  },
  unsupported_format: {
    cause: 'An answer was asked for in a format that is not offered.',
    cure: 'Use format=json or format=xml.',
  },
  operator_key_incorrect: {
    cause: "The operator's key was not sent, or is another one.",
    cure: 'Only for who runs the service: see its docs/operating.md on moderation.',
  },
  foreign_origin: {
    cause: 'A form of the pages was sent by a page of another site.',
    cure: 'Send the form from its own page. Programs, and pages of any site, use the API, which this does not apply to.',
  },
  internal_error: {
    cause: 'Something failed that should not. It is logged under the request_id.',
    cure: 'Try again in a while, with an Idempotency-Key where the operation takes one. Report what stays, with its request_id.',
  },
}
