import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm'
import type { NewFile } from '../files.ts'
import { fileKey, isStored } from '../files.ts'
import { changeImage } from '../read-cache.ts'
import { galleries, type Image, images } from '../schema.ts'
import type { Shard } from '../store.ts'

type PreviewColumn = 'previewMediaType' | 'previewBytes' | 'previewWidth' | 'previewHeight' | 'previewCrc32'

/** The columns of a stored preview, and whether the image is an animation, which older images do not say. */
type PreviewColumns = { [Name in PreviewColumn | 'animated']: NonNullable<Image[Name]> }

/** An image, and whether neither it nor its gallery is deleted. */
interface ListedImage {
  image: Image
  isLive: boolean
}

/** Returns at most `limit` images in the order of their ids, after `afterId`. */
export async function listImages(shard: Shard, afterId: number, limit: number): Promise<ListedImage[]> {
  const rows = await shard.db
    .select({ image: images, isLive: sql<number>`${images.deletedAt} IS NULL AND ${galleries.deletedAt} IS NULL` })
    .from(images)
    .leftJoin(galleries, eq(galleries.id, images.galleryId))
    .where(gt(images.id, afterId))
    .orderBy(asc(images.id))
    .limit(limit)
  return rows.map(({ image, isLive }) => ({ image, isLive: isLive === 1 }))
}

/** Stores the file of a preview. Replaces one that an interrupted attempt has left. */
export async function putPreview({ files }: Shard, path: string, { bytes, mediaType }: NewFile): Promise<void> {
  const key = fileKey('previews', path)
  if ((await files.create(key, bytes, { mediaType })) || (await isStored({ files }, key, bytes))) return
  await files.delete([key])
  if (!(await files.create(key, bytes, { mediaType }))) throw new Error(`another preview was just stored under ${key}`)
}

/**
 * Records the preview of an image that has none. Returns false if the image was deleted meanwhile: then the file of the preview is
 * removed.
 */
export async function recordPreview(
  shard: Shard,
  image: Image,
  path: string,
  columns: PreviewColumns,
): Promise<boolean> {
  await changeImage(shard, image, async () => {
    await shard.db
      .update(images)
      .set(columns)
      .where(and(eq(images.id, image.id), isNull(images.deletedAt), isNull(images.previewBytes)))
  })
  const [stored] = await shard.db
    .select({ bytes: images.previewBytes })
    .from(images)
    .where(and(eq(images.id, image.id), isNull(images.deletedAt)))
  if (stored?.bytes != null) return true
  await shard.files.delete([fileKey('previews', path)])
  return false
}
