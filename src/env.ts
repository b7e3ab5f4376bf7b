import type { RateLimiter } from './rate-limiter.ts'
import type { StorageBindings } from './storage/store.ts'
import type { ClockSettings } from './time.ts'

/** The Worker's bindings, as `wrangler.toml` names them. */
export interface Bindings extends ClockSettings, StorageBindings {
  RATE_LIMITER: DurableObjectNamespace<RateLimiter>
  /**
   * The public domains, comma-separated, first the one that unknown hosts get links on (D4). `workers.dev` among them is
   * whatever host under it is called: Cloudflare gives that address, and sends no other Worker's requests here.
   */
  PUBLIC_DOMAINS: string
  /**
   * Those of the public domains that cannot have subdomains, comma-separated: `https` as the others, but pages, API and media
   * are all on the one host, by path. `*.workers.dev` is known to be so and need not be named. A name that begins with `t` is
   * a bad choice: programs make the address of an original from that of its thumbnail by writing `//img` for `//t` (D7).
   */
  SINGLE_HOST_DOMAINS?: string
  /** The port this machine serves on, where `localhost` is one of the domains. */
  LOCAL_PORT?: string
  /**
   * The operators' keys, to moderate with: what src/domain/operator-keys.ts reads. Without it, there are no such operations. A
   * secret: it is never logged.
   */
  OPERATOR_KEY?: string
  /** The shards that new galleries and standalone pictures go to: what src/domain/write-shards.ts reads. Absent, all of them. */
  WRITE_SHARDS?: string
  /** How much one client may do in an hour (D40): what src/domain/client-limits.ts reads. Absent, the limits of src/limits.ts. */
  CLIENT_LIMITS?: string
  /** Where new reports are told, if anywhere: what src/domain/webhook-url.ts reads. */
  REPORT_WEBHOOK?: string
  /** The share of requests that write a line of the log, from 0 to 1: what src/domain/log-share.ts reads. Absent, none does. */
  LOG_REQUESTS?: string
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
  /** A token of Cloudflare's API that may purge the cache of PURGE_ZONES. A secret: it is never logged. */
  PURGE_TOKEN?: string
  /** The ids of the public domains' zones: one for all, or `domain=id` with commas. */
  PURGE_ZONES?: string
  /** Purges a minute that the account's plan allows by tag; 5 where it is absent. */
  PURGE_RATE?: string
  /** The address of Cloudflare's API, for tests; absent in production. */
  PURGE_API?: string
  /** Who runs the service, as its pages say at their foot: what src/domain/site-settings.ts reads, as the next three. */
  OPERATOR_NAME?: string
  /** The line below the heading of the front page, in place of the built-in one. */
  TAGLINE?: string
  /** Addresses of the operator's terms, privacy policy, imprint and contact. */
  SITE_LINKS?: string
  /** `off`: the pages do not offer the addresses of files. */
  FILE_LINKS?: string
  /** E-mail or web addresses to report security problems to, comma-separated, for security.txt. */
  SECURITY_CONTACT?: string
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
