import { and, desc, eq, lt, lte, or, sql } from 'drizzle-orm'
import { type ModerationEntry, moderationAudit } from '../schema.ts'
import type { Shard } from '../store.ts'

/** A decision that is about to be carried out. `operation` is a random id of it. */
type NewEntry = Pick<ModerationEntry, 'operation' | 'decidedAt' | 'operator' | 'action' | 'imageId' | 'galleryHash'>

export type Outcome = Pick<ModerationEntry, 'changed' | 'reports' | 'images'>

/** Records a decision before it is carried out. A repeated call changes nothing. */
export async function insertEntry(shard: Shard, entry: NewEntry): Promise<void> {
  await shard.db.insert(moderationAudit).values(entry).onConflictDoNothing()
}

/** A batch of an import or of a withdrawal. */
export interface ListEntry extends Omit<NewEntry, 'imageId' | 'galleryHash'> {
  list: string
}

/** Records a decision about a block list before its first batch. A repeated call changes nothing. */
export async function insertListEntry(shard: Shard, entry: ListEntry): Promise<void> {
  await shard.db.insert(moderationAudit).values(entry).onConflictDoNothing()
}

/** Adds the outcome of a batch of a decision about a block list. */
export async function addToEntry(
  shard: Shard,
  operation: string,
  { entries, isLast }: { entries: number; isLast: boolean },
): Promise<void> {
  await shard.db
    .update(moderationAudit)
    .set({
      images: sql`${moderationAudit.images} + ${entries}`,
      changed: sql`${moderationAudit.changed} OR ${entries > 0 ? 1 : 0}`,
      completed: isLast,
    })
    .where(eq(moderationAudit.operation, operation))
}

/** Records the outcome of a decision. */
export async function completeEntry(shard: Shard, operation: string, outcome: Outcome): Promise<void> {
  await shard.db
    .update(moderationAudit)
    .set({ ...outcome, completed: true })
    .where(eq(moderationAudit.operation, operation))
}

/** Decisions up to a time; with `beforeId`, of those at this very time only the ones before this id. */
interface EntryRange {
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
