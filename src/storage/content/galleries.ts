import { and, asc, eq, isNull, lte, not, sql } from 'drizzle-orm'
import { listOf } from '../json-list.ts'
import { changeGallery, changeListing } from '../read-cache.ts'
import { type Gallery, galleries, galleryCleanup, galleryRetries, images, managementTokens } from '../schema.ts'
import type { Shard } from '../store.ts'
import { holdsKey, type SealedResponse, storeResponse } from './leases.ts'

/** A gallery to insert: it has no id yet. */
export type NewGallery = Pick<
  Gallery,
  'hash' | 'name' | 'uploadTokenDigest' | 'createdAt' | 'removedIfUnfinished' | 'expiresAt'
>

/** The time of a delete, its operation (`deletedBy`), and the response to store, if there is one. */
export interface Deletion {
  nowMs: number
  operationId: string
  sealed?: SealedResponse | undefined
}

/** SQL: whether a gallery takes uploads still. */
export const unfinished = and(isNull(galleries.finalizedAt), isNull(galleries.deletedAt))

/** SQL: whether a gallery has an image that is not deleted. Those that it shows are fewer: some may be hidden. */
const hasImage = sql`EXISTS (
  SELECT 1 FROM ${images} WHERE ${images.galleryId} = ${galleries.id} AND ${images.deletedAt} IS NULL)`

/**
 * Inserts a gallery atomically, with the digest of its management token and the response to store, if there are any. It
 * may be sent more than once. Returns false if nothing was written, because another request has taken over the
 * Idempotency-Key.
 */
export async function insertGallery(
  shard: Shard,
  gallery: NewGallery,
  tokenDigest: string | undefined,
  sealed: SealedResponse | undefined,
): Promise<boolean> {
  const { hash, name, uploadTokenDigest, createdAt, removedIfUnfinished, expiresAt } = gallery
  const recorded = sql`FROM ${galleries} WHERE hash = ${hash}`
  const token = shard.db
    .insert(managementTokens)
    .select(sql`SELECT ${tokenDigest ?? null}, NULL, id ${recorded}`)
    .onConflictDoNothing()
  const [, found] = await shard.db.batch([
    shard.db
      .insert(galleries)
      .select(sql`
        SELECT NULL, ${hash}, ${name}, ${uploadTokenDigest}, ${createdAt}, NULL, NULL, NULL, 0, 0, NULL,
          ${Number(removedIfUnfinished)}, NULL, 0, ${expiresAt}
        WHERE ${sealed ? holdsKey(sealed) : sql`1`}`)
      .onConflictDoNothing(),
    shard.db.select({ id: galleries.id }).from(galleries).where(eq(galleries.hash, hash)),
    ...(tokenDigest === undefined ? [] : [token]),
    ...(sealed ? [storeResponse(shard, sealed, sql`EXISTS (SELECT 1 ${recorded})`)] : []),
  ])
  return found.length === 1
}

/** The gallery with this public hash, in any state. */
export async function findGallery(shard: Shard, hash: string): Promise<Gallery | undefined> {
  const [gallery] = await shard.db.select().from(galleries).where(eq(galleries.hash, hash))
  return gallery
}

/** The gallery with this row id, in any state. */
export async function findGalleryById(shard: Shard, id: number): Promise<Gallery | undefined> {
  const [gallery] = await shard.db.select().from(galleries).where(eq(galleries.id, id))
  return gallery
}

/** The galleries with these row ids, in any state and in no particular order. */
export async function findGalleriesById(shard: Shard, ids: readonly number[]): Promise<Gallery[]> {
  return shard.db
    .select()
    .from(galleries)
    .where(sql`${galleries.id} IN ${listOf(ids)}`)
}

/** The state of a gallery. `deletedBy` is the operation that deleted it. */
export type GalleryState = Pick<Gallery, 'finalizedAt' | 'deletedAt' | 'deletedBy'>

/**
 * Publishes an unfinished gallery that has images, or deletes an empty one, in one transaction. Returns the resulting
 * state; undefined if there is no such gallery. `operationId` is stored in `deletedBy`.
 */
export async function finalizeOrRemove(
  shard: Shard,
  id: number,
  nowMs: number,
  operationId: string,
): Promise<GalleryState | undefined> {
  const [, , [state]] = await shard.db.batch([
    shard.db
      .update(galleries)
      .set({ finalizedAt: nowMs })
      .where(and(eq(galleries.id, id), unfinished, hasImage)),
    shard.db
      .update(galleries)
      .set(deletedColumns(nowMs, operationId))
      .where(and(eq(galleries.id, id), unfinished)),
    shard.db.select().from(galleries).where(eq(galleries.id, id)),
  ])
  return state
}

/**
 * The ids of unfinished galleries created at or before `createdUntilMs`, the oldest first, without those that failed and are
 * to be tried later.
 */
