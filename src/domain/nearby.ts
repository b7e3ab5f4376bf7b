import { REPLICA_MAX_BEHIND_MS, REPLICA_READS_FROM_MS } from '../limits.ts'
import { findImages, findImagesNear, type ImageWithGallery } from '../storage/images.ts'
import type { Store } from '../storage/store.ts'
import { arrivalTimeMs } from './image-id.ts'
import { findImagesAnywhere } from './placement.ts'

/**
 * Reads of public pictures, from a replica near the reader (docs/scaling.md#reads-near-the-reader). A replica may be behind: it is
 * believed where it knows a picture as public, and the primary has the word on all else.
 */

/** Pictures with their galleries, and the ids that no primary was asked for. */
export interface Nearby {
  found: ImageWithGallery[]
  near: ReadonlySet<number>
}

/** The pictures with these ids, one query a shard: to a replica where all that is asked of the shard is older than a minute. */
export async function findNearby(store: Store, ids: readonly number[], nowMs: number): Promise<Nearby> {
  const near = new Set<number>()
  const found = await findImagesAnywhere(store, ids, (shard, some) => {
    if (some.some((id) => nowMs - arrivalTimeMs(id) < REPLICA_READS_FROM_MS)) return findImages(shard, some)
    for (const id of some) near.add(id)
    return findImagesNear(shard, some, nowMs - REPLICA_MAX_BEHIND_MS)
  })
  return { found, near }
}
