import { UnreadableSetting } from './unreadable-setting.ts'

/** Parses a setting that is `on` or `off`; empty is `on`. Throws an `UnreadableSetting` that quotes it. */
export function parseSwitch(name: string, setting: string): boolean {
  const written = setting.trim() || 'on'
  if (written === 'on' || written === 'off') return written === 'on'
  throw new UnreadableSetting(`${name} must be "on" or "off": received "${setting}"`)
}

/** Parses READ_ONLY, which is never empty. Throws an `UnreadableSetting` that quotes it. */
export function parseReadOnly(setting: string): boolean {
  if (setting === 'on' || setting === 'off') return setting === 'on'
  throw new UnreadableSetting(`READ_ONLY must be "on" or "off": received "${setting}"`)
}
