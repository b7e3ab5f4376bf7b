import { desc, eq, lte } from 'drizzle-orm'
import { type Image, images, type ModerationEntry, moderationAudit } from './schema.ts'
import type { Store } from './store.ts'

/** A decision that is about to be carried out. `operation` is a random id of it. */
export type NewEntry = Pick<
  ModerationEntry,
  'operation' | 'decidedAt' | 'operator' | 'action' | 'imageId' | 'galleryHash'
>

/** What came of a decision. */
export type Outcome = Pick<ModerationEntry, 'changed' | 'reports' | 'pictures'>

/** A decision, with the picture it was about. */
export interface AuditedEntry {
  entry: ModerationEntry
  image: Image | null
}

/** Writes down a decision before it is carried out: once, however often it is sent. */
export async function insertEntry(store: Store, entry: NewEntry): Promise<void> {
  await store.db.insert(moderationAudit).values(entry).onConflictDoNothing()
}

/** Writes down what came of a decision. */
export async function completeEntry(store: Store, operation: string, outcome: Outcome): Promise<void> {
  await store.db
    .update(moderationAudit)
    .set({ ...outcome, completed: true })
    .where(eq(moderationAudit.operation, operation))
}

/** The newest decisions, the newest first. */
export async function listEntries(store: Store, nowMs: number, limit: number): Promise<AuditedEntry[]> {
  return store.db
    .select({ entry: moderationAudit, image: images })
    .from(moderationAudit)
    .leftJoin(images, eq(images.id, moderationAudit.imageId))
    .where(lte(moderationAudit.decidedAt, nowMs))
    .orderBy(desc(moderationAudit.decidedAt), desc(moderationAudit.id))
    .limit(limit)
}
