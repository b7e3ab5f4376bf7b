import { lt, sql } from 'drizzle-orm'
import { storedBytes } from '../schema.ts'
import type { Shard } from '../store.ts'

/** The value of `counted_to` once all older images are counted. */
const ALL = Number.MAX_SAFE_INTEGER

/** Returns the bytes of all counted files of a shard. Triggers keep them (migrations/0024_every_upload.sql). */
export async function readStoredBytes(shard: Shard): Promise<number> {
  const [found] = await shard.db.select({ bytes: storedBytes.bytes }).from(storedBytes)
  return found?.bytes ?? 0
}

/** Counts the next `limit` of the images that are older than the count. A repeated call counts the ones that follow. */
export async function countOlderImages(shard: Shard, limit: number): Promise<void> {
  const next = sql`SELECT id, bytes + thumbnail_bytes + coalesce(preview_bytes, 0) AS bytes FROM images
    WHERE id > ${storedBytes.countedTo} ORDER BY id`
  await shard.db
    .update(storedBytes)
    .set({
      bytes: sql`${storedBytes.bytes} + (SELECT coalesce(sum(bytes), 0) FROM (${next} LIMIT ${limit}))`,
      countedTo: sql`coalesce((SELECT id FROM (${next} LIMIT 1 OFFSET ${limit - 1})), ${ALL})`,
    })
    .where(lt(storedBytes.countedTo, ALL))
}
