import { expiryText } from '../domain/content/expiry.ts'
import { originalUrl, showUrl, thumbnailUrl } from '../domain/ids/links.ts'
import type { ProblemLogger } from '../domain/problem-logger.ts'
import { shardForImage } from '../domain/shards/sharding.ts'
import type { StoredUpload } from '../domain/uploads/store-upload.ts'
import type { Bindings } from '../env.ts'
import {
  UPLOAD_EVENT_BACK_OFF,
  UPLOAD_EVENT_MAX_ATTEMPTS,
  UPLOAD_EVENTS_AT_ONCE,
  UPLOAD_EVENTS_MAX_MS,
  WEBHOOK_MAX_AT_ONCE,
} from '../limits.ts'
import { claimDueEvents, deleteEvent, findEvent, type UploadEvent } from '../storage/content/upload-events.ts'
import type { Shard, Store } from '../storage/store.ts'
import * as time from '../time.ts'
import { runAfterResponse } from './after-response.ts'
import type { AppContext } from './context.ts'
import { countUp } from './counters.ts'
import { postMessage } from './webhooks.ts'

/**
 * Announcements of stored uploads for the UPLOAD_WEBHOOK (D66). Each is stored with the record of its image, sent after the response,
 * and deleted when it arrived. The cron sends the others, until they arrive or are given up.
 */

/** The kind of an announced upload. */
type Kind = 'image' | 'cover'

type WebhookBindings = Pick<Bindings, 'UPLOAD_WEBHOOK' | 'REPORT_WEBHOOK' | 'WEBHOOK_SECRET'>

const PROBLEM = 'call the UPLOAD_WEBHOOK'

/** Calls of this isolate that are under way after a response. */
let calls = 0

/** Returns the function that writes the announcements of an upload; undefined without the setting. */
export function announcerOf(c: AppContext, kind: Kind): ((stored: StoredUpload) => string) | undefined {
  if (!c.env.UPLOAD_WEBHOOK) return undefined
  const { site } = c.var.host
  return ({ image, galleryHash, expiresAt }) =>
    JSON.stringify({
      type: 'upload',
      timestamp: new Date(time.nowMs(c.env)).toISOString(),
      data: {
        kind,
        name: image.name,
        show_url: showUrl(site, image),
        th_url: thumbnailUrl(site, image),
        original_url: originalUrl(site, image),
        media_type: image.mediaType,
        bytes: image.bytes,
        width: image.width,
        height: image.height,
        content_type: image.nsfw ? 1 : 0,
        gallery_hash: galleryHash,
        expires_at: expiresAt === null ? undefined : expiryText(expiresAt),
        // The name of the key, not the key.
        upload_key: c.var.uploadKey?.name,
      },
    })
}

/** Sends the announcement of a stored image once, after the response. What fails is left to the cron. */
export function announceUpload(c: AppContext, imageId: number): void {
  if (!c.env.UPLOAD_WEBHOOK || calls >= WEBHOOK_MAX_AT_ONCE) return
  const shard = shardForImage(c.var.store, imageId)
  runAfterResponse(c, PROBLEM, async () => {
    calls++
    try {
      const event = await findEvent(shard, imageId)
      if (event) await deliver(c.env, shard, event, time.nowMs(c.env))
    } finally {
      calls--
    }
  })
}

/** Sends the announcements that are due, until a batch fails as a whole or the time is up. */
export async function sendDueEvents(
  env: WebhookBindings,
  store: Store,
  nowMs: number,
  logProblem: ProblemLogger,
): Promise<void> {
  if (!env.UPLOAD_WEBHOOK) return
  const endMs = Date.now() + UPLOAD_EVENTS_MAX_MS
  try {
    for (const shard of store.shards) {
      for (let hasMore = true; hasMore && Date.now() < endMs; ) hasMore = await sendBatch(env, shard, nowMs, logProblem)
    }
  } catch (error) {
    logProblem(PROBLEM, error)
  }
}

/** Sends one batch. Returns whether another one may be due, and may arrive. */
async function sendBatch(
  env: WebhookBindings,
  shard: Shard,
  nowMs: number,
  logProblem: ProblemLogger,
): Promise<boolean> {
  const events = await claimDueEvents(shard, nowMs, UPLOAD_EVENTS_AT_ONCE, UPLOAD_EVENT_BACK_OFF)
  const sent = await Promise.allSettled(events.map((event) => deliver(env, shard, event, nowMs)))
  const failures = sent.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  if (failures.length > 0) logProblem(`${PROBLEM} for ${failures.length} of ${events.length} uploads`, failures[0])
  const exhausted = events.filter(({ attempts }, at) => {
    return attempts >= UPLOAD_EVENT_MAX_ATTEMPTS && sent[at]?.status === 'rejected'
  })
  for (const { imageId } of exhausted) {
    await deleteEvent(shard, imageId)
    logProblem(
      PROBLEM,
      new Error(`the upload ${imageId} is not announced: ${UPLOAD_EVENT_MAX_ATTEMPTS} attempts failed`),
    )
  }
  return events.length === UPLOAD_EVENTS_AT_ONCE && failures.length < events.length
}

async function deliver(env: WebhookBindings, shard: Shard, event: UploadEvent, nowMs: number): Promise<void> {
  const { imageId, body, attempts } = event
  try {
    await postMessage(env, 'UPLOAD_WEBHOOK', { id: `upload_${imageId}`, body }, attempts + 1, nowMs)
  } catch (error) {
    countUp('upload_events', { outcome: 'failed' })
    throw error
  }
  countUp('upload_events', { outcome: 'delivered' })
  await deleteEvent(shard, imageId)
}
