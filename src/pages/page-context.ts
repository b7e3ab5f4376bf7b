import type { Language } from './language.ts'

/** What every page needs to know about its request. */
export interface PageContext {
  language: Language
  /** Whether the language is in the address, as `?lang=`: links to other pages then keep it. */
  languageChosen: boolean
  /** Path and query of the page without `lang`, for the links that change the language; absent on the answer to a POST. */
  address?: string | undefined
  /** The nonce of the page's inline style in its Content-Security-Policy. */
  nonce: string
}

/** The address, with the language if it was chosen by `?lang=`. */
export function keepLanguage({ language, languageChosen }: PageContext, url: string): string {
  return languageChosen ? withLanguage(url, language) : url
}

/** The address with this language. */
export function withLanguage(url: string, language: Language): string {
  return `${url}${url.includes('?') ? '&' : '?'}lang=${language}`
}
