import {
  commentsOf,
  identifiersOf,
  messagesOf,
  type Prose,
  paragraphsOf,
  sentencesOf,
  testNamesOf,
  wordCount,
  wordsOfName,
} from './prose.ts'

const SENTENCE_MAX_WORDS = 30

/** A place where a rule is broken. */
export interface Finding {
  file: string
  line: number
  text: string
}

/** A tracked file, with its prose and its identifiers. */
export interface Reading {
  file: string
  isDocument: boolean
  prose: readonly Prose[]
  identifiers: readonly Prose[]
  /** Names of tests; elsewhere error messages, output of commands and other texts. */
  strings: readonly Prose[]
}

/** A docstring starts with its verb or noun, and needs no other docstring. */
const HEADLESS =
  /^(?:(?:What|Who|Whose|Which|How|By which|Those of|That of)\b|The same(?:[,.:]| (?:as|beside|by|for|from|in|of|on|to|with|without)\b))/

/** Phrases of this project that no reader of other projects' documentation knows. */
const PHRASES = [
  /\bso much\b/i,
  /\bof late\b/i,
  /\bas far as is known\b/i,
  /\bgoes by\b/i,
  /\bcomes? to\b/i,
  /\bstands?\b(?!-)/i,
  /\btold of\b/i,
  /\b(?:has|have) the word\b/i,
  /\blets? (?:it |them |him )?go\b/i,
  /\bgives\b/i,
  /\bfor who\b/i,
  /\bthe word of\b/i,
  /\bsecond look\b/i,
  /\bis of no use\b/i,
  /\bgo(?:es)? on\b/i,
  /\banew\b/i,
  // "Gives way" and "gives back", if "gives" alone is replaced.
  /\breturns (?:way|back|out)\b/i,
]

/** Words for which the glossary has another, in names: their singular forms. */
const NAMES: Readonly<Record<string, string>> = {
  picture: 'image',
  answer: 'response',
  cure: 'fix',
  patience: 'timeout',
  figure: 'metric',
  look: 'poll, read or fingerprint match',
  mark: 'tombstone, marker or placeholder',
  near: 'replica',
  piece: 'chunk, batch or page',
  kept: 'stored',
  place: 'sequence, cursor, shard, location or placeholder',
  behind: 'penalty or lag',
  gone: 'aborted or deleted',
}

/** Names that others define: a value of the published API, an option of streams, and syntax elements of AV1. */
const PUBLISHED_NAMES = new Set(['kept_avif', 'highWaterMark', 'equalPictureInterval', 'NEAR_NEARMV', 'NEAR_NEWMV'])

/** Words to avoid in prose, which have no other meaning there. */
const PROSE_WORDS = /\b(?:answer(?:s|ed|ing)?|cures?|patience|figures)\b/i
/** Words to avoid in code, where no end user reads. */
const CODE_WORDS = /\bpictures?\b/i

/** The findings of each rule in a file. */
export const RULES = {
  headless: ({ file, prose, isDocument }: Reading) =>
    isDocument ? [] : prose.filter(({ text }) => HEADLESS.test(text)).map((found) => ({ file, ...found })),
  phrases: ({ file, prose }: Reading) => matches(file, prose, PHRASES),
  'words in text': ({ file, prose, isDocument }: Reading) =>
    matches(file, prose, isDocument ? [PROSE_WORDS] : [PROSE_WORDS, CODE_WORDS]),
  'words in strings': ({ file, strings }: Reading) =>
    matches(file, strings, [...PHRASES, PROSE_WORDS, ...(isTest(file) ? [CODE_WORDS] : [])]),
  names: ({ file, identifiers }: Reading) =>
    identifiers
      .filter(({ text }) => !PUBLISHED_NAMES.has(text))
      .filter(({ text }) => wordsOfName(text).some((word) => preferred(word) !== undefined))
      .map((found) => ({ file, ...found })),
  'long sentences': ({ file, prose }: Reading) =>
    prose.flatMap(({ line, text }) =>
      sentencesOf(text)
        .filter((sentence) => wordCount(sentence) > SENTENCE_MAX_WORDS)
        .map((sentence) => ({ file, line, text: `${wordCount(sentence)} words: ${sentence}` })),
    ),
} satisfies Record<string, (reading: Reading) => Finding[]>

export type Rule = keyof typeof RULES

/** Reads a file for the rules. */
export function readFor(file: string, source: string): Reading {
  const isDocument = file.endsWith('.md')
  return {
    file,
    isDocument,
    prose: isDocument ? paragraphsOf(source) : commentsOf(file, source),
    identifiers: /\.(?:tsx?|mjs)$/.test(file) ? identifiersOf(source) : [],
    strings: !/\.(?:tsx?|mjs)$/.test(file) ? [] : isTest(file) ? testNamesOf(source) : messagesOf(source),
  }
}

function isTest(file: string): boolean {
  return /(?:^|\/)test\//.test(file)
}

function preferred(word: string): string | undefined {
  const singular = word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
  return Object.hasOwn(NAMES, singular) ? NAMES[singular] : undefined
}

/** Code spans and paths are left out: they quote names. */
function matches(file: string, prose: readonly Prose[], patterns: readonly RegExp[]): Finding[] {
  return prose.flatMap(({ line, text }) => {
    const words = text.replace(/`[^`]*`|\S*\/\S*/g, ' ')
    return patterns
      .filter((pattern) => pattern.test(words))
      .map((pattern) => ({ file, line, text: shown(words, pattern) }))
  })
}

function shown(text: string, pattern: RegExp): string {
  const { 0: match, index } = pattern.exec(text) ?? { 0: '', index: 0 }
  return `"${match}" in "${text.slice(Math.max(0, index - 40), index + match.length + 40)}"`
}
