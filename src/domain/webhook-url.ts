import { UnreadableSetting } from './unreadable-setting.ts'

/** Parses the setting REPORT_WEBHOOK. Throws an `UnreadableSetting`, which does not quote it: such an address may be a secret. */
export function parseWebhookUrl(setting: string): URL {
  const url = URL.parse(setting.trim())
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url
  throw new UnreadableSetting(
    'REPORT_WEBHOOK must be an address that begins with https:// or http://, without a user or a password in it',
  )
}
