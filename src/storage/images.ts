import { and, asc, desc, eq, gt, gte, isNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import { GALLERY_MAX_IMAGES } from '../limits.ts'
import type { DeleteMark } from './galleries.ts'
import { holdsKey, keepAnswer, type SealedAnswer } from './idempotency.ts'
import { fileCleanup, type Gallery, galleries, galleryMarks, type Image, images, managementTokens } from './schema.ts'
import type { Store } from './store.ts'

/** A picture with its gallery, if it is in one. */
export interface ImageWithGallery {
  image: Image
  gallery: Gallery | null
}

/**
 * Reserves an id for an upload by scheduling the removal of its files, in case it is never recorded. False if the id is
 * taken by a record or by another upload in progress.
 */
export async function reserveImageId(store: Store, id: number, name: string, dueAt: number): Promise<boolean> {
  const result = await store.db
    .insert(fileCleanup)
    .select(sql`SELECT ${id}, ${name}, ${dueAt}, 0, 0, 0 WHERE NOT ${isRecorded(id)}`)
    .onConflictDoNothing()
  return result.meta.changes === 1
}

/**
 * Inserts the record of an upload whose files are stored, with the digest of its management token and the answer to keep,
 * if there are any, and cancels the scheduled removal: all of it or nothing, and once, however often it is sent. False if
 * nothing was written: the gallery was finalized, deleted or filled in the meantime, the sweep has claimed the files, or
 * another request has taken over the key.
 */
export async function insertImage(
  store: Store,
  image: Image,
  tokenDigest: string | undefined,
  sealed: SealedAnswer | undefined,
): Promise<boolean> {
  const { id, galleryId } = image
  // The first time deletes the row: the second finds none, and inserts nothing.
  const intentStands = sql`EXISTS (SELECT 1 FROM ${fileCleanup} WHERE image_id = ${id} AND claimed = 0)`
  const galleryIsOpen = sql`EXISTS (
    SELECT 1 FROM ${galleries} WHERE id = ${galleryId} AND finalized_at IS NULL AND deleted_at IS NULL
      AND image_count < ${GALLERY_MAX_IMAGES})`

  const [, found] = await store.db.batch([
    store.db.insert(images).select(sql`
      SELECT ${id}, ${image.name}, ${image.mediaType}, ${image.bytes}, ${image.width}, ${image.height},
        ${image.thumbnailBytes}, ${image.thumbnailWidth}, ${image.thumbnailHeight}, ${image.nsfw ? 1 : 0},
        ${galleryId}, NULL, NULL, ${image.sentDigest}, NULL, ${image.crc32}, NULL
      WHERE ${intentStands} AND (${galleryId} IS NULL OR ${galleryIsOpen}) AND ${sealed ? holdsKey(sealed) : sql`1`}`),
    selectRecorded(store, id),
    store.db
      .insert(managementTokens)
      .select(
        sql`SELECT ${tokenDigest ?? null}, ${id}, NULL WHERE ${tokenDigest ?? null} IS NOT NULL AND ${isRecorded(id)}`,
      )
      .onConflictDoNothing(),
    store.db.delete(fileCleanup).where(and(eq(fileCleanup.imageId, id), isRecorded(id))),
    ...(sealed ? [keepAnswer(store, sealed, isRecorded(id))] : []),
  ])
  return found.length === 1
}

/**
 * Gives up an upload unless it is recorded: claims its files for the sweep, at once, so that a record that is still on its
 * way comes too late. True if it is recorded.
 */
export async function abandonUpload(store: Store, { id, name }: Pick<Image, 'id' | 'name'>): Promise<boolean> {
  const [found] = await store.db.batch([
    selectRecorded(store, id),
    store.db
      .insert(fileCleanup)
      .select(sql`SELECT ${id}, ${name}, 0, 1, 0, 0 WHERE NOT ${isRecorded(id)}`)
      .onConflictDoUpdate({ target: fileCleanup.imageId, set: { dueAt: 0, claimed: true, swept: false } }),
  ])
  return found.length === 1
}

/** The picture with this id, in any state, with its gallery; undefined if there is no record. */
export async function findImage(store: Store, id: number): Promise<ImageWithGallery | undefined> {
  const [found] = await findImages(store, [id])
  return found
}

/** The pictures with these ids, as far as they have records, in no particular order. One query with one parameter: D1 allows 100. */
export async function findImages(store: Store, ids: readonly number[]): Promise<ImageWithGallery[]> {
  return imagesWithGalleries(store).where(sql`${images.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
}

/** A query for pictures with their galleries. */
export function imagesWithGalleries(store: Store) {
  return store.db
    .select({ image: images, gallery: galleries })
    .from(images)
    .leftJoin(galleries, eq(galleries.id, images.galleryId))
}

/**
 * One page of a gallery's pictures, in the order of arrival. However many pictures stand before it, it reads the marks of the
 * gallery and less than 200 pictures more than it gives (migrations/0005_gallery_counts.sql).
 */
export async function listGalleryImages(
  store: Store,
  galleryId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<Image[]> {
  const { imageId, imagesBefore } = await findMark(store, galleryId, offset)
  return store.db
    .select()
    .from(images)
    .where(and(shownIn(galleryId), gte(images.id, imageId)))
    .orderBy(asc(images.id))
    .limit(limit)
    .offset(offset - imagesBefore)
}

/** The last mark with at most so many pictures before it, or the beginning. */
async function findMark(store: Store, galleryId: number, offset: number) {
  const [mark] = await store.db
    .select()
    .from(galleryMarks)
    .where(and(eq(galleryMarks.galleryId, galleryId), lte(galleryMarks.imagesBefore, offset)))
    .orderBy(desc(galleryMarks.imageId))
    .limit(1)
  return mark ?? { imageId: 0, imagesBefore: 0 }
}

/** The pictures before and after one in its gallery: the first has no previous one, the last no next one. */
export interface Neighbours {
  previous: Image | undefined
  next: Image | undefined
  /** From 1. */
  position: number
}

/** Finds the neighbours of a picture in its gallery, in the order of arrival, and its position by the marks. */
export async function findNeighbours(store: Store, galleryId: number, id: number): Promise<Neighbours> {
  const shown = shownIn(galleryId)
  const shownFrom = (from: SQL) => sql`(
    SELECT count(*) FROM ${images} WHERE ${and(shown, sql`${images.id} >= ${from}`, lt(images.id, id))})`
  const [[previous], [next], [before]] = await store.db.batch([
    store.db
      .select()
      .from(images)
      .where(and(shown, lt(images.id, id)))
      .orderBy(desc(images.id))
      .limit(1),
    store.db
      .select()
      .from(images)
      .where(and(shown, gt(images.id, id)))
      .orderBy(asc(images.id))
      .limit(1),
    store.db
      .select({
        count: sql<number>`coalesce((
          SELECT ${galleryMarks.imagesBefore} + ${shownFrom(sql`${galleryMarks.imageId}`)} FROM ${galleryMarks}
          WHERE ${and(eq(galleryMarks.galleryId, galleryId), lte(galleryMarks.imageId, id))}
          ORDER BY ${desc(galleryMarks.imageId)} LIMIT 1), ${shownFrom(sql`0`)})`,
      })
      .from(galleries)
      .where(eq(galleries.id, galleryId)),
  ])
  return { previous, next, position: (before?.count ?? 0) + 1 }
}

/**
 * Marks a picture deleted, schedules the removal of its files, and stores the answer to keep, if there is one. False if it
 * was deleted already, or another request has taken over the Idempotency-Key: of simultaneous operations, one gets true, and
 * gets it again if it asks twice.
 */
export async function markImageDeleted(
  store: Store,
  { id, name }: Pick<Image, 'id' | 'name'>,
  { nowMs, operationId, sealed }: DeleteMark,
): Promise<boolean> {
  const marked = and(eq(images.id, id), eq(images.deletedBy, operationId))
  const isMarked = sql`EXISTS (SELECT 1 FROM ${images} WHERE ${marked})`
  const [, found] = await store.db.batch([
    store.db
      .update(images)
      .set({ deletedAt: nowMs, deletedBy: operationId })
      .where(and(eq(images.id, id), isNull(images.deletedAt), sealed && holdsKey(sealed))),
    store.db.select({ id: images.id }).from(images).where(marked),
    store.db
      .insert(fileCleanup)
      .select(sql`SELECT ${id}, ${name}, ${nowMs}, 0, 0, 0 WHERE ${isMarked}`)
      .onConflictDoNothing(),
    ...(sealed ? [keepAnswer(store, sealed, isMarked)] : []),
  ])
  return found.length === 1
}

/** Whether it was this operation that deleted the picture. */
export async function isImageDeletedBy(store: Store, id: number, operationId: string): Promise<boolean> {
  return (await findImage(store, id))?.image.deletedBy === operationId
}

function shownIn(galleryId: number) {
  return and(eq(images.galleryId, galleryId), isNull(images.deletedAt), isNull(images.hiddenAt))
}

function isRecorded(id: number) {
  return sql`EXISTS (SELECT 1 FROM ${images} WHERE id = ${id})`
}

function selectRecorded(store: Store, id: number) {
  return store.db.select({ id: images.id }).from(images).where(eq(images.id, id))
}
