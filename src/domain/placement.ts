import { findImages, type ImageWithGallery } from '../storage/images.ts'
import { openShardsInTurn, type Shard, type Store, shardAt } from '../storage/store.ts'
import { shardOfImage } from './image-id.ts'
import { shardOfGallery, shardOfManagement } from './token.ts'

/** A database of several. */
export type { Shard }

/**
 * Which shard a thing is on stands in what addresses it, so that each look-up goes straight there. A gallery's pictures are on its
 * shard. What names a shard that there is not is looked for on shard 0, and not found.
 */

/** Where a picture is, or would be. */
export function placeOfImage(store: Store, id: number): Shard {
  return shardAt(store, shardOfImage(id))
}

/** Where a gallery and its pictures are, or would be. */
export function placeOfGallery(store: Store, hash: string): Shard {
  return shardAt(store, shardOfGallery(hash))
}

/** Where that is which a management token is for, or would be. */
export function placeOfManaged(store: Store, token: string): Shard {
  return shardAt(store, shardOfManagement(token))
}

/** Returns the shards to try for an upload: that of its gallery alone, or those for new content. */
export function shardsForUpload(store: Store, gallery: { hash: string } | undefined): Iterable<Shard> {
  return gallery ? [placeOfGallery(store, gallery.hash)] : openShardsInTurn(store)
}

/** Returns the shards to try for a new gallery. */
export function shardsForGallery(store: Store): Iterable<Shard> {
  return openShardsInTurn(store)
}

/** The pictures with these ids, as far as they have records, in no particular order: one query a shard, all at once. */
export async function findImagesAnywhere(
  store: Store,
  ids: readonly number[],
  find: (shard: Shard, ids: readonly number[]) => Promise<ImageWithGallery[]> = findImages,
): Promise<ImageWithGallery[]> {
  const byShard = Map.groupBy(new Set(ids), (id) => placeOfImage(store, id))
  return (await Promise.all([...byShard].map(([shard, some]) => find(shard, some)))).flat()
}
