import type { Site } from '../domain/links.ts'
import { chooseLanguage, isLanguage, type Language } from '../pages/language.ts'
import { badRequestPage, type ErrorPageProps, errorPage, gonePage, notFoundPage } from '../pages/notice-pages.tsx'
import type { PageContext } from '../pages/page-context.ts'
import type { AppContext } from './context.ts'
import { retryAfter, wireFailure } from './failures.ts'
import { compression } from './wire/compression.ts'

/** Headers of pages about content that does not exist or is not public yet (D28). */
export const NO_STORE = { 'Cache-Control': 'no-store' }

/** Headers of pages that contain a secret or have one in their address: not cached, and no other site learns the address. */
export const PRIVATE = { ...NO_STORE, 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' }

/** Answers with a page, in the reader's language if it is supported, with the headers that all pages have. */
export function page(
  c: AppContext,
  status: number,
  render: (context: PageContext) => string,
  headers: Record<string, string> = {},
): Response {
  const context = contextOf(c)
  return new Response(render(context), {
    status,
    headers: {
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Language': context.language,
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': contentSecurityPolicy(c.var.host.site, context.nonce),
      'Referrer-Policy': 'strict-origin-when-cross-origin',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
      ...compression(c.req.raw, 'Accept-Language'),
    },
  })
}

/** The reader's language, if it is supported: `?lang=` comes before Accept-Language. */
export function languageOf(c: AppContext): Language {
  return chosenLanguage(c) ?? chooseLanguage(c.req.header('Accept-Language'))
}

function chosenLanguage(c: AppContext): Language | undefined {
  const lang = c.req.query('lang') ?? ''
  return isLanguage(lang) ? lang : undefined
}

function contextOf(c: AppContext): PageContext {
  const { lang: _, ...query } = c.req.query()
  const search = new URLSearchParams(query).toString()
  const isSafe = c.req.method === 'GET' || c.req.method === 'HEAD'
  return {
    language: languageOf(c),
    languageChosen: chosenLanguage(c) !== undefined,
    address: isSafe ? `${c.var.host.site.pages}${c.req.path}${search && `?${search}`}` : undefined,
    nonce: crypto.randomUUID(),
  }
}

/** Pictures from the media hosts and chosen files (`blob:`); everything else from this origin only. */
function contentSecurityPolicy({ pages, originals, thumbnails }: Site, nonce: string): string {
  return [
    "default-src 'none'",
    `img-src 'self' blob: ${originals} ${thumbnails}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "script-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    // Forms are sent to the canonical host, which for a page on `www.D` is another origin.
    `form-action 'self' ${pages}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/**
 * The page for an error: 404 and 410 have their own, other 4xx and 5xx one each. It does not repeat the address, which may
 * contain a token that is wrong by one letter.
 */
export function pageFailure(c: AppContext, error: unknown): Response {
  const { requestId } = c.var
  const { status, retryAfterS } = wireFailure(error, requestId)
  const render = FAILURE_PAGES[status] ?? (status < 500 ? badRequestPage : errorPage)
  return page(c, status, (context) => render({ context: { ...context, address: undefined }, requestId }), {
    ...PRIVATE,
    ...retryAfter(retryAfterS),
  })
}

const FAILURE_PAGES: Readonly<Record<number, (props: ErrorPageProps) => string>> = { 404: notFoundPage, 410: gonePage }
