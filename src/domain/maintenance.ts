import {
  CLEANUP_BATCH_IMAGES,
  MAINTENANCE_BATCH_ANSWERS,
  MAINTENANCE_BATCH_GALLERIES,
  MAINTENANCE_MAX_BATCHES,
  UPLOAD_TOKEN_LIFETIME_MS,
} from '../limits.ts'
import {
  advanceGallery,
  claimDueFiles,
  type DueGallery,
  findDueGalleries,
  listGalleryFiles,
  settleFiles,
  settleGallery,
} from '../storage/cleanup.ts'
import { deleteFiles } from '../storage/files.ts'
import { finalizeOrRemove, findUnfinished } from '../storage/galleries.ts'
import { forgetFreeKeys } from '../storage/idempotency.ts'
import type { Store } from '../storage/store.ts'
import { imagePath } from './links.ts'

/** Told of everything that went wrong on the way; maintenance goes on with the next row. */
export type Report = (what: string, error: unknown) => void

/**
 * One tick of maintenance: finalizes or removes galleries left unfinished (D26), removes files that are due and forgets
 * answers kept for their time, in bounded batches.
 */
export async function maintain(store: Store, nowMs: number, report: Report): Promise<void> {
  await attempt('finalize galleries', report, () => finalizeAbandoned(store, nowMs, report))
  await attempt('sweep files', report, () => sweepFiles(store, nowMs))
  await attempt('sweep galleries', report, () => sweepGalleries(store, nowMs, report))
  await attempt('forget answers', report, () => forgetAnswers(store, nowMs))
}

/** Finalizes galleries whose upload token has expired, and removes the empty ones. */
async function finalizeAbandoned(store: Store, nowMs: number, report: Report): Promise<void> {
  const due = await findUnfinished(store, nowMs - UPLOAD_TOKEN_LIFETIME_MS, MAINTENANCE_BATCH_GALLERIES)
  for (const id of due) {
    await attempt(`finalize gallery ${id}`, report, () => finalizeOrRemove(store, id, nowMs))
  }
}

/** Removes files that are due: of deleted pictures, and of uploads that never came to their record. */
export async function sweepFiles(store: Store, nowMs: number): Promise<void> {
  for (let batch = 0; batch < MAINTENANCE_MAX_BATCHES; batch++) {
    const due = await claimDueFiles(store, nowMs, CLEANUP_BATCH_IMAGES)
    await deleteFiles(store, due.map(imagePath))
    await settleFiles(
      store,
      due.map(({ id }) => id),
    )
    if (due.length < CLEANUP_BATCH_IMAGES) return
  }
}

/** Removes the files of deleted galleries; what one tick does not reach goes on in the next. */
export async function sweepGalleries(store: Store, nowMs: number, report: Report): Promise<void> {
  let batchesLeft = MAINTENANCE_MAX_BATCHES
  for (const gallery of await findDueGalleries(store, nowMs, MAINTENANCE_MAX_BATCHES)) {
    await attempt(`sweep gallery ${gallery.galleryId}`, report, async () => {
      batchesLeft -= await sweepGallery(store, gallery, batchesLeft)
    })
  }
}

/** Removes files of one deleted gallery in at most so many batches, and gives how many it took. */
async function sweepGallery(store: Store, gallery: DueGallery, maxBatches: number): Promise<number> {
  const { galleryId } = gallery
  let { afterImageId } = gallery
  for (let batches = 0; batches < maxBatches; batches++) {
    const files = await listGalleryFiles(store, { galleryId, afterImageId }, CLEANUP_BATCH_IMAGES)
    const last = files.at(-1)
    if (!last) {
      await settleGallery(store, galleryId)
      return batches
    }
    await deleteFiles(store, files.map(imagePath))
    afterImageId = last.id
    await advanceGallery(store, galleryId, afterImageId)
  }
  return maxBatches
}

/** Forgets the answers whose time is over, and keys whose holders died. */
async function forgetAnswers(store: Store, nowMs: number): Promise<void> {
  for (let batch = 0; batch < MAINTENANCE_MAX_BATCHES; batch++) {
    if ((await forgetFreeKeys(store, nowMs, MAINTENANCE_BATCH_ANSWERS)) < MAINTENANCE_BATCH_ANSWERS) return
  }
}

async function attempt(what: string, report: Report, step: () => Promise<void>): Promise<void> {
  try {
    await step()
  } catch (error) {
    report(what, error)
  }
}
