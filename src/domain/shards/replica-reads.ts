import { REPLICA_COMPLETE_FROM_MS, REPLICA_MAX_LAG_MS, REPLICA_READS_FROM_MS } from '../../limits.ts'
import { findImages, findImagesAtReplica, type ImageWithGallery } from '../../storage/content/images.ts'
import type { Store } from '../../storage/store.ts'
import { arrivalTimeMs } from '../ids/image-id.ts'
import { findImagesAnywhere } from './sharding.ts'

/**
 * Reads of public images from the nearest replica (docs/scaling.md#reads-near-the-reader). A replica may lag. Its result
 * is used for an image that it has as public or deleted, and for one so old that the replica would have it. Otherwise the
 * primary is read.
 */

/** Images with their galleries. */
interface ReplicaRead {
  found: ImageWithGallery[]
  /** The ids that were read from a replica. */
  fromReplica: ReadonlySet<number>
  /** The ids that no image has or will have. */
  absent: ReadonlySet<number>
}

/** Returns the images with these ids, with one query per shard. A shard's replica is read if all of its ids are older than a minute. */
export async function findViaReplica(store: Store, ids: readonly number[], nowMs: number): Promise<ReplicaRead> {
  const fromReplica = new Set<number>()
  const absent = new Set<number>()
  const found = await findImagesAnywhere(store, ids, async (shard, some) => {
    if (some.some((id) => nowMs - arrivalTimeMs(id) < REPLICA_READS_FROM_MS)) return findImages(shard, some)
    for (const id of some) fromReplica.add(id)
    const records = await findImagesAtReplica(shard, some, nowMs - REPLICA_MAX_LAG_MS)
    if (!records) return []
    const recorded = new Set(records.map(({ image }) => image.id))
    for (const id of some) {
      if (!recorded.has(id) && nowMs - arrivalTimeMs(id) >= REPLICA_COMPLETE_FROM_MS) absent.add(id)
    }
    return records
  })
  return { found, fromReplica, absent }
}
