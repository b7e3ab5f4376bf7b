import { and, asc, eq, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { type IdempotencyKey, idempotencyKeys } from './schema.ts'
import type { Store } from './store.ts'

/** What a request writes to hold its key until `expiresAt`. */
export type KeyClaim = Omit<IdempotencyKey, 'answer'>

/** An answer to be sealed until `expiresAt` by the request that holds the key. */
export interface SealedAnswer {
  digest: string
  claimId: string
  answer: string
  expiresAt: number
}

/**
 * Claims a key if it is free: unknown, expired, or held by a request that died. Gives what then stands under the key, of
 * which the `claimId` tells whose it is: of simultaneous calls one finds its own.
 */
export async function claimKey(store: Store, wanted: KeyClaim, nowMs: number): Promise<IdempotencyKey> {
  const { digest, ...fresh } = wanted
  const [, [standing]] = await store.db.batch([
    store.db
      .insert(idempotencyKeys)
      .values(wanted)
      .onConflictDoUpdate({
        target: idempotencyKeys.digest,
        set: { ...fresh, answer: null },
        setWhere: lte(idempotencyKeys.expiresAt, nowMs),
      }),
    store.db.select().from(idempotencyKeys).where(eq(idempotencyKeys.digest, digest)),
  ])
  if (!standing) throw new Error('what was claimed is gone within the same transaction')
  return standing
}

/** Gives up a key whose request came to nothing, so that it is free again. False when the key is no longer this request's. */
export async function releaseKey(store: Store, { digest, claimId }: KeyClaim): Promise<boolean> {
  const result = await store.db
    .delete(idempotencyKeys)
    .where(
      and(eq(idempotencyKeys.digest, digest), eq(idempotencyKeys.claimId, claimId), isNull(idempotencyKeys.answer)),
    )
  return result.meta.changes === 1
}

/** Whether the request that wants to keep this answer still holds its key. */
export function holdsKey({ digest, claimId }: SealedAnswer): SQL {
  return sql`EXISTS (SELECT 1 FROM ${idempotencyKeys} WHERE digest = ${digest} AND claim = ${claimId})`
}

/** Keeps an answer if `recorded` holds: for the batch that writes what the answer tells of, after it. */
export function keepAnswer(store: Store, { digest, claimId, answer, expiresAt }: SealedAnswer, recorded: SQL) {
  return store.db
    .update(idempotencyKeys)
    .set({ answer, expiresAt })
    .where(and(eq(idempotencyKeys.digest, digest), eq(idempotencyKeys.claimId, claimId), recorded))
}

/** Forgets at most so many keys that are free, the longest free first, and gives how many. */
export async function deleteExpiredKeys(store: Store, nowMs: number, limit: number): Promise<number> {
  const free = store.db
    .select({ digest: idempotencyKeys.digest })
    .from(idempotencyKeys)
    .where(lte(idempotencyKeys.expiresAt, nowMs))
    .orderBy(asc(idempotencyKeys.expiresAt))
    .limit(limit)
  const result = await store.db.delete(idempotencyKeys).where(inArray(idempotencyKeys.digest, free))
  return result.meta.changes
}
