import {
  CLEANUP_BATCH_IMAGES,
  HANDLED_CONTACT_LIFETIME_MS,
  MAINTENANCE_BATCH_COUNTED,
  MAINTENANCE_BATCH_EXPIRED,
  MAINTENANCE_BATCH_FORGOTTEN,
  MAINTENANCE_BATCH_GALLERIES,
  MAINTENANCE_BATCH_RESPONSES,
  MAINTENANCE_MAX_BATCHES,
  MAINTENANCE_MAX_CALLS,
  MAINTENANCE_MAX_SPLITS,
  RECHECK_MS,
  REMOVED_GALLERY_LIFETIME_MS,
  SWEPT_AGAIN_IMAGES,
  UPLOAD_TOKEN_LIFETIME_MS,
} from '../../limits.ts'
import {
  deleteExpiredGalleries,
  deleteExpiredImages,
  findExpiredGalleries,
  findExpiredImages,
} from '../../storage/content/expiry.ts'
import { finalizeOrRemoveAll, findUnfinished } from '../../storage/content/galleries.ts'
import { deleteExpiredKeys } from '../../storage/content/leases.ts'
import { deleteFiles } from '../../storage/files.ts'
import {
  addWaiting,
  NOTHING_WAITS,
  type Waiting,
  waitingDeletedGalleries,
  waitingExpired,
  waitingFiles,
  waitingGalleries,
  waitingPurges,
} from '../../storage/maintenance/backlog.ts'
import {
  advanceGalleryCleanup,
  claimDueFiles,
  completeFileCleanup,
  completeGalleryCleanup,
  type DueGallery,
  type DueImage,
  findDueGalleries,
  listGalleryFiles,
} from '../../storage/maintenance/cleanup.ts'
import { dropLatePurges, shardOfPurges } from '../../storage/maintenance/edge-purges.ts'
import {
  findGalleriesToForget,
  forgetOrSweepGalleries,
  type RemovedImage,
  sweepNamedImages,
} from '../../storage/maintenance/forgetting.ts'
import { beat } from '../../storage/maintenance/heartbeat.ts'
import { putOffFiles, putOffGalleries, putOffGalleryCleanup, putOffImages } from '../../storage/maintenance/retries.ts'
import { countOlderImages } from '../../storage/maintenance/stored-bytes.ts'
import { eraseContacts } from '../../storage/moderation/reports.ts'
import type { Shard, Store } from '../../storage/store.ts'
import { MINUTE_MS } from '../../units.ts'
import { type Deleted, shardForDeleted } from '../content/deletion.ts'
import { imagePath } from '../ids/links.ts'
import { pathDigestOf } from '../ids/path-digest.ts'
import { createOperationId } from '../ids/token.ts'
import type { ProblemLogger } from '../problem-logger.ts'
import { askShards, type FromShards, requireResponse } from '../shards/available-shards.ts'
import { workInHalves } from '../shards/in-halves.ts'

/** Work that is due on a shard, by kind. The queue of purges is on one shard, for all. */
export interface ShardBacklog {
  galleries: Waiting
  expired: Waiting
  files: Waiting
  deletedGalleries: Waiting
  purges?: Waiting
}

/** Work that is due on the shards that respond. */
export type Backlog = FromShards<ShardBacklog>

/**
 * Runs maintenance once, shard by shard, in bounded batches. It deletes content that has expired (D62), finalizes or removes
 * galleries left unfinished (D26), removes files that are due, and erases expired data (D47). Failures are deferred, and do not block the rest. Each run
 * begins with another shard: if one has much to do, the last ones wait for the next run. Returns the remaining backlog,
 * if it can be measured.
 */
export async function maintain(store: Store, nowMs: number, logProblem: ProblemLogger): Promise<Backlog | undefined> {
  const { shards } = store
  const callsBefore = store.calls()
  await Promise.all(
    shards.map((shard) => attempt('tell replicas the time', onShard(shard, logProblem), () => beat(shard, nowMs))),
  )
  const first = Math.floor(nowMs / MINUTE_MS) % shards.length
  for (const shard of [...shards.slice(first), ...shards.slice(0, first)]) {
    if (store.calls() - callsBefore > MAINTENANCE_MAX_CALLS) break
    await maintainShard(shard, nowMs, onShard(shard, logProblem))
  }
  await attempt('drop purges', logProblem, () => dropPurges(store, nowMs, logProblem))
  return attempt('measure the backlog', logProblem, async () => requireResponse(await measureBacklog(store, nowMs)))
}

