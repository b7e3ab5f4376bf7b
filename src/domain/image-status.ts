import { findImages, type ImageWithGallery } from '../storage/images.ts'
import type { Store } from '../storage/store.ts'
import type { ParsedImagePath } from './links.ts'
import { isAt } from './path-digest.ts'

/** What the status operation reports about a show URL. */
export type ImageStatus = 'available' | 'deleted' | 'not_found' | 'pending' | 'invalid'

/** The status of each parsed show URL, in order; undefined stands for a value that is not one of our show URLs. One query in total. */
export async function imageStatuses(
  store: Store,
  parsed: readonly (ParsedImagePath | undefined)[],
): Promise<ImageStatus[]> {
  const ids = new Set(parsed.flatMap((url) => (url ? [url.id] : [])))
  const found = ids.size > 0 ? await findImages(store, [...ids]) : []
  const byId = new Map(found.map((record) => [record.image.id, record]))
  return Promise.all(
    parsed.map(async (url) => {
      if (!url) return 'invalid'
      const record = byId.get(url.id)
      return record && (await isAt(record.image, url.path)) ? statusOf(record) : 'not_found'
    }),
  )
}

/** The status of a record (the specification's "Image-page status values"). */
export function statusOf({ image, gallery }: ImageWithGallery): Exclude<ImageStatus, 'invalid'> {
  if (image.galleryId !== null && !gallery) return 'not_found'
  if (image.deletedAt !== null || (gallery && gallery.deletedAt !== null)) return 'deleted'
  return gallery && gallery.finalizedAt === null ? 'pending' : 'available'
}
