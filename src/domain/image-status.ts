import { findImages, type ImageWithGallery } from '../storage/images.ts'
import type { Store } from '../storage/store.ts'
import { imagePath, type ParsedImagePath } from './links.ts'

/** What the status operation reports about a show URL. */
export type ImageStatus = 'available' | 'deleted' | 'not_found' | 'pending' | 'invalid'

/** The status of each parsed show URL, in order; undefined stands for a value that is not one of our show URLs. One query in total. */
export async function imageStatuses(
  store: Store,
  parsed: readonly (ParsedImagePath | undefined)[],
): Promise<ImageStatus[]> {
  const ids = new Set(parsed.flatMap((url) => (url ? [url.id] : [])))
  const found = ids.size > 0 ? await findImages(store, [...ids]) : []
  const byPath = new Map(found.map((record) => [imagePath(record.image), record]))
  return parsed.map((url) => (url ? statusOf(byPath.get(url.path)) : 'invalid'))
}

/** The status of a record (the specification's "Image-page status values"). */
export function statusOf(record: ImageWithGallery | undefined): Exclude<ImageStatus, 'invalid'> {
  if (!record) return 'not_found'
  const { image, gallery } = record
  if (image.galleryId !== null && !gallery) return 'not_found'
  if (image.deletedAt !== null || (gallery && gallery.deletedAt !== null)) return 'deleted'
  return gallery && gallery.finalizedAt === null ? 'pending' : 'available'
}
