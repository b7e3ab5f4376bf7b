import { UnreadableSetting } from './unreadable-setting.ts'

/**
 * Parses the setting LOG_REQUESTS: the share of requests that write a line of the log, from 0 to 1; without it, none does.
 * Throws an `UnreadableSetting`.
 */
export function parseLogShare(setting: string): number {
  const text = setting.trim()
  if (text === '') return 0
  if (/^(?:0?\.\d{1,6}|[01](?:\.0{1,6})?)$/.test(text)) return Number(text)
  throw new UnreadableSetting('LOG_REQUESTS must be the share of requests that are logged, from 0 (none) to 1 (all)')
}
