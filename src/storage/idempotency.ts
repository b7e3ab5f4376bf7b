import { and, asc, eq, gt, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { type IdempotencyKey, idempotencyKeys } from './schema.ts'
import type { Shard } from './store.ts'

/** The row with which a request holds its key until `expiresAt`. */
export type KeyClaim = Omit<IdempotencyKey, 'answer' | 'shard'>

/** The encrypted answer of the request that holds the key, with the request's fingerprint, to be kept until `expiresAt`. */
export interface SealedAnswer {
  digest: string
  claimId: string
  fingerprint: string
  answer: string
  expiresAt: number
}

/**
 * Claims a key if it is free: unknown, expired, or held by a request that died. Gives the row that the key then has:
 * its `claimId` tells which request holds the key. Of simultaneous calls, one finds its own.
 */
export async function claimKey(shard: Shard, wanted: KeyClaim, nowMs: number): Promise<IdempotencyKey> {
  const { digest, ...fresh } = wanted
  const [, [standing]] = await shard.db.batch([
    shard.db
      .insert(idempotencyKeys)
      .values(wanted)
      .onConflictDoUpdate({
        target: idempotencyKeys.digest,
        set: { ...fresh, answer: null, shard: null },
        setWhere: lte(idempotencyKeys.expiresAt, nowMs),
      }),
    shard.db.select().from(idempotencyKeys).where(eq(idempotencyKeys.digest, digest)),
  ])
  if (!standing) throw new Error('what was claimed is gone within the same transaction')
  return standing
}

/** Returns the row of a key that is leased or has an answer; undefined if the key is free. */
export async function readKey(shard: Shard, digest: string, nowMs: number): Promise<IdempotencyKey | undefined> {
  const [row] = await shard.db
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.digest, digest), gt(idempotencyKeys.expiresAt, nowMs)))
  return row
}

/** Says that the request which holds a key is still at work: nobody takes the key over before `expiresAt`. */
export async function extendClaim(
  shard: Shard,
  { digest, claimId }: Pick<KeyClaim, 'digest' | 'claimId'>,
  expiresAt: number,
): Promise<void> {
  await shard.db
    .update(idempotencyKeys)
    .set({ expiresAt })
    .where(
      and(
        eq(idempotencyKeys.digest, digest),
        eq(idempotencyKeys.claimId, claimId),
        isNull(idempotencyKeys.answer),
        isNull(idempotencyKeys.shard),
      ),
    )
}

/**
 * Notes that the request which holds a key has gone to another shard: whoever comes with the key looks there, until `expiresAt`.
 * False if another request has taken the key over.
 */
export async function forwardKey(
  home: Shard,
  { digest, claimId }: Pick<KeyClaim, 'digest' | 'claimId'>,
  shard: number,
  expiresAt: number,
): Promise<boolean> {
  const isOurs = and(eq(idempotencyKeys.digest, digest), eq(idempotencyKeys.claimId, claimId))
  const [, forwarded] = await home.db.batch([
    home.db
      .update(idempotencyKeys)
      .set({ shard, expiresAt })
      .where(and(isOurs, isNull(idempotencyKeys.answer))),
    home.db
      .select({ digest: idempotencyKeys.digest })
      .from(idempotencyKeys)
      .where(and(isOurs, eq(idempotencyKeys.shard, shard))),
  ])
  return forwarded.length === 1
}

/** Frees the key of a request that failed. False if another request has taken the key over, or there is an answer after all. */
export async function releaseKey(
  shard: Shard,
  { digest, claimId }: Pick<KeyClaim, 'digest' | 'claimId'>,
): Promise<boolean> {
  const [, standing] = await shard.db.batch([
    shard.db
      .delete(idempotencyKeys)
      .where(
        and(eq(idempotencyKeys.digest, digest), eq(idempotencyKeys.claimId, claimId), isNull(idempotencyKeys.answer)),
      ),
    shard.db
      .select({ claimId: idempotencyKeys.claimId })
      .from(idempotencyKeys)
      .where(eq(idempotencyKeys.digest, digest)),
  ])
  return standing.length === 0
}

/** SQL: whether the request of this answer still holds its key. */
export function holdsKey({ digest, claimId }: SealedAnswer): SQL {
  return sql`EXISTS (SELECT 1 FROM ${idempotencyKeys} WHERE digest = ${digest} AND claim = ${claimId})`
}

/** Stores an answer if `recorded` is true: a statement for the batch that records what the request did. */
export function keepAnswer(shard: Shard, sealed: SealedAnswer, recorded: SQL) {
  const { digest, claimId, fingerprint, answer, expiresAt } = sealed
  return shard.db
    .update(idempotencyKeys)
    .set({ fingerprint, answer, expiresAt })
    .where(and(eq(idempotencyKeys.digest, digest), eq(idempotencyKeys.claimId, claimId), recorded))
}

/** Deletes at most `limit` expired keys, the oldest first, and gives their number. */
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
