import { parseSiteSettings, type SiteSettings } from '../domain/site-settings.ts'
import { PAGE_ADDRESS_MAX_CHARACTERS } from '../limits.ts'
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

/** Parameters of pages that links to the same page keep, beside `lang` and `theme`. */
const PAGE_PARAMETERS = ['page', 'embed', 'origin', 'format', 'url', 'failed']

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
  return {
    language: languageOf(c),
    languageChosen: chosenLanguage(c) !== undefined,
    fromBrowser: c.req.header('Accept-Language') !== undefined,
    theme: chosenTheme(c),
    address: addressOf(c),
    nonce: crypto.randomUUID(),
    site: siteOf(c),
  }
}

/**
 * Returns the address of the page with the parameters that pages know; undefined after a POST, and for a long address: the links
 * of the language menu repeat it some thirty times.
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
