import { and, asc, gt, lte, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { BACKLOG_MAX_COUNTED } from '../limits.ts'
import { unfinished } from './galleries.ts'
import { edgePurges, fileCleanup, galleries, galleryCleanup, galleryRetries } from './schema.ts'
import type { Shard } from './store.ts'

/** Work of one kind that is due: how much, up to BACKLOG_MAX_COUNTED, since when the oldest, and how much has failed before. */
export interface Waiting {
  count: number
  oldestMs: number | undefined
  failing: number
}

/** The galleries that are due to be finalized: all that are unfinished after this time. */
export async function waitingGalleries(shard: Shard, nowMs: number, unfinishedForMs: number): Promise<Waiting> {
  const due = and(unfinished, lte(galleries.createdAt, nowMs - unfinishedForMs))
  const counted = await waiting(shard, galleries, galleries.createdAt, due, galleryRetries, galleryRetries.attempts)
  const { oldestMs } = counted
  return { ...counted, oldestMs: oldestMs === undefined ? undefined : oldestMs + unfinishedForMs }
}

/** The images whose files are due to be removed. */
export async function waitingFiles(shard: Shard, nowMs: number): Promise<Waiting> {
  return waiting(
    shard,
    fileCleanup,
    fileCleanup.dueAt,
    lte(fileCleanup.dueAt, nowMs),
    fileCleanup,
    fileCleanup.attempts,
  )
}

/** The deleted galleries whose files are due to be removed. */
export async function waitingDeletedGalleries(shard: Shard, nowMs: number): Promise<Waiting> {
  const due = lte(galleryCleanup.dueAt, nowMs)
  return waiting(shard, galleryCleanup, galleryCleanup.dueAt, due, galleryCleanup, galleryCleanup.attempts)
}

/** The cache tags that are due to be purged. */
export async function waitingPurges(shard: Shard, nowMs: number): Promise<Waiting> {
  const due = lte(edgePurges.dueAt, nowMs)
  return waiting(shard, edgePurges, edgePurges.dueAt, due, edgePurges, edgePurges.attempts)
}

async function waiting(
  shard: Shard,
  table: SQLiteTable,
  since: SQLiteColumn,
  due: ReturnType<typeof and>,
  failingTable: SQLiteTable,
  attempts: SQLiteColumn,
): Promise<Waiting> {
  const dueRows = shard.db
    .select({ since: sql<number>`${since}`.as('since') })
    .from(table)
    .where(due)
    .orderBy(asc(since))
    .limit(BACKLOG_MAX_COUNTED)
    .as('due')
  const failingRows = shard.db
    .select({ attempts: sql<number>`${attempts}`.as('attempts') })
    .from(failingTable)
    .where(gt(attempts, 0))
    .limit(BACKLOG_MAX_COUNTED)
    .as('failing')
  const [[counted], [failing]] = await shard.db.batch([
    shard.db
      .select({ count: sql<number>`count(*)`, oldestMs: sql<number | null>`min(${dueRows.since})` })
      .from(dueRows),
    shard.db.select({ count: sql<number>`count(*)` }).from(failingRows),
  ])
  return { count: counted?.count ?? 0, oldestMs: counted?.oldestMs ?? undefined, failing: failing?.count ?? 0 }
}

/** No work is due. */
export const NOTHING_WAITS: Waiting = { count: 0, oldestMs: undefined, failing: 0 }

/** Adds what is due on several shards. */
export function addWaiting(one: Waiting, other: Waiting): Waiting {
  const times = [one.oldestMs, other.oldestMs].filter((time) => time !== undefined)
  return {
    count: one.count + other.count,
    oldestMs: times.length === 0 ? undefined : Math.min(...times),
    failing: one.failing + other.failing,
  }
}
