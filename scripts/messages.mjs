// Makes generated/messages.ts: the texts of the pages, packed by families of languages, without the names that all of them share.
import path from 'node:path'
import { importBundle } from './bundle.mjs'
import { ROOT } from './installed.mjs'
import { pack } from './pack.mjs'
import { GENERATED, makeWhenChanged, writeWhole } from './when-changed.mjs'

const SOURCE = path.join(ROOT, 'src', 'pages', 'messages', 'index.ts')
const MODULE = path.join(GENERATED, 'messages.ts')
const MARKS = ['{0}', '{1}', '{2}', '{3}']
const OTHER_MARKS = ['first', 'second', 'third', 'fourth']
/**
 * Languages that have words or letters in common, and take a sixteenth less when they are packed together. All others are packed by
 * themselves.
 */
const FAMILIES = [
  ['en', 'de', 'nl', 'da', 'sv'],
  ['es', 'pt', 'fr', 'it', 'ro'],
  ['ru', 'uk'],
  ['cs', 'pl'],
  ['hu', 'fi', 'tr'],
  ['id', 'vi'],
  ['zh', 'zh-Hant', 'ja', 'ko'],
]

/** Makes the module unless the last one was made of the same. Returns its file. */
export async function ensureMessages() {
  const scripts = ['messages.mjs', 'pack.mjs'].map((script) => path.join(ROOT, 'scripts', script))
  await makeWhenChanged({ what: 'the messages', outputs: [MODULE], sources: [...scripts, SOURCE], make: makeMessages })
  return MODULE
}

async function makeMessages() {
  const { module, read } = await importBundle({ entryPoints: [SOURCE] })
  /** @type {{ MESSAGES: { en: object, [language: string]: object } }} */
  const { MESSAGES } = module
  const shape = JSON.stringify(shapeOf(MESSAGES.en))
  const alone = Object.keys(MESSAGES).filter((language) => !FAMILIES.flat().includes(language))
  const families = [...FAMILIES, ...alone.map((language) => [language])]
  const packed = families.map((family) =>
    pack(family.map((language) => JSON.stringify(valuesOf(MESSAGES.en, MESSAGES[language], language))).join('\n')),
  )
  const places = Object.fromEntries(
    families.flatMap((languages, family) => languages.map((language, line) => [language, { family, line }])),
  )
  writeWhole(
    MODULE,
    `// Made by scripts/messages.mjs.
export const MESSAGES_SHAPE = ${JSON.stringify(shape)}
/** The languages of each family, a line each: arrays of JSON. */
export const PACKED_FAMILIES = ${JSON.stringify(packed, null, 2)}
export const PLACES = ${JSON.stringify(places)}
`,
  )
  return read
}

/**
 * The messages with 0 instead of each text and of the forms of each plural, and with the number of its arguments instead of each
 * function.
 * @param {unknown} message
 * @returns {unknown}
 */
function shapeOf(message) {
  if (typeof message === 'function') return message.length
  if (!isGroup(message)) return 0
  return Object.fromEntries(Object.entries(message).map(([key, inner]) => [key, shapeOf(inner)]))
}

/**
 * The values of a language in the order of the English ones: texts, templates with `{0}` for the first argument, forms of plurals.
 * @param {unknown} english
 * @param {unknown} message
 * @param {string} place
 * @returns {unknown[]}
 */
function valuesOf(english, message, place) {
  if (typeof message === 'function') return [templateOf(message, place)]
  if (!isGroup(english)) return [message]
  const own = new Map(Object.entries(Object(message)))
  return Object.entries(english).flatMap(([key, inner]) => valuesOf(inner, own.get(key), `${place}.${key}`))
}

/**
 * @param {Function} message
 * @param {string} place
 * @returns {string} what it says, with marks for its arguments
 */
function templateOf(message, place) {
  const template = String(message(...MARKS))
  const filled = template.replace(/\{(\d)\}/g, (_mark, index) => OTHER_MARKS[Number(index)] ?? '')
  if (filled !== message(...OTHER_MARKS))
    throw new Error(`${place} does more with its arguments than to put them into a text`)
  return template
}

/**
 * Whether it holds further messages: the forms of a plural are one message.
 * @param {unknown} message
 * @returns {message is object}
 */
function isGroup(message) {
  return typeof message === 'object' && message !== null && !('other' in message && 'one' in message)
}
