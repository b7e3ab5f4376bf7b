import { type Deleted, deletedPictures } from '../domain/deletion.ts'
import { newSweep, sweepFiles, sweepGalleries } from '../domain/maintenance.ts'
import { ContentDeleted } from '../domain/management.ts'
import type { AppContext } from './context.ts'
import { purgeFromEdgeCache } from './edge-cache.ts'
import { purgeEverywhere, purgeSettings } from './edge-purge.ts'
import { publicSites } from './hosts.ts'

/**
 * Cleans up after a delete: the edge cache of this data centre before the answer is sent, those of all others, if the settings
 * say how, and the files after it.
 */
export async function afterDelete(c: AppContext, deleted: Deleted): Promise<void> {
  const { logProblem } = c.var
  // The content is deleted: a failing cache must not turn that into an error.
  await purgeFromEdgeCache(publicSites(c.var.host), deleted).catch((error) => logProblem('purge the edge cache', error))
  c.executionCtx.waitUntil(cleanUp(c, deleted))
}

async function cleanUp(c: AppContext, deleted: Deleted): Promise<void> {
  const { store, nowMs, logProblem } = c.var
  const purge = await preparePurge(c, deleted).catch((error) => logProblem("purge by Cloudflare's API", error))
  const sweep = newSweep(nowMs, logProblem)
  await Promise.all([
    purge?.(),
    deleted.kind === 'image'
      ? sweepFiles(store, sweep).catch((error) => logProblem('sweep files', error))
      : sweepGalleries(store, sweep).catch((error) => logProblem('sweep galleries', error)),
  ])
}

/** Looks up what is to be purged by the API, which the sweep forgets. */
async function preparePurge(c: AppContext, deleted: Deleted): Promise<(() => Promise<void>) | undefined> {
  const settings = purgeSettings(c.env)
  if (!settings) return undefined
  const { host, store, logProblem } = c.var
  const pictures = await deletedPictures(store, deleted)
  return () => purgeEverywhere(settings, publicSites(host), pictures, logProblem)
}

/**
 * Does what a delete does. What had been deleted already is cleaned up after once more: the request that deleted it may have
 * ended before it could.
 */
export async function alsoIfDeletedBefore<Result>(c: AppContext, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof ContentDeleted && error.content) await afterDelete(c, error.content)
    throw error
  }
}
