import { findImages, type ImageWithGallery } from '../../storage/content/images.ts'
import type { Image } from '../../storage/schema.ts'
import { openShardsInTurn, type Shard, type Store, shardAt } from '../../storage/store.ts'
import { shardOfImage } from '../ids/image-id.ts'
import { shardOfGallery, shardOfManagement } from '../ids/token.ts'
import { askShards, type UnavailableShard } from './available-shards.ts'

/** A database of several. */
export type { Shard }

/**
 * Every id, hash and token contains its shard, so lookups need no directory. The images of a gallery are on its shard.
 * An identifier with a shard that does not exist is looked up on shard 0, and not found.
 */

/** Returns the shard of an image, which may not exist. */
export function shardForImage(store: Store, id: number): Shard {
  return shardAt(store, shardOfImage(id))
}

/** Returns the shard of a gallery, which may not exist, and its images. */
export function shardForGallery(store: Store, hash: string): Shard {
  return shardAt(store, shardOfGallery(hash))
}

/** Returns the shard of the content that a management token is for. */
export function shardForToken(store: Store, token: string): Shard {
  return shardAt(store, shardOfManagement(token))
}

/** Returns the shards to try for an upload: that of its gallery alone, or those for new content. */
export function shardsForUpload(store: Store, gallery: { hash: string } | undefined): Iterable<Shard> {
  return gallery ? [shardForGallery(store, gallery.hash)] : openShardsInTurn(store)
}

/** Returns the shards to try for a new gallery. */
export function shardsForGallery(store: Store): Iterable<Shard> {
  return openShardsInTurn(store)
}

/** The images with these ids, as far as they have records, in no particular order: one query a shard, all at once. */
export async function findImagesAnywhere(
  store: Store,
  ids: readonly number[],
  find: (shard: Shard, ids: readonly number[]) => Promise<ImageWithGallery[]> = findImages,
): Promise<ImageWithGallery[]> {
  const byShard = Map.groupBy(new Set(ids), (id) => shardForImage(store, id))
  return (await Promise.all([...byShard].map(([shard, some]) => find(shard, some)))).flat()
}

/** Returns the images with these ids that have records on the shards that respond, by their ids. */
export async function findAvailableImages(
  store: Store,
  ids: readonly number[],
): Promise<{ images: ReadonlyMap<number, Image>; unavailable: UnavailableShard[] }> {
  const byShard = Map.groupBy(new Set(ids), (id) => shardForImage(store, id))
  const { results, unavailable } = await askShards([...byShard.keys()], (shard) =>
    findImages(shard, byShard.get(shard) ?? []),
  )
  const found = results.flatMap(({ result }) => result)
  return { images: new Map(found.map(({ image }) => [image.id, image])), unavailable }
}
