import { and, asc, eq, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { listOf } from '../json-list.ts'
import { fileCleanup, galleryCleanup, images } from '../schema.ts'
import type { Shard } from '../store.ts'
import { eraseImages, forgetGallery, type RemovedImage } from './forgetting.ts'

/** An image whose files must be removed. */
export interface DueImage {
  id: number
  name: string
}

/**
 * Claims due images, the longest due first: after that, no upload can be recorded with them. Claimed rows stay due
 * until their files are removed, so the next sweep retries what a sweep that died left.
 */
export async function claimDueFiles(shard: Shard, nowMs: number, limit: number): Promise<DueImage[]> {
  const due = shard.db
    .select({ imageId: fileCleanup.imageId })
    .from(fileCleanup)
    .where(lte(fileCleanup.dueAt, nowMs))
    .orderBy(asc(fileCleanup.dueAt))
    .limit(limit)
  return shard.db
    .update(fileCleanup)
    .set({ claimed: true })
    .where(inArray(fileCleanup.imageId, due))
    .returning({ id: fileCleanup.imageId, name: fileCleanup.name })
}

/**
 * Deletes the cleanup rows of images whose files are removed, and forgets these images. Rows of uploads that were never
 * recorded stay, once, until `recheckAtMs`: a slow put may have stored a file after it was removed.
 */
export async function completeFileCleanup(
  shard: Shard,
  removed: readonly RemovedImage[],
  { nowMs, recheckAtMs }: { nowMs: number; recheckAtMs: number },
): Promise<void> {
  if (removed.length === 0) return
  const done = sql`${fileCleanup.imageId} IN ${listOf(removed.map(({ id }) => id))}`
  const isRecorded = sql`EXISTS (SELECT 1 FROM ${images} WHERE id = ${fileCleanup.imageId})`
  // One that is not due any more was swept a moment ago: by another sweep, or by this very batch, if it comes twice.
  const sweptBefore = and(eq(fileCleanup.swept, true), lte(fileCleanup.dueAt, nowMs))
  await shard.db.batch([
    ...eraseImages(shard, removed),
    shard.db.delete(fileCleanup).where(and(done, or(sweptBefore, isRecorded))),
    shard.db.update(fileCleanup).set({ swept: true, dueAt: recheckAtMs }).where(done),
  ])
}

/** A deleted gallery whose files must be removed, and the last image for which that was done. */
export interface DueGallery {
  galleryId: number
  afterImageId: number
}

/** Deleted galleries that still have files, the longest due first. */
export async function findDueGalleries(shard: Shard, nowMs: number, limit: number): Promise<DueGallery[]> {
  return shard.db
    .select({ galleryId: galleryCleanup.galleryId, afterImageId: galleryCleanup.afterImageId })
    .from(galleryCleanup)
    .where(lte(galleryCleanup.dueAt, nowMs))
    .orderBy(asc(galleryCleanup.dueAt))
    .limit(limit)
}

/** The next images of a deleted gallery whose files must be removed: those that are forgotten have none. */
export async function listGalleryFiles(shard: Shard, gallery: DueGallery, limit: number): Promise<DueImage[]> {
  return shard.db
    .select({ id: images.id, name: images.name })
    .from(images)
    .where(and(eq(images.galleryId, gallery.galleryId), gt(images.id, gallery.afterImageId), isNull(images.pathDigest)))
    .orderBy(asc(images.id))
    .limit(limit)
}

/** Records that the files up to this image are removed, as far as they can be, and forgets the images whose files are. */
export async function advanceGalleryCleanup(
  shard: Shard,
  { galleryId, afterImageId }: DueGallery,
  removed: readonly RemovedImage[],
): Promise<void> {
  await shard.db.batch([
    shard.db.update(galleryCleanup).set({ afterImageId }).where(eq(galleryCleanup.galleryId, galleryId)),
    ...(removed.length === 0 ? [] : eraseImages(shard, removed)),
  ])
}

/** Deletes the cleanup row of a gallery whose files are all removed, and forgets the gallery. */
export async function completeGalleryCleanup(shard: Shard, galleryId: number): Promise<void> {
  await shard.db.batch([
    ...forgetGallery(shard, galleryId),
    shard.db.delete(galleryCleanup).where(eq(galleryCleanup.galleryId, galleryId)),
  ])
}
