import { and, eq, type SQL, sql } from 'drizzle-orm'
import { GALLERY_MAX_IMAGES } from '../../limits.ts'
import { changeImage } from '../read-cache.ts'
import { fileCleanup, galleries, type Image, images, managementTokens, uploadEvents } from '../schema.ts'
import type { Shard } from '../store.ts'
import { countGuestImage, type GuestUse, guestLinkIsOpen } from './guests.ts'
import { holdsKey, type SealedResponse, storeResponse } from './leases.ts'
import type { NewUploadEvent } from './upload-events.ts'

/**
 * The right by which an upload goes into a gallery: its upload token, until it is finalized, or its management token, until it is
 * deleted.
 */
export type GalleryRight = { kind: 'upload_token' } | { kind: 'management_token' } | ({ kind: 'guest' } & GuestUse)

/** SQL: whether a gallery admits an upload now, by each kind of right. */
const ADMITS: Record<GalleryRight['kind'], SQL> = {
  upload_token: sql`finalized_at IS NULL AND deleted_at IS NULL`,
  management_token: sql`deleted_at IS NULL`,
  guest: sql`deleted_at IS NULL`,
}

/**
 * Reserves an id for an upload by scheduling the removal of its files, in case it is never recorded. Returns false if a
 * record or another upload in progress has the id.
 */
export async function reserveImageId(shard: Shard, id: number, name: string, dueAt: number): Promise<boolean> {
  const result = await shard.db
    .insert(fileCleanup)
    .select(sql`SELECT ${id}, ${name}, ${dueAt}, 0, 0, 0 WHERE NOT ${isRecorded(id)}`)
    .onConflictDoNothing()
  return result.meta.changes === 1
}

/**
 * Inserts the record of an upload whose files are stored, and deletes the cleanup intent. It also stores the digest of the
 * management token, the response and the announcement, if there are any. It is atomic and may be sent more than once.
 *
 * Returns false if nothing was written. Then the gallery has expired or admits no image by this right any more, the sweep has
 * claimed the files, or another request has taken over the key.
 */
export function insertImage(
  shard: Shard,
  image: Image,
  tokenDigest: string | undefined,
  sealed: SealedResponse | undefined,
  nowMs: number,
  right: GalleryRight = { kind: 'upload_token' },
  event?: NewUploadEvent,
): Promise<boolean> {
  const write = () => writeImage(shard, image, tokenDigest, sealed, nowMs, right, event)
  // A gallery that takes uploads by its upload token is not public yet.
  return right.kind === 'upload_token' ? write() : changeImage(shard, image, write)
}

async function writeImage(
  shard: Shard,
  image: Image,
  tokenDigest: string | undefined,
  sealed: SealedResponse | undefined,
  nowMs: number,
  right: GalleryRight,
  event: NewUploadEvent | undefined,
): Promise<boolean> {
  const { id, galleryId } = image
  // A repeated call finds no intent, since the first has deleted it, and inserts nothing.
  const intentStands = sql`EXISTS (SELECT 1 FROM ${fileCleanup} WHERE image_id = ${id} AND claimed = 0)`
  const galleryIsOpen = sql`EXISTS (
    SELECT 1 FROM ${galleries} WHERE id = ${galleryId} AND ${ADMITS[right.kind]} AND image_count < ${GALLERY_MAX_IMAGES}
      AND (expires_at IS NULL OR expires_at > ${nowMs})
      AND ${right.kind === 'guest' ? guestLinkIsOpen(right) : sql`1`})`

  const [, found] = await shard.db.batch([
    shard.db.insert(images).select(sql`
      SELECT ${id}, ${image.name}, ${image.mediaType}, ${image.bytes}, ${image.width}, ${image.height},
        ${image.thumbnailBytes}, ${image.thumbnailWidth}, ${image.thumbnailHeight}, ${image.nsfw ? 1 : 0},
        ${galleryId}, NULL, NULL, ${image.sentDigest}, NULL, ${image.crc32}, NULL, ${image.thumbnailCrc32},
        ${image.previewMediaType}, ${image.previewBytes}, ${image.previewWidth}, ${image.previewHeight}, ${image.previewCrc32},
        ${image.displayName}, ${image.animated === null ? null : Number(image.animated)},
        ${image.caption}, ${image.alt}, ${image.sortAnchor}, ${image.sortRank}, ${image.expiresAt}
      WHERE ${intentStands} AND (${galleryId} IS NULL OR ${galleryIsOpen}) AND ${sealed ? holdsKey(sealed) : sql`1`}`),
    selectRecorded(shard, id),
    ...(right.kind === 'guest' ? [countGuestImage(shard, right, id, intentStands)] : []),
    shard.db
      .insert(managementTokens)
      .select(
        sql`SELECT ${tokenDigest ?? null}, ${id}, NULL WHERE ${tokenDigest ?? null} IS NOT NULL AND ${isRecorded(id)}`,
      )
      .onConflictDoNothing(),
    shard.db.delete(fileCleanup).where(and(eq(fileCleanup.imageId, id), isRecorded(id))),
    ...(sealed ? [storeResponse(shard, sealed, isRecorded(id))] : []),
    ...(event ? [insertEvent(shard, id, event)] : []),
  ])
  return found.length === 1
}

/** Stores the announcement of an image if that is recorded: a statement for a batch. */
function insertEvent(shard: Shard, id: number, { body, dueAt }: NewUploadEvent) {
  return shard.db
    .insert(uploadEvents)
    .select(sql`SELECT ${id}, ${body}, ${dueAt}, 0 WHERE ${isRecorded(id)}`)
    .onConflictDoNothing()
}

/**
 * Abandons an upload unless it is recorded: claims its files for the sweep, so that a record written later is refused.
 * Returns true if the upload is recorded.
 */
export async function abandonUpload(shard: Shard, { id, name }: Pick<Image, 'id' | 'name'>): Promise<boolean> {
  const [found] = await shard.db.batch([
    selectRecorded(shard, id),
    shard.db
      .insert(fileCleanup)
      .select(sql`SELECT ${id}, ${name}, 0, 1, 0, 0 WHERE NOT ${isRecorded(id)}`)
      .onConflictDoUpdate({ target: fileCleanup.imageId, set: { dueAt: 0, claimed: true, swept: false } }),
  ])
  return found.length === 1
}

function isRecorded(id: number) {
  return sql`EXISTS (SELECT 1 FROM ${images} WHERE id = ${id})`
}

function selectRecorded(shard: Shard, id: number) {
  return shard.db.select({ id: images.id }).from(images).where(eq(images.id, id))
}
