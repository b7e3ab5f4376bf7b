import type { Language } from './language.ts'

/** What every page needs to know of the request it answers. */
export interface PageContext {
  language: Language
  /** Whether the address chose the language, with `?lang=`: links to other pages then keep it. */
  languageChosen: boolean
  /** Path and query of the page without `lang`, for the links that change the language; absent where a POST was answered. */
  address?: string | undefined
  /** What lets this page's own style pass its Content-Security-Policy. */
  nonce: string
}

/** The address with the language the reader chose, where one was chosen. */
export function keepLanguage({ language, languageChosen }: PageContext, url: string): string {
  return languageChosen ? withLanguage(url, language) : url
}

/** The address in this language. */
export function withLanguage(url: string, language: Language): string {
  return `${url}${url.includes('?') ? '&' : '?'}lang=${language}`
}
