import { createMiddleware } from 'hono/factory'
import type { Site } from '../../domain/ids/links.ts'
import { ASSET_CACHE_S, HSTS_MAX_AGE_S, MEDIA_BROWSER_CACHE_S, MEDIA_EDGE_CACHE_S } from '../../limits.ts'
import * as routes from '../../routes.ts'
import { TURNSTILE_ORIGIN } from '../../turnstile.ts'
import type { AppEnv } from '../context.ts'
import { type Host, isOwnUrl } from '../hosts.ts'

/**
 * The kind of a response, which decides its headers. Pages are for everybody, may be opened by other sites as a popup,
 * or are private: errors and responses to forms. Files are those of D29. Assets are styles, scripts and icons of the
 * pages. Then there are data for everybody, and the service worker. All other data are private: errors, results of
 * operations, and the operator's data.
 */
export type ResponseKind = 'page' | 'popupPage' | 'privatePage' | 'file' | 'asset' | 'data' | 'worker' | 'privateData'

const NOSNIFF = { 'X-Content-Type-Options': 'nosniff' }
/** For what is no page: opened as one, it may load nothing, and nobody may frame it. */
const NO_PAGE = { 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" }
/** If no page may read a response, it may not load it as an image or script either. */
const OWN_ORIGIN = { 'Cross-Origin-Resource-Policy': 'same-origin' }
const ANY_ORIGIN = { 'Cross-Origin-Resource-Policy': 'cross-origin' }
/** The powerful features that the pages do without. */
const NO_FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
]
const PAGE = {
  ...NOSNIFF,
  ...OWN_ORIGIN,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': NO_FEATURES.map((feature) => `${feature}=()`).join(', '),
}

const DATA = {
  ...NOSNIFF,
  ...NO_PAGE,
  ...ANY_ORIGIN,
  'Cache-Control': 'no-cache',
  'Referrer-Policy': 'no-referrer',
}

/**
 * The headers of every response by its kind (D29, D44). Pages also have `pageSecurityPolicy`, and responses of public
 * domains STRICT_TRANSPORT_SECURITY. No private page has the policy `no-referrer`: browsers would send `Origin: null`
 * with its forms.
 */
export const HEADERS: Readonly<Record<ResponseKind, Readonly<Record<string, string>>>> = {
  page: { ...PAGE, 'Cache-Control': 'no-cache', 'Referrer-Policy': 'strict-origin-when-cross-origin' },
  // The page reports its uploads to the window that opened it.
  popupPage: {
    ...PAGE,
    'Cache-Control': 'no-cache',
    'Cross-Origin-Opener-Policy': 'unsafe-none',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
  },
  privatePage: {
    ...PAGE,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'strict-origin',
    'X-Robots-Tag': 'noindex',
  },
  file: {
    ...NOSNIFF,
    ...ANY_ORIGIN,
    'Cache-Control': `public, max-age=${MEDIA_BROWSER_CACHE_S}, s-maxage=${MEDIA_EDGE_CACHE_S}`,
    'Content-Security-Policy': "default-src 'none'; sandbox",
  },
  asset: { ...NOSNIFF, ...NO_PAGE, ...OWN_ORIGIN, 'Cache-Control': `public, max-age=${ASSET_CACHE_S}, immutable` },
  data: DATA,
  // The service worker forwards shares that do not fit on the device.
  worker: { ...DATA, 'Content-Security-Policy': "default-src 'none'; connect-src 'self'; frame-ancestors 'none'" },
  privateData: { ...DATA, 'Cache-Control': 'no-store' },
}

/** RFC 6797. Not for subdomains: not all of a domain need be ours. */
export const STRICT_TRANSPORT_SECURITY = `max-age=${HSTS_MAX_AGE_S}`

const PRIVATE_PAGES = [routes.report, routes.prefixOf(routes.manage), routes.prefixOf(routes.addImages)]
const FILES = [routes.original, routes.thumbnail, routes.preview].map(routes.prefixOf)
const ASSETS = [routes.prefixOf(routes.asset)]

/** Properties of a response and its request. */
interface ResponseFacts {
  method: string
  path: string
  /** Whether the query asks for the popup of another site's editor. */
  asksForPopup?: boolean
  status: number
  /** The Content-Type, if there is one. */
  type: string
}

export function kindOf({ method, path, asksForPopup = false, status, type }: ResponseFacts): ResponseKind {
  const under = (prefixes: readonly string[]) => prefixes.some((prefix) => path.startsWith(prefix))
  const isPublic = ['GET', 'HEAD'].includes(method) && status < 400
  if (asksForPopup && path === routes.home && isPublic) return 'popupPage'
  if (type.startsWith('text/html')) return isPublic && !under(PRIVATE_PAGES) ? 'page' : 'privatePage'
  if (!isPublic || under([routes.OPERATOR_PREFIX]) || path === routes.health) return 'privateData'
  if (under(FILES)) return 'file'
  if (path === routes.shareWorker) return 'worker'
  return under(ASSETS) ? 'asset' : 'data'
}

/**
 * Returns the Content-Security-Policy of a page: images from the media hosts and chosen files (`blob:`), everything
 * else from its origin. A page that `fetchesImages` may fetch them from any server, as the upload page does with a
 * pasted address. One that `usesTurnstile` may run it.
 */
export function pageSecurityPolicy(
  { pages, originals, thumbnails }: Site,
  styleSources: readonly string[],
  { fetchesImages = false, usesTurnstile = false }: { fetchesImages?: boolean; usesTurnstile?: boolean } = {},
): string {
  return [
    "default-src 'none'",
    `img-src 'self' blob: ${originals} ${thumbnails}`,
    ['style-src', "'self'", ...styleSources].join(' '),
    usesTurnstile ? `script-src 'self' ${TURNSTILE_ORIGIN}` : "script-src 'self'",
    ...(usesTurnstile ? [`frame-src ${TURNSTILE_ORIGIN}`] : []),
    fetchesImages
      ? `connect-src 'self' https: ${pages.startsWith('http:') ? 'http:' : ''}`.trim()
      : "connect-src 'self'",
    "manifest-src 'self'",
    // Forms are sent to the canonical host, which for a page on `www.D` is another origin.
    `form-action 'self' ${pages}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Middleware: adds the headers of its kind to every response. */
export const headersOfKind = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const { method, path } = c.req
  const asksForPopup = c.req.query('embed') === '1'
  const kind = kindOf({
    method,
    path,
    asksForPopup,
    status: c.res.status,
    type: c.res.headers.get('Content-Type') ?? '',
  })
  // Files that expire have less time.
  const caching = kind === 'file' ? c.res.headers.get('Cache-Control') : null
  for (const [name, value] of Object.entries(HEADERS[kind])) c.header(name, value)
  if (caching !== null) c.header('Cache-Control', caching)
  for (const [name, value] of Object.entries(strictTransportSecurity(c.req.raw, c.var.host))) c.header(name, value)
})

/** `Strict-Transport-Security` if a request used https to one of the public domains. Behind a proxy, its headers say so. */
export function strictTransportSecurity({ headers }: Request, host: Host): Record<string, string> {
  if (!host.site.pages.startsWith('https:')) return {}
  const scheme = headers.get('X-Forwarded-Proto') ?? host.url.protocol.slice(0, -1)
  return scheme === 'https' && isOwnUrl(host.url, host)
    ? { 'Strict-Transport-Security': STRICT_TRANSPORT_SECURITY }
    : {}
}
