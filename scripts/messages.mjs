// Makes generated/messages.ts: the texts of the pages, each language packed by itself, without the names that all of them share.
import path from 'node:path'
import { bundle } from './bundle.mjs'
import { ROOT } from './installed.mjs'
import { pack } from './pack.mjs'
import { GENERATED, makeWhenChanged, writeWhole } from './when-changed.mjs'

const SOURCE = path.join(ROOT, 'src', 'pages', 'messages', 'index.ts')
const MODULE = path.join(GENERATED, 'messages.ts')
const MARKS = ['{0}', '{1}', '{2}', '{3}']
const OTHER_MARKS = ['first', 'second', 'third', 'fourth']

/** Makes the module unless the last one was made of the same. Gives its file. */
export async function ensureMessages() {
  const scripts = ['messages.mjs', 'pack.mjs'].map((script) => path.join(ROOT, 'scripts', script))
  await makeWhenChanged({ outputs: [MODULE], sources: [...scripts, SOURCE], make: makeMessages })
  return MODULE
}

async function makeMessages() {
  const { contents, read } = await bundle({ entryPoints: [SOURCE], platform: 'node' })
  /** @type {{ MESSAGES: { en: object, [language: string]: object } }} */
  const { MESSAGES } = await import(`data:text/javascript;base64,${Buffer.from(contents).toString('base64')}`)
  const shape = JSON.stringify(shapeOf(MESSAGES.en))
  const packed = Object.fromEntries(
    Object.entries(MESSAGES).map(([language, messages]) => {
      return [language, pack(JSON.stringify(valuesOf(MESSAGES.en, messages, language)))]
    }),
  )
  writeWhole(
    MODULE,
    `// Made by scripts/messages.mjs.
export const MESSAGES_SHAPE = ${JSON.stringify(shape)}
export const PACKED_MESSAGES = ${JSON.stringify(packed, null, 2)}
`,
  )
  return read
}

/**
 * The messages with 0 in place of each text and of the forms of each plural, and with the number of its arguments in place of each
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
