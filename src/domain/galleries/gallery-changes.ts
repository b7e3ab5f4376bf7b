import { type Destination, moveImages } from '../../storage/content/arranging.ts'
import { chooseCoverImage } from '../../storage/content/galleries.ts'
import { deleteImages, findImages, type ImageTexts, writeImageTexts } from '../../storage/content/images.ts'
import { findNeighbours } from '../../storage/content/neighbours.ts'
import type { Gallery, Image } from '../../storage/schema.ts'
import type { Store } from '../../storage/store.ts'
import { asDeleted, type Deleted } from '../content/deletion.ts'
import { isEnded } from '../content/expiry.ts'
import { ContentDeleted } from '../content/management.ts'
import { Failure } from '../failure.ts'
import { imagePath, parseImagePath } from '../ids/links.ts'
import { isAt } from '../ids/path-digest.ts'
import { createOperationId } from '../ids/token.ts'
import { shardForGallery, shardForImage } from '../shards/sharding.ts'

/** Where images are moved to, by the path of another one: `<dir>/<id>_<name>`. */
export type MoveTo = { before: string } | { after: string } | 'beginning'

/**
 * Moves images of a gallery, in this order. Deleted ones are left out, so that a list stays valid while others delete. Throws
 * `image_not_in_gallery` for an image of another gallery or of none, and for a deleted one to move beside; `ContentDeleted`.
 */
export async function arrangeImages(
  store: Store,
  gallery: Gallery,
  paths: readonly string[],
  to: MoveTo,
  nowMs: number,
): Promise<void> {
  const beside = typeof to === 'string' ? undefined : 'before' in to ? to.before : to.after
  if (beside !== undefined && paths.includes(beside)) {
    throw new Failure('invalid_option', 'before and after must name an image that is not moved itself')
  }
  const found = await requireImages(store, gallery, beside === undefined ? paths : [...paths, beside], nowMs)
  const target = beside === undefined ? undefined : found.pop()
  if (target && target.deletedAt !== null) throw notInGallery(beside ?? '')
  const destination: Destination =
    target === undefined || typeof to === 'string'
      ? 'beginning'
      : 'before' in to
        ? { before: target.id }
        : { after: target.id }
  const ids = [...new Set(found.map(({ id }) => id))]
  const outcome = await moveImages(shardForGallery(store, gallery.hash), gallery.id, ids, destination)
  if (outcome === 'gallery_deleted') throw new ContentDeleted({ kind: 'gallery', gallery })
  if (outcome === 'no_destination') throw notInGallery(beside ?? '')
}

/** Moves an image before or after its neighbour; it stays where it is at the end. Throws `image_not_in_gallery`, `ContentDeleted`. */
export async function moveByOne(
  store: Store,
  gallery: Gallery,
  path: string,
  direction: 'earlier' | 'later',
  nowMs: number,
): Promise<void> {
  const [image] = await requireImages(store, gallery, [path], nowMs)
  const beside =
    image?.deletedAt === null
      ? await findNeighbours(shardForGallery(store, gallery.hash), gallery.id, image.id, nowMs)
      : undefined
  if (!beside) throw notInGallery(path)
  const neighbour = direction === 'earlier' ? beside.previous : beside.next
  if (!neighbour) return
  const beyond = imagePath(neighbour)
  await arrangeImages(store, gallery, [path], direction === 'earlier' ? { before: beyond } : { after: beyond }, nowMs)
}

/**
 * Deletes images of a gallery. Returns those that this call deleted: the others were deleted before. Throws `image_not_in_gallery`
 * for an image of another gallery or of none, and deletes nothing.
 */
export async function removeImages(
  store: Store,
  gallery: Gallery,
  paths: readonly string[],
  nowMs: number,
): Promise<Deleted[]> {
  const found = await requireImages(store, gallery, paths, nowMs)
  const shard = shardForGallery(store, gallery.hash)
  const left = new Map(found.filter(({ deletedAt }) => deletedAt === null).map((image) => [image.id, image]))
  const operationId = createOperationId()
  const deleted = await deleteImages(shard, gallery.id, [...left.keys()], { nowMs, operationId }).catch(
    async (error) => {
      // The reply of the database may be lost although the rows were deleted.
      const now = await findImages(shard, [...left.keys()])
      const ours = now.filter(({ image }) => image.deletedBy === operationId).map(({ image }) => image.id)
      if (ours.length > 0) return ours
      throw error
    },
  )
  return deleted.flatMap((id) => {
    const image = left.get(id)
    return image ? [asDeleted({ kind: 'image', image })] : []
  })
}

/**
 * Chooses the image that link previews of a gallery show; undefined for its first one. Throws `image_not_in_gallery`,
 * `ContentDeleted`.
 */
export async function chooseCover(
  store: Store,
  gallery: Gallery,
  path: string | undefined,
  nowMs: number,
): Promise<void> {
  const [image] = path === undefined ? [] : await requireImages(store, gallery, [path], nowMs)
  if (path !== undefined && image?.deletedAt !== null) throw notInGallery(path)
  const coverImageId = image?.id ?? null
  const stored = await chooseCoverImage(shardForGallery(store, gallery.hash), gallery.id, coverImageId)
  if (!stored) throw new ContentDeleted({ kind: 'gallery', gallery })
  if (stored.coverImageId !== coverImageId) throw notInGallery(path ?? '')
}

/** Writes the caption and the alternative text of an image of a gallery. Throws `image_not_in_gallery`. */
export async function describeGalleryImage(
  store: Store,
  gallery: Gallery,
  path: string,
  texts: ImageTexts,
  nowMs: number,
): Promise<Image> {
  const [image] = await requireImages(store, gallery, [path], nowMs)
  const stored =
    image?.deletedAt === null && (await writeImageTexts(shardForGallery(store, gallery.hash), image, texts))
  if (!stored) throw notInGallery(path)
  return stored
}

/** Writes the caption and the alternative text of a standalone image. Throws `ContentDeleted`. */
export async function describeStandaloneImage(store: Store, image: Image, texts: ImageTexts): Promise<Image> {
  const stored = await writeImageTexts(shardForImage(store, image.id), image, texts)
  if (!stored) throw new ContentDeleted({ kind: 'image', image })
  return stored
}

/**
 * Returns the images of a gallery at these paths, also deleted ones, in the same order. One that has expired is as if it was deleted
 * then. They are looked up on the shard of the gallery, because galleries of other shards have the same row ids. Throws
 * `image_not_in_gallery`.
 */
async function requireImages(
  store: Store,
  gallery: Gallery,
  paths: readonly string[],
  nowMs: number,
): Promise<Image[]> {
  const parsed = paths.map((path) => parseImagePath(path) ?? refuse(path))
  const found = await findImages(shardForGallery(store, gallery.hash), [...new Set(parsed.map(({ id }) => id))])
  const byId = new Map(
    found.map(({ image }) => [
      image.id,
      isEnded(image, nowMs) ? { ...image, deletedAt: image.deletedAt ?? image.expiresAt } : image,
    ]),
  )
  return Promise.all(
    parsed.map(async ({ id, path }) => {
      const image = byId.get(id)
      return image?.galleryId === gallery.id && (await isAt(image, path)) ? image : refuse(path)
    }),
  )
}

function refuse(path: string): never {
  throw notInGallery(path)
}

function notInGallery(path: string): Failure {
  return new Failure('image_not_in_gallery', `the gallery has no image ${JSON.stringify(path.slice(0, 200))}`)
}