/** Returns a logger that names the shard, unless it is the first: logs of one shard name none. */
function onShard({ number }: Shard, logProblem: ProblemLogger): ProblemLogger {
  return number === 0 ? logProblem : (what, error) => logProblem(`shard ${number}: ${what}`, error)
}

async function maintainShard(shard: Shard, nowMs: number, logProblem: ProblemLogger): Promise<void> {
  const sweep = newSweep(nowMs, logProblem)
  await attempt('delete expired galleries', logProblem, () => changeDue(shard, EXPIRED_GALLERIES, sweep))
  await attempt('delete expired images', logProblem, () => changeDue(shard, EXPIRED_IMAGES, sweep))
  await attempt('finalize galleries', logProblem, () => changeDue(shard, UNFINISHED_GALLERIES, sweep))
  await attempt('find names to forget', logProblem, () => sweepNamedImages(shard, nowMs, SWEPT_AGAIN_IMAGES))
  await attempt('sweep files', logProblem, () => sweepFiles(shard, sweep))
  await attempt('sweep galleries', logProblem, () => sweepGalleries(shard, sweep))
  await attempt('forget galleries', logProblem, () => forgetRemovedGalleries(shard, sweep))
  await attempt('forget contacts', logProblem, () => forgetContacts(shard, nowMs))
  await attempt('count stored bytes', logProblem, () => countOlderImages(shard, MAINTENANCE_BATCH_COUNTED))
  await attempt('forget responses', logProblem, () => deleteExpiredResponses(shard, nowMs))
}

/** Drops purges of the edge cache that could not be made before its entries expired by themselves, and says how many. */
async function dropPurges(store: Store, nowMs: number, logProblem: ProblemLogger): Promise<void> {
  const count = await dropLatePurges(shardOfPurges(store), nowMs)
  if (count > 0)
    logProblem('purge the edge cache', new Error(`${count} tags were not purged: their entries have expired`))
}

/** The context of a cron run, or of a sweep after a delete. */
interface Sweep {
  nowMs: number
  logProblem: ProblemLogger
  splits: { left: number }
}

/** Returns the context of a new cron run, or of a sweep after a delete. */
export function newSweep(nowMs: number, logProblem: ProblemLogger): Sweep {
  return { nowMs, logProblem, splits: { left: MAINTENANCE_MAX_SPLITS } }
}

/** Measures the work that is due. */
export function measureBacklog(store: Store, nowMs: number): Promise<Backlog> {
  const withPurges = shardOfPurges(store)
  return askShards(store.shards, async (shard) => ({
    expired: await waitingExpired(shard, nowMs),
    galleries: await waitingGalleries(shard, nowMs, UPLOAD_TOKEN_LIFETIME_MS),
    files: await waitingFiles(shard, nowMs),
    deletedGalleries: await waitingDeletedGalleries(shard, nowMs),
    ...(shard === withPurges ? { purges: await waitingPurges(shard, nowMs) } : {}),
  }))
}

/** Adds up the work of all shards that responded. */
export function sumBacklog({ results }: Backlog): Required<ShardBacklog> {
  const sumOf = (kind: keyof ShardBacklog) =>
    results.map(({ result }) => result[kind] ?? NOTHING_WAITS).reduce(addWaiting, NOTHING_WAITS)
  return {
    expired: sumOf('expired'),
    galleries: sumOf('galleries'),
    files: sumOf('files'),
    deletedGalleries: sumOf('deletedGalleries'),
    purges: sumOf('purges'),
  }
}

/** Content that is due for one change: how it is found, changed and put off. */
interface DueContent {
  /** For logs: the change, without the id. */
  what: string
  batchSize: number
  find: (shard: Shard, nowMs: number, limit: number) => Promise<number[]>
  change: (shard: Shard, ids: readonly number[], nowMs: number) => Promise<void>
  putOff: typeof putOffGalleries
}

