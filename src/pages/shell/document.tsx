import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { HtmlEscapedString } from 'hono/utils/html'
import { ASSETS } from '#generated/assets.ts'
import * as routes from '../../routes.ts'
import { format } from './formatting.ts'
import { Icon } from './icons.tsx'
import { LANGUAGES, languages } from './language.ts'
import { messagesIn } from './messages.ts'
import { keepChosen, type PageContext, withLanguage, withTheme } from './page-context.ts'

/** The name of the service. */
export const SITE_NAME = 'Tintype'

const THEMES = ['auto', 'light', 'dark'] as const
const LEGAL_LINKS = ['terms', 'privacy', 'imprint', 'contact'] as const

/**
 * Has browsers parse the content before they first paint (HTML Standard, "Link type expect"). Slow ones would paint half a row of
 * buttons, and move it. The element is the one after the content: Chromium paints once its start tag is parsed, WebKit once its
 * end tag is. A string, because hono/jsx drops `blocking`.
 */
const CONTENT_BEFORE_PAINT = '<link rel="expect" href="#footer" blocking="render">'

interface DocumentProps {
  context: PageContext
  title: string
  /** Elements of the head that come before the title. */
  head?: Child
  /** The style sheet of the page, one of ASSETS. */
  stylesheet?: 'style' | 'uploadStyle'
  /** Inline style, such as the sizes of the images. */
  style?: string | undefined
  /** Whether browsers may paint the beginning while they receive the rest. */
  isLong?: boolean
  /** Whether the page has one narrow column, for text and forms. */
  narrow?: boolean
  /** Optional scripts of the page, from ASSETS. */
  scripts?: readonly ('page' | 'manage' | 'upload' | 'uploads' | 'guest')[]
  /** Whether it is the front page. */
  isHome?: boolean
  /** Whether it is the popup of another page: then it has no ways to leave it by. */
  isPopup?: boolean
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
    isLong = false,
    narrow = false,
    scripts = [],
    isHome = false,
    isPopup = false,
    reportable,
    children,
  } = props
  const {
    language,
    site: { links, operatorName },
  } = context
  const messages = messagesIn(language)
  if (style !== undefined) context.allowStyle(style)
  const html = (
    <html lang={language} dir={LANGUAGES[language].direction} data-theme={context.theme}>
      <head>
        <meta charset="UTF-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#faf8f5" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#161412" media="(prefers-color-scheme: dark)" />
        {head}
        <title>{title === SITE_NAME ? title : `${title} – ${SITE_NAME}`}</title>
        <link rel="icon" type="image/svg+xml" href={ASSETS.icon.path} />
        {/* Opaque and with a margin, because iOS rounds its corners. */}
        <link rel="apple-touch-icon" href={ASSETS.iconMaskable.path} />
        <link rel="manifest" href={routes.manifest} />
        {/* Before the style sheet: a script after it would wait for it. */}
        <script src={ASSETS.layout.path} />
        <link rel="stylesheet" href={ASSETS[stylesheet].path} />
        {!isLong && raw(CONTENT_BEFORE_PAINT)}
        {style !== undefined && <style>{raw(style)}</style>}
        {scripts.map((name) => (
          <script type="module" src={ASSETS[name].path} />
        ))}
      </head>
      <body>
        <a class="skip" href="#content">
          {messages.skipToContent}
        </a>
        <header class="site">
          <a class="brand" href={keepChosen(context, routes.home)} aria-label={`${SITE_NAME}: ${messages.homeLink}`}>
            {SITE_NAME}
          </a>
          {!isPopup && (
            <nav class="ways-about" aria-label={SITE_NAME}>
              {!isHome && <a href={keepChosen(context, routes.home)}>{messages.upload.startOne}</a>}
              <a href={keepChosen(context, routes.uploads)}>{messages.uploads.heading}</a>
              <a href={keepChosen(context, routes.tools)}>{messages.tools}</a>
              <a href={keepChosen(context, routes.quickStart)}>API</a>
            </nav>
          )}
          <Menu context={context} />
        </header>
        <main id="content" class={narrow ? 'narrow' : undefined}>
          {children}
        </main>
        <footer class="site" id="footer">
          <p>
            <a href={keepChosen(context, reportAddress(reportable))}>{messages.reportLink}</a>
            {LEGAL_LINKS.map((link) => links[link] !== undefined && <a href={links[link]}>{messages.legal[link]}</a>)}
          </p>
          {operatorName !== '' && <p>{format(messages.runBy, { name: operatorName })}</p>}
        </footer>
      </body>
    </html>
  )
  return `<!DOCTYPE html>${toMarkup(html)}`
}

/** The languages and themes, as links. The script keeps a theme that was chosen, and closes the menu. */
function Menu({ context }: { context: PageContext }) {
  const { address, language, theme } = context
  if (address === undefined) return null
  const messages = messagesIn(language)
  return (
    <details class="menu">
      <summary title={messages.menu}>
        <Icon name="globe" /> <span>{LANGUAGES[language].name}</span>
        <span class="visually-hidden">: {messages.menu}</span>
      </summary>
      <div>
        <nav class="themes" aria-label={messages.theme}>
          <ul>
            {THEMES.map((other) => (
              <li>
                <a
                  href={withTheme(context, address, other)}
                  rel="nofollow"
                  data-choose-theme={other}
                  aria-current={other === (theme ?? 'auto') ? 'true' : undefined}
                >
                  {messages.themes[other]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <nav class="languages" aria-label={messages.languages}>
          <ul>
            {languages().map((other) => (
              <li>
                <a
                  href={withLanguage(context, address, other)}
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
      </div>
    </details>
  )
}

function reportAddress(reportable: string | undefined): string {
  return reportable === undefined ? routes.report : `${routes.report}?url=${encodeURIComponent(reportable)}`
}

/**
 * The markup of an element without asynchronous parts. hono/jsx ends void elements with `/>`, but programs that read our pages
 * expect `>`. In text, `>` is always escaped, so `/>` occurs nowhere else.
 */
function toMarkup(element: HtmlEscapedString | Promise<HtmlEscapedString>): string {
  return String(element).replaceAll('/>', '>')
}
