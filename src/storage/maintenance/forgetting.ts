import { and, asc, eq, isNull, lte, or, sql } from 'drizzle-orm'
import { NO_PREVIEW } from '../content/images.ts'
import { revokeTokens } from '../content/tokens.ts'
import { listOf } from '../json-list.ts'
import { fileCleanup, galleries, galleryCleanup, galleryMarkers, galleryRetries, images, reports } from '../schema.ts'
import type { Shard } from '../store.ts'

/** An image whose files are removed, and what is stored of its path. */
export interface RemovedImage {
  id: number
  pathDigest: string
}

/**
 * Erases the records of deleted images, except what `deleted` and 410 need, and revokes their tokens: statements for a
 * batch. Images that are not recorded, not deleted or already erased are left alone.
 */
export function eraseImages(shard: Shard, removed: readonly RemovedImage[]) {
  const rows = JSON.stringify(removed)
  const pathDigests = sql`(SELECT value ->> 'id' AS id, value ->> 'pathDigest' AS path_digest FROM json_each(${rows})) AS removed`
  const isDeleted = sql`(${images.deletedAt} IS NOT NULL OR EXISTS (
    SELECT 1 FROM ${galleries} WHERE ${galleries.id} = ${images.galleryId} AND ${galleries.deletedAt} IS NOT NULL))`
  const forgotten = sql`image_id IN (
    SELECT ${images.id} FROM json_each(${rows}) JOIN ${images} ON ${images.id} = value ->> 'id'
    WHERE ${images.pathDigest} IS NOT NULL)`
  return [
    shard.db
      .update(images)
      .set({
        name: '',
        mediaType: '',
        bytes: 0,
        width: 0,
        height: 0,
        thumbnailBytes: 0,
        thumbnailWidth: 0,
        thumbnailHeight: 0,
        nsfw: false,
        sentDigest: null,
        crc32: null,
        thumbnailCrc32: null,
        ...NO_PREVIEW,
        displayName: null,
        caption: null,
        alt: null,
        animated: null,
        pathDigest: sql`removed.path_digest`,
      })
      .from(pathDigests)
      .where(and(sql`${images.id} = removed.id`, isNull(images.pathDigest), isDeleted)),
    ...revokeTokens(shard, forgotten),
  ] as const
}

/**
 * Forgets what nobody asks of a deleted gallery any more: statements for a batch. One that never held an image, and was never
 * reported, is left to `forgetOrSweepGalleries`.
 */
export function forgetGallery(shard: Shard, id: number) {
  return [
    ...revokeTokens(shard, sql`gallery_id = ${id}`),
    shard.db.delete(galleryMarkers).where(eq(galleryMarkers.galleryId, id)),
    shard.db
      .update(galleries)
      .set({ uploadTokenDigest: '', forgotten: true })
      .where(and(eq(galleries.id, id), isReferredTo)),
  ] as const
}

/** SQL: whether a gallery has had an image or was reported: then its row stays. */
const isReferredTo = or(
  sql`EXISTS (SELECT 1 FROM ${images} WHERE ${images.galleryId} = ${galleries.id})`,
  sql`EXISTS (SELECT 1 FROM ${reports} WHERE ${reports.galleryId} = ${galleries.id})`,
)

/**
 * SQL: whether this gallery is not the newest. Ids are one more than the largest there is: if the newest went, its id would be
 * issued again.
 */
const isNotNewest = sql`${galleries.id} < (SELECT max(id) FROM ${galleries})`

/** The ids of galleries that were deleted at or before this time, and are to be forgotten. */
export async function findGalleriesToForget(shard: Shard, deletedUntilMs: number, limit: number): Promise<number[]> {
  const isSwept = sql`NOT EXISTS (SELECT 1 FROM ${galleryCleanup} WHERE ${galleryCleanup.galleryId} = ${galleries.id})`
  const rows = await shard.db
    .select({ id: galleries.id })
    .from(galleries)
    // As the index says it, not as a parameter.
    .where(
      and(
        lte(galleries.deletedAt, deletedUntilMs),
        sql`${galleries.forgotten} = 0`,
        isSwept,
        or(isReferredTo, isNotNewest),
      ),
    )
    .orderBy(asc(galleries.deletedAt))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** Deletes the rows of these galleries where they never held an image, and revokes their tokens; the others are swept again. */
export async function forgetOrSweepGalleries(shard: Shard, ids: readonly number[], nowMs: number): Promise<void> {
  const those = and(sql`${galleries.id} IN ${listOf(ids)}`, sql`${galleries.deletedAt} IS NOT NULL`)
  const empty = sql`gallery_id IN (SELECT ${galleries.id} FROM ${galleries} WHERE ${those} AND NOT ${isReferredTo})`
  await shard.db.batch([
    shard.db
      .insert(galleryCleanup)
      .select(sql`SELECT ${galleries.id}, 0, ${nowMs}, 0 FROM ${galleries} WHERE ${those} AND ${isReferredTo}`)
      .onConflictDoNothing(),
    ...revokeTokens(shard, empty),
    shard.db.delete(galleryMarkers).where(empty),
    shard.db.delete(galleryRetries).where(empty),
    shard.db.delete(galleries).where(and(those, sql`NOT ${isReferredTo}`, isNotNewest)),
  ])
}

/**
 * Has the files of deleted images that have their names yet swept once more: those that were deleted before names were
 * forgotten. Images that wait to be swept are left alone.
 */
export async function sweepNamedImages(shard: Shard, nowMs: number, limit: number): Promise<void> {
  await shard.db
    .insert(fileCleanup)
    .select(sql`
      SELECT ${images.id}, ${images.name}, ${nowMs}, 0, 0, 0 FROM ${images}
      WHERE ${images.deletedAt} <= ${nowMs} AND ${images.pathDigest} IS NULL
        AND NOT EXISTS (SELECT 1 FROM ${fileCleanup} WHERE ${fileCleanup.imageId} = ${images.id})
      LIMIT ${limit}`)
    .onConflictDoNothing()
}
