import type { Child } from 'hono/jsx'
import type { HtmlEscapedString } from 'hono/utils/html'
import { LANGUAGES, type Language } from './language.ts'
import { MESSAGES } from './messages.ts'
import { STYLESHEET_PATH } from './stylesheet.ts'

const SITE_NAME = 'Tintype'

interface DocumentProps {
  language: Language
  title: string
  /** Elements of the head that come before the title. */
  head?: Child
  children: Child
}

/** A whole HTML document with the frame that all pages share. Every page is such a string, ready to be sent. */
export function renderDocument({ language, title, head, children }: DocumentProps): string {
  const html = (
    <html lang={language} dir={LANGUAGES[language].direction}>
      <head>
        <meta charset="UTF-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {head}
        <title>{title === SITE_NAME ? title : `${title} – ${SITE_NAME}`}</title>
        <link rel="stylesheet" href={STYLESHEET_PATH} />
      </head>
      <body>
        <header>
          <a href="/" aria-label={`${SITE_NAME}: ${MESSAGES[language].homeLink}`}>
            {SITE_NAME}
          </a>
        </header>
        <main>{children}</main>
      </body>
    </html>
  )
  return `<!DOCTYPE html>${toMarkup(html)}`
}

/**
 * The markup of an element without asynchronous parts. hono/jsx ends void elements in `/>`, programs that read our pages
 * look for `>`. A `>` that is not markup is always escaped, so `/>` is nothing else.
 */
export function toMarkup(element: HtmlEscapedString | Promise<HtmlEscapedString>): string {
  return String(element).replaceAll('/>', '>')
}
