import type { Deleted } from '../../domain/content/deletion.ts'
import { ContentDeleted } from '../../domain/content/management.ts'
import { newSweep, sweepDeleted } from '../../domain/maintenance/maintenance.ts'
import { runAfterResponse } from '../after-response.ts'
import type { AppContext } from '../context.ts'
import { publicSites } from '../hosts.ts'
import { deleteFromEdgeCache, hasEdgeCache } from './edge-cache.ts'
import { purgeDeleted } from './edge-purge.ts'

/**
 * Cleans up after a delete. The edge cache of this data centre is purged before the response is sent. After the
 * response, all others are purged, if the settings say how, and the files are removed. The cron completes what fails.
 */
export async function afterDelete(c: AppContext, deleted: Deleted): Promise<void> {
  await dropFromCache(c, deleted)
  runAfterResponse(c, 'clean up after a delete', () => Promise.all([purgeDeleted(c, deleted), sweep(c, deleted)]))
}

/** Drops and purges hidden content. Its files stay. */
export async function afterHide(c: AppContext, hidden: Deleted): Promise<void> {
  await dropFromCache(c, hidden)
  runAfterResponse(c, 'purge what is hidden', () => purgeDeleted(c, hidden))
}

/** A failing cache must not turn a completed delete into an error. */
async function dropFromCache(c: AppContext, deleted: Deleted): Promise<void> {
  const { host, logProblem } = c.var
  if (!hasEdgeCache(c)) return
  await deleteFromEdgeCache(publicSites(host), deleted).catch((error) =>
    logProblem('delete from the edge cache', error),
  )
}

async function sweep(c: AppContext, deleted: Deleted): Promise<void> {
  const { store, nowMs, logProblem } = c.var
  await sweepDeleted(store, deleted, newSweep(nowMs, logProblem))
}

/**
 * Returns the result of `act`. If it throws because the content was deleted before, cleans up once more: the earlier request may have
 * ended too early.
 */
export async function cleanUpIfDeletedBefore<Result>(c: AppContext, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof ContentDeleted && error.content) await afterDelete(c, error.content)
    throw error
  }
}
