import { GALLERY_NAME_MAX_CHARACTERS } from '../../limits.ts'
import { Failure } from '../failure.ts'

const FORBIDDEN: readonly (readonly [RegExp, string])[] = [
  [/\p{Cc}|\p{Cf}/u, 'control or format characters'],
  [/\p{Zl}|\p{Zp}/u, 'line or paragraph separators'],
  [/[<>]/, 'angle brackets'],
  [/[\u{10000}-\u{10ffff}]/u, 'four-byte characters such as emoji'],
]

const WHITE_SPACE = /^\p{White_Space}$/u

/**
 * A gallery name as it is stored (D18): trimmed, with each run of spaces replaced by one space; empty is valid.
 * Throws `invalid_gallery_name` for a name that is too long or has forbidden characters.
 */
export function normalizeGalleryName(name: string): string {
  if (!name.isWellFormed()) throw new Failure('invalid_gallery_name', 'gallery name must be valid Unicode')
  const normalized = trimWhiteSpace(name).replace(/\p{Zs}+/gu, ' ')
  for (const [pattern, what] of FORBIDDEN) {
    if (pattern.test(normalized)) throw new Failure('invalid_gallery_name', `gallery name must not contain ${what}`)
  }
  if (normalized.length > GALLERY_NAME_MAX_CHARACTERS) {
    throw new Failure(
      'invalid_gallery_name',
      `gallery name must be at most ${GALLERY_NAME_MAX_CHARACTERS} characters: received ${normalized.length}`,
    )
  }
  return normalized
}

/** String.trim() would also remove a byte order mark, which Unicode does not count as white space; /\s+$/ is quadratic. */
function trimWhiteSpace(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && WHITE_SPACE.test(text.charAt(start))) start++
  while (end > start && WHITE_SPACE.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}
