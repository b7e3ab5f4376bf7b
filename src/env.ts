import type { ClockSettings } from './clock.ts'
import type { RateLimiter } from './rate-limiter.ts'

/** The Worker's bindings, as `wrangler.toml` names them. */
export interface Bindings extends ClockSettings {
  DB: D1Database
  FILES: R2Bucket
  RATE_LIMITER: DurableObjectNamespace<RateLimiter>
  /** The public domains, comma-separated, first the one that unknown hosts get links on (D4). */
  PUBLIC_DOMAINS: string
  /** The port this machine serves on, where `localhost` is one of the domains. */
  LOCAL_PORT?: string
  /** What the operator shows to see and judge reports; absent, there is no such operation. A secret: it is never logged. */
  OPERATOR_KEY?: string
  /** Where security problems are told, for security.txt: addresses of mail or of the web, comma-separated. */
  SECURITY_CONTACT?: string
}

/** The public domains in lower case, in their order. */
export function publicDomains(env: Pick<Bindings, 'PUBLIC_DOMAINS'>): string[] {
  const domains = env.PUBLIC_DOMAINS.toLowerCase()
    .split(',')
    .map((domain) => domain.trim())
    .filter((domain) => domain !== '')
  if (domains.length === 0) throw new Error('PUBLIC_DOMAINS must name at least one domain')
  return domains
}
