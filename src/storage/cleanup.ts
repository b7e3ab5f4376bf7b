import { and, asc, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import { fileCleanup, galleryCleanup, images } from './schema.ts'
import type { Store } from './store.ts'

/** A picture whose files must be removed. */
export interface DueImage {
  id: number
  name: string
}

/**
 * Claims due pictures, the longest due first: after that, no upload can be recorded with them. Claimed rows stay due
 * until their files are removed, so the next sweep retries what a sweep that died left.
 */
export async function claimDueFiles(store: Store, nowMs: number, limit: number): Promise<DueImage[]> {
  const due = store.db
    .select({ imageId: fileCleanup.imageId })
    .from(fileCleanup)
    .where(lte(fileCleanup.dueAt, nowMs))
    .orderBy(asc(fileCleanup.dueAt))
    .limit(limit)
  return store.db
    .update(fileCleanup)
    .set({ claimed: true })
    .where(inArray(fileCleanup.imageId, due))
    .returning({ id: fileCleanup.imageId, name: fileCleanup.name })
}

/** Makes the files of an upload that failed due at once. */
export async function expireReservation(store: Store, id: number): Promise<void> {
  await store.db.update(fileCleanup).set({ dueAt: 0 }).where(eq(fileCleanup.imageId, id))
}

/** Deletes the cleanup rows of pictures whose files are removed. */
export async function completeFileCleanup(store: Store, ids: readonly number[]): Promise<void> {
  await store.db
    .delete(fileCleanup)
    .where(sql`${fileCleanup.imageId} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
}

/** A deleted gallery whose files must be removed, and the last picture for which that was done. */
export interface DueGallery {
  galleryId: number
  afterImageId: number
}

/** Deleted galleries that still have files, the longest due first. */
export async function findDueGalleries(store: Store, nowMs: number, limit: number): Promise<DueGallery[]> {
  return store.db
    .select({ galleryId: galleryCleanup.galleryId, afterImageId: galleryCleanup.afterImageId })
    .from(galleryCleanup)
    .where(lte(galleryCleanup.dueAt, nowMs))
    .orderBy(asc(galleryCleanup.dueAt))
    .limit(limit)
}

/** The next pictures of a deleted gallery whose files must be removed. */
export async function listGalleryFiles(store: Store, gallery: DueGallery, limit: number): Promise<DueImage[]> {
  return store.db
    .select({ id: images.id, name: images.name })
    .from(images)
    .where(and(eq(images.galleryId, gallery.galleryId), gt(images.id, gallery.afterImageId)))
    .orderBy(asc(images.id))
    .limit(limit)
}

/** Records that the files up to this picture are removed. */
export async function advanceGalleryCleanup(store: Store, galleryId: number, afterImageId: number): Promise<void> {
  await store.db.update(galleryCleanup).set({ afterImageId }).where(eq(galleryCleanup.galleryId, galleryId))
}

/** Deletes the cleanup row of a gallery whose files are all removed. */
export async function completeGalleryCleanup(store: Store, galleryId: number): Promise<void> {
  await store.db.delete(galleryCleanup).where(eq(galleryCleanup.galleryId, galleryId))
}
