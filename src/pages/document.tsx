import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { HtmlEscapedString } from 'hono/utils/html'
import { ASSETS } from '#generated/assets.ts'
import * as routes from '../routes.ts'
import { LANGUAGES, languages } from './language.ts'
import { MESSAGES } from './messages.ts'
import { keepLanguage, type PageContext, withLanguage } from './page-context.ts'

/** The name of the service. */
export const SITE_NAME = 'Tintype'

interface DocumentProps {
  context: PageContext
  title: string
  /** Elements of the head that come before the title. */
  head?: Child
  /** The style sheet of the page, one of ASSETS. */
  stylesheet?: 'style' | 'uploadStyle'
  /** Inline style, such as the sizes of the pictures. */
  style?: string | undefined
  /** Whether the page has one narrow column, for text and forms. */
  narrow?: boolean
  /** Optional scripts of the page, from ASSETS. */
  scripts?: readonly ('page' | 'upload' | 'uploads')[]
  /** The address of what the page shows, for the link that reports it. */
  reportable?: string | undefined
  children: Child
}

/** A whole HTML document with the header and footer that all pages share. */
export function renderDocument(props: DocumentProps): string {
  const {
    context,
    title,
    head,
    stylesheet = 'style',
    style,
    narrow = false,
    scripts = [],
    reportable,
    children,
  } = props
  const { language } = context
  const messages = MESSAGES[language]
  const html = (
    <html lang={language} dir={LANGUAGES[language].direction}>
      <head>
        <meta charset="UTF-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#faf8f5" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#161412" media="(prefers-color-scheme: dark)" />
        {head}
        <title>{title === SITE_NAME ? title : `${title} – ${SITE_NAME}`}</title>
        <link rel="icon" type="image/svg+xml" href={ASSETS.icon.path} />
        <link rel="manifest" href={routes.manifest} />
        <link rel="stylesheet" href={ASSETS[stylesheet].path} />
        {style !== undefined && <style nonce={context.nonce}>{raw(style)}</style>}
        {scripts.map((name) => (
          <script type="module" src={ASSETS[name].path} />
        ))}
      </head>
      <body>
        <a class="skip" href="#content">
          {messages.skipToContent}
        </a>
        <header class="site">
          <a class="brand" href={keepLanguage(context, routes.home)} aria-label={`${SITE_NAME}: ${messages.homeLink}`}>
            {SITE_NAME}
          </a>
          <a href={keepLanguage(context, routes.uploads)}>{messages.uploads.heading}</a>
        </header>
        <main id="content" class={narrow ? 'narrow' : undefined}>
          {children}
        </main>
        <footer class="site">
          <LanguageSwitch context={context} />
          <p>
            <a href={keepLanguage(context, reportAddress(reportable))}>{messages.reportLink}</a>
            <a href={routes.quickStart}>API</a>
          </p>
        </footer>
      </body>
    </html>
  )
  return `<!DOCTYPE html>${toMarkup(html)}`
}

function LanguageSwitch({ context }: { context: PageContext }) {
  const { address, language } = context
  if (address === undefined) return null
  return (
    <nav class="languages" aria-label={MESSAGES[language].languages}>
      <ul>
        {languages().map((other) => (
          <li>
            <a
              href={withLanguage(address, other)}
              lang={other}
              hreflang={other}
              rel="nofollow"
              aria-current={other === language ? 'true' : undefined}
            >
              {LANGUAGES[other].name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function reportAddress(reportable: string | undefined): string {
  return reportable === undefined ? routes.report : `${routes.report}?url=${encodeURIComponent(reportable)}`
}

/**
 * The markup of an element without asynchronous parts. hono/jsx ends void elements with `/>`, but programs that read our pages
 * expect `>`. In text, `>` is always escaped, so `/>` occurs nowhere else.
 */
export function toMarkup(element: HtmlEscapedString | Promise<HtmlEscapedString>): string {
  return String(element).replaceAll('/>', '>')
}
