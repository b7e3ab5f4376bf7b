import { heartbeats } from '../schema.ts'
import type { Shard } from '../store.ts'

const ONLY = 1

/** Writes the time into a database, for its replicas to show how far they are. `nowMs` must lie before the call. */
export async function beat(shard: Shard, nowMs: number): Promise<void> {
  await shard.db
    .insert(heartbeats)
    .values({ id: ONLY, beatAt: nowMs })
    .onConflictDoUpdate({ target: heartbeats.id, set: { beatAt: nowMs } })
}
