import { and, asc, eq, isNull, lte, not, type SQL, sql } from 'drizzle-orm'
import { STORED_DIGEST_CHARACTERS } from '../../limits.ts'
import { listOf } from '../json-list.ts'
import {
  fileCleanup,
  galleries,
  galleryCleanup,
  galleryRetries,
  guestLinks,
  imageRetries,
  images,
  revokedTokens,
} from '../schema.ts'
import type { Shard } from '../store.ts'
import { deletedColumns } from './galleries.ts'

/** SQL: whether a gallery has expired and is not deleted yet: the condition of the index `galleries_expiring`. */
export function isGalleryDue(nowMs: number): SQL | undefined {
  return and(lte(galleries.expiresAt, nowMs), isNull(galleries.deletedAt))
}

/**
 * SQL: whether an image has expired, and is neither deleted nor erased with its gallery: the condition of the index
 * `images_expiring`.
 */
export function isImageDue(nowMs: number): SQL | undefined {
  return and(lte(images.expiresAt, nowMs), isNull(images.deletedAt), isNull(images.pathDigest))
}

/** Returns galleries that have expired, the longest expired first. Those that failed are left out until their next attempt. */
export async function findExpiredGalleries(shard: Shard, nowMs: number, limit: number): Promise<number[]> {
  const isPutOff = sql`EXISTS (SELECT 1 FROM ${galleryRetries} WHERE gallery_id = ${galleries.id} AND retry_at > ${nowMs})`
  const rows = await shard.db
    .select({ id: galleries.id })
    .from(galleries)
    .where(and(isGalleryDue(nowMs), not(isPutOff)))
    .orderBy(asc(galleries.expiresAt))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** Returns images that have expired before their gallery, in the same order. */
export async function findExpiredImages(shard: Shard, nowMs: number, limit: number): Promise<number[]> {
  const isPutOff = sql`EXISTS (SELECT 1 FROM ${imageRetries} WHERE image_id = ${images.id} AND retry_at > ${nowMs})`
  const rows = await shard.db
    .select({ id: images.id })
    .from(images)
    .where(and(isImageDue(nowMs), not(isPutOff)))
    .orderBy(asc(images.expiresAt))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/**
 * Deletes expired galleries as `deleteGallery` does: all of them or none. Those that were deleted meanwhile stay as they are. Guest links
 * are stored as revoked, so that they stay closed: a trigger deletes them with their gallery (migrations/0023_guests.sql).
 */
export async function deleteExpiredGalleries(
  shard: Shard,
  ids: readonly number[],
  nowMs: number,
  operationId: string,
): Promise<void> {
  shard.cache?.dropGalleries(shard.number, ids)
  const among = sql`${galleries.id} IN ${listOf(ids)}`
  const marked = and(among, eq(galleries.deletedBy, operationId))
  await shard.db.batch([
    shard.db
      .insert(revokedTokens)
      .select(sql`
        SELECT substr(digest, 1, ${STORED_DIGEST_CHARACTERS}) FROM ${guestLinks}
        WHERE gallery_id IN (SELECT id FROM ${galleries} WHERE ${and(among, isGalleryDue(nowMs))})`)
      .onConflictDoNothing(),
    shard.db
      .update(galleries)
      .set(deletedColumns(nowMs, operationId))
      .where(and(among, isGalleryDue(nowMs))),
    shard.db
      .insert(galleryCleanup)
      .select(sql`SELECT ${galleries.id}, 0, ${nowMs}, 0 FROM ${galleries} WHERE ${marked}`)
      .onConflictDoNothing(),
    shard.db.delete(galleryRetries).where(sql`${galleryRetries.galleryId} IN ${listOf(ids)}`),
  ])
}

/** Deletes expired images as `deleteImage` does: all of them or none. Those that were deleted meanwhile stay as they are. */
export async function deleteExpiredImages(
  shard: Shard,
  ids: readonly number[],
  nowMs: number,
  operationId: string,
): Promise<void> {
  shard.cache?.dropImages(ids)
  const among = sql`${images.id} IN ${listOf(ids)}`
  const marked = and(among, eq(images.deletedBy, operationId))
  await shard.db.batch([
    shard.db
      .update(images)
      .set({ deletedAt: nowMs, deletedBy: operationId })
      .where(and(among, isImageDue(nowMs))),
    shard.db
      .insert(fileCleanup)
      .select(sql`SELECT ${images.id}, ${images.name}, ${nowMs}, 0, 0, 0 FROM ${images} WHERE ${marked}`)
      .onConflictDoNothing(),
    shard.db.delete(imageRetries).where(sql`${imageRetries.imageId} IN ${listOf(ids)}`),
  ])
}
