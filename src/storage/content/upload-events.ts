import { eq, inArray, lte, sql } from 'drizzle-orm'
import { uploadEvents } from '../schema.ts'
import type { Shard } from '../store.ts'

/** The announcement of a stored upload, which the UPLOAD_WEBHOOK has not acknowledged. */
export type UploadEvent = typeof uploadEvents.$inferSelect

/** The body of a new announcement, and when it is sent by the cron if that was not done before. */
export interface NewUploadEvent {
  body: string
  dueAt: number
}

/** Times between the attempts of an announcement. */
export interface EventBackOff {
  firstMs: number
  maxMs: number
}

/**
 * Claims the announcements that are due, the longest due first: each is due again later, in case this attempt fails. Each claim doubles
 * the time.
 */
export async function claimDueEvents(
  shard: Shard,
  nowMs: number,
  limit: number,
  { firstMs, maxMs }: EventBackOff,
): Promise<UploadEvent[]> {
  const due = shard.db
    .select({ imageId: uploadEvents.imageId })
    .from(uploadEvents)
    .where(lte(uploadEvents.dueAt, nowMs))
    .orderBy(uploadEvents.dueAt)
    .limit(limit)
  return shard.db
    .update(uploadEvents)
    .set({
      attempts: sql`${uploadEvents.attempts} + 1`,
      dueAt: sql`${nowMs} + min(${firstMs} << min(${uploadEvents.attempts}, 20), ${maxMs})`,
    })
    .where(inArray(uploadEvents.imageId, due))
    .returning()
}

/** Returns the announcement of an image; undefined if there is none, or none any more. */
export async function findEvent(shard: Shard, imageId: number): Promise<UploadEvent | undefined> {
  const [event] = await shard.db.select().from(uploadEvents).where(eq(uploadEvents.imageId, imageId))
  return event
}

/** Deletes the announcement of an image: it arrived, or is given up. */
export async function deleteEvent(shard: Shard, imageId: number): Promise<void> {
  await shard.db.delete(uploadEvents).where(eq(uploadEvents.imageId, imageId))
}
