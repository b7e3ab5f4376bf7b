// The journal of a move, in the folder `moving` of the data folder: which steps are done, so that the same command continues after an interruption. The start of the service reads it too.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { makeFolder, syncFolder, writeDurably } from '../../shared/durable-files.ts'
import { type JsonObject, parseObject } from '../../shared/json.ts'

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

/** Returns the journal of a data folder; undefined if it never moved. Throws a sentence where the file is no journal. */
export function readJournal(data: string): Journal | undefined {
  const file = path.join(data, MOVING, JOURNAL)
  if (!existsSync(file)) return undefined
  const journal = parseObject(readFileSync(file, 'utf8'))
  if (isJournal(journal)) return journal
  throw new Error(
    `${file} is no journal of a move: restore it, or remove ${path.join(data, MOVING)} if the data never moved`,
  )
}

function isJournal(value: JsonObject): value is JsonObject & Journal {
  const { direction, hasSnapshots = false, importedParts = [] } = value
  const isText = (member: string) => typeof value[member] === 'string'
  return (
    (direction === 'to cloudflare' || direction === 'from cloudflare') &&
    ['worker', 'account', 'begunAt'].every(isText) &&
    ['pausedAt', 'lastPassAt', 'doneAt', 'openedAt'].every((member) => value[member] === undefined || isText(member)) &&
    typeof hasSnapshots === 'boolean' &&
    Array.isArray(importedParts) &&
    importedParts.every((shard) => typeof shard === 'number')
  )
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
