import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Image } from '../../domain/content/content.ts'
import { asCached } from '../../domain/content/public-image.ts'
import type { Site } from '../../domain/ids/links.ts'
import { parseSiteSettings, type SiteSettings } from '../../domain/settings/site-settings.ts'
import { PAGE_ADDRESS_MAX_CHARACTERS } from '../../limits.ts'
import { chooseLanguage, isLanguage, type Language } from '../../pages/shell/language.ts'
import {
  badRequestPage,
  deletedPage,
  type ErrorPageProps,
  errorPage,
  foreignFormPage,
  limitReachedPage,
  notFoundPage,
} from '../../pages/shell/notice-pages.tsx'
import type { PageContext, Theme } from '../../pages/shell/page-context.ts'
import { prefersJson } from '../accept.ts'
import { type AppContext, pathAsSent } from '../context.ts'
import { settingReader } from '../setting-reader.ts'
import { compression } from './compression.ts'
import { challenge, retryAfter, wireFailure } from './failures.ts'
import { HEADERS, pageSecurityPolicy } from './headers.ts'

/** Parameters of pages that links to the same page keep, beside `lang` and `theme`. */
const PAGE_PARAMETERS = ['page', 'embed', 'origin', 'format', 'url', 'failed']

/** `?lang=`, `?theme=` or both, once each, as the links of a page write them. */
const LINK_QUERY = /^(?:lang=[A-Za-z-]{2,7})?(?:(?:^|&)theme=(?:light|dark))?$/

/** The encoding of workerd, which compresses all other pages. */
const BROTLI_QUALITY = 5

/** The headers that an address with a page and JSON depends on. */
export const PAGE_VARY = 'Accept, Accept-Language'

/** Options of a page. */
interface PageOptions {
  fetchesImages?: boolean
  usesTurnstile?: boolean
  /** Whether the same address has JSON for programs. */
  hasJson?: boolean
}

/** Responds with a page, in the reader's language if it is supported. */
export function page(
  c: AppContext,
  status: number,
  render: (context: PageContext) => string,
  headers: Record<string, string> = {},
  options: PageOptions = {},
): Response {
  const rendered = renderPage(c, render, headers, options)
  return new Response(rendered.html, { status, headers: rendered.headers })
}

/**
 * Responds with the page of a public image, and stores it in the cache of this isolate, if there is one. `lastWrite` is
 * the cache's, from before the image was read.
 */
export function imagePage(
  c: AppContext,
  image: Image,
  lastWrite: number | undefined,
  render: (context: PageContext) => string,
  ownHeaders: Record<string, string> = {},
): Response {
  const { html, headers } = renderPage(c, render, ownHeaders, { hasJson: true })
  const { cache } = c.var.store
  const key = pageKey(c.req.raw, c.var.host.site)
  if (!cache || lastWrite === undefined || key === undefined) return new Response(html, { headers })
  const bytes = compressed(html, headers['Content-Encoding'])
  cache.storePage(key, { headers: { ...HEADERS.page, ...headers }, bytes }, asCached(image), lastWrite)
  return new Response(bytes, { headers, encodeBody: 'manual' })
}

/**
 * The key of a page in the cache: all that it depends on beside records and the settings of the isolate. Undefined where it depends
 * on more: links keep the parameters of an address.
 */
export function pageKey(request: Request, site: Site): string | undefined {
  if (request.method !== 'GET' || prefersJson(request.headers.get('Accept'))) return undefined
  const query = queryOf(request.url)
  if (query !== '' && !LINK_QUERY.test(query)) return undefined
  const { headers } = request
  const acceptLanguage = headers.get('Accept-Language')
  const language = `${acceptLanguage === null ? 'program' : 'browser'} ${chooseLanguage(acceptLanguage ?? undefined)}`
  const { 'Content-Encoding': encoding = 'identity' } = compression(request)
  return [site.pages, pathAsSent(request), query, language, encoding].join(' ')
}

function queryOf(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at + 1)
}

/** Compresses a page as the runtime does, once for all readers. */
function compressed(html: string, encoding: string | undefined): Uint8Array<ArrayBuffer> {
  // Copied, since the buffers of node:zlib may be parts of larger ones.
  if (encoding === 'br') {
    return new Uint8Array(brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }))
  }
  return new Uint8Array(encoding === 'gzip' ? gzipSync(html) : new TextEncoder().encode(html))
}

