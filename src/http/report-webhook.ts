import { type Content, contentUrl } from '../domain/content.ts'
import type { ReportReason } from '../domain/report.ts'
import { parseWebhookUrl } from '../domain/webhook-url.ts'
import { WEBHOOK_BACK_OFF_MS, WEBHOOK_MAX_AT_ONCE, WEBHOOK_TIMEOUT_MS } from '../limits.ts'
import type { AppContext } from './context.ts'

/** Answers after which the same may be sent again; all from 500 on besides. */
const RETRYABLE = [408, 425, 429]

/** Those of this isolate that are under way. */
let calls = 0

/**
 * Tells the REPORT_WEBHOOK of a new report, after the answer to who reported: what is reported, for which reason, and where it
 * is. Neither what they wrote, which may say who they are, nor how to reach them. What fails is tried three times, then logged.
 */
export function announceReport(c: AppContext, content: Content, reason: ReportReason): void {
  const { REPORT_WEBHOOK: setting } = c.env
  if (!setting) return
  const { site } = c.var.host
  const body = {
    event: 'report',
    reason,
    resource_type: content.kind,
    url: contentUrl(site, content),
    reported_at: new Date(c.var.nowMs).toISOString(),
  }
  c.executionCtx.waitUntil(
    post(setting, JSON.stringify(body)).catch((error) => c.var.logProblem('call the REPORT_WEBHOOK', error)),
  )
}

/** Posts JSON. Throws where it did not arrive; no message holds the address. */
async function post(setting: string, body: string): Promise<void> {
  const url = parseWebhookUrl(setting)
  if (calls >= WEBHOOK_MAX_AT_ONCE) throw new Error(`${calls} calls are under way: this report is only listed`)
  calls++
  try {
    for (let attempt = 0; ; attempt++) {
      const refusal = await postOnce(url, body)
      if (refusal === undefined) return
      const waitMs = refusal.isFinal ? undefined : WEBHOOK_BACK_OFF_MS[attempt]
      if (waitMs === undefined) throw new Error(`it ${refusal.what}, at attempt ${attempt + 1}`)
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  } finally {
    calls--
  }
}

/** Undefined if it arrived. */
async function postOnce(url: URL, body: string): Promise<{ what: string; isFinal: boolean } | undefined> {
  let response: Response
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json; charset=UTF-8', 'User-Agent': 'Tintype' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
    })
  } catch {
    // Its message may hold the address.
    return { what: 'did not answer', isFinal: false }
  }
  await response.body?.cancel()
  if (response.ok) return undefined
  const isFinal = response.status < 500 && !RETRYABLE.includes(response.status)
  return { what: `answered ${response.status}`, isFinal }
}
