import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm'
import { holdsKey, keepAnswer, type SealedAnswer } from './idempotency.ts'
import { type Gallery, galleries, galleryCleanup, images, managementTokens } from './schema.ts'
import type { Store } from './store.ts'

/** A gallery to insert: it has no id yet. */
export type NewGallery = Pick<Gallery, 'hash' | 'name' | 'uploadTokenDigest' | 'createdAt'>

const hasImages = sql`EXISTS (SELECT 1 FROM ${images} WHERE gallery_id = ${galleries.id} AND ${images.deletedAt} IS NULL)`
const unfinished = and(isNull(galleries.finalizedAt), isNull(galleries.deletedAt))

/**
 * Inserts a gallery, with the digest of its management token and the answer to keep, if there are any: all of it or
 * nothing. False if nothing was written: another request has taken over the Idempotency-Key.
 */
export async function insertGallery(
  store: Store,
  gallery: NewGallery,
  tokenDigest: string | undefined,
  sealed: SealedAnswer | undefined,
): Promise<boolean> {
  const { hash, name, uploadTokenDigest, createdAt } = gallery
  const recorded = sql`FROM ${galleries} WHERE hash = ${hash}`
  const token = store.db.insert(managementTokens).select(sql`SELECT ${tokenDigest ?? null}, NULL, id ${recorded}`)
  const [inserted] = await store.db.batch([
    store.db.insert(galleries).select(sql`
      SELECT NULL, ${hash}, ${name}, ${uploadTokenDigest}, ${createdAt}, NULL, NULL WHERE ${sealed ? holdsKey(sealed) : sql`1`}`),
    ...(tokenDigest === undefined ? [] : [token]),
    ...(sealed ? [keepAnswer(store, sealed, sql`EXISTS (SELECT 1 ${recorded})`)] : []),
  ])
  return inserted.meta.changes === 1
}

/** The gallery with this public hash, in any state. */
export async function findGallery(store: Store, hash: string): Promise<Gallery | undefined> {
  const [gallery] = await store.db.select().from(galleries).where(eq(galleries.hash, hash))
  return gallery
}

/** The gallery with this row id, in any state. */
export async function findGalleryById(store: Store, id: number): Promise<Gallery | undefined> {
  const [gallery] = await store.db.select().from(galleries).where(eq(galleries.id, id))
  return gallery
}

/** Makes an unfinished gallery public if it has a picture and deletes it if it has none, in one transaction. */
export async function finalizeOrRemove(store: Store, id: number, nowMs: number): Promise<void> {
  await store.db.batch([
    store.db
      .update(galleries)
      .set({ finalizedAt: nowMs })
      .where(and(eq(galleries.id, id), unfinished, hasImages)),
    store.db
      .update(galleries)
      .set({ deletedAt: nowMs, name: '' })
      .where(and(eq(galleries.id, id), unfinished)),
  ])
}

/** The ids of unfinished galleries created at or before `createdUntilMs`, the oldest first. */
export async function findUnfinished(store: Store, createdUntilMs: number, limit: number): Promise<number[]> {
  const rows = await store.db
    .select({ id: galleries.id })
    .from(galleries)
    .where(and(unfinished, lte(galleries.createdAt, createdUntilMs)))
    .orderBy(asc(galleries.createdAt))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** Renames a gallery and gives the name as stored; undefined if the gallery is deleted. */
export async function renameGallery(store: Store, id: number, name: string): Promise<string | undefined> {
  const [row] = await store.db
    .update(galleries)
    .set({ name })
    .where(and(eq(galleries.id, id), isNull(galleries.deletedAt)))
    .returning({ name: galleries.name })
  return row?.name
}

/**
 * Marks a gallery deleted, deletes its name and schedules the removal of its files: two rows, however many pictures it has.
 * False if it was deleted already: of simultaneous calls, one gets true.
 */
export async function markGalleryDeleted(store: Store, id: number, nowMs: number): Promise<boolean> {
  const [marked] = await store.db.batch([
    store.db
      .update(galleries)
      .set({ deletedAt: nowMs, name: '' })
      .where(and(eq(galleries.id, id), isNull(galleries.deletedAt))),
    store.db.insert(galleryCleanup).values({ galleryId: id, dueAt: nowMs }).onConflictDoNothing(),
  ])
  return marked.meta.changes === 1
}
