import { Buffer } from 'node:buffer'
import { WEBHOOK_SECRET_MAX_BYTES, WEBHOOK_SECRET_MIN_BYTES } from '../../limits.ts'
import { UnreadableSetting } from './unreadable-setting.ts'

const WRITTEN = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/

/**
 * Parses the setting WEBHOOK_SECRET: base64, after `whsec_` or bare, as Standard Webhooks has it. Throws an `UnreadableSetting` that
 * does not quote it.
 */
export function parseWebhookSecret(setting: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Buffer.from(WRITTEN.exec(setting.trim())?.[1] ?? '', 'base64'))
  if (bytes.length >= WEBHOOK_SECRET_MIN_BYTES && bytes.length <= WEBHOOK_SECRET_MAX_BYTES) return bytes
  throw new UnreadableSetting(
    `WEBHOOK_SECRET must be ${WEBHOOK_SECRET_MIN_BYTES} to ${WEBHOOK_SECRET_MAX_BYTES} bytes in base64, such as whsec_ and what openssl rand -base64 32 prints`,
  )
}
