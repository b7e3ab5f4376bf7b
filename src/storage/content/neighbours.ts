import { and, asc, eq, getTableColumns, isNotNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { type Gallery, galleries, type Image, images } from '../schema.ts'
import type { Records } from '../store.ts'
import { arrangedBefore, arrivalBefore, countExpired, isUnexpired, KEY, shownSql } from './gallery-order.ts'
import { listed } from './images.ts'

/** An image's gallery in any state, and the images before and after it: the first has no previous one, the last no next one. */
export interface Neighbours {
  gallery: Gallery
  previous: Image | undefined
  next: Image | undefined
  /** From 1. */
  position: number
  /** Whether an image of the gallery has a time of its own: then neighbours and position change without a write. */
  hasExpiring: boolean
}

/**
 * Finds the neighbours of an image in its gallery, in the gallery's order, and its position by the marks, in one transaction.
 * Undefined if the gallery does not show the image any more.
 */
export async function findNeighbours(
  records: Records,
  galleryId: number,
  id: number,
  nowMs: number,
): Promise<Neighbours | undefined> {
  const { db } = records
  const shown = shownSql(sql`${galleryId}`)
  const key = sql`(SELECT sort_anchor, sort_rank, id FROM ${images} WHERE id = ${id})`
  const isArranged = sql`(SELECT sort_anchor FROM ${images} WHERE id = ${id}) IS NOT NULL`
  const beside = (comparison: SQL, direction: SQL) =>
    db
      .select()
      .from(images)
      .where(
        sql`${images.id} = coalesce(
        (SELECT id FROM ${images} WHERE ${shown} AND sort_anchor IS NOT NULL AND ${KEY} ${comparison} ${key}
          ORDER BY sort_anchor ${direction}, sort_rank ${direction}, id ${direction} LIMIT 1),
        (SELECT id FROM ${images} WHERE ${shown} AND NOT ${isArranged} AND id ${comparison} ${id} ORDER BY id ${direction} LIMIT 1))`,
      )
  const [[previous], [next], [found]] = await db.batch([
    beside(sql`<`, sql`DESC`),
    beside(sql`>`, sql`ASC`),
    db
      .select({
        ...getTableColumns(galleries),
        before: sql<number>`iif(${isArranged}, ${arrangedBefore(galleryId, key)}, ${arrivalBefore(galleryId, id)})`,
        expired: countExpired(galleries.id, nowMs),
        hasExpiring: hasExpiring(galleries.id),
      })
      .from(galleries)
      .where(
        and(eq(galleries.id, galleryId), sql`EXISTS (SELECT 1 FROM ${images} WHERE ${shown} AND ${images.id} = ${id})`),
      ),
  ])
  if (!found) return undefined
  const { before, expired, hasExpiring: expires, ...stored } = found
  const gallery = { ...stored, imageCount: stored.imageCount - expired }
  const marked = { previous, next, position: before + 1 }
  // The marks count images until maintenance deletes them.
  const neighbours = expired === 0 ? marked : await findUnexpiredNeighbours(records, galleryId, id, nowMs)
  return { gallery, ...neighbours, hasExpiring: expires === 1 }
}

/** Finds the neighbours and the position of an image among those that have not expired, without the marks. */
async function findUnexpiredNeighbours({ db }: Records, galleryId: number, id: number, nowMs: number) {
  const ordered = await db
    .select({ id: images.id })
    .from(images)
    .where(and(shownSql(sql`${galleryId}`), isUnexpired(nowMs)))
    .orderBy(asc(images.sortAnchor), asc(images.sortRank), asc(images.id))
  const at = ordered.findIndex((image) => image.id === id)
  const ids = [ordered[at - 1]?.id, ordered[at + 1]?.id]
  const found = await db
    .select()
    .from(images)
    .where(listed(ids.filter((one) => one !== undefined)))
  const [previous, next] = ids.map((one) => found.find((image) => image.id === one))
  return { previous, next, position: at + 1 }
}

/** SQL: whether a gallery shows an image that has a time of its own. */
function hasExpiring(galleryId: SQLWrapper) {
  return sql<number>`EXISTS (
    SELECT 1 FROM ${images} INDEXED BY images_of_gallery_expiring
    WHERE ${and(shownSql(sql`${galleryId}`), isNotNull(images.expiresAt))})`
}
