import { isGalleryDeletedBy, markGalleryDeleted } from '../storage/galleries.ts'
import { isImageDeletedBy, markImageDeleted } from '../storage/images.ts'
import type { SealedResponse } from '../storage/leases.ts'
import type { ContentRecord, ImageOrGallery } from '../storage/schema.ts'
import { type Shard, type Store, shardAt } from '../storage/store.ts'
import { shardOfImage } from './image-id.ts'
import type { ImageAddress } from './links.ts'
import { createOperationId, shardOfGallery } from './token.ts'

/** Deleted content and its shard: caches drop it, and the sweep removes its files. */
export type Deleted = { shard: number } & ImageOrGallery<{ image: ImageAddress }, { galleryId: number }>

/**
 * Marks an image or a gallery deleted, and stores the response with it if there is one. Undefined if it was deleted
 * already: of simultaneous calls, one succeeds.
 */
export async function markDeleted(
  store: Store,
  content: ContentRecord,
  nowMs: number,
  sealed?: SealedResponse,
): Promise<Deleted | undefined> {
  const mark = { nowMs, operationId: createOperationId(), sealed }
  const shard = placeOfDeleted(store, asDeleted(content))
  const isMarked = await setMark(shard, content, mark).catch(async (error) => {
    // Its word may be lost, not the mark.
    if (await isOwnMark(shard, content, mark.operationId)) return true
    throw error
  })
  return isMarked ? asDeleted(content) : undefined
}

/** The shard that it was on. */
export function placeOfDeleted(store: Store, { shard }: Deleted): Shard {
  return shardAt(store, shard)
}

export function asDeleted(content: ContentRecord): Deleted {
  return content.kind === 'image'
    ? { kind: 'image', shard: shardOfImage(content.image.id), image: content.image }
    : { kind: 'gallery', shard: shardOfGallery(content.gallery.hash), galleryId: content.gallery.id }
}

function setMark(shard: Shard, content: ContentRecord, mark: Parameters<typeof markImageDeleted>[2]): Promise<boolean> {
  return content.kind === 'image'
    ? markImageDeleted(shard, content.image, mark)
    : markGalleryDeleted(shard, content.gallery.id, mark)
}

function isOwnMark(shard: Shard, content: ContentRecord, operationId: string): Promise<boolean> {
  return content.kind === 'image'
    ? isImageDeletedBy(shard, content.image.id, operationId)
    : isGalleryDeletedBy(shard, content.gallery.id, operationId)
}