/** First: an image of an expired gallery is not deleted by itself. No cache has an entry of it that is still served, so none is purged. */
const EXPIRED_GALLERIES: DueContent = {
  what: 'delete expired gallery',
  batchSize: MAINTENANCE_BATCH_EXPIRED,
  find: findExpiredGalleries,
  change: (shard, ids, nowMs) => deleteExpiredGalleries(shard, ids, nowMs, createOperationId()),
  putOff: putOffGalleries,
}
const EXPIRED_IMAGES: DueContent = {
  what: 'delete expired image',
  batchSize: MAINTENANCE_BATCH_EXPIRED,
  find: findExpiredImages,
  change: (shard, ids, nowMs) => deleteExpiredImages(shard, ids, nowMs, createOperationId()),
  putOff: putOffImages,
}
/** Galleries whose upload token has expired are finalized; the empty ones are removed. */
const UNFINISHED_GALLERIES: DueContent = {
  what: 'finalize gallery',
  batchSize: MAINTENANCE_BATCH_GALLERIES,
  find: (shard, nowMs, limit) => findUnfinished(shard, nowMs - UPLOAD_TOKEN_LIFETIME_MS, nowMs, limit),
  change: (shard, ids, nowMs) => finalizeOrRemoveAll(shard, ids, nowMs, createOperationId()),
  putOff: putOffGalleries,
}

/** Changes content that is due, batch by batch, as many as a tick may do. */
async function changeDue(shard: Shard, content: DueContent, sweep: Sweep): Promise<void> {
  const { what, batchSize, find, change, putOff } = content
  for (let batch = 0; batch < MAINTENANCE_MAX_BATCHES; batch++) {
    const due = await find(shard, sweep.nowMs, batchSize)
    await workOrPutOff(due, sweep, {
      work: (ids) => change(shard, ids, sweep.nowMs),
      putOff: (ids, failed) => putOff(shard, ids, failed, sweep.nowMs),
      describe: (id) => `${what} ${id}`,
    })
    if (due.length < batchSize) return
  }
}

/** Works on items, and puts off those that fail and those that were not tried. Returns all that are put off. */
async function workOrPutOff<Item>(
  items: readonly Item[],
  { splits, logProblem }: Sweep,
  steps: {
    work: (part: readonly Item[]) => Promise<void>
    /** `failed` is 1 for a failure, and 0 for what was not tried. */
    putOff: (items: readonly Item[], failed: 0 | 1) => Promise<void>
    describe: (item: Item) => string
  },
): Promise<ReadonlySet<Item>> {
  const { failed, untried } = await workInHalves(items, splits, steps.work)
  for (const { item, error } of failed) logProblem(steps.describe(item), error)
  const failedAlone = failed.map(({ item }) => item)
  await steps.putOff(failedAlone, 1)
  await steps.putOff(untried, 0)
  return new Set([...failedAlone, ...untried])
}

/** Removes files that are due: of deleted images, and of uploads that were never recorded. */
export async function sweepFiles(shard: Shard, sweep: Sweep): Promise<void> {
  for (let batch = 0; batch < MAINTENANCE_MAX_BATCHES; batch++) {
    const due = await claimDueFiles(shard, sweep.nowMs, CLEANUP_BATCH_IMAGES)
    const removed = await removeFiles(shard, due, sweep)
    await completeFileCleanup(shard, await asRemoved(removed), {
      nowMs: sweep.nowMs,
      recheckAtMs: sweep.nowMs + RECHECK_MS,
    })
    if (due.length < CLEANUP_BATCH_IMAGES) return
  }
}

/** Removes the files of these images, and defers those that fail. Returns the images whose files are removed. */
async function removeFiles(shard: Shard, images: readonly DueImage[], sweep: Sweep): Promise<DueImage[]> {
  const left = await workOrPutOff(images, sweep, {
    work: (part) => deleteFiles(shard, part.map(imagePath)),
    putOff: (part, failed) => putOffFiles(shard, part, failed, sweep.nowMs),
    describe: ({ id }) => `remove the files of image ${id}`,
  })
  return images.filter((image) => !left.has(image))
}

