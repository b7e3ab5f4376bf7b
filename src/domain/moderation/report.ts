import { IMAGE_ID_MAX_TRIES, REPORT_CONTACT_MAX_CHARACTERS, REPORT_DETAILS_MAX_CHARACTERS } from '../../limits.ts'
import { insertReport, isReportStored, type NewReport } from '../../storage/moderation/reports.ts'
import type { ContentId } from '../../storage/schema.ts'
import type { Shard, Store } from '../../storage/store.ts'
import { type Content, type ContentAddress, findContent, idOf, shardForContent, stateOf } from '../content/content.ts'
import { Failure } from '../failure.ts'
import { createSequence, imageIdAt } from '../ids/image-id.ts'

/** Reports on every shard have ids like images of shard 0: known before they are written, and in order of arrival. */
const nextSequenceNumber = createSequence()

/** Why content is reported, in the order in which the form offers them. */
export const REPORT_REASONS = ['illegal', 'child', 'copyright', 'personal', 'violence', 'other'] as const

/** One of REPORT_REASONS. */
export type ReportReason = (typeof REPORT_REASONS)[number]

/** A valid report. */
export interface SubmittedReport {
  reason: ReportReason
  /** May be empty, except where the reason is `other`. */
  details: string
  /** Contact of the reporter; may be empty. */
  contact: string
}

/** The report, or the fields of the form that must be changed. */
type ParsedReport = { report: SubmittedReport } | { wrong: (keyof SubmittedReport)[] }

/** Parses the texts of the report form. */
export function parseReport(entered: Readonly<Record<keyof SubmittedReport, string>>): ParsedReport {
  const reason = REPORT_REASONS.find((known) => known === entered.reason)
  const details = readText(entered.details, REPORT_DETAILS_MAX_CHARACTERS)
  const contact = readText(entered.contact, REPORT_CONTACT_MAX_CHARACTERS)
  const unexplained = reason === 'other' && details === ''
  if (reason !== undefined && details !== undefined && contact !== undefined && !unexplained) {
    return { report: { reason, details, contact } }
  }
  const wrong: (keyof SubmittedReport)[] = []
  if (reason === undefined) wrong.push('reason')
  if (details === undefined || unexplained) wrong.push('details')
  if (contact === undefined) wrong.push('contact')
  return { wrong }
}

/**
 * Stores a report about public content, and returns that content. Throws `content_not_found` if there is none at the
 * address.
 */
export async function receiveReport(
  store: Store,
  address: ContentAddress,
  report: SubmittedReport,
  nowMs: number,
): Promise<Content> {
  const content = await findContent(store, address)
  if (!content || stateOf(content, nowMs) !== 'available') {
    throw new Failure('content_not_found', 'there is no public picture or gallery at this address: check it')
  }
  // A report is on the shard of its content.
  const shard = shardForContent(store, content)
  for (let attempt = 0; attempt < IMAGE_ID_MAX_TRIES; attempt++) {
    // Another isolate may have chosen the same id in the same millisecond.
    const id = imageIdAt(nextSequenceNumber(nowMs), 0)
    if (await insertOnce(shard, idOf(content), { ...report, id, createdAt: nowMs })) return content
  }
  throw new Error('no free id for a report')
}

async function insertOnce(shard: Shard, of: ContentId, report: NewReport): Promise<boolean> {
  try {
    return await insertReport(shard, of, report)
  } catch (error) {
    // The reply of the database may be lost, not the report.
    if (await isReportStored(shard, of, report)) return true
    throw error
  }
}

/**
 * A text of several lines. Forms send a line break as CRLF, but browsers count it as one character. Other control characters
 * could control the operator's terminal, and become spaces. Undefined if the text is too long or not valid Unicode.
 */
function readText(text: string, maxCharacters: number): string | undefined {
  const read = text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, ' ')
    .trim()
  return read.length <= maxCharacters && read.isWellFormed() ? read : undefined
}
