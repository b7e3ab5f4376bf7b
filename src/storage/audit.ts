import { and, desc, eq, lt, lte, or } from 'drizzle-orm'
import { type ModerationEntry, moderationAudit } from './schema.ts'
import type { Shard } from './store.ts'

/** A decision that is about to be carried out. `operation` is a random id of it. */
export type NewEntry = Pick<
  ModerationEntry,
  'operation' | 'decidedAt' | 'operator' | 'action' | 'imageId' | 'galleryHash'
>

export type Outcome = Pick<ModerationEntry, 'changed' | 'reports' | 'images'>

/** Records a decision before it is carried out. A repeated call changes nothing. */
export async function insertEntry(shard: Shard, entry: NewEntry): Promise<void> {
  await shard.db.insert(moderationAudit).values(entry).onConflictDoNothing()
}

/** Records the outcome of a decision. */
export async function completeEntry(shard: Shard, operation: string, outcome: Outcome): Promise<void> {
  await shard.db
    .update(moderationAudit)
    .set({ ...outcome, completed: true })
    .where(eq(moderationAudit.operation, operation))
}

/** Decisions up to a time; with `beforeId`, of those at this very time only the ones before this id. */
export interface EntryRange {
  untilMs: number
  beforeId: number | undefined
  limit: number
}

/** Returns the newest decisions, the newest first. */
export async function listEntries(shard: Shard, { untilMs, beforeId, limit }: EntryRange): Promise<ModerationEntry[]> {
  const { decidedAt, id } = moderationAudit
  const isBefore = beforeId === undefined ? undefined : or(lt(decidedAt, untilMs), lt(id, beforeId))
  return shard.db
    .select()
    .from(moderationAudit)
    .where(and(lte(decidedAt, untilMs), isBefore))
    .orderBy(desc(decidedAt), desc(id))
    .limit(limit)
}
