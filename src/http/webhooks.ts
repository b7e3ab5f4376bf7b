import { Buffer } from 'node:buffer'
import { hmacOf } from '../domain/ids/hmac.ts'
import { parseWebhookSecret } from '../domain/settings/webhook-secret.ts'
import { parseWebhookUrl } from '../domain/settings/webhook-url.ts'
import type { Bindings } from '../env.ts'
import { WEBHOOK_TIMEOUT_MS } from '../limits.ts'
import { SECOND_MS } from '../units.ts'
import { describeStatus, mayPass, postJson } from './post-json.ts'

/** The settings that messages are sent to. */
type Webhook = 'REPORT_WEBHOOK' | 'UPLOAD_WEBHOOK'

/** A message for an address of the operator. All of its attempts have the same id. */
export interface Message {
  id: string
  body: string
}

/** The webhook did not respond, or not with 2xx. */
export class CallFailed extends Error {
  readonly mayPass: boolean

  constructor(status: number | undefined, attempt: number) {
    super(`it ${describeStatus(status)}, at attempt ${attempt}`)
    this.mayPass = mayPass(status)
  }
}

/** Posts a message to the address in a setting. Throws where it did not arrive; no error holds the address or the secret. */
export async function postMessage(
  env: Pick<Bindings, Webhook | 'WEBHOOK_SECRET'>,
  setting: Webhook,
  message: Message,
  attempt: number,
  nowMs: number,
): Promise<void> {
  const url = parseWebhookUrl(setting, env[setting] ?? '')
  const headers = { 'User-Agent': 'Tintype', ...(await signatureHeaders(env, message, nowMs)) }
  const status = await postJson(url, message.body, headers, WEBHOOK_TIMEOUT_MS)
  if (status === undefined || status < 200 || status >= 300) throw new CallFailed(status, attempt)
}

/**
 * The headers of Standard Webhooks 1.0 (https://www.standardwebhooks.com): the id, by which repetitions are recognized, and HMAC-SHA256
 * of id, time and body under the WEBHOOK_SECRET. Without that setting there is the id alone.
 */
export async function signatureHeaders(
  { WEBHOOK_SECRET: setting = '' }: Pick<Bindings, 'WEBHOOK_SECRET'>,
  { id, body }: Message,
  nowMs: number,
): Promise<Record<string, string>> {
  if (setting === '') return { 'webhook-id': id }
  const timestamp = String(Math.floor(nowMs / SECOND_MS))
  const mac = await hmacOf(parseWebhookSecret(setting), `${id}.${timestamp}.${body}`)
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${Buffer.from(mac).toString('base64')}`,
  }
}
