import { ACCEPT_LANGUAGE_MAX_CHARACTERS } from '../../limits.ts'

/** The languages of the pages, each with its own name and writing direction. The first is the default. */
export const LANGUAGES = {
  en: { name: 'English', direction: 'ltr' },
  de: { name: 'Deutsch', direction: 'ltr' },
  fr: { name: 'Français', direction: 'ltr' },
  es: { name: 'Español', direction: 'ltr' },
  pt: { name: 'Português (Brasil)', direction: 'ltr' },
  it: { name: 'Italiano', direction: 'ltr' },
  nl: { name: 'Nederlands', direction: 'ltr' },
  da: { name: 'Dansk', direction: 'ltr' },
  sv: { name: 'Svenska', direction: 'ltr' },
  fi: { name: 'Suomi', direction: 'ltr' },
  pl: { name: 'Polski', direction: 'ltr' },
  cs: { name: 'Čeština', direction: 'ltr' },
  hu: { name: 'Magyar', direction: 'ltr' },
  ro: { name: 'Română', direction: 'ltr' },
  el: { name: 'Ελληνικά', direction: 'ltr' },
  uk: { name: 'Українська', direction: 'ltr' },
  ru: { name: 'Русский', direction: 'ltr' },
  tr: { name: 'Türkçe', direction: 'ltr' },
  id: { name: 'Bahasa Indonesia', direction: 'ltr' },
  vi: { name: 'Tiếng Việt', direction: 'ltr' },
  ja: { name: '日本語', direction: 'ltr' },
  ko: { name: '한국어', direction: 'ltr' },
  zh: { name: '简体中文', direction: 'ltr' },
  'zh-Hant': { name: '繁體中文', direction: 'ltr' },
  ar: { name: 'العربية', direction: 'rtl' },
} as const satisfies Record<string, { name: string; direction: 'ltr' | 'rtl' }>

/** The code of one of LANGUAGES. */
export type Language = keyof typeof LANGUAGES

/** The language for readers of none of the others. */
const DEFAULT_LANGUAGE: Language = 'en'

/** One `language-range [ weight ]` (RFC 9110, 12.5.4 and 12.4.2): the primary subtag, whether more follow, the quality. */
const WEIGHTED_RANGE =
  /^(?<primary>\*|[a-z]{1,8})(?<more>(?:-[a-z0-9]{1,8})*)(?:[ \t]*;[ \t]*q=(?<quality>0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?$/i

/** Tags of traditional Chinese: by script or by region. */
const TRADITIONAL = /^-(?:hant|tw|hk|mo)(?:-|$)/i

/**
 * Returns the language of LANGUAGES that an Accept-Language header prefers (RFC 9110, 12.5.4). The highest quality
 * wins, among equals the first. `de-AT` matches `de`, `zh-TW` and `zh-HK` match `zh-Hant`, and `de;q=0` excludes all
 * German. `*` matches languages that are not named, in the order of LANGUAGES. Malformed ranges and too long headers
 * are ignored. The default is English.
 */
export function chooseLanguage(acceptLanguage: string | undefined): Language {
  if (acceptLanguage === undefined || acceptLanguage.length > ACCEPT_LANGUAGE_MAX_CHARACTERS) return DEFAULT_LANGUAGE

  const refused = new Set<Language>()
  const wishes = new Map<Language, number>()
  let qualityOfOthers = 0
  for (const element of acceptLanguage.split(',')) {
    const range = readRange(element)
    if (range === undefined) continue
    const { language, whole, quality } = range
    if (language === '*') qualityOfOthers = quality
    else if (!isLanguage(language)) continue
    else if (quality > 0) wishes.set(language, Math.max(quality, wishes.get(language) ?? 0))
    else if (whole) refused.add(language)
  }
  for (const language of languages()) {
    if (qualityOfOthers > 0 && !wishes.has(language)) wishes.set(language, qualityOfOthers)
    if (refused.has(language)) wishes.delete(language)
  }
  // The sort is stable, and a Map keeps the order in which its keys were first set.
  const [best] = [...wishes].sort(([, one], [, other]) => other - one)
  return best?.[0] ?? DEFAULT_LANGUAGE
}

/** The codes of LANGUAGES, in order. */
export function languages(): Language[] {
  return Object.keys(LANGUAGES).filter(isLanguage)
}

/** Whether this is the code of one of LANGUAGES. */
export function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(LANGUAGES, tag)
}

function readRange(element: string): { language: string; whole: boolean; quality: number } | undefined {
  const groups = WEIGHTED_RANGE.exec(element.trim())?.groups
  if (groups?.primary === undefined) return undefined
  if (groups.primary === '*' && groups.more !== '') return undefined
  const primary = groups.primary.toLowerCase()
  const isTraditional = primary === 'zh' && TRADITIONAL.test(groups.more ?? '')
  return {
    language: isTraditional ? 'zh-Hant' : primary,
    whole: groups.more === '' || isTraditional,
    quality: Number(groups.quality ?? '1'),
  }
}
