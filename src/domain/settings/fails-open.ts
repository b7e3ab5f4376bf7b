import { UnreadableSetting } from './unreadable-setting.ts'

/**
 * Parses a setting that says whether uploads pass while a check of them fails: `open`, or `closed`, the default. Throws an
 * `UnreadableSetting` that quotes it.
 */
export function parseFailsOpen(name: string, setting: string): boolean {
  const written = setting.trim() || 'closed'
  if (written === 'open' || written === 'closed') return written === 'open'
  throw new UnreadableSetting(`${name} must be "open" or "closed": received "${setting}"`)
}
