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
  'report.details': ['de'],
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

/** The most columns that a button or badge has room for on a phone; a CJK character takes two. */
const ROOM: Record<string, number> = {
  'codes.copy': 12,
  'codes.copied': 16,
  'codes.copyFailed': 20,
  'upload.copyLink': 20,
  'upload.share': 16,
  'upload.open': 12,
  'upload.hasLocation': 21,
  'upload.losesLocation': 20,
  'upload.pause': 16,
  'upload.resume': 16,
  'upload.retryButton': 18,
  'upload.retryAll': 31,
  'upload.finishAnyway': 31,
  'upload.dontRemember': 20,
  'upload.startingOver.delete': 24,
  'upload.startingOver.keep': 24,
  'upload.startingOver.cancel': 12,
  'uploads.forgetAll': 18,
  renameButton: 18,
  'managed.image.deleteButton': 24,
  'managed.gallery.deleteButton': 24,
}

/** Words that are wrong in these languages, however close to the English: metaphors, second names for one thing, false friends. */
const WRONG_WORDS: Partial<Record<Language, RegExp>> = {
  en: /veil|forget|remember|whoever|private link|front page|unlawful|for good|by itself|(?<!email )\baddress(?! bar)|\bpreview/iu,
  de: /diaschau|vergessen|\bmerken|gemerkt|einzelheiten|privat\p{L}* link|von selbst|vorschau(?!bild)|(?<!mail-)adresse(?!nzeile)/iu,
  nl: /vergeten|privélink|vanzelf|startpagina|\bhaar hier/iu,
  da: /henvisning|slør|(?<!i )\bsted(?:et)?\b|\bglem\b|læg\p{L}* op|lagt op|private links|af sig selv/iu,
  sv: /slöja|glöm|kom inte ihåg|privata länk|av sig själv|märkt så/iu,
  fi: /verho|unohda|älä muista|viimeistele|yksityi\p{L}+ link|itsestään|tuntemamme/iu,
  fr: /oublier|mémoris|liens? privé|maison pour|de lui-même|données de l’appareil(?! photo)|aperçu/iu,
  es: /olvidar|record(?:ar|ado)|enlaces? privado|a cargo de|guárdalo para ti|vista previa/iu,
  pt: /esquecer|lembrar|links? privado|guarde-o|prévia|agradecemos/iu,
  it: /dimentica|riservatezza|link privat|alla pagina iniziale|anteprima|pronto da/iu,
  ro: /\blegătur|\blocul\b|\bvăl\b|\buit[ăi](?!\p{L})|ține minte|raportul|prima pagină|\bpreviz|\{maxCharacters\} caractere/iu,
  pl: /położeni|[Zz]apomni|[Nn]ie pamiętaj|prywatn\p{L}+ link|\b[Dd]om dla|(?<!^)Tw[oó]j|podgląd/u,
  cs: /zapomenout|nepamatovat|soukrom\p{L}+ odkaz|obsahuje obsah|plno práce|takový obrázek neznáme/iu,
  uk: /забути|запамʼят|приватн\p{L}+ посилан|завіс|місце(?: та| буде| зйомки)|сервіс веде|за мить/iu,
  ru: /забыть|запомин|личн\p{L}+ ссылк|сервис ведёт|место съёмки/iu,
  hu: /\bdarab\b|fátyol|elfelejt|privát hivatkozás|tartsa meg magának|ejtse|elküldésre kerül|jogi nyilatkozat|magától|előnézet/iu,
  tr: /\bunut|hatırla|örtü|çiğn|tamamen sil|özel bağlantı|ön sayfa|daha ekle|daha yükle|\btoplam\b|önizleme/iu,
  el: /κωδικο[ίύ]|κωδικό(?!ς QR)|πέπλο|ξεχ|ιδιωτικ\p{L}+ σύνδεσμ|οπουδήποτε|όπου οδηγεί|λειτουργεί|προεπισκόπηση/iu,
  id: /lupa|tautan pribadi|tirai|jatuhkan|begitu saja|surel|halaman depan|ditujunya|sebentar lagi|pratinjau/iu,
  vi: /\bquên\b|không nhớ|liên kết riêng(?! tư)|trang đầu|như hiện có|chương trình|đã đến/iu,
  ja: /忘れ|非公開リンク|(?<!メール)アドレス(?!バー)|ブラウザー|報告|プレビュー/,
  ko: /잊|당신|걷을|저절로|쓸모|비공개 링크|백만 픽셀|아무 데나|미리보기|어깁니다|써 주세요/,
  zh: /忘记|私密链接|百万像素|不再有用|预览/,
  'zh-Hant': /忘記|私人連結|私密連結|揭開|百萬像素|認得|代碼|預覽/,
  ar: /نسيان|(?<!أكواد )الرموز|روابط خاصة|بيانات الكاميرا(?<!الجغرافي وبيانات الكاميرا)|معاينة|احتفظ به|اسحب|صدّر/,
}

/** Languages that write a space before an ellipsis. */
const SPACED_ELLIPSIS: Language[] = ['de', 'nl', 'da', 'sv', 'fi']

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

test.each(languages())('%s has no fragment that is glued to what follows it', (language) => {
  for (const [path, text] of texts(language)) {
    // Code follows on a line of its own.
    if (path !== 'upload.limits.forPrograms') expect(text, path).not.toMatch(/[,:、，：；،؛]$/)
    if (path === 'imagePage.positionIn') expect(text).toContain('{gallery}')
  }
})

test.each(languages())('%s fits on its buttons', (language) => {
  const all = sentences(messagesIn(language))
  for (const [path, room] of Object.entries(ROOM)) {
    const columns = [...(all.get(path) ?? '')].map((character) =>
      /\p{Lo}/u.test(character) && character > '\u2e80' ? 2 : 1,
    )
    expect(
      columns.reduce((sum, width) => sum + width, 0),
      `${path}: ${all.get(path)}`,
    ).toBeLessThanOrEqual(room)
  }
})

test.each(languages())('%s has none of its wrong words', (language) => {
  const wrong = WRONG_WORDS[language]
  for (const [path, text] of texts(language)) if (wrong) expect(text, path).not.toMatch(wrong)
})

test.each(['hu', 'tr'] as const)('nouns of %s stay in the singular after a number', (language) => {
  for (const [path, { one, other }] of plurals(messagesIn(language))) expect(one, path).toBe(other)
})

test.each(languages())('%s writes its ellipses as one character, spaced as usual', (language) => {
  const spaced = SPACED_ELLIPSIS.includes(language)
  for (const [path, text] of texts(language)) expect(text, path).not.toMatch(spaced ? /\.\.|\S…/ : /\.\.|\s…/)
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
