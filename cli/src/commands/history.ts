import { clearHistory, type Recorded, readHistory, recordDeleted } from '../history.ts'
import { readManagementLink } from '../management-link.ts'
import { printable } from '../printable.ts'
import { UsageError } from '../problems.ts'
import type { ExitCode, Session } from '../session.ts'
import type { HistoryInvocation } from '../terminal/arguments.ts'
import { localTime } from '../times.ts'
import { confirm, removeOne } from './delete.ts'

/** Lists recorded uploads, deletes some of them at their host, or removes the record. */
export async function history(invocation: HistoryInvocation, session: Session): Promise<ExitCode> {
  const entries = readHistory(invocation.historyFile)
  switch (invocation.action) {
    case 'list':
      return list(entries, invocation, session)
    case 'delete':
      return remove(entries, invocation, session)
    case 'clear':
      return clear(entries, invocation, session)
  }
}

function list(all: readonly Recorded[], invocation: HistoryInvocation, { screen }: Session): ExitCode {
  const { words, last = Number.POSITIVE_INFINITY, sinceMs = 0, showPrivate, json } = invocation
  const nowMs = Date.now()
  const entries = all
    .filter((entry) => Date.parse(entry.at) >= sinceMs && words.every((word) => contains(entry, word)))
    .slice(-last)
  if (json) {
    screen.result(JSON.stringify({ uploads: entries.map((entry) => asJson(entry, showPrivate, nowMs)) }, undefined, 2))
    return 0
  }
  const rows = entries.map((entry) => [
    String(entry.number),
    localTime(entry.at),
    stateOf(entry, nowMs),
    printable(entry.name) || 'untitled',
    entry.url,
  ])
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)))
  for (const [index, row] of rows.entries()) {
    const [number = '', ...rest] = row
    const cells = [number.padStart(widths[0] ?? 0), ...rest.map((cell, at) => cell.padEnd(widths[at + 1] ?? 0))]
    screen.result(cells.join('  '))
    const link = entries[index]?.manageUrl
    if (showPrivate && link !== undefined) screen.result(`manage: ${link}`)
  }
  if (rows.length === 0)
    screen.note(all.length === 0 ? 'nothing is recorded: see --history of upload' : 'nothing found')
  return 0
}

function contains({ name, file = '', url, galleryUrl = '' }: Recorded, word: string): boolean {
  return [name, file, url, galleryUrl].some((text) => text.toLowerCase().includes(word.toLowerCase()))
}

function asJson(entry: Recorded, showPrivate: boolean, nowMs: number) {
  return {
    number: entry.number,
    recorded_at: entry.at,
    type: entry.kind,
    name: entry.name,
    url: entry.url,
    file: entry.file,
    th_url: entry.thumbnailUrl,
    gallery_url: entry.galleryUrl,
    deletable: isDeletable(entry, nowMs),
    deleted_at: entry.deletedAt,
    expires_at: entry.expiresAt,
    ...(showPrivate && { manage_url: entry.manageUrl }),
  }
}

/** The kind of an upload and when it expires; `deleted` or `expired` for what is gone. */
function stateOf(entry: Recorded, nowMs: number): string {
  if (entry.deletedAt !== undefined) return 'deleted'
  if (hasExpired(entry, nowMs)) return 'expired'
  return entry.expiresAt === undefined ? entry.kind : `${entry.kind}, until ${localTime(entry.expiresAt)}`
}

function hasExpired({ expiresAt }: Recorded, nowMs: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= nowMs
}

