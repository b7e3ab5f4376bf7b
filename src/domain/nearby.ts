import { REPLICA_COMPLETE_FROM_MS, REPLICA_MAX_BEHIND_MS, REPLICA_READS_FROM_MS } from '../limits.ts'
import { findImages, findImagesNear, type ImageWithGallery } from '../storage/images.ts'
import type { Store } from '../storage/store.ts'
import { arrivalTimeMs } from './image-id.ts'
import { findImagesAnywhere } from './placement.ts'

/**
 * Reads of public images, from a replica near the reader (docs/scaling.md#reads-near-the-reader). A replica may be behind. It is believed
 * where it knows an image as public or deleted, and where the image is so old that the replica would have it. Otherwise the primary is read.
 */

/** Images with their galleries. */
export interface Nearby {
  found: ImageWithGallery[]
  /** The ids that were read from a replica. */
  near: ReadonlySet<number>
  /** Those of them that no image has or will have. */
  absent: ReadonlySet<number>
}

/** The images with these ids, one query a shard: to a replica where all that is asked of the shard is older than a minute. */
export async function findNearby(store: Store, ids: readonly number[], nowMs: number): Promise<Nearby> {
  const near = new Set<number>()
  const absent = new Set<number>()
  const found = await findImagesAnywhere(store, ids, async (shard, some) => {
    if (some.some((id) => nowMs - arrivalTimeMs(id) < REPLICA_READS_FROM_MS)) return findImages(shard, some)
    for (const id of some) near.add(id)
    const records = await findImagesNear(shard, some, nowMs - REPLICA_MAX_BEHIND_MS)
    if (!records) return []
    const recorded = new Set(records.map(({ image }) => image.id))
    for (const id of some) {
      if (!recorded.has(id) && nowMs - arrivalTimeMs(id) >= REPLICA_COMPLETE_FROM_MS) absent.add(id)
    }
    return records
  })
  return { found, near, absent }
}
