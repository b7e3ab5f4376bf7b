import { type Content, contentUrl } from '../domain/content/content.ts'
import type { ReportReason } from '../domain/moderation/report.ts'
import { WEBHOOK_BACK_OFF_MS, WEBHOOK_MAX_AT_ONCE } from '../limits.ts'
import { retry } from '../retry.ts'
import * as time from '../time.ts'
import { runAfterResponse } from './after-response.ts'
import type { AppContext } from './context.ts'
import { CallFailed, type Message, postMessage } from './webhooks.ts'

/** Posts of this isolate in progress. */
let calls = 0

/**
 * Sends a new report to the REPORT_WEBHOOK, after the response to the reporter: the address, its type and the reason.
 * The reporter's text, which may identify them, and their contact are not sent. Delivery is tried three times, then the
 * failure is logged.
 */
export function announceReport(c: AppContext, content: Content, reason: ReportReason): void {
  if (!c.env.REPORT_WEBHOOK) return
  const { site } = c.var.host
  const body = {
    event: 'report',
    reason,
    resource_type: content.kind,
    url: contentUrl(site, content),
    reported_at: new Date(c.var.nowMs).toISOString(),
  }
  const message = { id: `report_${crypto.randomUUID()}`, body: JSON.stringify(body) }
  runAfterResponse(c, 'call the REPORT_WEBHOOK', () => post(c, message))
}

/** Posts a report. Throws where it did not arrive; no message holds the address. */
async function post(c: AppContext, message: Message): Promise<void> {
  if (calls >= WEBHOOK_MAX_AT_ONCE) throw new Error(`${calls} calls are under way: this report is only listed`)
  calls++
  try {
    await retry((attempt) => postMessage(c.env, 'REPORT_WEBHOOK', message, attempt, time.nowMs(c.env)), {
      attempts: WEBHOOK_BACK_OFF_MS.length + 1,
      pauseMs: (nth) => WEBHOOK_BACK_OFF_MS[nth - 1] ?? 0,
      isRetryable: (error) => error instanceof CallFailed && error.mayPass,
    })
  } finally {
    calls--
  }
}
