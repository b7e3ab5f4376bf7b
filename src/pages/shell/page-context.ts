import type { Language } from './language.ts'

/** A theme that was chosen; without one, the device's. */
export type Theme = 'light' | 'dark'

/** An operator's settings for the pages. */
export interface SiteSettings {
  /** Empty if it is unknown. */
  operatorName: string
  /** Empty for the built-in one. */
  tagline: string
  /** Above the upload form; empty if there is none. */
  uploadNotice: string
  links: Partial<Record<'terms' | 'privacy' | 'imprint' | 'contact', string>>
  /** Whether the addresses of files are offered. */
  showsFileLinks: boolean
  /** Whether new images have previews. */
  hasPreviews: boolean
}

/** Properties of the request for every page. */
export interface PageContext {
  language: Language
  /** Whether the language is in the address, as `?lang=`: links to other pages then keep it. */
  languageChosen: boolean
  /** Whether the request names languages that its reader understands: browsers do, programs that read the markup do not. */
  fromBrowser: boolean
  /** The theme that is in the address, as `?theme=`, which links keep too. */
  theme?: Theme | undefined
  /** Path and query of the page without `lang` and `theme`, for the links that change them; absent on the response to a POST. */
  address?: string | undefined
  /** Has the page's Content-Security-Policy allow an inline style, by its hash. */
  allowStyle: (style: string) => void
  site: SiteSettings
}

/** The address, with the language and the theme if they were chosen by `?lang=` and `?theme=`. */
export function keepChosen({ language, languageChosen, theme }: PageContext, url: string): string {
  const inLanguage = languageChosen ? withParameter(url, 'lang', language) : url
  return theme === undefined ? inLanguage : withParameter(inLanguage, 'theme', theme)
}

/** The address with the choices in it, for readers; unchanged in markup for programs. */
export function keepChosenInBrowser(context: PageContext, url: string): string {
  return context.fromBrowser ? keepChosen(context, url) : url
}

/** The address with this language, and the theme that was chosen. */
export function withLanguage(context: PageContext, url: string, language: Language): string {
  return keepChosen({ ...context, language, languageChosen: true }, url)
}

/** The address with this theme, and the language that was chosen; `auto` undoes a choice. */
export function withTheme(context: PageContext, url: string, theme: Theme | 'auto'): string {
  return withParameter(keepChosen({ ...context, theme: undefined }, url), 'theme', theme)
}

function withParameter(url: string, name: string, value: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}${name}=${value}`
}
