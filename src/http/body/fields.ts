import { Failure } from '../../domain/failure.ts'
import { FORM_FIELD_MAX_BYTES, QUOTED_MAX_CHARACTERS } from '../../limits.ts'

/** The text fields of a form by name, as sent. */
export type Texts = ReadonlyMap<string, string>

/** The inclusive bounds of an integer, and its default. */
interface IntegerRange<Default> {
  min: number
  max: number
  byDefault: Default
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A required text, not empty. Throws `missing_field`. */
export function requireText(texts: Texts, name: string): string {
  return findText(texts, name) ?? refuseMissing(name)
}

/** A flag, 0 or 1; false if it is missing or empty (D12). Throws `invalid_option` for any other value. */
export function optionalFlag(texts: Texts, name: string): boolean {
  const text = findText(texts, name) ?? '0'
  if (text === '0' || text === '1') return text === '1'
  throw new Failure('invalid_option', `${name} must be 0 or 1: received ${quote(text)}`)
}

/**
 * An integer in ASCII digits without leading zeros; the default, if there is one, where it is missing or empty (D12). Throws
 * `invalid_option` for any other value and outside the bounds.
 */
export function optionalInteger<Default extends number | undefined>(
  texts: Texts,
  name: string,
  { min, max, byDefault }: IntegerRange<Default>,
): number | Default {
  const text = findText(texts, name)
  if (text === undefined) return byDefault
  const value = /^(?:0|[1-9][0-9]*)$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new Failure('invalid_option', `${name} must be an integer from ${min} to ${max}: received ${quote(text)}`)
}

/** An optional text; undefined if it is missing or empty. */
export function findText(texts: Texts, name: string): string | undefined {
  return texts.get(name) || undefined
}

/** A lone surrogate: a text that no form can contain and that is valid for no field. */
export const NOT_UNICODE = '\ud800'

/**
 * Replaces a text of an upload that is longer than FORM_FIELD_MAX_BYTES: its beginning, made invalid. The field counts as sent,
 * and is refused in the order of checks (D14).
 */
export function beginningOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, 4 * QUOTED_MAX_CHARACTERS)) + NOT_UNICODE
}

/** The failure for a text longer than FORM_FIELD_MAX_BYTES: no valid value is that long, and 413 is for files and bodies. */
export function textTooLong(name: string): Failure {
  return new Failure('invalid_option', `${name} must be at most ${FORM_FIELD_MAX_BYTES} bytes`)
}

/** The failure for a known field that is repeated. */
export function duplicateField(name: string): Failure {
  return new Failure('duplicate_field', `${name} must be sent once`)
}

/** Decodes UTF-8, keeping a byte order mark; `undefined` if the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes)
  } catch {
    return undefined
  }
}

function refuseMissing(name: string): never {
  throw new Failure('missing_field', `${name} is missing: send it as a field of the form`)
}

function quote(text: string): string {
  const cut = text.length > QUOTED_MAX_CHARACTERS
  return JSON.stringify(cut ? `${text.slice(0, QUOTED_MAX_CHARACTERS)}…` : text)
}
