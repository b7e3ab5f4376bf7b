import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ApiError } from '../../api/api-error.ts'
import { type ErrorCode, errorDocumentationUrl } from '../../api/error-codes.ts'
import { Failure, type FailureCode } from '../../domain/failure.ts'
import { storageFailure } from '../../domain/storage-failure.ts'
import type { AppContext, Variables } from '../context.ts'
import { countUp } from '../counters.ts'

/**
 * The HTTP status of every failure, in this one place. 414 to 417 do not have their standard meanings: existing clients rely on
 * the ones here (the specification's "Status codes").
 */
export const STATUS = {
  unsupported_endpoint: 400,
  malformed_request: 400,
  missing_field: 400,
  duplicate_field: 400,
  invalid_idempotency_key: 400,
  operator_key_incorrect: 401,
  foreign_origin: 403,
  content_not_found: 404,
  management_token_not_found: 404,
  method_not_allowed: 405,
  body_too_slow: 408,
  request_in_progress: 409,
  content_deleted: 410,
  file_too_large: 413,
  body_too_large: 413,
  unsupported_image_format: 414,
  gallery_not_found: 415,
  unsupported_media_type: 415,
  upload_token_incorrect: 416,
  gallery_not_finalizable: 417,
  gallery_already_finalized: 422,
  gallery_full: 422,
  invalid_option: 422,
  invalid_gallery_name: 422,
  invalid_urls: 422,
  unreadable_image: 422,
  image_too_large: 422,
  idempotency_key_reused: 422,
  operation_not_allowed: 422,
  blocked_content: 422,
  rate_limited: 429,
  client_limit_reached: 429,
  unsupported_format: 501,
  overloaded: 503,
  storage_unavailable: 503,
  storage_full: 507,
} as const satisfies Record<FailureCode, ContentfulStatusCode>

const INTERNAL_ERROR = { code: 'internal_error', message: 'something went wrong on our side: try again later' } as const

/** The status of every error of the API, for the documentation. */
export const ERROR_STATUS: Readonly<Record<ErrorCode, number>> = { ...STATUS, internal_error: 500 }

/** A failure as it is sent: status, code and message. Anything but a `Failure` is a 500 that does not tell its cause. */
export interface WireFailure {
  status: ContentfulStatusCode
  code: ErrorCode
  message: string
  /** What Retry-After says, where it can be told. */
  retryAfterS?: number | undefined
}

type FailedRequest = Pick<Variables, 'requestId' | 'logProblem'>

/**
 * What a client is told of an error, which is counted. The cause of an unexpected error is logged, without any part of the
 * request.
 */
export function wireFailure({ requestId, logProblem }: FailedRequest, error: unknown): WireFailure {
  if (!(error instanceof Failure)) logProblem(`request ${requestId}`, error)
  const failure = error instanceof Failure ? error : storageFailure(error)
  countRefusal(failure?.code ?? INTERNAL_ERROR.code)
  if (!failure) return { status: 500, ...INTERNAL_ERROR }
  const { code, message, retryAfterS } = failure
  return { status: STATUS[code], code, message, retryAfterS }
}

/** Counts a request that is answered with an error. */
export function countRefusal(code: ErrorCode): void {
  countUp('refusals', { code })
}

/** Errors of uploads and finalize: one sentence of plain text: a published client takes any JSON body for success (D21). */
export function textFailure(c: AppContext, error: unknown): Response {
  const failure = wireFailure(c.var, error)
  return c.body(failure.message, failure.status, {
    'Content-Type': 'text/plain; charset=UTF-8',
    ...failureHeaders(c, failure),
  })
}

/** All other errors: ApiError (the specification's "ApiError JSON body"). */
export function jsonFailure(c: AppContext, error: unknown): Response {
  const failure = wireFailure(c.var, error)
  const { status, code, message } = failure
  const body: ApiError = {
    success: false,
    error: code,
    message,
    request_id: c.var.requestId,
    documentation_url: errorDocumentationUrl(c.var.host.site.pages, code),
  }
  const headers = { 'Content-Type': 'application/json; charset=UTF-8', ...failureHeaders(c, failure) }
  return c.body(JSON.stringify(body), status, headers)
}

/** What the headers of an error tell programs: its code, where that is explained (D43), and when to try again. */
function failureHeaders(c: AppContext, { code, retryAfterS }: WireFailure): Record<string, string> {
  return {
    'X-Error-Code': code,
    Link: `<${errorDocumentationUrl(c.var.host.site.pages, code)}>; rel="help"`,
    ...retryAfter(retryAfterS),
  }
}

/** `Retry-After` (RFC 9110, 10.2.3), where it can be told. */
export function retryAfter(seconds: number | undefined): Record<string, string> {
  return seconds === undefined ? {} : { 'Retry-After': String(seconds) }
}

/** Refuses any other method of an operation's path, and unknown paths (D19). */
export function refuseEndpoint(c: AppContext): never {
  throw new Failure('unsupported_endpoint', `${c.req.method} of this path is not supported: see the list of operations`)
}
