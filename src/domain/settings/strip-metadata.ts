import { UnreadableSetting } from './unreadable-setting.ts'

/** Whether metadata is removed from every upload: `STRIP_METADATA` as it is written. Throws an `UnreadableSetting` that quotes it. */
export function parseStripMetadata(setting: string): boolean {
  const written = setting.trim() || 'off'
  if (written === 'always' || written === 'off') return written === 'always'
  throw new UnreadableSetting(`STRIP_METADATA must be "always" or "off": received "${setting}"`)
}
