import { halves } from '../domain/in-halves.ts'
import { type ImageAddress, originalUrl, type Site, thumbnailUrl } from '../domain/links.ts'
import type { ProblemLogger } from '../domain/problem-logger.ts'
import { type Bindings, isWorkersDev } from '../env.ts'
import { EDGE_PURGE } from '../limits.ts'
import { toPresent, wait } from '../time.ts'
import { describeStatus, mayPass, postJson } from './wire/post-json.ts'

/**
 * Purges deleted files from all data centres by Cloudflare's API, where the operator has given a token for it: the Cache API
 * reaches one data centre alone (edge-cache.ts). https://developers.cloudflare.com/api/resources/cache/methods/purge/
 */

/** Who may purge what: the id of each domain's zone. */
export interface PurgeSettings {
  /** The address of the API, without a slash at its end. */
  api: string
  token: string
  zoneOf: (domain: string) => string | undefined
}

const API = 'https://api.cloudflare.com/client/v4'
const ZONE = /^(?:([a-z0-9.-]+)=)?([0-9a-f]{32})$/

/** Reads the settings; undefined if there is no token. Throws if PURGE_ZONES is not as documented. */
export function purgeSettings(
  env: Pick<Bindings, 'PURGE_TOKEN' | 'PURGE_ZONES' | 'PURGE_API'>,
): PurgeSettings | undefined {
  const { PURGE_TOKEN: token, PURGE_ZONES: zones = '', PURGE_API: api = API } = env
  if (!token) return undefined
  const zoneIds = new Map<string, string>()
  for (const entry of zones.toLowerCase().split(',')) {
    const [, domain = '', id] = ZONE.exec(entry.trim()) ?? []
    if (id === undefined) throw new Error('PURGE_ZONES must be the id of a zone, or a list of domain=id with commas')
    zoneIds.set(domain, id)
  }
  return { api, token, zoneOf: (domain) => zoneIds.get(domain) ?? zoneIds.get('') }
}

/** Numbers like those of EDGE_PURGE. */
export type PurgeLimits = Record<keyof typeof EDGE_PURGE, number>

/**
 * Purges the files of these pictures on each site whose zone is known, in bounded time. What fails for a passing cause is tried
 * again, what is refused is cut in halves, for one address may spoil a call. Never throws: `logProblem` is told what is left.
 */
export async function purgeEverywhere(
  settings: PurgeSettings,
  sites: readonly Site[],
  pictures: readonly ImageAddress[],
  logProblem: ProblemLogger,
  limits: PurgeLimits = EDGE_PURGE,
): Promise<void> {
  await toPresent()
  const purge = { settings, limits, callsLeft: limits.maxCalls, endMs: Date.now() + limits.totalMs }
  const parts = partsOf(filesByZone(settings, sites, pictures), limits.filesPerCall)
  const left: string[] = []
  let leftCount = 0
  const work = async () => {
    for (let part = parts.shift(); part; part = parts.shift()) {
      const problem = await purgePart(purge, part)
      if (problem === undefined) continue
      if (problem === REFUSED && part.files.length > 1) {
        parts.push(...halves(part.files).map((files) => ({ ...part, files })))
        continue
      }
      left.push(problem)
      leftCount += part.files.length
    }
  }
  await Promise.all(Array.from({ length: limits.callsAtOnce }, work))
  if (leftCount > 0) {
    const causes = [...new Set(left)].join(', ')
    logProblem("purge by Cloudflare's API", new Error(`${leftCount} addresses are left to expire: ${causes}`))
  }
}

interface Part {
  zone: string
  files: readonly string[]
}

interface Purge {
  settings: PurgeSettings
  limits: PurgeLimits
  callsLeft: number
  endMs: number
}

const REFUSED = 'the API refused them'

/** Purges one part; gives what is wrong if it could not. No answer of the API is in it, nor any header of ours. */
async function purgePart(purge: Purge, part: Part): Promise<string | undefined> {
  const { attempts, retryMs } = purge.limits
  for (let attempt = 1; ; attempt++) {
    if (purge.callsLeft <= 0) return 'there are too many for one request'
    if (Date.now() >= purge.endMs) return 'there was no time for them'
    purge.callsLeft--
    const status = await call(purge, part)
    if (status === 200) return undefined
    if (status === 400) return REFUSED
    if (!mayPass(status) || attempt === attempts) return `the API ${describeStatus(status)}`
    await wait(retryMs * 2 ** (attempt - 1))
  }
}

/** The status of the API's answer; undefined if there was none in time. */
function call({ settings, limits }: Purge, { zone, files }: Part): Promise<number | undefined> {
  const headers = { Authorization: `Bearer ${settings.token}` }
  return postJson(`${settings.api}/zones/${zone}/purge_cache`, JSON.stringify({ files }), headers, limits.callMs)
}

/** The addresses under which the cache may have these files (edge-cache.ts), each once, by the zones that have them. */
function filesByZone(
  { zoneOf }: PurgeSettings,
  sites: readonly Site[],
  pictures: readonly ImageAddress[],
): Map<string, Set<string>> {
  const byZone = new Map<string, Set<string>>()
  for (const site of sites) {
    const { protocol, hostname } = new URL(site.pages)
    // Cloudflare's own domain of Workers is no zone of ours, and has no cache of this kind.
    const zone = protocol === 'https:' && !isWorkersDev(hostname) ? zoneOf(hostname) : undefined
    if (zone === undefined) continue
    const files = byZone.get(zone) ?? new Set()
    for (const picture of pictures) files.add(originalUrl(site, picture)).add(thumbnailUrl(site, picture))
    byZone.set(zone, files)
  }
  return byZone
}

function partsOf(byZone: ReadonlyMap<string, ReadonlySet<string>>, size: number): Part[] {
  return [...byZone].flatMap(([zone, set]) => {
    const files = [...set]
    return Array.from({ length: Math.ceil(files.length / size) }, (_, i) => ({
      zone,
      files: files.slice(i * size, (i + 1) * size),
    }))
  })
}
