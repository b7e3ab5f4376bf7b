import { asc, lte, sql } from 'drizzle-orm'
import { EDGE_PURGE } from '../../limits.ts'
import { MINUTE_MS } from '../../units.ts'
import { edgePurgeCalls, edgePurges } from '../schema.ts'
import type { Shard, Store } from '../store.ts'

/** A cache tag to purge in a zone. */
export interface EdgePurge {
  zone: string
  tag: string
}

const ONLY = 1

/** The shard that has the queue of all: one call of the API takes the tags of several. */
export function shardOfPurges({ shards }: Pick<Store, 'shards'>): Shard {
  return shards[0]
}

/**
 * Queues what was deleted at `nowMs`, and takes up to `wanted` calls of those that may be made in this minute. Returns how many it got:
 * 0 if `limit` have been taken.
 */
export async function queuePurges(
  shard: Shard,
  purges: readonly EdgePurge[],
  calls: { nowMs: number; wanted: number; limit: number },
): Promise<number> {
  const { nowMs } = calls
  const [before, after] = await shard.db.batch([
    ...takingCalls(shard, calls),
    shard.db
      .insert(edgePurges)
      .select(
        sql`SELECT value ->> 'zone', value ->> 'tag', ${nowMs}, ${nowMs}, 0
          FROM json_each(${JSON.stringify(purges)}) WHERE true`,
      )
      .onConflictDoUpdate({
        target: [edgePurges.zone, edgePurges.tag],
        set: { deletedAt: nowMs, dueAt: nowMs, attempts: 0 },
      }),
  ])
  return taken(before, after)
}

/** Takes up to `wanted` calls without queueing anything. */
export async function takeCalls(
  shard: Shard,
  calls: { nowMs: number; wanted: number; limit: number },
): Promise<number> {
  const [before, after] = await shard.db.batch(takingCalls(shard, calls))
  return taken(before, after)
}

function takingCalls({ db }: Shard, { nowMs, wanted, limit }: { nowMs: number; wanted: number; limit: number }) {
  const minute = Math.floor(nowMs / MINUTE_MS)
  const most = sql`min(${wanted}, ${limit})`
  const { calls, minute: counted } = edgePurgeCalls
  return [
    db.select({ calls }).from(edgePurgeCalls).where(sql`${counted} = ${minute}`),
    db
      .insert(edgePurgeCalls)
      .values({ id: ONLY, minute, calls: most })
      .onConflictDoUpdate({
        target: edgePurgeCalls.id,
        set: {
          minute,
          calls: sql`CASE ${counted} WHEN ${minute} THEN max(${calls}, min(${calls} + ${wanted}, ${limit})) ELSE ${most} END`,
        },
      })
      .returning({ calls }),
  ] as const
}

function taken(before: readonly { calls: number }[], after: readonly { calls: number }[]): number {
  return (after[0]?.calls ?? 0) - (before[0]?.calls ?? 0)
}

/** Returns the purges that are due, the longest due first. */
export async function findDuePurges(shard: Shard, nowMs: number, limit: number): Promise<EdgePurge[]> {
  return shard.db
    .select({ zone: edgePurges.zone, tag: edgePurges.tag })
    .from(edgePurges)
    .where(lte(edgePurges.dueAt, nowMs))
    .orderBy(asc(edgePurges.dueAt))
    .limit(limit)
}

/** Records purges that were made at `nowMs`: the second of a tag is its last. */
export async function completePurges(shard: Shard, purges: readonly EdgePurge[], nowMs: number): Promise<void> {
  if (purges.length === 0) return
  const { deletedAt } = edgePurges
  const made = isAmong(purges)
  await shard.db.batch([
    shard.db.delete(edgePurges).where(sql`${made} AND ${deletedAt} + ${EDGE_PURGE.againMs} <= ${nowMs}`),
    shard.db
      .update(edgePurges)
      .set({ dueAt: sql`${deletedAt} + ${EDGE_PURGE.againMs}`, attempts: 0 })
      .where(made),
  ])
}

/** Records purges that failed: the next tick tries them again. */
export async function failPurges(shard: Shard, purges: readonly EdgePurge[]): Promise<void> {
  if (purges.length === 0) return
  const { attempts } = edgePurges
  await shard.db
    .update(edgePurges)
    .set({ attempts: sql`${attempts} + 1` })
    .where(isAmong(purges))
}

function isAmong(purges: readonly EdgePurge[]) {
  return sql`(${edgePurges.zone}, ${edgePurges.tag}) IN
    (SELECT value ->> 'zone', value ->> 'tag' FROM json_each(${JSON.stringify(purges)}))`
}

/** Drops purges whose cache entries have all expired by themselves. Returns their number. */
export async function dropLatePurges(shard: Shard, nowMs: number): Promise<number> {
  const dropped = await shard.db
    .delete(edgePurges)
    .where(lte(edgePurges.deletedAt, nowMs - EDGE_PURGE.uselessAfterMs))
    .returning({ tag: edgePurges.tag })
  return dropped.length
}
