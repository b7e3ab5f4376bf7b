import { Failure } from '../../domain/failure.ts'
import { parseReport, REPORT_REASONS, receiveReport } from '../../domain/moderation/report.ts'
import type { RateRule } from '../../domain/rate.ts'
import { ERRORS } from '../../errors.ts'
import { CONTENT_URL_MAX_CHARACTERS, REPORT_RATE_BURST, REPORT_RATE_INTERVAL_MS } from '../../limits.ts'
import {
  type EnteredReport,
  type ReportFailure,
  type ReportField,
  reportDonePage,
  reportPage,
} from '../../pages/manage/report-page.tsx'
import { readForm } from '../body/forms.ts'
import { parseContentUrl } from '../content-url.ts'
import type { AppContext } from '../context.ts'
import { takeFromClient } from '../limits/rate-limit.ts'
import { announceReport } from '../report-webhook.ts'
import { page } from '../responses/page-response.ts'

const RULE: RateRule = { burst: REPORT_RATE_BURST, intervalMs: REPORT_RATE_INTERVAL_MS }
const NOTHING: EnteredReport = { url: '', reason: '', details: '', contact: '' }

/** Problems of a submitted form: invalid fields, or a problem that is not about a field. */
interface Outcome {
  wrong?: readonly ReportField[]
  failure?: ReportFailure
}

/** `GET /report?url=<address>`: the form, with the address filled in. */
export function serveReportPage(c: AppContext): Response {
  const url = c.req.query('url') ?? ''
  return showForm(c, 200, { ...NOTHING, url: url.startsWith('/') ? c.var.host.site.pages + url : url }, {})
}

/**
 * `POST /report`: stores a report about public content, and nothing about the sender but the contact they gave. Only a
 * complete report spends a token of the client's bucket; correcting the form is free.
 */
export async function submitReportPage(c: AppContext): Promise<Response> {
  const entered = await readEntered(c)
  if (entered instanceof Failure) return showForm(c, ERRORS[entered.code].status, NOTHING, { failure: 'unreadable' })
  const address = parseContentUrl(c, entered.url)
  const parsed = parseReport(entered)
  if (!address || 'wrong' in parsed) {
    const wrong = [...(address ? [] : ['url' as const]), ...('wrong' in parsed ? parsed.wrong : [])]
    return showForm(c, 422, entered, { wrong })
  }
  const [decision] = (await takeFromClient(c, [{ name: 'reports', rule: RULE, tokens: 1 }])) ?? []
  if (decision && !decision.allowed) {
    return showForm(c, 429, entered, { failure: 'tooMany' }, { 'Retry-After': String(decision.retryAfterS) })
  }
  try {
    const content = await receiveReport(c.var.store, address, parsed.report, c.var.nowMs)
    announceReport(c, content, parsed.report.reason)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'content_not_found') throw error
    return showForm(c, 404, entered, { failure: 'notFound' })
  }
  return page(c, 200, (context) => reportDonePage({ context }))
}

async function readEntered(c: AppContext): Promise<EnteredReport | Failure> {
  try {
    return { ...NOTHING, ...Object.fromEntries(await readForm(c.var.incoming, Object.keys(NOTHING))) }
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

function showForm(
  c: AppContext,
  status: number,
  entered: EnteredReport,
  outcome: Outcome,
  headers: Record<string, string> = {},
): Response {
  const url = entered.url.slice(0, CONTENT_URL_MAX_CHARACTERS)
  return page(
    c,
    status,
    (context) => reportPage({ context, reasons: REPORT_REASONS, entered: { ...entered, url }, ...outcome }),
    headers,
  )
}
