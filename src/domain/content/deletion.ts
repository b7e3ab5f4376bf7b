import { type Deletion, deleteGallery, isGalleryDeletedBy } from '../../storage/content/galleries.ts'
import { deleteImage, isImageDeletedBy } from '../../storage/content/images.ts'
import type { SealedResponse } from '../../storage/content/leases.ts'
import type { ContentRecord, ImageOrGallery } from '../../storage/schema.ts'
import { type Shard, type Store, shardAt } from '../../storage/store.ts'
import { shardOfImage } from '../ids/image-id.ts'
import type { ImageAddress } from '../ids/links.ts'
import { createOperationId, shardOfGallery } from '../ids/token.ts'

/** Deleted content and its shard: caches drop it, and the sweep removes its files. */
export type Deleted = { shard: number } & ImageOrGallery<{ image: ImageAddress }, { galleryId: number }>

/**
 * Deletes the record of an image or a gallery, and stores the response with it if there is one. Returns undefined if it was
 * already deleted: of concurrent calls, one succeeds.
 */
export async function deleteContent(
  store: Store,
  content: ContentRecord,
  nowMs: number,
  sealed?: SealedResponse,
): Promise<Deleted | undefined> {
  const deletion = { nowMs, operationId: createOperationId(), sealed }
  const shard = shardForDeleted(store, asDeleted(content))
  const isDeleted = await writeDeletion(shard, content, deletion).catch(async (error) => {
    // The reply of the database may be lost although the row was deleted.
    if (await isDeletedBy(shard, content, deletion.operationId)) return true
    throw error
  })
  return isDeleted ? asDeleted(content) : undefined
}

/** Returns the shard that deleted content was on. */
export function shardForDeleted(store: Store, { shard }: Deleted): Shard {
  return shardAt(store, shard)
}

export function asDeleted(content: ContentRecord): Deleted {
  return content.kind === 'image'
    ? { kind: 'image', shard: shardOfImage(content.image.id), image: content.image }
    : { kind: 'gallery', shard: shardOfGallery(content.gallery.hash), galleryId: content.gallery.id }
}

function writeDeletion(shard: Shard, content: ContentRecord, deletion: Deletion): Promise<boolean> {
  return content.kind === 'image'
    ? deleteImage(shard, content.image, deletion)
    : deleteGallery(shard, content.gallery.id, deletion)
}

function isDeletedBy(shard: Shard, content: ContentRecord, operationId: string): Promise<boolean> {
  return content.kind === 'image'
    ? isImageDeletedBy(shard, content.image.id, operationId)
    : isGalleryDeletedBy(shard, content.gallery.id, operationId)
}
