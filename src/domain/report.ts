import { REPORT_CONTACT_MAX_CHARACTERS, REPORT_DETAILS_MAX_CHARACTERS } from '../limits.ts'
import { insertReport } from '../storage/reports.ts'
import type { Store } from '../storage/store.ts'
import { type ContentAddress, findContent, stateOf } from './content.ts'
import { Failure } from './failure.ts'

/** Why content is reported, in the order in which the form offers them. */
export const REPORT_REASONS = ['illegal', 'child', 'copyright', 'personal', 'violence', 'other'] as const

export type ReportReason = (typeof REPORT_REASONS)[number]

/** A report as it is kept. */
export interface SubmittedReport {
  reason: ReportReason
  /** May be empty, except where the reason is `other`. */
  details: string
  /** How to reach who reported, if they wish; may be empty. */
  contact: string
}

/** A report as it was entered, and those of its fields that must be changed. */
export type ParsedReport = { report: SubmittedReport } | { wrong: (keyof SubmittedReport)[] }

/** Reads a report from the texts of its form. */
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

/** Keeps a report of what the public sees. Throws `content_not_found` for all else. */
export async function receiveReport(
  store: Store,
  address: ContentAddress,
  report: SubmittedReport,
  nowMs: number,
): Promise<void> {
  const content = await findContent(store, address)
  if (!content || stateOf(content) !== 'available') {
    throw new Failure('content_not_found', 'there is no public picture or gallery at this address: check it')
  }
  const of = content.kind === 'image' ? { imageId: content.image.id } : { galleryId: content.gallery.id }
  await insertReport(store, of, { ...report, createdAt: nowMs })
}

/**
 * A text of several lines. Forms send line breaks as CRLF, browsers count one character; other control characters, which
 * could steer the operator's terminal, become spaces. Undefined for what is too long or no Unicode.
 */
function readText(text: string, maxCharacters: number): string | undefined {
  const read = text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, ' ')
    .trim()
  return read.length <= maxCharacters && read.isWellFormed() ? read : undefined
}
