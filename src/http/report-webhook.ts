import { type Content, contentUrl } from '../domain/content.ts'
import type { ReportReason } from '../domain/report.ts'
import { parseWebhookUrl } from '../domain/webhook-url.ts'
import { WEBHOOK_BACK_OFF_MS, WEBHOOK_MAX_AT_ONCE, WEBHOOK_TIMEOUT_MS } from '../limits.ts'
import { retry } from '../retry.ts'
import { runAfterResponse } from './after-response.ts'
import type { AppContext } from './context.ts'
import { describeStatus, mayPass, postJson } from './post-json.ts'

/** Those of this isolate that are under way. */
let calls = 0

/**
 * Sends a new report to the REPORT_WEBHOOK, after the response to the reporter: the address, its type and the reason.
 * The reporter's text, which may identify them, and their contact are not sent. Delivery is tried three times, then the
 * failure is logged.
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
  runAfterResponse(c, 'call the REPORT_WEBHOOK', () => post(setting, JSON.stringify(body)))
}

/** The webhook did not respond, or not with 2xx. */
class CallFailed extends Error {
  readonly status: number | undefined

  constructor(status: number | undefined, attempt: number) {
    super(`it ${describeStatus(status)}, at attempt ${attempt}`)
    this.status = status
  }
}

/** Posts JSON. Throws where it did not arrive; no message holds the address. */
async function post(setting: string, body: string): Promise<void> {
  const url = parseWebhookUrl(setting)
  if (calls >= WEBHOOK_MAX_AT_ONCE) throw new Error(`${calls} calls are under way: this report is only listed`)
  calls++
  try {
    await retry(
      async (attempt) => {
        const status = await postJson(url, body, { 'User-Agent': 'Tintype' }, WEBHOOK_TIMEOUT_MS)
        if (status === undefined || status < 200 || status >= 300) throw new CallFailed(status, attempt)
      },
      {
        attempts: WEBHOOK_BACK_OFF_MS.length + 1,
        pauseMs: (nth) => WEBHOOK_BACK_OFF_MS[nth - 1] ?? 0,
        isRetryable: (error) => error instanceof CallFailed && mayPass(error.status),
      },
    )
  } finally {
    calls--
  }
}
