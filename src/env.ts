import type { RateLimiter } from './rate-limiter.ts'
import type { Settings } from './settings.ts'
import type { StorageBindings } from './storage/store.ts'
import type { ClockSettings } from './time.ts'

/** The Worker's bindings: settings of operators, and what `wrangler.toml` and `npm start` bind. */
export interface Bindings extends ClockSettings, Settings, StorageBindings {
  RATE_LIMITER: DurableObjectNamespace<RateLimiter>
  /** The static assets of this version, by their paths in generated/static. */
  ASSETS: Fetcher
  /** The port this machine serves on, where `localhost` is one of the domains. */
  LOCAL_PORT?: string
  /**
   * `on` where all writes of the service go through one isolate: it then remembers public images (docs/architecture.md#hot-reads).
   * Absent in production.
   */
  READ_CACHE?: string
  /**
   * Says whether the disk has room (204) or not (507), and in `Free-Bytes` how much, where `npm start` keeps the data on one;
   * absent in production.
   */
  DISK?: Fetcher
  /** The address of Cloudflare's API, for tests; absent in production. */
  PURGE_API?: string
}

/** A domain that links are on. One without subdomains has everything on one host. */
export interface PublicDomain {
  /** In lower case. */
  name: string
  hasSubdomains: boolean
}

const WORKERS_DEV_HOST = /^[^.]+\.[^.]+\.workers\.dev$/

/** The public domains in their order, for a request to this host. Throws if there is none. */
export function publicDomains(
  env: Pick<Bindings, 'PUBLIC_DOMAINS' | 'SINGLE_HOST_DOMAINS'>,
  hostname: string,
): PublicDomain[] {
  const given = WORKERS_DEV_HOST.test(hostname) ? hostname : 'workers.dev'
  const names = domainNames(env.PUBLIC_DOMAINS).map((name) => (name === 'workers.dev' ? given : name))
  if (names.length === 0) throw new Error('PUBLIC_DOMAINS must name at least one domain')
  const singleHosts = domainNames(env.SINGLE_HOST_DOMAINS ?? '')
  return names.map((name) => ({ name, hasSubdomains: !singleHosts.includes(name) && !isWorkersDev(name) }))
}

/** Whether a host is under Cloudflare's domain of Workers: `<worker>.<account>.workers.dev` has a certificate for itself alone. */
export function isWorkersDev(hostname: string): boolean {
  return /(?:^|\.)workers\.dev$/.test(hostname)
}

function domainNames(list: string): string[] {
  return list
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
