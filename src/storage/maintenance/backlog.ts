import { and, asc, gt, lte, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { BACKLOG_MAX_COUNTED } from '../../limits.ts'
import { isGalleryDue, isImageDue } from '../content/expiry.ts'
import { unfinished } from '../content/galleries.ts'
import { edgePurges, fileCleanup, galleries, galleryCleanup, galleryRetries, imageRetries, images } from '../schema.ts'
import type { Shard } from '../store.ts'

/** Work of one kind that is due: how much, up to BACKLOG_MAX_COUNTED, since when the oldest, and how much has failed before. */
export interface Waiting {
  count: number
  oldestMs: number | undefined
  failing: number
}

/** Rows of a table that are due, and the column with their time. */
interface DueRows {
  table: SQLiteTable
  since: SQLiteColumn
  due: SQL | undefined
}

/** The galleries that are due to be finalized: all that are unfinished after this time. */
export async function waitingGalleries(shard: Shard, nowMs: number, unfinishedForMs: number): Promise<Waiting> {
  const due = and(unfinished, lte(galleries.createdAt, nowMs - unfinishedForMs))
  const counted = await waiting(
    shard,
    [{ table: galleries, since: galleries.createdAt, due }],
    galleryRetries,
    galleryRetries.attempts,
  )
  const { oldestMs } = counted
  return { ...counted, oldestMs: oldestMs === undefined ? undefined : oldestMs + unfinishedForMs }
}

/** The images and galleries that have expired and are not deleted yet. Galleries that fail are counted with unfinished ones. */
export function waitingExpired(shard: Shard, nowMs: number): Promise<Waiting> {
  const ofImages = { table: images, since: images.expiresAt, due: isImageDue(nowMs) }
  const ofGalleries = { table: galleries, since: galleries.expiresAt, due: isGalleryDue(nowMs) }
  return waiting(shard, [ofImages, ofGalleries], imageRetries, imageRetries.attempts)
}

/** The images whose files are due to be removed. */
export function waitingFiles(shard: Shard, nowMs: number): Promise<Waiting> {
  return waitingIn(shard, fileCleanup, nowMs)
}

/** The deleted galleries whose files are due to be removed. */
export function waitingDeletedGalleries(shard: Shard, nowMs: number): Promise<Waiting> {
  return waitingIn(shard, galleryCleanup, nowMs)
}

/** The cache tags that are due to be purged. */
export function waitingPurges(shard: Shard, nowMs: number): Promise<Waiting> {
  return waitingIn(shard, edgePurges, nowMs)
}

/** A table that has its attempts in its own rows. */
function waitingIn(
  shard: Shard,
  table: typeof fileCleanup | typeof galleryCleanup | typeof edgePurges,
  nowMs: number,
): Promise<Waiting> {
  return waiting(shard, [{ table, since: table.dueAt, due: lte(table.dueAt, nowMs) }], table, table.attempts)
}

/** One query: rows are billed, and metrics are read every few seconds. */
async function waiting(
  { db }: Shard,
  rows: readonly DueRows[],
  failingTable: SQLiteTable,
  attempts: SQLiteColumn,
): Promise<Waiting> {
  const due = sql.join(
    rows.map(({ table, since, due }) => {
      const first = db
        .select({ since: sql<number>`${since}`.as('since') })
        .from(table)
        .where(due)
        .orderBy(asc(since))
        .limit(BACKLOG_MAX_COUNTED)
      return sql`SELECT since FROM ${first.as('due')}`
    }),
    sql` UNION ALL `,
  )
  const failing = db
    .select({ attempts: sql<number>`${attempts}`.as('attempts') })
    .from(failingTable)
    .where(gt(attempts, 0))
    .limit(BACKLOG_MAX_COUNTED)
  const [counted] = await db
    .select({
      count: sql<number>`count(*)`,
      oldestMs: sql<number | null>`min(since)`,
      failing: sql<number>`(SELECT count(*) FROM ${failing.as('failing')})`,
    })
    .from(sql`(${due})`)
  return { count: counted?.count ?? 0, oldestMs: counted?.oldestMs ?? undefined, failing: counted?.failing ?? 0 }
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
