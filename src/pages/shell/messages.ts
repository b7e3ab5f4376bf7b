import { MESSAGES_SHAPE, PACKED_FAMILIES, POSITIONS } from '#generated/messages.ts'
import { unpack } from '../../packed.ts'
import type { Messages } from '../messages/types.ts'
import type { Language } from './language.ts'
import type { PauseWords } from './pause.ts'

const unpacked = new Map<Language, Messages>()

/** Returns the texts of the pages in a language. They are unpacked when they are first needed. */
export function messagesIn(language: Language): Messages {
  const known = unpacked.get(language)
  if (known !== undefined) return known
  const { family, line } = POSITIONS[language]
  const messages = unpackMessages(unpack(PACKED_FAMILIES[family] ?? '').split('\n')[line] ?? '')
  unpacked.set(language, messages)
  return messages
}

/** Returns the texts of a script that shows when an upload resumes. */
export function pauseWordsIn(language: Language): PauseWords {
  const { limited, busy } = messagesIn(language).upload.paused
  return { limited, busy }
}

/** Replaces the zeros of the shape by the values: JSON.parse visits them in their order. */
function unpackMessages(json: string): Messages {
  const values: unknown[] = JSON.parse(json)
  let at = 0
  return JSON.parse(MESSAGES_SHAPE, (_key, inner: unknown) => (inner === 0 ? values[at++] : inner))
}
