// The journal of a move, in the folder `moving` of the data folder: which steps are done, so that the same command goes on after an
// interruption. The start of the service reads it too.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { makeFolder, syncFolder, writeDurably } from '../../shared/durable-files.ts'

export const MOVING = 'moving'
const JOURNAL = 'journal.json'
/** Is there while the service runs read-only, or has last run so. */
const READ_ONLY_FILE = 'read-only'

/** A move of a data folder. */
export interface Journal {
  direction: 'to cloudflare' | 'from cloudflare'
  /** The Worker. */
  worker: string
  account: string
  begunAt: string
  /** The Worker is read-only since. */
  pausedAt?: string
  /** The snapshots of the first pass exist. */
  hasSnapshots?: boolean
  /** Imported parts of the first pass, by shard. */
  importedParts?: number[]
  /** The last pass of a move to Cloudflare has begun: a service of this data must be read-only. */
  lastPassAt?: string
  /** The data is at its destination. */
  doneAt?: string
  /** The Worker accepts changes since, after a move to it. */
  openedAt?: string
}

/** Returns the journal of a data folder; undefined if it never moved. */
export function readJournal(data: string): Journal | undefined {
  const file = path.join(data, MOVING, JOURNAL)
  if (!existsSync(file)) return undefined
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Stores the journal durably. */
export function writeJournal(data: string, journal: Journal): void {
  makeFolder(path.join(data, MOVING), 0o700)
  writeDurably(path.join(data, MOVING, JOURNAL), `${JSON.stringify(journal, null, 2)}\n`, 0o600)
}

/** Records durably whether the service that starts now is read-only. It has locked the data folder. */
export function recordReadOnly(data: string, isReadOnly: boolean): void {
  const file = path.join(data, READ_ONLY_FILE)
  if (isReadOnly) writeDurably(file, '')
  else if (existsSync(file)) {
    rmSync(file)
    syncFolder(data)
  }
}

/** Whether the service that has locked the data folder, if any, is read-only. */
export function isServedReadOnly(data: string): boolean {
  return existsSync(path.join(data, READ_ONLY_FILE))
}

/** Returns why a service must not start on a data folder; undefined if it may. */
export function refusalOfMove(data: string, isReadOnly: boolean): string | undefined {
  const journal = readJournal(data)
  if (journal?.direction === 'from cloudflare' && journal.doneAt === undefined) {
    return `a move into ${data} is not finished: repeat npm run tintype -- move`
  }
  if (journal?.direction !== 'to cloudflare' || isReadOnly) return undefined
  if (journal.doneAt !== undefined) {
    return `the data moved to the Worker "${journal.worker}" at ${journal.doneAt}: start with --read-only on, or remove ${path.join(data, MOVING)} to use this copy again`
  }
  if (journal.lastPassAt !== undefined) {
    return `the data is moving to the Worker "${journal.worker}": start with --read-only on, or remove ${path.join(data, MOVING)} to give up the move`
  }
  return undefined
}
