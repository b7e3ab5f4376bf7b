import { CAPTION_MAX_CHARACTERS } from '../../limits.ts'
import { Failure } from '../failure.ts'

/** Control characters, and those that change the direction of the text around them (Unicode UAX 9, 2.1 to 2.5). */
const FORBIDDEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

/**
 * Returns a caption or an alternative text as it is stored: trimmed, with one space for each run of white space; empty is valid.
 * `field` is the name that messages have for it. Throws `invalid_option`.
 */
export function normalizeCaption(field: string, text: string): string {
  if (!text.isWellFormed()) throw new Failure('invalid_option', `${field} must be valid Unicode`)
  const normalized = text
    .split(/\p{White_Space}+/u)
    .filter((word) => word !== '')
    .join(' ')
  if (FORBIDDEN.test(normalized)) {
    throw new Failure('invalid_option', `${field} must not contain control characters or change the direction of text`)
  }
  const characters = Array.from(normalized).length
  if (characters <= CAPTION_MAX_CHARACTERS) return normalized
  throw new Failure(
    'invalid_option',
    `${field} must be at most ${CAPTION_MAX_CHARACTERS} characters: received ${characters}`,
  )
}
