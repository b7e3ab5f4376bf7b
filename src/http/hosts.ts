import { localSite, publicSite, type Site } from '../domain/links.ts'

/** What a host answers (D4). */
export type HostRole = 'everything' | 'api' | 'thumbnails' | 'originals'

/** The host a request was sent to, understood. */
export interface Host {
  role: HostRole
  site: Site
}

const LOCAL_DOMAIN = 'localhost'
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]']

// On a machine of one's own a Host header may hold anything, also what makes no URL.
const UNKNOWN_HOST = new URL('http://unknown.invalid')

const ROLE_OF_PREFIX: readonly (readonly [RegExp, HostRole])[] = [
  [/^(?:www\.)?/, 'everything'],
  [/^api\./, 'api'],
  [/^t[0-9]+\./, 'thumbnails'],
  [/^img[0-9]+\./, 'originals'],
]

/** The URL of a request, for its host: one whose Host header makes no URL came to an unknown host. */
export function parseRequestUrl({ url }: Pick<Request, 'url'>): URL {
  return URL.parse(url) ?? UNKNOWN_HOST
}

/**
 * Understands the host of a request (D4 to D6). An unknown one answers everything, with links on the first domain: a
 * Host header is never reflected. `localPort` is the port this machine serves on, where that is known.
 */
export function resolveHost(url: URL, domains: readonly string[], localPort: string | undefined): Host {
  if (isLocal(url, domains)) return { role: 'everything', site: localSite(`http://${url.host}`) }
  for (const [prefix, role] of ROLE_OF_PREFIX) {
    const domain = domainAfter(prefix, url, domains)
    if (domain !== undefined) return { role, site: publicSite(domain) }
  }
  const [first = LOCAL_DOMAIN] = domains
  const site = first === LOCAL_DOMAIN ? localSite(localOrigin(LOCAL_DOMAIN, localPort ?? url.port)) : publicSite(first)
  return { role: 'everything', site }
}

/** Whether a URL is on a host of ours, of pages or of media. */
export function isOwnUrl(url: URL, domains: readonly string[]): boolean {
  return isLocal(url, domains) || ROLE_OF_PREFIX.some(([prefix]) => domainAfter(prefix, url, domains) !== undefined)
}

/** The origins, in lower case, that public show URLs begin with, as far as this request can know its own port (D6, D25). */
export function showOrigins(url: URL, domains: readonly string[], localPort: string | undefined): Set<string> {
  const origins = domains
    .filter((domain) => domain !== LOCAL_DOMAIN)
    .flatMap((domain) => [domain, `www.${domain}`])
    .flatMap((host) => [`https://${host}`, `http://${host}`])
  if (!domains.includes(LOCAL_DOMAIN)) return new Set(origins)
  const ports = new Set(localPort === undefined ? [url.port] : [localPort])
  if (isLocal(url, domains)) ports.add(url.port)
  return new Set([...origins, ...LOCAL_HOSTS.flatMap((host) => [...ports].map((port) => localOrigin(host, port)))])
}

/** The public domain that follows this prefix in the host of a URL. */
function domainAfter(prefix: RegExp, { hostname }: URL, domains: readonly string[]): string | undefined {
  const domain = hostname.replace(prefix, '')
  return prefix.test(hostname) && domain !== LOCAL_DOMAIN && domains.includes(domain) ? domain : undefined
}

function isLocal(url: URL, domains: readonly string[]): boolean {
  return domains.includes(LOCAL_DOMAIN) && LOCAL_HOSTS.includes(url.hostname)
}

function localOrigin(hostname: string, port: string): string {
  return `http://${hostname}${port === '' ? '' : `:${port}`}`
}