/** Removes the files of what was deleted, after the response. What fails is left to the next tick. */
export async function sweepDeleted(store: Store, deleted: Deleted, sweep: Sweep): Promise<void> {
  const shard = shardForDeleted(store, deleted)
  await (deleted.kind === 'image'
    ? attempt('sweep files', sweep.logProblem, () => sweepFiles(shard, sweep))
    : attempt('sweep galleries', sweep.logProblem, () => sweepGalleries(shard, sweep)))
}

/** Removes the files of deleted galleries; the next tick continues where this one ends. */
export async function sweepGalleries(shard: Shard, sweep: Sweep): Promise<void> {
  const { nowMs, logProblem } = sweep
  let batchesLeft = MAINTENANCE_MAX_BATCHES
  for (const gallery of await findDueGalleries(shard, nowMs, MAINTENANCE_MAX_BATCHES)) {
    const what = `sweep gallery ${gallery.galleryId}`
    const batches = await attempt(what, logProblem, () => sweepGallery(shard, gallery, batchesLeft, sweep))
    batchesLeft -= batches ?? 1
    if (batches === undefined) {
      await attempt(`put off: ${what}`, logProblem, () => putOffGalleryCleanup(shard, gallery.galleryId, nowMs))
    }
  }
}

/** Removes files of a deleted gallery in at most `maxBatches` batches. Returns the number of batches. */
async function sweepGallery(shard: Shard, gallery: DueGallery, maxBatches: number, sweep: Sweep): Promise<number> {
  const { galleryId } = gallery
  let { afterImageId } = gallery
  for (let batches = 0; batches < maxBatches; batches++) {
    const files = await listGalleryFiles(shard, { galleryId, afterImageId }, CLEANUP_BATCH_IMAGES)
    const last = files.at(-1)
    if (!last) {
      await completeGalleryCleanup(shard, galleryId)
      return batches
    }
    // A file that cannot be removed is tried alone from now on: the gallery continues without it.
    const removed = await removeFiles(shard, files, sweep)
    afterImageId = last.id
    await advanceGalleryCleanup(shard, { galleryId, afterImageId }, await asRemoved(removed))
  }
  return maxBatches
}

/** Returns the records of images whose files are removed, with the digests of their paths. */
async function asRemoved(images: readonly DueImage[]): Promise<RemovedImage[]> {
  return Promise.all(images.map(async (image) => ({ id: image.id, pathDigest: await pathDigestOf(imagePath(image)) })))
}

/** Forgets galleries that never held an image. Those that did, and were not swept as they should have been, are swept again. */
async function forgetRemovedGalleries(shard: Shard, { nowMs, logProblem, splits }: Sweep): Promise<void> {
  for (let batch = 0; batch < MAINTENANCE_MAX_BATCHES; batch++) {
    const removedUntilMs = nowMs - REMOVED_GALLERY_LIFETIME_MS
    const due = await findGalleriesToForget(shard, removedUntilMs, MAINTENANCE_BATCH_FORGOTTEN)
    const { failed, untried } = await workInHalves(due, splits, (part) => forgetOrSweepGalleries(shard, part, nowMs))
    for (const { item, error } of failed) logProblem(`forget gallery ${item}`, error)
    if (due.length < MAINTENANCE_BATCH_FORGOTTEN || failed.length + untried.length > 0) return
  }
}

/** Erases how to reach those whose reports were handled long ago. */
async function forgetContacts(shard: Shard, nowMs: number): Promise<void> {
  await inBatches(MAINTENANCE_BATCH_FORGOTTEN, (limit) =>
    eraseContacts(shard, nowMs - HANDLED_CONTACT_LIFETIME_MS, limit),
  )
}

/** Deletes expired responses, and keys whose holders died. */
async function deleteExpiredResponses(shard: Shard, nowMs: number): Promise<void> {
  await inBatches(MAINTENANCE_BATCH_RESPONSES, (limit) => deleteExpiredKeys(shard, nowMs, limit))
}

/** Works batch by batch, as many as a tick may do, until one has fewer rows than it could have. */
async function inBatches(limit: number, work: (limit: number) => Promise<number>): Promise<void> {
  for (let batch = 0; batch < MAINTENANCE_MAX_BATCHES; batch++) if ((await work(limit)) < limit) return
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
