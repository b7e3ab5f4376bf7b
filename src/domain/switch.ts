import { UnreadableSetting } from './unreadable-setting.ts'

/** Parses a setting that is `on` or `off`; empty is `on`. Throws an `UnreadableSetting` that quotes it. */
export function parseSwitch(name: string, setting: string): boolean {
  const written = setting.trim() || 'on'
  if (written === 'on' || written === 'off') return written === 'on'
  throw new UnreadableSetting(`${name} must be "on" or "off": received "${setting}"`)
}
