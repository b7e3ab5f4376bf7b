import { OPERATOR_KEY_MIN_CHARACTERS } from '../../limits.ts'
import { UnreadableSetting } from './unreadable-setting.ts'

/** A key that opens the operator's paths, and the name of who has it. */
export interface OperatorKey {
  name: string
  key: string
}

/** The operator of a key without a name. */
const NAMELESS = 'operator'
const ENTRY = /^(?:([A-Za-z][A-Za-z0-9_-]{0,31}):)?(\S*[^\s:])$/

/**
 * Parses the setting: one or several keys, with commas or white space between them, each as `name:key` or, of an operator
 * without a name, bare. What has no key is no entry. The keys may hold anything but commas and white space.
 */
export function parseOperatorKeys(setting: string): OperatorKey[] {
  return setting.split(/[\s,]+/).flatMap((entry) => {
    const [, name = NAMELESS, key] = ENTRY.exec(entry) ?? []
    return key === undefined ? [] : [{ name, key }]
  })
}

/** Whether somebody could guess a key. None is accepted that is so short. */
export function isTooShort(key: string): boolean {
  return key.length < OPERATOR_KEY_MIN_CHARACTERS
}

/** Throws an `UnreadableSetting` where a key of the setting is too short. */
export function checkOperatorKeys(setting: string): void {
  const short = parseOperatorKeys(setting).find(({ key }) => isTooShort(key))
  if (short === undefined) return
  throw new UnreadableSetting(
    `OPERATOR_KEY must hold keys of ${OPERATOR_KEY_MIN_CHARACTERS} characters or more: that of "${short.name}" has ${short.key.length}. openssl rand -base64 32 prints one`,
  )
}
