import { digestOf } from '../domain/digest.ts'
import { Failure } from '../domain/failure.ts'
import type { RateRule } from '../domain/rate.ts'
import { parseReport, REPORT_REASONS, receiveReport } from '../domain/report.ts'
import { CONTENT_URL_MAX_CHARACTERS, REPORT_RATE_BURST, REPORT_RATE_INTERVAL_MS } from '../limits.ts'
import {
  type EnteredReport,
  type ReportFailure,
  type ReportField,
  reportDonePage,
  reportPage,
} from '../pages/report-page.tsx'
import { parseContentUrl } from './content-url.ts'
import type { AppContext } from './context.ts'
import { STATUS } from './failures.ts'
import { page } from './page-response.ts'
import { askLimiter } from './rate-limit.ts'
import { announceReport } from './report-webhook.ts'
import { clientKey } from './wire/client-address.ts'
import { readForm } from './wire/forms.ts'

const RULE: RateRule = { burst: REPORT_RATE_BURST, intervalMs: REPORT_RATE_INTERVAL_MS }
const BUCKET_NAME_DIGITS = 5
const NOTHING: EnteredReport = { url: '', reason: '', details: '', contact: '' }

/** What is wrong with a submitted form: some of its fields, or a problem that is not about a field. */
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
  if (entered instanceof Failure) return showForm(c, STATUS[entered.code], NOTHING, { failure: 'unreadable' })
  const address = parseContentUrl(c, entered.url)
  const parsed = parseReport(entered)
  if (!address || 'wrong' in parsed) {
    const wrong = [...(address ? [] : ['url' as const]), ...('wrong' in parsed ? parsed.wrong : [])]
    return showForm(c, 422, entered, { wrong })
  }
  const name = await bucketName(c.req.raw)
  const decision = await askLimiter(c, () => c.env.RATE_LIMITER.getByName(name).take(RULE))
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

/**
 * The name of the client's bucket. Names may be stored, so it does not contain the address but 20 bits of its digest: some 4000
 * IPv4 addresses share each name, but hardly two reporters within an hour.
 */
async function bucketName(request: Request): Promise<string> {
  const digest = await digestOf(clientKey(request))
  return `report:${digest.slice(0, BUCKET_NAME_DIGITS)}`
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
