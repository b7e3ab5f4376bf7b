/** Reads the setting READ_ONLY. Throws a sentence where it is neither `on` nor `off`. */
export function parseReadOnly(setting: string): boolean {
  if (setting === 'on' || setting === 'off') return setting === 'on'
  throw new Error(`READ_ONLY must be on or off: received "${setting}"`)
}
