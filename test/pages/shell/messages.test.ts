import { expect, test } from 'vitest'
import { MESSAGES } from '../../../src/pages/messages/index.ts'
import { format } from '../../../src/pages/shell/formatting.ts'
import { type Language, languages } from '../../../src/pages/shell/language.ts'
import { messagesIn } from '../../../src/pages/shell/messages.ts'

const CATEGORIES = new Set(['zero', 'one', 'two', 'few', 'many', 'other'])

const TRANSLATIONS = languages().filter((language) => language !== 'en')

/** Words that are equal in English and another language, by their path. */
const SAME_WORDS: Record<string, string[]> = {
  'imagePage.pixels': TRANSLATIONS.filter((language) => !['zh-Hant', 'ar'].includes(language)),
  tools: ['de', 'nl'],
  'codes.link': ['de', 'pt', 'it', 'nl', 'da', 'pl', 'ro'],
  'codes.links': ['de', 'pt', 'nl', 'da'],
  'codes.html': TRANSLATIONS,
  'codes.markdown': TRANSLATIONS,
  'codes.bbcode': TRANSLATIONS,
  nameLabel: ['de'],
  'upload.galleryHint': ['de'],
  'upload.pause': ['de'],
  'upload.startOne': ['da'],
  'imagePage.dimensions': ['fr'],
  'imagePage.format': ['de', 'fr', 'da', 'sv', 'pl', 'ro', 'id'],
  'codes.page': ['fr'],
  pages: ['fr'],
  'upload.options': ['fr'],
  'codes.file': ['it'],
  'legal.contact': ['nl', 'ro'],
  'legal.privacy': ['it', 'nl'],
}

const ENGLISH = sentences(messagesIn('en'))

type Forms = Record<string, string>

/** Returns every message with its path, such as `upload.errors.network`: a sentence, or the forms of a plural. */
function messagesOf(messages: object, path = ''): [path: string, message: string | Forms][] {
  return Object.entries(messages).flatMap<[string, string | Forms]>(([key, message]) =>
    typeof message === 'object' && !isPlural(message) ? messagesOf(message, `${path}${key}.`) : [[path + key, message]],
  )
}

function isPlural(message: object): boolean {
  return Object.keys(message).every((key) => CATEGORIES.has(key))
}

/** Returns every sentence by its path. */
function sentences(messages: object): Map<string, string> {
  const found = new Map<string, string>()
  for (const [path, message] of messagesOf(messages)) if (typeof message === 'string') found.set(path, message)
  return found
}

/** Returns the names of the placeholders in a text, with repetitions. */
function placeholdersIn(text: string): string[] {
  return (text.match(/\{[^}]*\}/g) ?? []).toSorted()
}

/** Returns the forms of every plural by its path. */
function plurals(messages: object): Map<string, Forms> {
  const found = new Map<string, Forms>()
  for (const [path, message] of messagesOf(messages)) if (typeof message === 'object') found.set(path, message)
  return found
}

/** Returns every sentence, and every form of every plural. */
function texts(language: Language): Map<string, string> {
  const found = sentences(messagesIn(language))
  for (const [path, forms] of plurals(messagesIn(language))) {
    for (const [category, text] of Object.entries(forms)) found.set(`${path}.${category}`, text)
  }
  return found
}

test.each(languages())('%s is unpacked as written', (language) => {
  expect(sentences(messagesIn(language))).toEqual(sentences(MESSAGES[language]))
  expect(plurals(messagesIn(language))).toEqual(plurals(MESSAGES[language]))
})

test('a placeholder is replaced by any value, unchanged', () => {
  const { moved } = messagesIn('en').upload
  expect(format(moved, { name: '$& {total}', position: '1', total: '3' })).toBe('$& {total} is now 1 of 3')
})

test.each(languages())('%s has every sentence, and none is empty', (language) => {
  const all = sentences(messagesIn(language))
  expect([...all.keys()].sort()).toEqual([...ENGLISH.keys()].sort())
  for (const [path, text] of all) expect(text.trim(), path).not.toBe('')
})