function renderPage(
  c: AppContext,
  render: (context: PageContext) => string,
  headers: Record<string, string>,
  { hasJson = false, ...sources }: PageOptions,
): { html: string; headers: Record<string, string> } {
  const styles: string[] = []
  const context = contextOf(c, (style) => styles.push(style))
  const html = render(context)
  return {
    html,
    headers: {
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Language': context.language,
      'Content-Security-Policy': pageSecurityPolicy(c.var.host.site, styles.map(sourceOf), sources),
      ...headers,
      ...compression(c.req.raw, hasJson ? PAGE_VARY : 'Accept-Language'),
    },
  }
}

/** The source expression of Content-Security-Policy for this very style (CSP 3, "hash-source"). */
function sourceOf(style: string): string {
  return `'sha256-${createHash('sha256').update(style).digest('base64')}'`
}

/** The reader's language, if it is supported: `?lang=` comes before Accept-Language. */
export function languageOf(c: AppContext): Language {
  return chosenLanguage(c) ?? chooseLanguage(c.req.header('Accept-Language'))
}

function chosenLanguage(c: AppContext): Language | undefined {
  const lang = c.req.query('lang') ?? ''
  return isLanguage(lang) ? lang : undefined
}

function contextOf(c: AppContext, allowStyle: PageContext['allowStyle']): PageContext {
  return {
    language: languageOf(c),
    languageChosen: chosenLanguage(c) !== undefined,
    fromBrowser: c.req.header('Accept-Language') !== undefined,
    theme: chosenTheme(c),
    address: addressOf(c),
    allowStyle,
    site: siteOf(c),
  }
}

/**
 * Returns the address of the page with its known parameters; undefined after a POST. Long addresses are undefined too,
 * because the links of the language menu repeat them some thirty times.
 */
function addressOf({ req, var: { host } }: AppContext): string | undefined {
  if (req.method !== 'GET' && req.method !== 'HEAD') return undefined
  const known = PAGE_PARAMETERS.flatMap((name) => {
    const value = req.query(name)
    return value === undefined ? [] : [[name, value]]
  })
  const search = new URLSearchParams(known).toString()
  const address = `${host.site.pages}${req.path}${search && `?${search}`}`
  return address.length <= PAGE_ADDRESS_MAX_CHARACTERS ? address : undefined
}

function chosenTheme(c: AppContext): Theme | undefined {
  const theme = c.req.query('theme')
  return theme === 'light' || theme === 'dark' ? theme : undefined
}

const readSite = settingReader({
  parse: parseSiteSettings,
  otherwise: parseSiteSettings({}),
  problem: 'the pages are as they are built',
})

/** Returns the operator's settings for the pages. */
export function siteOf({ env, var: { logProblem } }: AppContext): SiteSettings {
  const { OPERATOR_NAME = '', TAGLINE = '', UPLOAD_NOTICE = '', SITE_LINKS = '', FILE_LINKS = '', PREVIEWS = '' } = env
  return readSite({ OPERATOR_NAME, TAGLINE, UPLOAD_NOTICE, SITE_LINKS, FILE_LINKS, PREVIEWS }, logProblem)
}

/**
 * The page for an error: some statuses have their own, other 4xx and 5xx one each. It does not repeat the address, which
 * may contain a token that is wrong by one letter.
 */
export function pageFailure(c: AppContext, error: unknown): Response {
  const { requestId } = c.var
  const { status, code, retryAfterS } = wireFailure(c.var, error)
  const render = FAILURE_PAGES[status] ?? (status < 500 ? badRequestPage : errorPage)
  const shown = (context: PageContext) => render({ context: { ...context, address: undefined }, requestId })
  return page(c, status, shown, { ...retryAfter(retryAfterS), ...challenge(code) })
}

const FAILURE_PAGES: Readonly<Record<number, (props: ErrorPageProps) => string>> = {
  403: foreignFormPage,
  404: notFoundPage,
  410: deletedPage,
  429: limitReachedPage,
}
