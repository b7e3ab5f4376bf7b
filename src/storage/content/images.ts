import { and, eq, gte, isNull, sql } from 'drizzle-orm'
import { listOf } from '../json-list.ts'
import { changeImage, changeImages } from '../read-cache.ts'
import { fileCleanup, type Gallery, galleries, heartbeats, type Image, images } from '../schema.ts'
import type { Records, Shard } from '../store.ts'
import type { Deletion } from './galleries.ts'
import { holdsKey, storeResponse } from './leases.ts'

/** An image with its gallery, if it is in one. */
export interface ImageWithGallery {
  image: Image
  gallery: Gallery | null
}

/** The columns of an image without a stored preview. */
export const NO_PREVIEW = {
  previewMediaType: null,
  previewBytes: null,
  previewWidth: null,
  previewHeight: null,
  previewCrc32: null,
}

/** The image with this id, in any state, with its gallery; undefined if there is no record. */
export async function findImage(shard: Shard, id: number): Promise<ImageWithGallery | undefined> {
  const [found] = await findImages(shard, [id])
  return found
}

/** Returns the images with these ids that have records, in no particular order, with one query. */
export async function findImages(shard: Shard, ids: readonly number[]): Promise<ImageWithGallery[]> {
  return imagesWithGalleries(shard).where(listed(ids))
}

/**
 * Returns the same from a replica, with one query; undefined if the replica may lag by more than since `beatFromMs`.
 */
export async function findImagesAtReplica(
  { replica }: Shard,
  ids: readonly number[],
  beatFromMs: number,
): Promise<ImageWithGallery[] | undefined> {
  const rows = await replica.db
    .select({ image: images, gallery: galleries })
    .from(heartbeats)
    .leftJoin(images, listed(ids))
    .leftJoin(galleries, eq(galleries.id, images.galleryId))
    .where(gte(heartbeats.beatAt, beatFromMs))
  // Without any of the images there is one row, with the time of the replica alone.
  return rows.length === 0 ? undefined : rows.flatMap(({ image, gallery }) => (image ? [{ image, gallery }] : []))
}

/** A query for images with their galleries. */
export function imagesWithGalleries(records: Records) {
  return records.db
    .select({ image: images, gallery: galleries })
    .from(images)
    .leftJoin(galleries, eq(galleries.id, images.galleryId))
}

/** The ids of all images of a gallery, in any state. */
export async function listGalleryIds(shard: Shard, galleryId: number): Promise<number[]> {
  const rows = await shard.db.select({ id: images.id }).from(images).where(eq(images.galleryId, galleryId))
  return rows.map(({ id }) => id)
}

/**
 * Deletes the record of an image, schedules the removal of its files, and stores the response, if there is one. Returns false if
 * it was already deleted, or another request has taken over the Idempotency-Key. Of concurrent operations, one gets true, and
 * gets it again if it repeats the call.
 */
export function deleteImage(
  shard: Shard,
  image: Pick<Image, 'id' | 'name' | 'galleryId'>,
  deletion: Deletion,
): Promise<boolean> {
  return changeImage(shard, image, () => writeDeletion(shard, image, deletion))
}

async function writeDeletion(
  shard: Shard,
  { id, name }: Pick<Image, 'id' | 'name'>,
  { nowMs, operationId, sealed }: Deletion,
): Promise<boolean> {
  const marked = and(eq(images.id, id), eq(images.deletedBy, operationId))
  const isMarked = sql`EXISTS (SELECT 1 FROM ${images} WHERE ${marked})`
  const [, found] = await shard.db.batch([
    shard.db
      .update(images)
      .set({ deletedAt: nowMs, deletedBy: operationId })
      .where(and(eq(images.id, id), isNull(images.deletedAt), sealed && holdsKey(sealed))),
    shard.db.select({ id: images.id }).from(images).where(marked),
    shard.db
      .insert(fileCleanup)
      .select(sql`SELECT ${id}, ${name}, ${nowMs}, 0, 0, 0 WHERE ${isMarked}`)
      .onConflictDoNothing(),
    ...(sealed ? [storeResponse(shard, sealed, isMarked)] : []),
  ])
  return found.length === 1
}

/**
 * Deletes the records of several images of a gallery, and schedules the removal of their files. Returns the ids of those that this
 * operation deleted, and the same if it repeats the call.
 */
export function deleteImages(
  shard: Shard,
  galleryId: number,
  ids: readonly number[],
  { nowMs, operationId }: Deletion,
): Promise<number[]> {
  const which = and(listed(ids), eq(images.galleryId, galleryId))
  const marked = and(which, eq(images.deletedBy, operationId))
  return changeImages(shard, ids, galleryId, async () => {
    const [, found] = await shard.db.batch([
      shard.db
        .update(images)
        .set({ deletedAt: nowMs, deletedBy: operationId })
        .where(and(which, isNull(images.deletedAt))),
      shard.db.select({ id: images.id }).from(images).where(marked),
      shard.db
        .insert(fileCleanup)
        .select(sql`SELECT ${images.id}, ${images.name}, ${nowMs}, 0, 0, 0 FROM ${images} WHERE ${marked}`)
        .onConflictDoNothing(),
    ])
    return found.map(({ id }) => id)
  })
}

/** Whether it was this operation that deleted the image. */
export async function isImageDeletedBy(shard: Shard, id: number, operationId: string): Promise<boolean> {
  return (await findImage(shard, id))?.image.deletedBy === operationId
}

/** The texts of an image: null erases one, undefined leaves it as it is. */
export interface ImageTexts {
  caption: string | null | undefined
  alt: string | null | undefined
}

/** Writes texts of an image. Returns the image as stored; undefined if it is deleted, or its gallery is. */
export function writeImageTexts(
  shard: Shard,
  image: Pick<Image, 'id' | 'galleryId'>,
  { caption, alt }: ImageTexts,
): Promise<Image | undefined> {
  return changeImage(shard, image, async () => {
    const [row] = await shard.db
      .update(images)
      .set({ ...(caption === undefined ? {} : { caption }), ...(alt === undefined ? {} : { alt }) })
      .where(
        and(
          eq(images.id, image.id),
          isNull(images.deletedAt),
          sql`NOT EXISTS (SELECT 1 FROM ${galleries} WHERE id = ${image.galleryId} AND deleted_at IS NOT NULL)`,
        ),
      )
      .returning()
    return row
  })
}

export function listed(ids: readonly number[]) {
  return sql`${images.id} IN ${listOf(ids)}`
}
