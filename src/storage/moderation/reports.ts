import { and, asc, count, eq, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { type ContentId, images, type Report, reports } from '../schema.ts'
import type { Shard } from '../store.ts'

/** The number of open reports about one image or gallery, in all and for each reason, and their times. */
export interface ReportedRecord {
  imageId: number | null
  galleryId: number | null
  reports: number
  reasons: Record<string, number>
  firstMs: number
  lastMs: number
}

/** A report to insert. */
export type NewReport = Pick<Report, 'id' | 'reason' | 'details' | 'contact' | 'createdAt'>

/** Inserts a report, once, however often it is sent. False if its id is that of another report: nothing was written. */
export async function insertReport(shard: Shard, of: ContentId, report: NewReport): Promise<boolean> {
  const [, found] = await shard.db.batch([
    shard.db
      .insert(reports)
      .values({ ...(of.kind === 'image' ? { imageId: of.imageId } : { galleryId: of.galleryId }), ...report })
      .onConflictDoNothing(),
    selectSame(shard, of, report),
  ])
  return found.length === 1
}

/** Whether this very report is there. */
export async function isReportStored(shard: Shard, of: ContentId, report: NewReport): Promise<boolean> {
  return (await selectSame(shard, of, report)).length === 1
}

function selectSame(shard: Shard, of: ContentId, { id, reason, details, contact, createdAt }: NewReport) {
  const isSame = [
    eq(reports.id, id),
    ofRecord(of),
    eq(reports.reason, reason),
    eq(reports.details, details),
    eq(reports.contact, contact),
    eq(reports.createdAt, createdAt),
  ]
  return shard.db
    .select({ id: reports.id })
    .from(reports)
    .where(and(...isSame))
}

/**
 * Returns reported images and galleries: those reported for this reason first, then the longest reported first, at most
 * `limit`; and the number of all.
 */
export async function listReported(
  shard: Shard,
  firstReason: string,
  limit: number,
): Promise<{ reported: ReportedRecord[]; total: number }> {
  const byReason = shard.db
    .select({
      imageId: reports.imageId,
      galleryId: reports.galleryId,
      reason: reports.reason,
      reports: sql<number>`count(*)`.as('reports'),
      firstMs: sql<number>`min(${reports.createdAt})`.as('first_ms'),
      lastMs: sql<number>`max(${reports.createdAt})`.as('last_ms'),
    })
    .from(reports)
    .where(isNull(reports.handledAt))
    .groupBy(reports.imageId, reports.galleryId, reports.reason)
    .as('by_reason')
  const firstMs = sql<number>`min(${byReason.firstMs})`
  const rows = await shard.db
    .select({
      imageId: byReason.imageId,
      galleryId: byReason.galleryId,
      reports: sql<number>`sum(${byReason.reports})`,
      reasons: sql<Record<string, number>>`json_group_object(${byReason.reason}, ${byReason.reports})`.mapWith(
        JSON.parse,
      ),
      firstMs,
      lastMs: sql<number>`max(${byReason.lastMs})`,
      total: sql<number>`count(*) OVER ()`,
    })
    .from(byReason)
    .groupBy(byReason.imageId, byReason.galleryId)
    .orderBy(sql`max(${byReason.reason} = ${firstReason}) DESC`, asc(firstMs))
    .limit(limit)
  return { reported: rows, total: rows[0]?.total ?? 0 }
}

/** The open reports about one image or gallery, the oldest first. */
export async function listReportsOf(shard: Shard, of: ContentId, limit: number): Promise<Report[]> {
  return shard.db
    .select()
    .from(reports)
    .where(and(isNull(reports.handledAt), ofRecord(of)))
    .orderBy(asc(reports.createdAt), asc(reports.id))
    .limit(limit)
}

/** The number of open reports. */
export async function countOpenReports(shard: Shard): Promise<number> {
  const [row] = await shard.db.select({ total: count() }).from(reports).where(isNull(reports.handledAt))
  return row?.total ?? 0
}

/** Marks the open reports about one image or gallery handled, and returns their number. */
export async function handleReports(shard: Shard, of: ContentId, nowMs: number): Promise<number> {
  return (await handleWhere(shard, ofRecord(of), nowMs)).meta.changes
}

/** Marks the open reports about a gallery and about each image in it handled, and returns their number. */
export async function handleReportsWithin(shard: Shard, galleryId: number, nowMs: number): Promise<number> {
  const ofImages = sql`${reports.imageId} IN (SELECT id FROM ${images} WHERE gallery_id = ${galleryId})`
  // Two statements: for an OR of both, SQLite goes through all open reports.
  const handled = await shard.db.batch([
    handleWhere(shard, eq(reports.galleryId, galleryId), nowMs),
    handleWhere(shard, ofImages, nowMs),
  ])
  return handled.reduce((total, { meta }) => total + meta.changes, 0)
}

/**
 * Erases the contacts in reports that were handled at or before this time, the oldest first, and returns the number of these
 * reports.
 */
export async function eraseContacts(shard: Shard, handledUntilMs: number, limit: number): Promise<number> {
  // As the index says it, not as a parameter.
  const due = shard.db
    .select({ id: reports.id })
    .from(reports)
    .where(and(lte(reports.handledAt, handledUntilMs), sql`${reports.contact} <> ''`))
    .orderBy(asc(reports.handledAt))
    .limit(limit)
  const { meta } = await shard.db.update(reports).set({ contact: '' }).where(inArray(reports.id, due))
  return meta.changes
}

function handleWhere(shard: Shard, which: SQL, nowMs: number) {
  return shard.db
    .update(reports)
    .set({ handledAt: nowMs })
    .where(and(isNull(reports.handledAt), which))
}

function ofRecord(of: ContentId): SQL {
  return of.kind === 'image' ? eq(reports.imageId, of.imageId) : eq(reports.galleryId, of.galleryId)
}