export async function findUnfinished(
  shard: Shard,
  createdUntilMs: number,
  nowMs: number,
  limit: number,
): Promise<number[]> {
  const isPutOff = sql`EXISTS (SELECT 1 FROM ${galleryRetries} WHERE gallery_id = ${galleries.id} AND retry_at > ${nowMs})`
  const rows = await shard.db
    .select({ id: galleries.id })
    .from(galleries)
    .where(and(unfinished, lte(galleries.createdAt, createdUntilMs), not(isPutOff)))
    .orderBy(asc(galleries.createdAt))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/**
 * Finalizes or removes many abandoned galleries at once, as `finalizeOrRemove` does: all of them or none. Those that are removed if
 * unfinished are removed with their images.
 */
export async function finalizeOrRemoveAll(
  shard: Shard,
  ids: readonly number[],
  nowMs: number,
  operationId: string,
): Promise<void> {
  const these = and(sql`${galleries.id} IN ${listOf(ids)}`, unfinished)
  const removed = and(these, galleries.removedIfUnfinished)
  await shard.db.batch([
    shard.db
      .insert(galleryCleanup)
      .select(sql`SELECT ${galleries.id}, 0, ${nowMs}, 0 FROM ${galleries} WHERE ${removed} AND ${hasImage}`)
      .onConflictDoNothing(),
    shard.db.update(galleries).set(deletedColumns(nowMs, operationId)).where(removed),
    shard.db.update(galleries).set({ finalizedAt: nowMs }).where(and(these, hasImage)),
    shard.db.update(galleries).set(deletedColumns(nowMs, operationId)).where(these),
    shard.db.delete(galleryRetries).where(sql`${galleryRetries.galleryId} IN ${listOf(ids)}`),
  ])
}

/** Renames a gallery and returns the name as stored; undefined if the gallery is deleted. */
export async function renameGallery(shard: Shard, id: number, name: string): Promise<string | undefined> {
  const [row] = await changeGallery(shard, id, () =>
    shard.db
      .update(galleries)
      .set({ name })
      .where(and(eq(galleries.id, id), isNull(galleries.deletedAt)))
      .returning({ name: galleries.name }),
  )
  return row?.name
}

/**
 * Chooses the cover image of a gallery, or none. Returns the id as stored; undefined if the gallery is deleted. It stays the same where
 * the gallery has no such image.
 */
export async function chooseCoverImage(
  shard: Shard,
  id: number,
  imageId: number | null,
): Promise<{ coverImageId: number | null } | undefined> {
  const isIn = sql`(${imageId} IS NULL OR EXISTS (
    SELECT 1 FROM ${images} WHERE id = ${imageId} AND gallery_id = ${galleries.id} AND deleted_at IS NULL))`
  const [row] = await changeListing(shard, id, () =>
    shard.db
      .update(galleries)
      .set({ coverImageId: sql`iif(${isIn}, ${imageId}, ${galleries.coverImageId})` })
      .where(and(eq(galleries.id, id), isNull(galleries.deletedAt)))
      .returning({ coverImageId: galleries.coverImageId }),
  )
  return row
}

/**
 * Deletes a gallery, its name and its upload token, schedules the removal of its files, and stores the response, if
 * there is one. It writes a few rows, however many images there are. Returns false if it was already deleted, or
 * another request has taken over the Idempotency-Key. One of concurrent operations gets true, and gets it again if it
 * repeats the call.
 */
export function deleteGallery(shard: Shard, id: number, deletion: Deletion): Promise<boolean> {
  return changeGallery(shard, id, () => writeDeletion(shard, id, deletion))
}

async function writeDeletion(shard: Shard, id: number, { nowMs, operationId, sealed }: Deletion): Promise<boolean> {
  const marked = and(eq(galleries.id, id), eq(galleries.deletedBy, operationId))
  const isMarked = sql`EXISTS (SELECT 1 FROM ${galleries} WHERE ${marked})`
  const [, found] = await shard.db.batch([
    shard.db
      .update(galleries)
      .set(deletedColumns(nowMs, operationId))
      .where(and(eq(galleries.id, id), isNull(galleries.deletedAt), sealed && holdsKey(sealed))),
    shard.db.select({ id: galleries.id }).from(galleries).where(marked),
    shard.db.insert(galleryCleanup).select(sql`SELECT ${id}, 0, ${nowMs}, 0 WHERE ${isMarked}`).onConflictDoNothing(),
    ...(sealed ? [storeResponse(shard, sealed, isMarked)] : []),
  ])
  return found.length === 1
}

/** Returns the columns of a deleted gallery. Its upload token is not needed: requests get 415 before it is checked (D15). */
export function deletedColumns(nowMs: number, operationId: string) {
  return { deletedAt: nowMs, name: '', uploadTokenDigest: '', deletedBy: operationId }
}

/** Whether it was this operation that deleted the gallery. */
export async function isGalleryDeletedBy(shard: Shard, id: number, operationId: string): Promise<boolean> {
  return (await findGalleryById(shard, id))?.deletedBy === operationId
}
