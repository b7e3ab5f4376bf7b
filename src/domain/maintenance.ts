import {
  CLEANUP_BATCH_IMAGES,
  MAINTENANCE_BATCH_ANSWERS,
  MAINTENANCE_BATCH_GALLERIES,
  MAINTENANCE_MAX_BATCHES,
  MAINTENANCE_MAX_SPLITS,
  SECOND_LOOK_MS,
  UPLOAD_TOKEN_LIFETIME_MS,
} from '../limits.ts'
import { type Waiting, waitingDeletedGalleries, waitingFiles, waitingGalleries } from '../storage/backlog.ts'
import {
  advanceGalleryCleanup,
  claimDueFiles,
  completeFileCleanup,
  completeGalleryCleanup,
  type DueGallery,
  type DueImage,
  findDueGalleries,
  listGalleryFiles,
} from '../storage/cleanup.ts'
import { deleteFiles } from '../storage/files.ts'
import { finalizeOrRemoveAll, findUnfinished } from '../storage/galleries.ts'
import { deleteExpiredKeys } from '../storage/idempotency.ts'
import { putOffFiles, putOffGalleries, putOffGalleryCleanup } from '../storage/retries.ts'
import type { Store } from '../storage/store.ts'
import { workInHalves } from './in-halves.ts'
import { imagePath } from './links.ts'
import type { ProblemLogger } from './problem-logger.ts'
import { createOperationId } from './token.ts'

/** What is due and not done, by kind. */
export interface Backlog {
  galleries: Waiting
  files: Waiting
  deletedGalleries: Waiting
}

/**
 * One tick of maintenance: finalizes or removes galleries left unfinished (D26), removes files that are due and
 * expired answers, in bounded batches. What fails is put off, and holds nothing else up. Gives what is left, if that can be
 * told.
 */
export async function maintain(store: Store, nowMs: number, logProblem: ProblemLogger): Promise<Backlog | undefined> {
  const sweep = newSweep(nowMs, logProblem)
  await attempt('finalize galleries', logProblem, () => finalizeAbandoned(store, sweep))
  await attempt('sweep files', logProblem, () => sweepFiles(store, sweep))
  await attempt('sweep galleries', logProblem, () => sweepGalleries(store, sweep))
  await attempt('forget answers', logProblem, () => deleteExpiredAnswers(store, nowMs))
  return attempt('measure the backlog', logProblem, () => measureBacklog(store, nowMs))
}

/** What the steps of a tick, or a sweep after a delete, have in common. */
export interface Sweep {
  nowMs: number
  logProblem: ProblemLogger
  splits: { left: number }
}

/** The beginning of a tick, or of a sweep after a delete. */
export function newSweep(nowMs: number, logProblem: ProblemLogger): Sweep {
  return { nowMs, logProblem, splits: { left: MAINTENANCE_MAX_SPLITS } }
}

async function measureBacklog(store: Store, nowMs: number): Promise<Backlog> {
  return {
    galleries: await waitingGalleries(store, nowMs, UPLOAD_TOKEN_LIFETIME_MS),
    files: await waitingFiles(store, nowMs),
    deletedGalleries: await waitingDeletedGalleries(store, nowMs),
  }
}

/** Finalizes galleries whose upload token has expired, and removes the empty ones. */
async function finalizeAbandoned(store: Store, { nowMs, logProblem, splits }: Sweep): Promise<void> {
  for (let batch = 0; batch < MAINTENANCE_MAX_BATCHES; batch++) {
    const due = await findUnfinished(store, nowMs - UPLOAD_TOKEN_LIFETIME_MS, nowMs, MAINTENANCE_BATCH_GALLERIES)
    const { failed, untried } = await workInHalves(due, splits, (part) =>
      finalizeOrRemoveAll(store, part, nowMs, createOperationId()),
    )
    for (const { item, error } of failed) logProblem(`finalize gallery ${item}`, error)
    await putOffGalleries(
      store,
      failed.map(({ item }) => item),
      1,
      nowMs,
    )
    await putOffGalleries(store, untried, 0, nowMs)
    if (due.length < MAINTENANCE_BATCH_GALLERIES) return
  }
}

/** Removes files that are due: of deleted pictures, and of uploads that were never recorded. */
export async function sweepFiles(store: Store, sweep: Sweep): Promise<void> {
  for (let batch = 0; batch < MAINTENANCE_MAX_BATCHES; batch++) {
    const due = await claimDueFiles(store, sweep.nowMs, CLEANUP_BATCH_IMAGES)
    const removed = await removeFiles(store, due, sweep)
    await completeFileCleanup(
      store,
      removed.map(({ id }) => id),
      sweep.nowMs + SECOND_LOOK_MS,
    )
    if (due.length < CLEANUP_BATCH_IMAGES) return
  }
}

/** Removes the files of these pictures, as far as that is possible, and puts the others off. Gives those whose files are gone. */
async function removeFiles(
  store: Store,
  pictures: readonly DueImage[],
  { nowMs, logProblem, splits }: Sweep,
): Promise<DueImage[]> {
  const { failed, untried } = await workInHalves(pictures, splits, (part) => deleteFiles(store, part.map(imagePath)))
  for (const { item, error } of failed) logProblem(`remove the files of picture ${item.id}`, error)
  const failedAlone = failed.map(({ item }) => item)
  await putOffFiles(store, failedAlone, 1, nowMs)
  await putOffFiles(store, untried, 0, nowMs)
  const left = new Set([...failedAlone, ...untried])
  return pictures.filter((picture) => !left.has(picture))
}

/** Removes the files of deleted galleries; the next tick goes on where this one ends. */
export async function sweepGalleries(store: Store, sweep: Sweep): Promise<void> {
  const { nowMs, logProblem } = sweep
  let batchesLeft = MAINTENANCE_MAX_BATCHES
  for (const gallery of await findDueGalleries(store, nowMs, MAINTENANCE_MAX_BATCHES)) {
    const what = `sweep gallery ${gallery.galleryId}`
    const batches = await attempt(what, logProblem, () => sweepGallery(store, gallery, batchesLeft, sweep))
    batchesLeft -= batches ?? 1
    if (batches === undefined) {
      await attempt(`put off: ${what}`, logProblem, () => putOffGalleryCleanup(store, gallery.galleryId, nowMs))
    }
  }
}

/** Removes files of a deleted gallery in at most `maxBatches` batches; gives the number of batches it took. */
async function sweepGallery(store: Store, gallery: DueGallery, maxBatches: number, sweep: Sweep): Promise<number> {
  const { galleryId } = gallery
  let { afterImageId } = gallery
  for (let batches = 0; batches < maxBatches; batches++) {
    const files = await listGalleryFiles(store, { galleryId, afterImageId }, CLEANUP_BATCH_IMAGES)
    const last = files.at(-1)
    if (!last) {
      await completeGalleryCleanup(store, galleryId)
      return batches
    }
    // A file that cannot be removed is tried alone from now on: the gallery goes on without it.
    await removeFiles(store, files, sweep)
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

async function attempt<Result>(
  what: string,
  logProblem: ProblemLogger,
  step: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await step()
  } catch (error) {
    logProblem(what, error)
    return undefined
  }
}
