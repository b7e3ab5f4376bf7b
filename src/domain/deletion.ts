import { markGalleryDeleted } from '../storage/galleries.ts'
import { markImageDeleted } from '../storage/images.ts'
import type { Gallery, Image } from '../storage/schema.ts'
import type { Store } from '../storage/store.ts'
import type { ImageAddress } from './links.ts'

/** What was deleted: caches drop it, and the sweep removes its files. */
export type Deleted = { kind: 'image'; image: ImageAddress } | { kind: 'gallery'; galleryId: number }

/** Marks a picture or a gallery deleted. Undefined if it was deleted already: of simultaneous calls, one succeeds. */
export async function markDeleted(
  store: Store,
  content: { kind: 'image'; image: Image } | { kind: 'gallery'; gallery: Gallery },
  nowMs: number,
): Promise<Deleted | undefined> {
  if (content.kind === 'image') {
    const { image } = content
    return (await markImageDeleted(store, image, nowMs)) ? { kind: 'image', image } : undefined
  }
  const { id } = content.gallery
  return (await markGalleryDeleted(store, id, nowMs)) ? { kind: 'gallery', galleryId: id } : undefined
}
