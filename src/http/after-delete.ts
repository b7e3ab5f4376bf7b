import type { Deleted } from '../domain/deletion.ts'
import { sweepFiles, sweepGalleries } from '../domain/maintenance.ts'
import type { AppContext } from './context.ts'
import { purgeFromEdgeCache } from './edge-cache.ts'
import { logProblem } from './log.ts'

/** What follows a delete: the edge cache forgets before the answer goes out, the files go after it. */
export async function afterDelete(c: AppContext, deleted: Deleted): Promise<void> {
  // The delete is done: a cache that fails must not have it reported as failed.
  await purgeFromEdgeCache(deleted).catch((error) => logProblem('purge the edge cache', error))
  const { store, nowMs } = c.var
  c.executionCtx.waitUntil(
    deleted.kind === 'image'
      ? sweepFiles(store, nowMs).catch((error) => logProblem('sweep files', error))
      : sweepGalleries(store, nowMs, logProblem),
  )
}
