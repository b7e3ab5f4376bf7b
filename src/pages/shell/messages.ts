import { MESSAGES_SHAPE, PACKED_FAMILIES, PLACES } from '#generated/messages.ts'
import { unpack } from '../../packed.ts'
import type { Language } from './language.ts'
import type { Messages } from './message-types.ts'

const unpacked = new Map<Language, Messages>()

/** The texts of the pages in a language; those with arguments are functions. Unpacked when they are first asked for. */
export function messagesIn(language: Language): Messages {
  const known = unpacked.get(language)
  if (known !== undefined) return known
  const { family, line } = PLACES[language]
  const messages = unpackMessages(unpack(PACKED_FAMILIES[family] ?? '').split('\n')[line] ?? '')
  unpacked.set(language, messages)
  return messages
}

/** The values in the places of the shape, which JSON.parse visits in their order. */
function unpackMessages(json: string): Messages {
  const values: unknown[] = JSON.parse(json)
  let at = 0
  return JSON.parse(MESSAGES_SHAPE, (_key, place: unknown) => {
    if (typeof place !== 'number') return place
    const value = values[at++]
    return place === 0 ? value : (...words: string[]) => fill(String(value), words)
  })
}

/** Puts the words into the places `{0}`, `{1}` … of a template. */
function fill(template: string, words: readonly string[]): string {
  return template.replace(/\{(\d)\}/g, (mark, index) => words[Number(index)] ?? mark)
}
