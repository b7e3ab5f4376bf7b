import { eq, sql } from 'drizzle-orm'
import { RETRY_FIRST_MS, RETRY_MAX_DOUBLINGS } from '../../limits.ts'
import { fileCleanup, galleryCleanup, galleryRetries, imageRetries } from '../schema.ts'
import type { Shard } from '../store.ts'

/** SQL: the time of the next attempt, with this failure counted: after one minute, then two, four and so on. */
function retryAt(nowMs: number, attempts: ReturnType<typeof sql>) {
  return sql`${nowMs} + ${RETRY_FIRST_MS} * (1 << min(max(${attempts}, 1) - 1, ${RETRY_MAX_DOUBLINGS}))`
}

/**
 * Puts off galleries that could not be finalized, or deleted when they expired. `failed` is 1 for a failure, and 0 where the time was up
 * before they were tried.
 */
export async function putOffGalleries(
  shard: Shard,
  ids: readonly number[],
  failed: 0 | 1,
  nowMs: number,
): Promise<void> {
  if (ids.length === 0) return
  const attempts = sql`attempts + ${failed}`
  await shard.db
    .insert(galleryRetries)
    .select(
      sql`SELECT value, ${failed}, ${nowMs} + ${RETRY_FIRST_MS} FROM json_each(${JSON.stringify(ids)}) WHERE true`,
    )
    .onConflictDoUpdate({ target: galleryRetries.galleryId, set: { attempts, retryAt: retryAt(nowMs, attempts) } })
}

/** Puts off expired images that could not be deleted, in the same way. */
export async function putOffImages(shard: Shard, ids: readonly number[], failed: 0 | 1, nowMs: number): Promise<void> {
  if (ids.length === 0) return
  const attempts = sql`attempts + ${failed}`
  await shard.db
    .insert(imageRetries)
    .select(
      sql`SELECT value, ${failed}, ${nowMs} + ${RETRY_FIRST_MS} FROM json_each(${JSON.stringify(ids)}) WHERE true`,
    )
    .onConflictDoUpdate({ target: imageRetries.imageId, set: { attempts, retryAt: retryAt(nowMs, attempts) } })
}

/** Puts off the cleanup of images whose files could not be removed, and adds those that had none. */
export async function putOffFiles(
  shard: Shard,
  images: readonly { id: number; name: string }[],
  failed: 0 | 1,
  nowMs: number,
): Promise<void> {
  if (images.length === 0) return
  const attempts = sql`${fileCleanup.attempts} + ${failed}`
  await shard.db
    .insert(fileCleanup)
    .select(sql`
      SELECT value ->> 'id', value ->> 'name', ${nowMs} + ${RETRY_FIRST_MS}, 1, 0, ${failed}
      FROM json_each(${JSON.stringify(images.map(({ id, name }) => ({ id, name })))}) WHERE true`)
    .onConflictDoUpdate({ target: fileCleanup.imageId, set: { attempts, dueAt: retryAt(nowMs, attempts) } })
}

/** Puts off a deleted gallery that could not be swept. */
export async function putOffGalleryCleanup(shard: Shard, galleryId: number, nowMs: number): Promise<void> {
  const attempts = sql`${galleryCleanup.attempts} + 1`
  await shard.db
    .update(galleryCleanup)
    .set({ attempts, dueAt: retryAt(nowMs, attempts) })
    .where(eq(galleryCleanup.galleryId, galleryId))
}
