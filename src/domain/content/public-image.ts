import { findImage, type ImageWithGallery } from '../../storage/content/images.ts'
import { findNeighbours, type Neighbours } from '../../storage/content/neighbours.ts'
import type { CachedImage, ReadCache } from '../../storage/read-cache.ts'
import type { Image } from '../../storage/schema.ts'
import type { Store } from '../../storage/store.ts'
import { shardOfImage } from '../ids/image-id.ts'
import { imagePath, parseImagePath } from '../ids/links.ts'
import { isAt } from '../ids/path-digest.ts'
import { findViaReplica } from '../shards/replica-reads.ts'
import { shardForImage } from '../shards/sharding.ts'
import { hasContentExpired } from './content.ts'
import { statusOf, visibilityOf } from './image-status.ts'

/** A public image, and whether a replica had it: the primary may know by now that it is not public any more. */
export interface PublicImage extends ImageWithGallery {
  isFromReplica: boolean
}

/** The content of a public address; `expired` if it was there until its time was over (D62). */
export type Found<Shown> = Shown | 'expired' | undefined

/**
 * The image at `<dir>/<id>_<name>` if it is public now (D28), as the cache of this isolate, a replica or else the primary has it;
 * undefined otherwise.
 */
export async function findPublicImage(store: Store, path: string, nowMs: number): Promise<Found<PublicImage>> {
  const parsed = parseImagePath(path)
  if (!parsed) return undefined
  if (store.cache) return findThroughCache(store, store.cache, path, nowMs)
  const {
    found: [found],
    fromReplica,
    absent,
  } = await findViaReplica(store, [parsed.id], nowMs)
  const isFromReplica = fromReplica.has(parsed.id)
  const record = await publicAt(path, found, nowMs)
  if (record === 'expired') return record
  if (record) return { ...record, isFromReplica }
  const isSettled = found ? isForEverElsewhere(path, found, nowMs) : absent.has(parsed.id)
  return isFromReplica && !isSettled ? findPublicImageAtPrimary(store, path, nowMs) : undefined
}

/** Whether a record, however old, shows that no public image will be at a path: an image keeps its path, and stays deleted. */
function isForEverElsewhere(path: string, record: ImageWithGallery, nowMs: number): boolean {
  return imagePath(record.image) !== path || visibilityOf(record, nowMs) === 'deleted'
}

async function findThroughCache(
  store: Store,
  cache: ReadCache,
  path: string,
  nowMs: number,
): Promise<Found<PublicImage>> {
  const cached = cache.findImage(path, nowMs)
  if (cached) return { ...cached, isFromReplica: false }
  const { lastWrite } = cache
  const record = await findPublicImageAtPrimary(store, path, nowMs)
  if (record && record !== 'expired')
    cache.storeImage(path, { image: record.image, gallery: record.gallery }, asCached(record.image), lastWrite)
  return record
}

/** Cache key of an image. */
export function asCached({ id, galleryId }: Image): CachedImage {
  return { id, shard: shardOfImage(id), galleryId }
}

/** Returns the public image of a path, read from the primary. */
export async function findPublicImageAtPrimary(store: Store, path: string, nowMs: number): Promise<Found<PublicImage>> {
  const parsed = parseImagePath(path)
  const record = parsed && (await publicAt(path, await findImage(shardForImage(store, parsed.id), parsed.id), nowMs))
  return record && record !== 'expired' ? { ...record, isFromReplica: false } : record
}

async function publicAt(
  path: string,
  record: ImageWithGallery | undefined,
  nowMs: number,
): Promise<Found<ImageWithGallery>> {
  if (!record) return undefined
  // Its name may be erased by now.
  if (hasContentExpired({ kind: 'image', ...record }, nowMs))
    return (await isAt(record.image, path)) ? 'expired' : undefined
  return imagePath(record.image) === path && statusOf(record, nowMs) === 'available' ? record : undefined
}

/** A public image and, if it is in a gallery, that gallery and the images before and after it. */
export interface ImageView {
  image: Image
  inGallery: Neighbours | undefined
}

/** Returns the data for the page of the public image at `<dir>/<id>_<name>`; undefined if there is none. */
export async function findImageView(store: Store, path: string, nowMs: number): Promise<Found<ImageView>> {
  const found = await findPublicImage(store, path, nowMs)
  if (!found || found === 'expired') return found
  const { image, gallery, isFromReplica } = found
  if (!gallery) return { image, inGallery: undefined }
  const shard = shardForImage(store, image.id)
  const inGallery = await findNeighbours(isFromReplica ? shard.replica : shard, gallery.id, image.id, nowMs)
  // The image may have been deleted or hidden since it was found.
  return inGallery && statusOf({ image, gallery: inGallery.gallery }, nowMs) === 'available'
    ? { image, inGallery }
    : undefined
}
