// Makes generated/messages.ts: the texts of the pages, packed by families of languages, without the names that all of them share.
import path from 'node:path'
import { ROOT } from '../install/installed.mjs'
import { isObject } from '../shared/json.ts'
import { GENERATED, makeWhenChanged, writeWhole } from '../shared/when-changed.ts'
import { importBundle } from './bundle.ts'
import { pack } from './pack.ts'

const SOURCE = path.join(ROOT, 'src', 'pages', 'messages', 'index.ts')
const MODULE = path.join(GENERATED, 'messages.ts')
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
  const scripts = ['messages.ts', 'pack.ts'].map((script) => path.join(ROOT, 'tools', 'build', script))
  await makeWhenChanged({ what: 'the messages', outputs: [MODULE], sources: [...scripts, SOURCE], make: makeMessages })
  return MODULE
}

async function makeMessages() {
  const { module, read } = await importBundle({ entryPoints: [SOURCE] })
  if (!isObject(module) || !isObject(module.MESSAGES)) throw new Error('no messages are exported')
  const { MESSAGES } = module
  const shape = JSON.stringify(shapeOf(MESSAGES.en))
  const alone = Object.keys(MESSAGES).filter((language) => !FAMILIES.flat().includes(language))
  const families = [...FAMILIES, ...alone.map((language) => [language])]
  const packed = families.map((family) =>
    pack(family.map((language) => JSON.stringify(valuesOf(MESSAGES.en, MESSAGES[language]))).join('\n')),
  )
  const indices = Object.fromEntries(
    families.flatMap((languages, family) => languages.map((language, line) => [language, { family, line }])),
  )
  writeWhole(
    MODULE,
    `// Made by tools/build/messages.ts.
export const MESSAGES_SHAPE = ${JSON.stringify(shape)}
/** The languages of each family, a line each: arrays of JSON. */
export const PACKED_FAMILIES = ${JSON.stringify(packed, null, 2)}
export const POSITIONS = ${JSON.stringify(indices)}
`,
  )
  return read
}

/** Returns the messages with 0 instead of each text and of the forms of each plural. */
function shapeOf(message: unknown): unknown {
  if (!isGroup(message)) return 0
  return Object.fromEntries(Object.entries(message).map(([key, inner]) => [key, shapeOf(inner)]))
}

/** Returns the texts and plurals of a language in the order of the English ones. */
function valuesOf(english: unknown, message: unknown): unknown[] {
  if (!isGroup(english)) return [message]
  const own = new Map(Object.entries(Object(message)))
  return Object.entries(english).flatMap(([key, inner]) => valuesOf(inner, own.get(key)))
}

/** Whether it holds further messages: the forms of a plural are one message. */
function isGroup(message: unknown): message is object {
  return typeof message === 'object' && message !== null && !('other' in message && 'one' in message)
}
