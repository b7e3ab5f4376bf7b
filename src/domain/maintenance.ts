import {
  CLEANUP_BATCH_IMAGES,
  MAINTENANCE_BATCH_ANSWERS,
  MAINTENANCE_BATCH_GALLERIES,
  MAINTENANCE_MAX_BATCHES,
  SECOND_LOOK_MS,
  UPLOAD_TOKEN_LIFETIME_MS,
} from '../limits.ts'
import {
  advanceGalleryCleanup,
  claimDueFiles,
  completeFileCleanup,
  completeGalleryCleanup,
  type DueGallery,
  findDueGalleries,
  listGalleryFiles,
} from '../storage/cleanup.ts'
import { deleteFiles } from '../storage/files.ts'
import { finalizeOrRemove, findUnfinished } from '../storage/galleries.ts'
import { deleteExpiredKeys } from '../storage/idempotency.ts'
import type { Store } from '../storage/store.ts'
import { imagePath } from './links.ts'
import { createOperationId } from './token.ts'

/** Called for every problem; maintenance then goes on with the next row. */
export type ProblemLogger = (what: string, error: unknown) => void

/**
 * One tick of maintenance: finalizes or removes galleries left unfinished (D26), removes files that are due and
 * expired answers, in bounded batches.
 */
export async function maintain(store: Store, nowMs: number, logProblem: ProblemLogger): Promise<void> {
  await attempt('finalize galleries', logProblem, () => finalizeAbandoned(store, nowMs, logProblem))
  await attempt('sweep files', logProblem, () => sweepFiles(store, nowMs))
  await attempt('sweep galleries', logProblem, () => sweepGalleries(store, nowMs, logProblem))
  await attempt('forget answers', logProblem, () => deleteExpiredAnswers(store, nowMs))
}

/** Finalizes galleries whose upload token has expired, and removes the empty ones. */
async function finalizeAbandoned(store: Store, nowMs: number, logProblem: ProblemLogger): Promise<void> {
  const due = await findUnfinished(store, nowMs - UPLOAD_TOKEN_LIFETIME_MS, MAINTENANCE_BATCH_GALLERIES)
  for (const id of due) {
    await attempt(`finalize gallery ${id}`, logProblem, async () => {
      await finalizeOrRemove(store, id, nowMs, createOperationId())
    })
  }
}

/** Removes files that are due: of deleted pictures, and of uploads that were never recorded. */
export async function sweepFiles(store: Store, nowMs: number): Promise<void> {
  for (let batch = 0; batch < MAINTENANCE_MAX_BATCHES; batch++) {
    const due = await claimDueFiles(store, nowMs, CLEANUP_BATCH_IMAGES)
    await deleteFiles(store, due.map(imagePath))
    await completeFileCleanup(
      store,
      due.map(({ id }) => id),
      nowMs + SECOND_LOOK_MS,
    )
    if (due.length < CLEANUP_BATCH_IMAGES) return
  }
}

/** Removes the files of deleted galleries; the next tick goes on where this one ends. */
export async function sweepGalleries(store: Store, nowMs: number, logProblem: ProblemLogger): Promise<void> {
  let batchesLeft = MAINTENANCE_MAX_BATCHES
  for (const gallery of await findDueGalleries(store, nowMs, MAINTENANCE_MAX_BATCHES)) {
    await attempt(`sweep gallery ${gallery.galleryId}`, logProblem, async () => {
      batchesLeft -= await sweepGallery(store, gallery, batchesLeft)
    })
  }
}

/** Removes files of a deleted gallery in at most `maxBatches` batches; gives the number of batches it took. */
async function sweepGallery(store: Store, gallery: DueGallery, maxBatches: number): Promise<number> {
  const { galleryId } = gallery
  let { afterImageId } = gallery
  for (let batches = 0; batches < maxBatches; batches++) {
    const files = await listGalleryFiles(store, { galleryId, afterImageId }, CLEANUP_BATCH_IMAGES)
    const last = files.at(-1)
    if (!last) {
      await completeGalleryCleanup(store, galleryId)
      return batches
    }
    await deleteFiles(store, files.map(imagePath))
    afterImageId = last.id
    await advanceGalleryCleanup(store, galleryId, afterImageId)
  }
  return maxBatches
}

/** Deletes expired answers, and keys whose holders died. */
async function deleteExpiredAnswers(store: Store, nowMs: number): Promise<void> {
  for (let batch = 0; batch < MAINTENANCE_MAX_BATCHES; batch++) {
    if ((await deleteExpiredKeys(store, nowMs, MAINTENANCE_BATCH_ANSWERS)) < MAINTENANCE_BATCH_ANSWERS) return
  }
}

async function attempt(what: string, logProblem: ProblemLogger, step: () => Promise<void>): Promise<void> {
  try {
    await step()
  } catch (error) {
    logProblem(what, error)
  }
}
