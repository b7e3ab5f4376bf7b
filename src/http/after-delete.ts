import { type Deleted, deletedPictures, placeOfDeleted } from '../domain/deletion.ts'
import { newSweep, sweepFiles, sweepGalleries } from '../domain/maintenance.ts'
import { ContentDeleted } from '../domain/management.ts'
import type { AppContext } from './context.ts'
import { deleteFromEdgeCache, hasEdgeCache } from './edge-cache.ts'
import { purgeEverywhere, purgeSettings } from './edge-purge.ts'
import { publicSites } from './hosts.ts'
import { runAfterResponse } from './wire/after-response.ts'

/**
 * Cleans up after a delete: the edge cache of this data centre before the answer is sent, those of all others, if the settings
 * say how, and the files after it.
 */
export async function afterDelete(c: AppContext, deleted: Deleted): Promise<void> {
  await dropFromCache(c, deleted)
  runAfterResponse(c, 'clean up after a delete', () => cleanUp(c, deleted))
}

/** The same for what is hidden, but for the files: they stay. */
export async function afterHide(c: AppContext, hidden: Deleted): Promise<void> {
  await dropFromCache(c, hidden)
  runAfterResponse(c, 'purge what is hidden', () => purgeBySettings(c, hidden).then((purge) => purge?.()))
}

/** What was done is done: a failing cache must not turn that into an error. */
async function dropFromCache(c: AppContext, gone: Deleted): Promise<void> {
  const { host, logProblem } = c.var
  if (!hasEdgeCache(c)) return
  await deleteFromEdgeCache(publicSites(host), gone).catch((error) => logProblem('delete from the edge cache', error))
}

async function cleanUp(c: AppContext, deleted: Deleted): Promise<void> {
  const { store, nowMs, logProblem } = c.var
  const purge = await purgeBySettings(c, deleted)
  const sweep = newSweep(nowMs, logProblem)
  const shard = placeOfDeleted(store, deleted)
  await Promise.all([
    purge?.(),
    deleted.kind === 'image'
      ? sweepFiles(shard, sweep).catch((error) => logProblem('sweep files', error))
      : sweepGalleries(shard, sweep).catch((error) => logProblem('sweep galleries', error)),
  ])
}

async function purgeBySettings(c: AppContext, gone: Deleted): Promise<(() => Promise<void>) | undefined> {
  try {
    return await preparePurge(c, gone)
  } catch (error) {
    c.var.logProblem("purge by Cloudflare's API", error)
    return undefined
  }
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
