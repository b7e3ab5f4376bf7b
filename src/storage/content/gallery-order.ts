import { and, gt, isNull, lte, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { galleryMarkers, galleryOrderMarkers, images } from '../schema.ts'

/** SQL: the order of an arranged gallery, and the same of its markers (migrations/0022_gallery_changes.sql). */
export const KEY = sql`(sort_anchor, sort_rank, id)`
const MARKER_KEY = sql`(sort_anchor, sort_rank, image_id)`

/** SQL: less than every anchor. */
export const BEFORE_ALL = sql`-9223372036854775807`

/** SQL: the images that a gallery shows, in a statement that selects from no other table. */
export function shownSql(galleryId: SQL): SQL {
  return sql`gallery_id = ${galleryId} AND deleted_at IS NULL AND hidden_at IS NULL`
}

/** SQL: whether an image has no time of its own that is over. */
export function isUnexpired(nowMs: number) {
  return or(isNull(images.expiresAt), gt(images.expiresAt, nowMs))
}

/** SQL: the number of images of a gallery that it would show, had they not expired. */
export function countExpired(galleryId: SQLWrapper, nowMs: number, among?: SQL) {
  return sql<number>`(
    SELECT count(*) FROM ${images} INDEXED BY images_of_gallery_expiring
    WHERE ${and(shownSql(sql`${galleryId}`), lte(images.expiresAt, nowMs), among)})`
}

/** SQL: the number of images that a gallery shows before an image, in the order of arrival. */
export function arrivalBefore(galleryId: number | SQL, id: number): SQL {
  const shownFrom = (from: SQL) => sql`(
    SELECT count(*) FROM ${images} WHERE ${shownSql(sql`${galleryId}`)} AND ${images.id} >= ${from} AND ${images.id} < ${id})`
  return sql`coalesce((
    SELECT images_before + ${shownFrom(sql`image_id`)} FROM ${galleryMarkers}
    WHERE gallery_id = ${galleryId} AND image_id <= ${id} ORDER BY image_id DESC LIMIT 1), ${shownFrom(sql`0`)})`
}

/** SQL: the number of images that an arranged gallery shows before this key. */
export function arrangedBefore(galleryId: number | SQL, key: SQL): SQL {
  const shownFrom = (from: SQL) => sql`(
    SELECT count(*) FROM ${images} WHERE ${shownSql(sql`${galleryId}`)} AND sort_anchor IS NOT NULL
      AND ${KEY} >= ${from} AND ${KEY} < ${key})`
  const ofMarker = sql`(marker.sort_anchor, marker.sort_rank, marker.image_id)`
  return sql`coalesce((
    SELECT images_before + ${shownFrom(ofMarker)} FROM ${galleryOrderMarkers} AS marker
    WHERE gallery_id = ${galleryId} AND ${MARKER_KEY} <= ${key}
    ORDER BY sort_anchor DESC, sort_rank DESC, image_id DESC LIMIT 1), ${shownFrom(sql`(${BEFORE_ALL}, 0, 0)`)})`
}
