import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { Failure } from '../../domain/failure.ts'
import { storageFailure } from '../../domain/storage-failure.ts'
import { ERRORS, type ErrorCode, errorDocumentationUrl } from '../../errors.ts'
import { API_ERROR, FORM_ERROR, PROBLEM } from '../../responses.ts'
import { acceptsProblem } from '../accept.ts'
import type { AppContext, Variables } from '../context.ts'
import { countUp } from '../counters.ts'
import { JSON_TYPE } from './json.ts'
import { writeResponse } from './write-response.ts'

/** A failure as it is sent: status, code and message. Anything but a `Failure` is a 500 that does not tell its cause. */
interface WireFailure {
  status: ContentfulStatusCode
  code: ErrorCode
  message: string
  /** The value of Retry-After, if known. */
  retryAfterS?: number | undefined
}

type FailedRequest = Pick<Variables, 'requestId' | 'logProblem'>

/**
 * Returns the client's view of an error, and counts it. The cause of an unexpected error is logged, without any part of
 * the request.
 */
export function wireFailure({ requestId, logProblem }: FailedRequest, error: unknown): WireFailure {
  if (!(error instanceof Failure)) logProblem(`request ${requestId}`, error)
  const failure = error instanceof Failure ? error : storageFailure(error)
  countRefusal(failure?.code ?? 'internal_error')
  if (!failure)
    return { status: ERRORS.internal_error.status, code: 'internal_error', message: ERRORS.internal_error.sentence }
  const { code, message, retryAfterS } = failure
  return { status: ERRORS[code].status, code, message, retryAfterS }
}

/** A body in which nothing was found may be compressed: bodies are read as they are sent. */
function failureOf(c: AppContext, error: unknown): WireFailure {
  const failure = wireFailure(c.var, error)
  const isEncoded = (c.req.header('Content-Encoding') ?? 'identity') !== 'identity'
  if (!isEncoded || (failure.code !== 'malformed_request' && failure.code !== 'missing_field')) return failure
  return { ...failure, message: `${failure.message}. The request has a Content-Encoding: send the body uncompressed` }
}

/** Counts a request that gets an error. */
export function countRefusal(code: ErrorCode): void {
  countUp('refusals', { code })
}

/** Errors of uploads and finalize: one sentence of plain text: a published client takes any JSON body for success (D21). */
export function textFailure(c: AppContext, error: unknown): Response {
  return respond(c, failureOf(c, error), { type: 'text/plain; charset=UTF-8', write: ({ message }) => message })
}

/** Errors of uploads by the form of the published service: programs read `error.description`. */
export function describedFailure(c: AppContext, error: unknown): Response {
  const write = ({ message }: WireFailure) =>
    JSON.stringify(writeResponse(FORM_ERROR, { error: { description: message } }))
  return respond(c, failureOf(c, error), { type: JSON_TYPE, write })
}

/** All other errors: ApiError (the specification's "ApiError JSON body"). */
export function jsonFailure(c: AppContext, error: unknown): Response {
  return respond(c, failureOf(c, error), { type: JSON_TYPE, write: (failure) => apiError(c, failure) })
}

function apiError(c: AppContext, { code, message }: WireFailure): string {
  const { requestId, host } = c.var
  const documentationUrl = errorDocumentationUrl(host.site.pages, code)
  return JSON.stringify(writeResponse(API_ERROR, { error: code, message, requestId, documentationUrl }))
}

/** A media type of errors, and the text of one. */
interface ErrorFormat {
  type: string
  write: (failure: WireFailure) => string
}

/** Responds in the format of the operation, or as Problem Details where the client names their media type (RFC 9457). */
function respond(c: AppContext, failure: WireFailure, ofOperation: ErrorFormat): Response {
  const asProblem = { type: 'application/problem+json', write: () => problem(c, failure) }
  const { type, write } = acceptsProblem(c.req.header('Accept')) ? asProblem : ofOperation
  return c.body(write(failure), failure.status, { 'Content-Type': type, ...failureHeaders(c, failure) })
}

function problem(c: AppContext, { status, code, message }: WireFailure): string {
  const { requestId, host } = c.var
  const body = writeResponse(PROBLEM, {
    type: errorDocumentationUrl(host.site.pages, code),
    title: code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' '),
    status,
    detail: message,
    instance: `urn:uuid:${requestId}`,
    code,
  })
  return JSON.stringify(body)
}

/** Returns the headers of an error for programs: its code, its documentation (D43), and when to retry. */
function failureHeaders(c: AppContext, { code, retryAfterS }: WireFailure): Record<string, string> {
  return {
    'X-Error-Code': code,
    Link: `<${errorDocumentationUrl(c.var.host.site.pages, code)}>; rel="help"`,
    ...retryAfter(retryAfterS),
    ...challenge(code),
  }
}

/** Browsers ask for a key by the first challenge (RFC 9110, 11.6.1); programs may use either. */
export function challenge(code: ErrorCode): Record<string, string> {
  if (code !== 'upload_key_required') return {}
  return { 'WWW-Authenticate': 'Basic realm="uploads", charset="UTF-8", Bearer realm="uploads"' }
}

/** `Retry-After` (RFC 9110, 10.2.3), if known. */
export function retryAfter(seconds: number | undefined): Record<string, string> {
  return seconds === undefined ? {} : { 'Retry-After': String(seconds) }
}

/** Refuses any other method of an operation's path, and unknown paths (D19). */
export function refuseEndpoint(c: AppContext): never {
  const fix = c.req.path.includes('//') ? 'it has two slashes in a row, leave one out' : 'see the list of operations'
  throw new Failure('unsupported_endpoint', `${c.req.method} of this path is not supported: ${fix}`)
}
