import { readStoredBytes } from '../../storage/maintenance/stored-bytes.ts'
import type { Store } from '../../storage/store.ts'
import { askShards, type FromShards } from './available-shards.ts'

/** Returns the bytes of stored files, by shard. */
export function measureStoredBytes({ shards }: Store): Promise<FromShards<number>> {
  return askShards(shards, readStoredBytes)
}
