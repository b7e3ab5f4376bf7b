import { parseSiteSettings, type SiteSettings } from '../domain/site-settings.ts'
import { chooseLanguage, isLanguage, type Language } from '../pages/language.ts'
import {
  badRequestPage,
  type ErrorPageProps,
  errorPage,
  foreignFormPage,
  gonePage,
  limitReachedPage,
  notFoundPage,
} from '../pages/notice-pages.tsx'
import type { PageContext, Theme } from '../pages/page-context.ts'
import type { AppContext } from './context.ts'
import { retryAfter, wireFailure } from './failures.ts'
import { pageSecurityPolicy } from './headers.ts'
import { settingReader } from './setting-reader.ts'
import { compression } from './wire/compression.ts'

/** Answers with a page, in the reader's language if it is supported. */
export function page(
  c: AppContext,
  status: number,
  render: (context: PageContext) => string,
  headers: Record<string, string> = {},
  { fetchesPictures = false }: { fetchesPictures?: boolean } = {},
): Response {
  const context = contextOf(c)
  return new Response(render(context), {
    status,
    headers: {
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Language': context.language,
      'Content-Security-Policy': pageSecurityPolicy(c.var.host.site, context.nonce, fetchesPictures),
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
  const { lang: _, theme: __, ...query } = c.req.query()
  const search = new URLSearchParams(query).toString()
  const isSafe = c.req.method === 'GET' || c.req.method === 'HEAD'
  return {
    language: languageOf(c),
    languageChosen: chosenLanguage(c) !== undefined,
    fromBrowser: c.req.header('Accept-Language') !== undefined,
    theme: chosenTheme(c),
    address: isSafe ? `${c.var.host.site.pages}${c.req.path}${search && `?${search}`}` : undefined,
    nonce: crypto.randomUUID(),
    site: siteOf(c),
  }
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

/** What the operator has set for the pages. */
function siteOf({ env, var: { logProblem } }: AppContext): SiteSettings {
  const { OPERATOR_NAME = '', TAGLINE = '', SITE_LINKS = '', FILE_LINKS = '' } = env
  return readSite({ OPERATOR_NAME, TAGLINE, SITE_LINKS, FILE_LINKS }, logProblem)
}

/**
 * The page for an error: some statuses have their own, other 4xx and 5xx one each. It does not repeat the address, which
 * may contain a token that is wrong by one letter.
 */
export function pageFailure(c: AppContext, error: unknown): Response {
  const { requestId } = c.var
  const { status, retryAfterS } = wireFailure(c.var, error)
  const render = FAILURE_PAGES[status] ?? (status < 500 ? badRequestPage : errorPage)
  const shown = (context: PageContext) => render({ context: { ...context, address: undefined }, requestId })
  return page(c, status, shown, retryAfter(retryAfterS))
}

const FAILURE_PAGES: Readonly<Record<number, (props: ErrorPageProps) => string>> = {
  403: foreignFormPage,
  404: notFoundPage,
  410: gonePage,
  429: limitReachedPage,
}