async function remove(all: readonly Recorded[], invocation: HistoryInvocation, session: Session): Promise<ExitCode> {
  const { screen, signal, apiOf } = session
  const entries = [...new Set(invocation.words.flatMap((word) => find(all, word)))]
  const nowMs = Date.now()
  const able = entries.filter((entry) => isDeletable(entry, nowMs))
  const unable = entries.filter((entry) => !isDeletable(entry, nowMs))
  for (const entry of able) screen.note(`${entry.number}  ${entry.kind} ${entry.name || 'untitled'}  ${entry.url}`)
  if (
    able.length > 0 &&
    !invocation.yes &&
    !(await confirm(`Delete ${able.length === 1 ? 'this upload' : `these ${able.length} uploads`}, for good?`, signal))
  ) {
    screen.problem('nothing was deleted')
    return 1
  }
  const outcomes: { number: number; url: string; deleted: boolean; message?: string | undefined }[] = []
  for (const { number, url, manageUrl = '' } of able) {
    const link = readManagementLink(manageUrl, `the private link of ${number}`, invocation)
    const { deleted, status, message } = await removeOne(number, link, apiOf(link.host).remove)
    const isDone = deleted || status === ALREADY_DELETED
    if (isDone) recordDeleted(invocation.historyFile, url)
    outcomes.push({ number, url, deleted: isDone, ...(isDone ? {} : { message }) })
    if (!isDone) screen.problem(`not deleted (${number}): ${message}`)
    else if (!invocation.json) screen.result(`deleted ${url}`)
  }
  for (const entry of unable) {
    const message = whyNot(entry, nowMs)
    outcomes.push({ number: entry.number, url: entry.url, deleted: false, message })
    screen.problem(`not deleted (${entry.number}): ${message}`)
  }
  if (invocation.json) screen.result(JSON.stringify({ results: outcomes }, undefined, 2))
  return outcomes.every(({ deleted }) => deleted) ? 0 : 1
}

/** The management token was used, or the content deleted by another way. */
const ALREADY_DELETED = 410

function isDeletable(entry: Recorded, nowMs: number): boolean {
  return entry.manageUrl !== undefined && entry.deletedAt === undefined && !hasExpired(entry, nowMs)
}

function whyNot(entry: Recorded, nowMs: number): string {
  const { deletedAt, galleryUrl } = entry
  if (deletedAt !== undefined) return 'it was deleted before'
  if (hasExpired(entry, nowMs)) return 'it has expired, so the host has deleted it'
  if (galleryUrl !== undefined) return `it is in a gallery, which is deleted as a whole: ${galleryUrl}`
  return 'its private link was not recorded: see --history private of upload'
}

/** The uploads of a number, a range, a link or a name. A name must be of one upload alone. */
function find(all: readonly Recorded[], word: string): Recorded[] {
  const [, first, last = first] = /^([0-9]{1,9})(?:-([0-9]{1,9}))?$/.exec(word) ?? []
  if (first !== undefined) {
    const found = all.filter(({ number }) => number >= Number(first) && number <= Number(last))
    if (found.length > 0) return found
    throw new UsageError(`there is no upload ${word}: "tintype-cli history" lists them`)
  }
  const found = all.filter(({ url, thumbnailUrl, manageUrl, name, file }) =>
    [url, thumbnailUrl, manageUrl, name, file].includes(word),
  )
  if (found.length === 0) throw new UsageError(`nothing recorded is "${word}": "tintype-cli history" lists all`)
  const remaining = found.filter(({ deletedAt }) => deletedAt === undefined)
  if (remaining.length > 1) {
    throw new UsageError(`"${word}" is the name of ${remaining.map(({ number }) => number).join(', ')}: use a number`)
  }
  return remaining.length === 1 ? remaining : found.slice(-1)
}

async function clear(
  entries: readonly Recorded[],
  invocation: HistoryInvocation,
  { screen, signal }: Session,
): Promise<ExitCode> {
  const { yes, historyFile, json } = invocation
  const nowMs = Date.now()
  const lost = entries.filter((entry) => isDeletable(entry, nowMs)).length
  if (lost > 0) screen.note(`${lost} private links are lost with it, by which uploads can be deleted`)
  if (!yes && entries.length > 0 && !(await confirm(`Remove the record of ${entries.length} uploads?`, signal))) {
    screen.problem('nothing was cleared')
    return 1
  }
  clearHistory(historyFile)
  if (json) screen.result(JSON.stringify({ cleared: entries.length }, undefined, 2))
  else screen.result(`cleared ${entries.length} records`)
  return 0
}
