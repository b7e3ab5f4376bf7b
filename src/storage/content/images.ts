import {
  and,
  asc,
  eq,
  getTableColumns,
  gt,
  gte,
  isNotNull,
  isNull,
  lte,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import { GALLERY_MAX_IMAGES } from '../../limits.ts'
import { listOf } from '../json-list.ts'
import { changeImage, changeImages } from '../read-cache.ts'
import {
  fileCleanup,
  type Gallery,
  galleries,
  galleryMarkers,
  galleryOrderMarkers,
  heartbeats,
  type Image,
  images,
  managementTokens,
  uploadEvents,
} from '../schema.ts'
import type { Records, Shard } from '../store.ts'
import type { Deletion } from './galleries.ts'
import { countGuestImage, type GuestUse, guestLinkIsOpen } from './guests.ts'
import { holdsKey, type SealedResponse, storeResponse } from './leases.ts'
import type { NewUploadEvent } from './upload-events.ts'

/** An image with its gallery, if it is in one. */
export interface ImageWithGallery {
  image: Image
  gallery: Gallery | null
}

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

/** The columns of an image without a stored preview. */
export const NO_PREVIEW = {
  previewMediaType: null,
  previewBytes: null,
  previewWidth: null,
  previewHeight: null,
  previewCrc32: null,
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

/** SQL: the number of images of a gallery that it would show, had they not expired. */
function countExpired(galleryId: SQLWrapper, nowMs: number, among?: SQL) {
  return sql<number>`(
    SELECT count(*) FROM ${images} INDEXED BY images_of_gallery_expiring
    WHERE ${and(shownSql(sql`${galleryId}`), lte(images.expiresAt, nowMs), among)})`
}

/** SQL: whether a gallery shows an image that has a time of its own. */
function hasExpiring(galleryId: SQLWrapper) {
  return sql<number>`EXISTS (
    SELECT 1 FROM ${images} INDEXED BY images_of_gallery_expiring
    WHERE ${and(shownSql(sql`${galleryId}`), isNotNull(images.expiresAt))})`
}

/** SQL: whether an image has no time of its own that is over. */
function isUnexpired(nowMs: number) {
  return or(isNull(images.expiresAt), gt(images.expiresAt, nowMs))
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

/** SQL: the order of an arranged gallery, and the same of its markers (migrations/0022_gallery_changes.sql). */
const KEY = sql`(sort_anchor, sort_rank, id)`
const MARKER_KEY = sql`(sort_anchor, sort_rank, image_id)`

/** SQL: less than every anchor. */
const BEFORE_ALL = sql`-9223372036854775807`

/** The ids of all images of a gallery, in any state. */
export async function listGalleryIds(shard: Shard, galleryId: number): Promise<number[]> {
  const rows = await shard.db.select({ id: images.id }).from(images).where(eq(images.galleryId, galleryId))
  return rows.map(({ id }) => id)
}

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

/** SQL: the number of images that a gallery shows before an image, in the order of arrival. */
function arrivalBefore(galleryId: number | SQL, id: number): SQL {
  const shownFrom = (from: SQL) => sql`(
    SELECT count(*) FROM ${images} WHERE ${shownSql(sql`${galleryId}`)} AND ${images.id} >= ${from} AND ${images.id} < ${id})`
  return sql`coalesce((
    SELECT images_before + ${shownFrom(sql`image_id`)} FROM ${galleryMarkers}
    WHERE gallery_id = ${galleryId} AND image_id <= ${id} ORDER BY image_id DESC LIMIT 1), ${shownFrom(sql`0`)})`
}

/** SQL: the number of images that an arranged gallery shows before this key. */
function arrangedBefore(galleryId: number | SQL, key: SQL): SQL {
  const shownFrom = (from: SQL) => sql`(
    SELECT count(*) FROM ${images} WHERE ${shownSql(sql`${galleryId}`)} AND sort_anchor IS NOT NULL
      AND ${KEY} >= ${from} AND ${KEY} < ${key})`
  const ofMarker = sql`(marker.sort_anchor, marker.sort_rank, marker.image_id)`
  return sql`coalesce((
    SELECT images_before + ${shownFrom(ofMarker)} FROM ${galleryOrderMarkers} AS marker
    WHERE gallery_id = ${galleryId} AND ${MARKER_KEY} <= ${key}
    ORDER BY sort_anchor DESC, sort_rank DESC, image_id DESC LIMIT 1), ${shownFrom(sql`(${BEFORE_ALL}, 0, 0)`)})`
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

/** Whether it was this operation that deleted the image. */
export async function isImageDeletedBy(shard: Shard, id: number, operationId: string): Promise<boolean> {
  return (await findImage(shard, id))?.image.deletedBy === operationId
}

/** SQL: the images that a gallery shows, in a statement that selects from no other table. */
function shownSql(galleryId: SQL): SQL {
  return sql`gallery_id = ${galleryId} AND deleted_at IS NULL AND hidden_at IS NULL`
}

function listed(ids: readonly number[]) {
  return sql`${images.id} IN ${listOf(ids)}`
}

function isRecorded(id: number) {
  return sql`EXISTS (SELECT 1 FROM ${images} WHERE id = ${id})`
}

function selectRecorded(shard: Shard, id: number) {
  return shard.db.select({ id: images.id }).from(images).where(eq(images.id, id))
}
