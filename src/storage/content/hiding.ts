import { and, asc, eq, isNotNull, isNull, lte } from 'drizzle-orm'
import { changeGallery, changeImage } from '../read-cache.ts'
import { type ContentId, type Gallery, galleries, images } from '../schema.ts'
import type { Shard } from '../store.ts'
import { type ImageWithGallery, imagesWithGalleries } from './images.ts'

/** Hides an image or a gallery, or shows it again where `hiddenAt` is null. False if it was so already, or is deleted. */
export function setHidden(shard: Shard, which: ContentId, hiddenAt: number | null): Promise<boolean> {
  const write = () => writeHidden(shard, which, hiddenAt)
  return which.kind === 'image'
    ? changeImage(shard, { id: which.imageId, galleryId: which.galleryId }, write)
    : changeGallery(shard, which.galleryId, write)
}

async function writeHidden(shard: Shard, which: ContentId, hiddenAt: number | null): Promise<boolean> {
  const table = which.kind === 'image' ? images : galleries
  const id = which.kind === 'image' ? which.imageId : which.galleryId
  const isOther = hiddenAt === null ? isNotNull(table.hiddenAt) : isNull(table.hiddenAt)
  const { meta } = await shard.db
    .update(table)
    .set({ hiddenAt })
    .where(and(eq(table.id, id), isNull(table.deletedAt), isOther))
  // A trigger changes rows of its own.
  return meta.changes > 0
}

/** The hidden images and galleries, the longest hidden first, at most `limit` of each. */
export async function listHidden(
  shard: Shard,
  nowMs: number,
  limit: number,
): Promise<{ images: ImageWithGallery[]; galleries: Gallery[] }> {
  // Not in a batch: D1 returns rows as objects, where columns with the same name in two tables collide.
  const [hiddenImages, hiddenGalleries] = await Promise.all([
    imagesWithGalleries(shard)
      .where(and(lte(images.hiddenAt, nowMs), isNull(images.deletedAt)))
      .orderBy(asc(images.hiddenAt))
      .limit(limit),
    shard.db
      .select()
      .from(galleries)
      .where(and(lte(galleries.hiddenAt, nowMs), isNull(galleries.deletedAt)))
      .orderBy(asc(galleries.hiddenAt))
      .limit(limit),
  ])
  return { images: hiddenImages, galleries: hiddenGalleries }
}
