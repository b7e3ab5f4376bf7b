import type { Site } from '../domain/links.ts'
import { chooseLanguage, isLanguage, type Language } from '../pages/language.ts'
import { badRequestPage, type ErrorPageProps, errorPage, gonePage, notFoundPage } from '../pages/notice-pages.tsx'
import type { PageContext } from '../pages/page-context.ts'
import type { AppContext } from './context.ts'
import { wireFailure } from './failures.ts'
import { compression } from './wire/compression.ts'

/** Pages of what is not there, or not yet (D28). */
export const NO_STORE = { 'Cache-Control': 'no-store' }

/** Pages that show or are reached by a secret, which no cache keeps and no other site is told. */
export const PRIVATE = { ...NO_STORE, 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' }

/** A page with the headers all pages have, in the language of the reader's choice, as far as we speak it. */
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

/** The language of the reader's choice, as far as we speak it: `?lang=` goes before what the browser asks for. */
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

/** Pictures from the media hosts and those just chosen, everything else from here, and nothing more. */
function contentSecurityPolicy({ pages, originals, thumbnails }: Site, nonce: string): string {
  return [
    "default-src 'none'",
    `img-src 'self' blob: ${originals} ${thumbnails}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "script-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    // The forms' addresses are canonical: on `www.D` that is another origin.
    `form-action 'self' ${pages}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/**
 * A page for whatever went wrong: 404 and 410 explain, the rest is a mistake of the form, or one of ours. The address may
 * be a token that is wrong by one letter: it is not repeated.
 */
export function pageFailure(c: AppContext, error: unknown): Response {
  const { requestId } = c.var
  const { status } = wireFailure(error, requestId)
  const render = FAILURE_PAGES[status] ?? (status < 500 ? badRequestPage : errorPage)
  return page(c, status, (context) => render({ context: { ...context, address: undefined }, requestId }), PRIVATE)
}

const FAILURE_PAGES: Readonly<Record<number, (props: ErrorPageProps) => string>> = { 404: notFoundPage, 410: gonePage }
