import { UnreadableSetting } from './unreadable-setting.ts'

const SIZE = /^([1-9][0-9]{0,14})(?: ?([MGT])B)?$/
const UNITS: Readonly<Record<string, number>> = { M: 1e6, G: 1e9, T: 1e12 }

/**
 * Parses the setting STORAGE_MAX: bytes, or a number with MB, GB or TB. Returns undefined for an empty one: there is no limit. Throws an
 * `UnreadableSetting` that quotes it.
 */
export function parseStorageMax(setting: string): number | undefined {
  const text = setting.trim()
  if (text === '') return undefined
  const [, digits = '', unit = ''] = SIZE.exec(text) ?? []
  const bytes = Number(digits) * (UNITS[unit] ?? 1)
  if (digits !== '' && Number.isSafeInteger(bytes)) return bytes
  throw new UnreadableSetting(`STORAGE_MAX must be a number of bytes, or one such as "500 GB": received "${setting}"`)
}
