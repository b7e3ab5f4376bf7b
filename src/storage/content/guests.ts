import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { type Gallery, type GuestLink, galleries, guestLinks, images } from '../schema.ts'
import type { Shard } from '../store.ts'

/** A link to store: nobody has used it yet. */
export type NewGuestLink = Pick<GuestLink, 'galleryId' | 'digest' | 'nonce' | 'createdAt' | 'expiresAt' | 'maxImages'>

/** The use of a link by an upload: the link is counted in the transaction of the record. */
export interface GuestUse {
  digest: string
  nowMs: number
}

/**
 * Stores the link of a gallery in place of the earlier one with this digest, or of none. Returns false if the gallery is deleted, or has
 * another link by now: a call that takes effect late must not replace a link that was made after it.
 */
export async function putGuestLink(shard: Shard, link: NewGuestLink, earlier: string | undefined): Promise<boolean> {
  const { galleryId, digest, nonce, createdAt, expiresAt, maxImages } = link
  const isStill = sql`(SELECT digest FROM ${guestLinks} WHERE gallery_id = ${galleryId}) IS ${earlier ?? null}`
  const set = { digest, nonce, createdAt, expiresAt, maxImages, imageCount: 0, closedAt: null }
  const [, found] = await shard.db.batch([
    shard.db
      .insert(guestLinks)
      .select(sql`
        SELECT id, ${digest}, ${nonce}, ${createdAt}, ${expiresAt}, ${maxImages}, 0, NULL
        FROM ${galleries} WHERE id = ${galleryId} AND deleted_at IS NULL AND ${isStill}`)
      .onConflictDoUpdate({ target: guestLinks.galleryId, set }),
    shard.db.select({ digest: guestLinks.digest }).from(guestLinks).where(eq(guestLinks.digest, digest)),
  ])
  return found.length === 1
}

/** Closes the link with this digest, if it is open. Another link that has replaced it stays open. */
export async function closeGuestLink(shard: Shard, digest: string, nowMs: number): Promise<void> {
  await shard.db
    .update(guestLinks)
    .set({ closedAt: nowMs })
    .where(and(eq(guestLinks.digest, digest), isNull(guestLinks.closedAt)))
}

/** The link of a gallery, in any state. */
export async function findGuestLinkOf(shard: Shard, galleryId: number): Promise<GuestLink | undefined> {
  const [link] = await shard.db.select().from(guestLinks).where(eq(guestLinks.galleryId, galleryId))
  return link
}

/** The link with this digest in any state, and its gallery. */
export async function findGuestLink(
  shard: Shard,
  digest: string,
): Promise<{ link: GuestLink; gallery: Gallery } | undefined> {
  const [found] = await shard.db
    .select({ link: guestLinks, gallery: galleries })
    .from(guestLinks)
    .innerJoin(galleries, eq(galleries.id, guestLinks.galleryId))
    .where(eq(guestLinks.digest, digest))
  return found
}

/** SQL: whether a link accepts one more image. */
export function guestLinkIsOpen({ digest, nowMs }: GuestUse) {
  return sql`EXISTS (
    SELECT 1 FROM ${guestLinks} WHERE digest = ${digest} AND closed_at IS NULL
      AND (expires_at IS NULL OR expires_at > ${nowMs}) AND (max_images IS NULL OR image_count < max_images))`
}

/**
 * Counts an image of a guest: a statement between the insert of its record and the removal of its cleanup intent. A repeated batch
 * finds no intent, and counts nothing.
 */
export function countGuestImage(shard: Shard, { digest }: GuestUse, imageId: number, intentStands: SQL) {
  return shard.db
    .update(guestLinks)
    .set({ imageCount: sql`${guestLinks.imageCount} + 1` })
    .where(
      and(
        eq(guestLinks.digest, digest),
        intentStands,
        sql`EXISTS (SELECT 1 FROM ${images} WHERE ${images.id} = ${imageId})`,
      ),
    )
}
