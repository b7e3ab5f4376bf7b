import type { Deleted } from '../../domain/content/deletion.ts'
import type { Site } from '../../domain/ids/links.ts'
import type { ProblemLogger } from '../../domain/problem-logger.ts'
import { type Bindings, isWorkersDev } from '../../env.ts'
import { EDGE_PURGE } from '../../limits.ts'
import {
  completePurges,
  type EdgePurge,
  failPurges,
  findDuePurges,
  queuePurges,
  shardOfPurges,
  takeCalls,
} from '../../storage/maintenance/edge-purges.ts'
import type { Store } from '../../storage/store.ts'
import type { AppContext } from '../context.ts'
import { publicSites } from '../hosts.ts'
import { describeStatus, postJson } from '../post-json.ts'
import { cacheTagOf } from './edge-cache.ts'

/**
 * Purges deleted content from all data centres and zones through Cloudflare's API, if the operator has set a token. The
 * Cache API reaches only one data centre and one zone (edge-cache.ts). It purges by tag: a purge by URL does not reach
 * what the Cache API stored. A gallery has one tag.
 *
 * Each tag is queued first, in D1. It is purged at once if the account's rate allows another call, else by the cron
 * with up to a hundred others in one call. The cron purges it once more when no entry can be filled any more with data
 * from before the delete. https://developers.cloudflare.com/cache/how-to/purge-cache/
 */

/** Settings for Cloudflare's API. */
interface PurgeSettings {
  /** The address of the API, without a slash at its end. */
  api: string
  token: string
  zoneOf: (domain: string) => string | undefined
  /** Calls a minute that the account may make. */
  rate: number
}

const API = 'https://api.cloudflare.com/client/v4'
const ZONE = /^(?:([a-z0-9.-]+)=)?([0-9a-f]{32})$/
const PROBLEM = "purge by Cloudflare's API"

type PurgeBindings = Pick<Bindings, 'PURGE_TOKEN' | 'PURGE_ZONES' | 'PURGE_RATE' | 'PURGE_API'>

/** Reads the settings; undefined if there is no token. Throws if one of them is not as documented. */
export function purgeSettings(env: PurgeBindings): PurgeSettings | undefined {
  const { PURGE_TOKEN: token, PURGE_ZONES: zones = '', PURGE_RATE: rate = '', PURGE_API: api = API } = env
  if (!token) return undefined
  const zoneIds = new Map<string, string>()
  for (const entry of zones.toLowerCase().split(',')) {
    const [, domain = '', id] = ZONE.exec(entry.trim()) ?? []
    if (id === undefined) throw new Error('PURGE_ZONES must be the id of a zone, or a list of domain=id with commas')
    zoneIds.set(domain, id)
  }
  if (!/^(?:[1-9]\d{0,3})?$/.test(rate))
    throw new Error('PURGE_RATE must be the number of calls a minute, from 1 to 9999')
  return {
    api,
    token,
    zoneOf: (domain) => zoneIds.get(domain) ?? zoneIds.get(''),
    rate: Math.min(Number(rate || EDGE_PURGE.callsPerMinute), EDGE_PURGE.maxCallsPerMinute),
  }
}

/** Queues the purge of what was deleted, and makes it at once if there is a call for it. Never throws. */
export async function purgeDeleted(c: AppContext, deleted: Deleted): Promise<void> {
  const { host, store, nowMs, logProblem } = c.var
  try {
    const settings = purgeSettings(c.env)
    if (!settings) return
    const tag = cacheTagOf(deleted)
    const purges = zonesOf(settings, publicSites(host)).map((zone) => ({ zone, tag }))
    if (purges.length === 0) return
    const limit = Math.ceil(settings.rate * EDGE_PURGE.shareAtOnce)
    const calls = await queuePurges(shardOfPurges(store), purges, { nowMs, wanted: purges.length, limit })
    await makePurges(
      settings,
      store,
      purges.slice(0, calls).map((purge) => [purge]),
      nowMs,
      logProblem,
    )
  } catch (error) {
    logProblem(PROBLEM, error)
  }
}

/** A step of the cron: makes the purges that are due, as far as the account's rate allows. Never throws. */
export async function makeDuePurges(
  env: PurgeBindings,
  store: Store,
  nowMs: number,
  logProblem: ProblemLogger,
): Promise<void> {
  try {
    const settings = purgeSettings(env)
    if (!settings) return
    const shard = shardOfPurges(store)
    const due = await findDuePurges(shard, nowMs, settings.rate * EDGE_PURGE.tagsPerCall)
    const parts = partsOf(due)
    if (parts.length === 0) return
    const calls = await takeCalls(shard, { nowMs, wanted: parts.length, limit: settings.rate })
    await makePurges(settings, store, parts.slice(0, calls), nowMs, logProblem)
  } catch (error) {
    logProblem(PROBLEM, error)
  }
}

/** The ids of the zones that may have cached files of these sites. */
function zonesOf({ zoneOf }: PurgeSettings, sites: readonly Site[]): string[] {
  const zones = sites.map(({ pages }) => {
    const { protocol, hostname } = new URL(pages)
    // workers.dev is no zone of ours, and has no cache of this kind.
    return protocol === 'https:' && !isWorkersDev(hostname) ? zoneOf(hostname) : undefined
  })
  return [...new Set(zones.filter((zone) => zone !== undefined))]
}

/** Purges of one zone each, no more of them than one call takes. */
function partsOf(purges: readonly EdgePurge[]): EdgePurge[][] {
  return [...Map.groupBy(purges, ({ zone }) => zone).values()].flatMap((ofZone) =>
    Array.from({ length: Math.ceil(ofZone.length / EDGE_PURGE.tagsPerCall) }, (_, at) =>
      ofZone.slice(at * EDGE_PURGE.tagsPerCall, (at + 1) * EDGE_PURGE.tagsPerCall),
    ),
  )
}

/** Makes one call for each part, some at once, and records their outcomes. */
async function makePurges(
  settings: PurgeSettings,
  store: Store,
  parts: readonly (readonly EdgePurge[])[],
  nowMs: number,
  logProblem: ProblemLogger,
): Promise<void> {
  const shard = shardOfPurges(store)
  const left = [...parts]
  const made: EdgePurge[] = []
  const failed: EdgePurge[] = []
  const causes = new Set<string>()
  const work = async () => {
    for (let part = left.shift(); part; part = left.shift()) {
      const status = await call(settings, part)
      if (status === 200) {
        made.push(...part)
        continue
      }
      failed.push(...part)
      causes.add(describeStatus(status))
      // There is nothing left of the account's rate.
      if (status === 429) failed.push(...left.splice(0).flat())
    }
  }
  await Promise.all(Array.from({ length: EDGE_PURGE.callsAtOnce }, work))
  await completePurges(shard, made, nowMs)
  await failPurges(shard, failed)
  if (failed.length > 0) {
    const problem = `the API ${[...causes].join(', and ')}: ${failed.length} tags are left to the next minute`
    logProblem(PROBLEM, new Error(problem))
  }
}

/** Returns the status of the API's response; undefined if there was none in time. */
function call({ api, token }: PurgeSettings, part: readonly EdgePurge[]): Promise<number | undefined> {
  const zone = part[0]?.zone ?? ''
  const body = JSON.stringify({ tags: part.map(({ tag }) => tag) })
  const headers = { Authorization: `Bearer ${token}` }
  return postJson(`${api}/zones/${zone}/purge_cache`, body, headers, EDGE_PURGE.callMs)
}
