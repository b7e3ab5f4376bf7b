import { and, asc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { type Gallery, galleries, galleryMarkers, galleryOrderMarkers, type Image, images } from '../schema.ts'
import type { Records } from '../store.ts'
import { arrangedBefore, arrivalBefore, BEFORE_ALL, countExpired, isUnexpired, KEY, shownSql } from './gallery-order.ts'

/** A gallery in any state, with one page of the images that it shows, and its cover image, if one was chosen and is shown. */
export interface GalleryPage {
  gallery: Gallery
  images: Image[]
  cover: Image | undefined
}

/** A page of a gallery: `limit` images after the first `offset`. */
interface PageRange {
  limit: number
  offset: number
}

/**
 * Reads a gallery and a page of its images in one transaction: images may be deleted between two. Images that have expired are
 * neither listed nor counted.
 */
export async function findGalleryPage(
  records: Records,
  hash: string,
  range: PageRange,
  nowMs: number,
): Promise<GalleryPage | undefined> {
  const [[found], arrived, arranged] = await records.db.batch([
    records.db
      .select({ ...getTableColumns(galleries), expired: countExpired(galleries.id, nowMs) })
      .from(galleries)
      .where(eq(galleries.hash, hash)),
    ...selectPage(records, sql`(SELECT id FROM ${galleries} WHERE hash = ${hash})`, range),
  ])
  if (!found) return undefined
  const { expired, ...stored } = found
  const gallery = { ...stored, imageCount: stored.imageCount - expired }
  // The marks count images until maintenance deletes them, a minute after they expire.
  const page = expired === 0 ? [...arrived, ...arranged] : await listUnexpired(records, gallery.id, range, nowMs)
  return { gallery, images: page, cover: await findCover(records, gallery, page, nowMs) }
}

/** Reads one page of the images that have not expired, in the gallery's order, without the marks. */
function listUnexpired({ db }: Records, galleryId: number, { limit, offset }: PageRange, nowMs: number) {
  return db
    .select()
    .from(images)
    .where(and(shownSql(sql`${galleryId}`), isUnexpired(nowMs)))
    .orderBy(asc(images.sortAnchor), asc(images.sortRank), asc(images.id))
    .limit(limit)
    .offset(offset)
}

/** The chosen cover image of a gallery, if it is shown: mostly it is on the page. */
async function findCover({ db }: Records, { id, coverImageId }: Gallery, page: readonly Image[], nowMs: number) {
  if (coverImageId === null) return undefined
  const onPage = page.find((image) => image.id === coverImageId)
  if (onPage) return onPage
  const [found] = await db
    .select()
    .from(images)
    .where(and(eq(images.id, coverImageId), shownSql(sql`${id}`), isUnexpired(nowMs)))
  return found
}

/** A gallery in any state, with the images that it shows after one of them. */
export interface ImagesAfter {
  gallery: Gallery
  images: Image[]
  /** The number of images that it shows up to that one. */
  before: number
}

/**
 * Reads a gallery and up to `limit` of its images after the one with this id, which may be deleted; 0 is before the first. All is
 * read in one transaction.
 */
export async function findImagesAfter(
  { db }: Records,
  hash: string,
  afterId: number,
  limit: number,
  nowMs: number,
): Promise<ImagesAfter | undefined> {
  const galleryId = sql`(SELECT id FROM ${galleries} WHERE hash = ${hash})`
  const isArranged = sql`(SELECT arranged FROM ${galleries} WHERE hash = ${hash})`
  const shown = shownSql(galleryId)
  const key = sql`(
    SELECT * FROM (SELECT sort_anchor, sort_rank, id FROM ${images} WHERE id = ${afterId} AND sort_anchor IS NOT NULL)
    UNION ALL SELECT ${afterId === 0 ? BEFORE_ALL : sql`${afterId}`}, 0, ${afterId} LIMIT 1)`
  const isShown = sql`EXISTS (SELECT 1 FROM ${images} WHERE ${shown} AND id = ${afterId})`
  const [[found], arrived, arranged] = await db.batch([
    db
      .select({
        ...getTableColumns(galleries),
        before: sql<number>`iif(${isArranged}, ${arrangedBefore(galleryId, key)} + ${isShown}, ${arrivalBefore(galleryId, afterId + 1)})`,
        expired: countExpired(galleries.id, nowMs),
        expiredBefore: countExpired(
          galleries.id,
          nowMs,
          sql`iif(${isArranged}, (images.sort_anchor, images.sort_rank, images.id) <= ${key}, images.id <= ${afterId})`,
        ),
      })
      .from(galleries)
      .where(eq(galleries.hash, hash)),
    db
      .select()
      .from(images)
      .where(sql`NOT ${isArranged} AND ${shown} AND id > ${afterId} AND ${isUnexpired(nowMs)}`)
      .orderBy(asc(images.id))
      .limit(limit),
    db
      .select()
      .from(images)
      .where(sql`${isArranged} AND ${shown} AND sort_anchor IS NOT NULL AND ${KEY} > ${key} AND ${isUnexpired(nowMs)}`)
      .orderBy(asc(images.sortAnchor), asc(images.sortRank), asc(images.id))
      .limit(limit),
  ])
  if (!found) return undefined
  const { before, expired, expiredBefore, ...stored } = found
  const gallery = { ...stored, imageCount: stored.imageCount - expired }
  return { gallery, images: [...arrived, ...arranged], before: before - expiredBefore }
}

/** Reads one page of a gallery's images. */
export async function listGalleryImages(records: Records, galleryId: number, range: PageRange): Promise<Image[]> {
  const [arrived, arranged] = await records.db.batch(selectPage(records, sql`${galleryId}`, range))
  return [...arrived, ...arranged]
}

/**
 * Selects one page of a gallery's images: in the order of arrival, and in that of an arranged gallery. One of both is empty. However
 * many images are before the page, each reads the marks of the gallery and less than 200 images more than it returns
 * (migrations/0005_gallery_counts.sql).
 */
function selectPage({ db }: Records, galleryId: SQL, { limit, offset }: PageRange) {
  const shown = shownSql(galleryId)
  const isArranged = sql`(SELECT arranged FROM ${galleries} WHERE id = ${galleryId})`
  /** A column of the last marker with at most `offset` images before it; 0 where there is none. */
  const ofMarker = (column: SQL) => sql`coalesce((
    SELECT ${column} FROM ${galleryMarkers} WHERE gallery_id = ${galleryId} AND images_before <= ${offset}
    ORDER BY image_id DESC LIMIT 1), 0)`
  const firstId = sql`(
    SELECT id FROM ${images} WHERE ${shown} AND id >= ${ofMarker(sql`image_id`)}
    ORDER BY id LIMIT 1 OFFSET ${offset} - ${ofMarker(sql`images_before`)})`
  const orderMarker = sql`
    FROM ${galleryOrderMarkers} WHERE gallery_id = ${galleryId} AND images_before <= ${offset}
    ORDER BY sort_anchor DESC, sort_rank DESC, image_id DESC LIMIT 1`
  const firstKey = sql`(
    SELECT sort_anchor, sort_rank, id FROM ${images}
    WHERE ${shown} AND sort_anchor IS NOT NULL AND ${KEY} >= (
      SELECT * FROM (SELECT sort_anchor, sort_rank, image_id ${orderMarker}) UNION ALL SELECT ${BEFORE_ALL}, 0, 0 LIMIT 1)
    ORDER BY sort_anchor, sort_rank, id
    LIMIT 1 OFFSET ${offset} - coalesce((SELECT images_before ${orderMarker}), 0))`
  return [
    db
      .select()
      .from(images)
      .where(sql`NOT ${isArranged} AND ${shown} AND id >= ${firstId}`)
      .orderBy(asc(images.id))
      .limit(limit),
    db
      .select()
      .from(images)
      .where(sql`${isArranged} AND ${shown} AND sort_anchor IS NOT NULL AND ${KEY} >= ${firstKey}`)
      .orderBy(asc(images.sortAnchor), asc(images.sortRank), asc(images.id))
      .limit(limit),
  ] as const
}
