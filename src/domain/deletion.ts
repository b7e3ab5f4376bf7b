import { CLEANUP_BATCH_IMAGES } from '../limits.ts'
import { listGalleryFiles } from '../storage/cleanup.ts'
import { isGalleryDeletedBy, markGalleryDeleted } from '../storage/galleries.ts'
import type { SealedAnswer } from '../storage/idempotency.ts'
import { isImageDeletedBy, markImageDeleted } from '../storage/images.ts'
import type { Gallery, Image } from '../storage/schema.ts'
import type { Store } from '../storage/store.ts'
import type { ImageAddress } from './links.ts'
import { createOperationId } from './token.ts'

/** What was deleted: caches drop it, and the sweep removes its files. */
export type Deleted = { kind: 'image'; image: ImageAddress } | { kind: 'gallery'; galleryId: number }

/** What can be deleted. */
export type Deletable = { kind: 'image'; image: Image } | { kind: 'gallery'; gallery: Gallery }

/**
 * Marks a picture or a gallery deleted, and keeps the answer with the mark if there is one. Undefined if it was deleted
 * already: of simultaneous calls, one succeeds.
 */
export async function markDeleted(
  store: Store,
  content: Deletable,
  nowMs: number,
  sealed?: SealedAnswer,
): Promise<Deleted | undefined> {
  const mark = { nowMs, operationId: createOperationId(), sealed }
  const isMarked = await setMark(store, content, mark).catch(async (error) => {
    // Its word may be lost, not the mark.
    if (await isOwnMark(store, content, mark.operationId)) return true
    throw error
  })
  return isMarked ? asDeleted(content) : undefined
}

/** The pictures of what was deleted, as long as the sweep has not reached them. */
export async function deletedPictures(store: Store, deleted: Deleted): Promise<ImageAddress[]> {
  if (deleted.kind === 'image') return [deleted.image]
  const pictures: ImageAddress[] = []
  for (let afterImageId = 0; ; afterImageId = pictures.at(-1)?.id ?? 0) {
    const page = await listGalleryFiles(store, { galleryId: deleted.galleryId, afterImageId }, CLEANUP_BATCH_IMAGES)
    pictures.push(...page)
    if (page.length < CLEANUP_BATCH_IMAGES) return pictures
  }
}

/** What a delete of this content tells. */
export function asDeleted(content: Deletable): Deleted {
  return content.kind === 'image'
    ? { kind: 'image', image: content.image }
    : { kind: 'gallery', galleryId: content.gallery.id }
}

function setMark(store: Store, content: Deletable, mark: Parameters<typeof markImageDeleted>[2]): Promise<boolean> {
  return content.kind === 'image'
    ? markImageDeleted(store, content.image, mark)
    : markGalleryDeleted(store, content.gallery.id, mark)
}

function isOwnMark(store: Store, content: Deletable, operationId: string): Promise<boolean> {
  return content.kind === 'image'
    ? isImageDeletedBy(store, content.image.id, operationId)
    : isGalleryDeletedBy(store, content.gallery.id, operationId)
}
