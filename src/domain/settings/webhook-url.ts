import { UnreadableSetting } from './unreadable-setting.ts'

/** The settings that are an address to send requests to. */
export type AddressSetting = 'REPORT_WEBHOOK' | 'UPLOAD_WEBHOOK' | 'UPLOAD_HOOK'

/** Parses the address in a setting. Throws an `UnreadableSetting`, which does not quote it: such an address may be a secret. */
export function parseWebhookUrl(name: AddressSetting, setting: string): URL {
  const url = URL.parse(setting.trim())
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url
  throw new UnreadableSetting(
    `${name} must be an address that begins with https:// or http://, without a user or a password in it`,
  )
}
