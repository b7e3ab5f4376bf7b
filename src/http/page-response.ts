import type { Site } from '../domain/links.ts'
import { chooseLanguage, type Language } from '../pages/language.ts'
import { errorPage, gonePage, notFoundPage } from '../pages/notice-pages.tsx'
import type { AppContext } from './context.ts'
import { wireFailure } from './failures.ts'

/** Pages of what is not there, or not yet (D28). */
export const NO_STORE = { 'Cache-Control': 'no-store' }

/** Management pages: their address is a secret, which no cache keeps and no other site is told. */
export const PRIVATE = { ...NO_STORE, 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' }

/** A page with the headers all pages have. */
export function page(c: AppContext, status: number, html: string, headers: Record<string, string> = {}): Response {
  return new Response(html, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=UTF-8',
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': contentSecurityPolicy(c.var.host.site),
      'Referrer-Policy': 'strict-origin-when-cross-origin',
      Vary: 'Accept-Language',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    },
  })
}

/** Pictures from the media hosts, the stylesheet and forms from here, and nothing else. */
function contentSecurityPolicy({ pages, originals, thumbnails }: Site): string {
  return [
    "default-src 'none'",
    `img-src ${originals} ${thumbnails}`,
    "style-src 'self'",
    // The forms' addresses are canonical: on `www.D` that is another origin.
    `form-action 'self' ${pages}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** A page for whatever went wrong: 404 and 410 explain, the rest is a failure of ours or of the form. */
export function pageFailure(c: AppContext, error: unknown): Response {
  const language = languageOf(c)
  const { status } = wireFailure(error, c.var.requestId)
  if (status === 404) return page(c, 404, notFoundPage({ language }), PRIVATE)
  if (status === 410) return page(c, 410, gonePage({ language }), PRIVATE)
  return page(c, status, errorPage({ language, requestId: c.var.requestId }), PRIVATE)
}

/** The language of the reader's choice, as far as we speak it. */
export function languageOf(c: AppContext): Language {
  return chooseLanguage(c.req.header('Accept-Language'))
}
