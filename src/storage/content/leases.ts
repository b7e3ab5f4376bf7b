import { and, asc, eq, gt, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { type IdempotencyKey, idempotencyKeys } from '../schema.ts'
import type { Shard } from '../store.ts'

/** The row with which a request holds its key until `expiresAt`. */
export type KeyLease = Omit<IdempotencyKey, 'response' | 'shard'>

/** The encrypted response to the request that holds the key, with the request's fingerprint, to be stored until `expiresAt`. */
export interface SealedResponse {
  digest: string
  leaseId: string
  fingerprint: string
  response: string
  expiresAt: number
}

/**
 * Acquires a key if it is free: unknown, expired, or held by a request that died. Returns the row that the key then has: its `leaseId`
 * says which request holds the key. Of simultaneous calls, one finds its own.
 */
export async function acquireKey(shard: Shard, wanted: KeyLease, nowMs: number): Promise<IdempotencyKey> {
  const { digest, ...fresh } = wanted
  const [, [existing]] = await shard.db.batch([
    shard.db
      .insert(idempotencyKeys)
      .values(wanted)
      .onConflictDoUpdate({
        target: idempotencyKeys.digest,
        set: { ...fresh, response: null, shard: null },
        setWhere: lte(idempotencyKeys.expiresAt, nowMs),
      }),
    shard.db.select().from(idempotencyKeys).where(eq(idempotencyKeys.digest, digest)),
  ])
  if (!existing) throw new Error('a key that was acquired is gone within the same transaction')
  return existing
}

/** Returns the row of a key that is leased or has a response; undefined if the key is free. */
export async function readKey(shard: Shard, digest: string, nowMs: number): Promise<IdempotencyKey | undefined> {
  const [row] = await shard.db
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.digest, digest), gt(idempotencyKeys.expiresAt, nowMs)))
  return row
}

/** Renews the lease of a request that is still at work: no other takes the key over before `expiresAt`. */
export async function renewLease(
  shard: Shard,
  { digest, leaseId }: Pick<KeyLease, 'digest' | 'leaseId'>,
  expiresAt: number,
): Promise<void> {
  await shard.db
    .update(idempotencyKeys)
    .set({ expiresAt })
    .where(
      and(
        eq(idempotencyKeys.digest, digest),
        eq(idempotencyKeys.leaseId, leaseId),
        isNull(idempotencyKeys.response),
        isNull(idempotencyKeys.shard),
      ),
    )
}

/**
 * Makes the row of a key a forwarding record, until `expiresAt`: the request which holds the key has gone to another shard. False if
 * another request has taken the key over.
 */
export async function forwardKey(
  home: Shard,
  { digest, leaseId }: Pick<KeyLease, 'digest' | 'leaseId'>,
  shard: number,
  expiresAt: number,
): Promise<boolean> {
  const isOurs = and(eq(idempotencyKeys.digest, digest), eq(idempotencyKeys.leaseId, leaseId))
  const [, forwarded] = await home.db.batch([
    home.db
      .update(idempotencyKeys)
      .set({ shard, expiresAt })
      .where(and(isOurs, isNull(idempotencyKeys.response))),
    home.db
      .select({ digest: idempotencyKeys.digest })
      .from(idempotencyKeys)
      .where(and(isOurs, eq(idempotencyKeys.shard, shard))),
  ])
  return forwarded.length === 1
}

/** Frees the key of a request that failed. False if another request has taken the key over, or there is a response after all. */
export async function releaseKey(
  shard: Shard,
  { digest, leaseId }: Pick<KeyLease, 'digest' | 'leaseId'>,
): Promise<boolean> {
  const [, existing] = await shard.db.batch([
    shard.db
      .delete(idempotencyKeys)
      .where(
        and(eq(idempotencyKeys.digest, digest), eq(idempotencyKeys.leaseId, leaseId), isNull(idempotencyKeys.response)),
      ),
    shard.db
      .select({ leaseId: idempotencyKeys.leaseId })
      .from(idempotencyKeys)
      .where(eq(idempotencyKeys.digest, digest)),
  ])
  return existing.length === 0
}

/** SQL: whether the request of this response still holds its key. */
export function holdsKey({ digest, leaseId }: SealedResponse): SQL {
  return sql`EXISTS (SELECT 1 FROM ${idempotencyKeys} WHERE digest = ${digest} AND claim = ${leaseId})`
}

/** Stores a response if `recorded` is true: a statement for the batch that records what the request did. */
export function storeResponse(shard: Shard, sealed: SealedResponse, recorded: SQL) {
  const { digest, leaseId, fingerprint, response, expiresAt } = sealed
  return shard.db
    .update(idempotencyKeys)
    .set({ fingerprint, response, expiresAt })
    .where(and(eq(idempotencyKeys.digest, digest), eq(idempotencyKeys.leaseId, leaseId), recorded))
}

/** Deletes at most `limit` expired keys, the oldest first, and returns their number. */
export async function deleteExpiredKeys(shard: Shard, nowMs: number, limit: number): Promise<number> {
  const free = shard.db
    .select({ digest: idempotencyKeys.digest })
    .from(idempotencyKeys)
    .where(lte(idempotencyKeys.expiresAt, nowMs))
    .orderBy(asc(idempotencyKeys.expiresAt))
    .limit(limit)
  const result = await shard.db.delete(idempotencyKeys).where(inArray(idempotencyKeys.digest, free))
  return result.meta.changes
}
