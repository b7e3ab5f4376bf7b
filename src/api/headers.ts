import {
  CORS_MAX_AGE_S,
  MEDIA_BROWSER_CACHE_S,
  MEDIA_EDGE_CACHE_S,
  STATUS_RATE_BURST,
  STATUS_RATE_WINDOW_S,
} from '../limits.ts'
import * as routes from '../routes.ts'

/** A header of a response. `always`: every response that lists it has it. */
export interface Header {
  description: string
  always: boolean
  schema: Readonly<Record<string, unknown>>
}

const exactly = (text: string) => ({ type: 'string', const: text })
const matching = (pattern: string) => ({ type: 'string', pattern })
const seconds = { type: 'integer', minimum: 0 }
const HTTP_DATE = matching('^[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$')

/** Every header that the service sets, by name. If its value depends on the response, the name has a note. */
export const HEADERS = {
  'X-Request-ID': {
    description: 'The id of the request, to report a failure with. Made by the server for each request.',
    always: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'Access-Control-Allow-Origin': {
    description: 'A page of any origin may read this response, without credentials.',
    always: true,
    schema: exactly('*'),
  },
  'Access-Control-Expose-Headers': {
    description: 'The headers that a page may read.',
    always: true,
    schema: { type: 'string' },
  },
  'Access-Control-Allow-Methods': {
    description: 'The methods that a page may use.',
    always: true,
    schema: exactly('POST'),
  },
  'Access-Control-Allow-Headers': { description: 'Any header may be sent.', always: true, schema: exactly('*') },
  'Access-Control-Max-Age': {
    description: 'For how many seconds a browser may keep this response.',
    always: true,
    schema: { type: 'integer', const: CORS_MAX_AGE_S },
  },
  'Idempotent-Replayed': {
    description: 'Present and true if this is the stored response to an earlier request with the same Idempotency-Key.',
    always: false,
    schema: exactly('true'),
  },
  RateLimit: {
    description: 'How many status requests are left (r), and in how many seconds there are more (t).',
    always: true,
    schema: matching('^"status";r=\\d+;t=\\d+$'),
  },
  'RateLimit-Policy': {
    description: 'The quota (q), and in how many seconds it is full again (w).',
    always: true,
    schema: exactly(`"status";q=${STATUS_RATE_BURST};w=${STATUS_RATE_WINDOW_S}`),
  },
  'WWW-Authenticate': {
    description: 'How to send the key of an uploader.',
    always: true,
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'After how many seconds a request is accepted.', always: true, schema: seconds },
  'Retry-After: in-progress': {
    description: 'After how many seconds the first request is looked for again.',
    always: false,
    schema: seconds,
  },
  'X-Error-Code': {
    description: 'The stable code of the error.',
    always: true,
    schema: matching('^[a-z]+(?:_[a-z]+)*$'),
  },
  Link: {
    description: 'The documentation of the error: its cause and its fix.',
    always: true,
    schema: matching(`^<https?://[^/>]+${routes.errors}#[a-z_]+>; rel="help"$`),
  },
  Allow: { description: 'The only method of this path.', always: true, schema: exactly('POST') },
  'Cache-Control: no-store': { description: 'Not to be cached.', always: true, schema: exactly('no-store') },
  'Cache-Control: no-cache': {
    description: 'To be revalidated before each use.',
    always: true,
    schema: exactly('no-cache'),
  },
  'Cache-Control: media': {
    description: `For how many seconds browsers and shared caches may cache the file: ${MEDIA_BROWSER_CACHE_S} and ${MEDIA_EDGE_CACHE_S}, or until it expires.`,
    always: true,
    schema: matching('^public, max-age=[0-9]{1,5}, s-maxage=[0-9]{1,3}$'),
  },
  Vary: {
    description: 'The title of a gallery without a name depends on it.',
    always: true,
    schema: exactly('Accept-Language'),
  },
  'Vary: record': {
    description: 'The encodings that the response depends on.',
    always: true,
    schema: exactly('Accept-Encoding'),
  },
  'X-Content-Type-Options': {
    description: 'The media type is not to be guessed.',
    always: true,
    schema: exactly('nosniff'),
  },
  'Accept-Ranges': { description: 'Ranges of the file may be requested.', always: true, schema: exactly('bytes') },
  'Content-Length': {
    description: 'The number of bytes of the body, or of the body of a GET.',
    always: true,
    schema: seconds,
  },
  'Content-Range': {
    description: 'Which bytes these are, and the size of the file.',
    always: true,
    schema: matching('^bytes (?:\\d+-\\d+|\\*)/\\d+$'),
  },
  'Content-Security-Policy': {
    description: 'Browsers run nothing in the file.',
    always: true,
    schema: exactly("default-src 'none'; sandbox"),
  },
  'Content-Disposition': {
    description: 'Present if the query has download: browsers save the file under this name.',
    always: false,
    schema: matching('^attachment; filename="[a-z0-9_-]+\\.[a-z]+"(?:; filename\\*=UTF-8\'\'[-A-Za-z0-9!%._~]+)?$'),
  },
  'Cross-Origin-Resource-Policy': {
    description: 'Pages of any origin may show the file.',
    always: true,
    schema: exactly('cross-origin'),
  },
  ETag: { description: 'The strong entity tag of the file.', always: true, schema: matching('^"[^"]+"$') },
  'ETag: record': {
    description: 'The weak entity tag of the response.',
    always: true,
    schema: matching('^W/"[^"]+"$'),
  },
  'Last-Modified': { description: 'When the file was stored.', always: true, schema: HTTP_DATE },
} as const satisfies Record<string, Header>

/** A key of HEADERS. */
export type HeaderName = keyof typeof HEADERS

/** The name without its note. */
export function wireName(name: HeaderName): string {
  return name.split(':')[0] ?? name
}

/** Headers of responses that pages of any origin may read. */
export const CORS: readonly HeaderName[] = ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers']

/** Headers of responses that count against the rate limit. */
export const RATE: readonly HeaderName[] = ['RateLimit', 'RateLimit-Policy']

/** Headers of every response. */
export const EVERY: readonly HeaderName[] = ['X-Request-ID', 'X-Content-Type-Options']

/** Headers of every error and every response to a POST, which may contain a token. */
export const PRIVATE: readonly HeaderName[] = ['Cache-Control: no-store']

/** Headers of every error (D43). */
export const ERROR: readonly HeaderName[] = [...PRIVATE, 'X-Error-Code', 'Link']

const VALIDATORS: readonly HeaderName[] = ['Accept-Ranges', 'ETag', 'Last-Modified']

/** Headers of every response with a stored file. */
export const FILE: readonly HeaderName[] = [
  ...VALIDATORS,
  'Cache-Control: media',
  'Content-Security-Policy',
  'Cross-Origin-Resource-Policy',
]

/** Headers of responses that refuse a range or condition of a request for a stored file. */
export const REFUSED_FILE: readonly HeaderName[] = [...VALIDATORS, ...PRIVATE]

/** Headers of every page that is read as JSON. */
export const RECORD: readonly HeaderName[] = [...CORS, 'Cache-Control: no-cache', 'ETag: record', 'Vary: record']
