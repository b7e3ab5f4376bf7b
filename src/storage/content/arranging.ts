import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { changeListing } from '../read-cache.ts'
import { galleries, galleryOrderMarkers, images } from '../schema.ts'
import type { Shard } from '../store.ts'

/** Where images are moved to: directly before or after another one, or to the beginning. */
export type Destination = { before: number } | { after: number } | 'beginning'

/** The outcome of a move. There is no destination if its image is deleted or hidden. */
export type MoveOutcome = 'moved' | 'no_destination' | 'gallery_deleted'

/** Between the ranks of images that are moved, so that others can be moved between them: 2^20. */
const STEP = 1_048_576
/** Between the ranks of one anchor when they are assigned again: those of 10,000 images stay below all ids. */
const WIDE_STEP = 268_435_456

/**
 * Moves images of a gallery, in this order, and arranges the gallery if it is in the order of arrival. It is one transaction, so of
 * concurrent moves one comes after the other. Those that the gallery does not show stay where they are.
 *
 * Only the images that are moved are written, besides the markers (migrations/0022_gallery_changes.sql). Where there is no rank left
 * between the images on both sides, those with the same anchor get new ranks first.
 */
export function moveImages(
  shard: Shard,
  galleryId: number,
  ids: readonly number[],
  destination: Destination,
): Promise<MoveOutcome> {
  return changeListing(shard, galleryId, () => writeMove(shard, galleryId, ids, destination))
}

async function writeMove(
  { db }: Shard,
  galleryId: number,
  ids: readonly number[],
  destination: Destination,
): Promise<MoveOutcome> {
  const isThere = sql`(SELECT id FROM galleries WHERE id = ${galleryId} AND deleted_at IS NULL)`
  const shown = sql`gallery_id = ${isThere} AND deleted_at IS NULL AND hidden_at IS NULL AND sort_anchor IS NOT NULL`
  const { target, previous, next, hasTarget } = besideOf(destination, shown)
  /** `sides` is one row: the keys on both sides, and the number of images that are moved. */
  const withSides = sql`
    WITH listed (id, at) AS (SELECT value, key FROM json_each(${JSON.stringify(ids)})),
      block AS (
        SELECT images.id, sort_anchor, row_number() OVER (ORDER BY at) AS n FROM listed JOIN images ON images.id = listed.id
        WHERE ${shown}),
      target AS (${target}),
      previous AS (${previous}),
      next AS (${next}),
      sides AS (
        SELECT previous.sort_anchor AS anchor_before, previous.sort_rank AS rank_before, next.sort_anchor AS anchor_after,
          next.sort_rank AS rank_after, (SELECT count(*) FROM block) AS moved,
          (SELECT min(sort_anchor) FROM block) AS least_anchor
        FROM (SELECT 1) LEFT JOIN previous LEFT JOIN next)`
  // Each statement is an UPDATE by its first word.
  const widened = sql`(
    ${withSides}
    SELECT id, row_number() OVER (ORDER BY sort_rank, id) * ${STEP_OF.wide} AS rank FROM images
    WHERE gallery_id = ${galleryId} AND sort_anchor = (SELECT anchor_after FROM sides)
      AND (SELECT anchor_before = anchor_after AND rank_after - rank_before <= moved FROM sides)) AS widened`
  const placed = sql`(
    ${withSides}
    SELECT block.id, coalesce(anchor_before, anchor_after, least_anchor) AS anchor,
      CASE
        WHEN anchor_before IS NULL THEN coalesce(rank_after, 0) - (moved - n + 1) * ${STEP_OF.usual}
        WHEN anchor_before = anchor_after THEN rank_before + n * ((rank_after - rank_before) / (moved + 1))
        ELSE rank_before + n * ${STEP_OF.usual} END AS rank
    FROM block, sides WHERE ${hasTarget}) AS placed`
  const [, , , , , [state]] = await db.batch([
    db
      .update(galleries)
      .set({ arranged: true })
      .where(and(eq(galleries.id, galleryId), sql`arranged = 0`, isNull(galleries.deletedAt))),
    db.update(images).set({ sortRank: sql`widened.rank` }).from(widened).where(sql`${images.id} = widened.id`),
    db
      .update(images)
      .set({ sortAnchor: sql`placed.anchor`, sortRank: sql`placed.rank` })
      .from(placed)
      .where(sql`${images.id} = placed.id`),
    db.delete(galleryOrderMarkers).where(eq(galleryOrderMarkers.galleryId, galleryId)),
    db.insert(galleryOrderMarkers).select(sql`
      SELECT ${galleryId}, sort_anchor, sort_rank, id, images_before FROM (
        SELECT sort_anchor, sort_rank, id, row_number() OVER (ORDER BY sort_anchor, sort_rank, id) - 1 AS images_before
        FROM images WHERE ${shown})
      WHERE images_before > 0 AND images_before % 100 = 0`),
    db
      .select({
        deletedAt: galleries.deletedAt,
        // D1 returns rows as objects: an unnamed column 1 would come first.
        hasTarget: sql<number>`${destination === 'beginning' ? sql`1` : sql`EXISTS (${target})`}`.as('has_target'),
      })
      .from(galleries)
      .where(eq(galleries.id, galleryId)),
  ])
  if (!state || state.deletedAt !== null) return 'gallery_deleted'
  return state.hasTarget ? 'moved' : 'no_destination'
}

const STEP_OF = { usual: sql.raw(String(STEP)), wide: sql.raw(String(WIDE_STEP)) }

/** SQL: the image that a destination names, and the images that will be on both sides of those that are moved. */
function besideOf(destination: Destination, shown: SQL): Record<'target' | 'previous' | 'next' | 'hasTarget', SQL> {
  const others = sql`SELECT sort_anchor, sort_rank, id FROM images WHERE ${shown} AND id NOT IN (SELECT id FROM listed)`
  const ascending = sql`ORDER BY sort_anchor, sort_rank, id LIMIT 1`
  const none = sql`SELECT NULL AS sort_anchor, NULL AS sort_rank, NULL AS id WHERE 0`
  if (destination === 'beginning') {
    return { target: none, previous: none, next: sql`${others} ${ascending}`, hasTarget: sql`1` }
  }
  const id = 'before' in destination ? destination.before : destination.after
  const target = sql`SELECT sort_anchor, sort_rank, id FROM images WHERE ${shown} AND id = ${id}`
  const hasTarget = sql`EXISTS (SELECT 1 FROM target)`
  const beyond = (comparison: SQL) =>
    sql`${others} AND (sort_anchor, sort_rank, id) ${comparison} (SELECT sort_anchor, sort_rank, id FROM target)`
  const itself = sql`SELECT * FROM target`
  return 'before' in destination
    ? {
        target,
        previous: sql`${beyond(sql`<`)} ORDER BY sort_anchor DESC, sort_rank DESC, id DESC LIMIT 1`,
        next: itself,
        hasTarget,
      }
    : { target, previous: itself, next: sql`${beyond(sql`>`)} ${ascending}`, hasTarget }
}