test.each(languages())('%s has the placeholders of English in its sentences', (language) => {
  for (const [path, text] of sentences(messagesIn(language))) {
    expect(placeholdersIn(text), path).toEqual(placeholdersIn(ENGLISH.get(path) ?? ''))
    for (const placeholder of placeholdersIn(text)) expect(placeholder, path).toMatch(/^\{[A-Za-z]+\}$/)
  }
})

test.each(TRANSLATIONS)('%s has no English text except equal words', (language) => {
  const same = [...sentences(messagesIn(language))].filter(([path, text]) => text === ENGLISH.get(path))
  const allowed = Object.keys(SAME_WORDS).filter((path) => SAME_WORDS[path]?.includes(language))
  expect(same.map(([path]) => path).sort()).toEqual(allowed.sort())
})

test.each(languages())('%s has a form of each plural for exactly the categories of its language', (language) => {
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  const found = plurals(messagesIn(language))
  expect([...found.keys()].sort()).toEqual([
    'imageCount',
    'upload.allDone',
    'upload.shared.left',
    'upload.someFailed',
    'upload.start',
    'upload.startingOver.deleted',
    'upload.startingOver.failed',
    'upload.startingOver.sent',
    'upload.unfit.heading',
    'uploads.imported',
  ])
  for (const [path, forms] of found) expect(Object.keys(forms).sort(), path).toEqual([...categories].sort())
})

test.each(languages())('every plural form of %s contains the number, unless words express it', (language) => {
  // Arabic has words for none, one and two, and its noun itself expresses two.
  const inWords = language === 'ar' ? ['zero', 'one', 'two'] : []
  for (const [path, forms] of plurals(messagesIn(language))) {
    for (const [category, text] of Object.entries(forms)) {
      expect(text.match(/\{count\}/g)?.length ?? 0, `${path}.${category}`).toBe(inWords.includes(category) ? 0 : 1)
    }
  }
})

test.each(TRANSLATIONS)('%s has no plural in English', (language) => {
  const english = plurals(messagesIn('en'))
  for (const [path, forms] of plurals(messagesIn(language))) {
    for (const text of Object.values(forms)) expect(Object.values(english.get(path) ?? {}), path).not.toContain(text)
  }
})

test.each(languages())('%s is calm: no sentence has an exclamation mark', (language) => {
  for (const [path, text] of texts(language)) expect(text, path).not.toMatch(/[!！¡]/)
})

test.each(languages())('%s has no space at an end, and none twice', (language) => {
  for (const [path, text] of texts(language)) expect(text, path).not.toMatch(/^\s|\s$|\s\s/)
})

test('French joins : ; ? to the word before them with a narrow no-break space', () => {
  for (const [path, text] of texts('fr')) expect(text, path).not.toMatch(/[^\u202f][:;?]/)
})

test.each(['ja', 'zh', 'zh-Hant'] as const)('%s has no punctuation of half width', (language) => {
  for (const [path, text] of texts(language)) expect(text, path).not.toMatch(/[,.;:?()]/)
})

test('Arabic has its own comma, semicolon and question mark, and closes what it isolates', () => {
  for (const [path, text] of texts('ar')) {
    expect(text, path).not.toMatch(/[,;?]/)
    expect(text.replace(/[\u2066\u2068][^\u2066-\u2069]+\u2069/g, ''), path).not.toMatch(/[\u2066-\u2069]/)
  }
})

test.each([
  'upload.remove',
  'upload.retry',
  'upload.moved',
  'upload.unfit.failed',
  'uploads.deleteName',
  'uploads.deleteQuestion',
  'uploads.deleted',
  'codes.copyOf',
  'embed.explanation',
  'runBy',
])('Arabic isolates the name in %s', (path) => {
  const [placeholder = 'none'] = ENGLISH.get(path)?.match(/\{(?:name|what|site)\}/) ?? []
  expect(sentences(messagesIn('ar')).get(path)).toContain(`\u2068${placeholder}\u2069`)
})
