import type { Deleted } from '../domain/deletion.ts'
import { newSweep, sweepFiles, sweepGalleries } from '../domain/maintenance.ts'
import type { AppContext } from './context.ts'
import { purgeFromEdgeCache } from './edge-cache.ts'
import { publicSites } from './hosts.ts'

/** Cleans up after a delete: the edge cache before the answer is sent, the files after it. */
export async function afterDelete(c: AppContext, deleted: Deleted): Promise<void> {
  const { store, nowMs, logProblem } = c.var
  // The content is deleted: a failing cache must not turn that into an error.
  await purgeFromEdgeCache(publicSites(c.var.host), deleted).catch((error) => logProblem('purge the edge cache', error))
  const sweep = newSweep(nowMs, logProblem)
  c.executionCtx.waitUntil(
    deleted.kind === 'image'
      ? sweepFiles(store, sweep).catch((error) => logProblem('sweep files', error))
      : sweepGalleries(store, sweep).catch((error) => logProblem('sweep galleries', error)),
  )
}
