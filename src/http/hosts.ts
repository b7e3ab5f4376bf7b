import { publicSite, type Site, singleHostSite } from '../domain/ids/links.ts'
import { type Bindings, type PublicDomain, publicDomains } from '../env.ts'

/** The kind of a host, which selects its routes (D4), or `unknown` for a host on none of our domains (D5). */
export type HostRole = 'everything' | 'api' | 'media' | 'unknown'

/** The host of a request: its kind, the links on it, and the other public hosts. */
export interface Host {
  role: HostRole
  site: Site
  /** The URL of the request. If its Host header is not valid in a URL, the host is unknown. */
  url: URL
  domains: readonly PublicDomain[]
  /** The port that this machine serves on, if known. */
  localPort: string | undefined
}

/** The settings that say which hosts are ours. */
export type HostSettings = Pick<Bindings, 'PUBLIC_DOMAINS' | 'SINGLE_HOST_DOMAINS' | 'LOCAL_PORT'>

const LOCAL_DOMAIN = 'localhost'
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]']

// Without a proxy in front, a Host header may be anything, even something that is not valid in a URL.
const UNKNOWN_HOST = new URL('http://unknown.invalid')

const ROLE_OF_SUBDOMAIN: readonly (readonly [RegExp, HostRole])[] = [
  [/^www$/, 'everything'],
  [/^api$/, 'api'],
  [/^t[0-9]+$/, 'media'],
  [/^img[0-9]+$/, 'media'],
]

/**
 * Resolves the host of a request (D4 to D6). An unknown one gets links on the first domain: a Host header is never
 * reflected. Throws if the settings name no domain.
 */
export function resolveHost(request: Pick<Request, 'url'>, settings: HostSettings): Host {
  const url = URL.parse(request.url) ?? UNKNOWN_HOST
  const domains = publicDomains(settings, url.hostname)
  const known = { url, domains, localPort: settings.LOCAL_PORT }
  if (isLocal(url, domains)) return { role: 'everything', site: singleHostSite(`http://${url.host}`), ...known }
  const called = calledDomain(url, domains)
  if (called) return { role: called.role, site: siteOf(called.domain), ...known }
  const [first] = domains
  const isOnThisMachine = first === undefined || first.name === LOCAL_DOMAIN
  const site = isOnThisMachine ? singleHostSite(localOrigin(LOCAL_DOMAIN, known.localPort ?? url.port)) : siteOf(first)
  return { role: 'unknown', site, ...known }
}

/** The links of each public domain; of this machine, as it was called. */
export function publicSites({ site, domains }: Pick<Host, 'site' | 'domains'>): Site[] {
  const others = domains.filter(({ name }) => name !== LOCAL_DOMAIN).map(siteOf)
  return [site, ...others.filter(({ pages }) => pages !== site.pages)]
}

/** Whether a URL is on one of our hosts, of pages or of media. */
export function isOwnUrl(url: URL, { domains }: Pick<Host, 'domains'>): boolean {
  return isLocal(url, domains) || calledDomain(url, domains) !== undefined
}

/**
 * The origins that public show URLs begin with, in lower case. The port of localhost is the request's, if no other is known
 * (D6, D25).
 */
export function showOrigins({ url, domains, localPort }: Host): Set<string> {
  const origins = domains
    .filter(({ name }) => name !== LOCAL_DOMAIN)
    .flatMap(({ name, hasSubdomains }) => (hasSubdomains ? [name, `www.${name}`] : [name]))
    .flatMap((host) => [`https://${host}`, `http://${host}`])
  if (!hasLocalDomain(domains)) return new Set(origins)
  const ports = new Set(localPort === undefined ? [url.port] : [localPort])
  if (isLocal(url, domains)) ports.add(url.port)
  return new Set([...origins, ...LOCAL_HOSTS.flatMap((host) => [...ports].map((port) => localOrigin(host, port)))])
}

/** Returns the public domain in the host of a URL, and the kind of that host. */
function calledDomain(
  { hostname }: URL,
  domains: readonly PublicDomain[],
): { role: HostRole; domain: PublicDomain } | undefined {
  for (const domain of domains) {
    const role = roleOn(domain, hostname)
    if (role) return { role, domain }
  }
  return undefined
}

function roleOn({ name, hasSubdomains }: PublicDomain, hostname: string): HostRole | undefined {
  if (name === LOCAL_DOMAIN) return undefined
  if (hostname === name) return 'everything'
  if (!hasSubdomains || !hostname.endsWith(`.${name}`)) return undefined
  const subdomain = hostname.slice(0, -name.length - 1)
  return ROLE_OF_SUBDOMAIN.find(([pattern]) => pattern.test(subdomain))?.[1]
}

function siteOf({ name, hasSubdomains }: PublicDomain): Site {
  return hasSubdomains ? publicSite(name) : singleHostSite(`https://${name}`)
}

function isLocal(url: URL, domains: readonly PublicDomain[]): boolean {
  return hasLocalDomain(domains) && LOCAL_HOSTS.includes(url.hostname)
}

function hasLocalDomain(domains: readonly PublicDomain[]): boolean {
  return domains.some(({ name }) => name === LOCAL_DOMAIN)
}

function localOrigin(hostname: string, port: string): string {
  return `http://${hostname}${port === '' ? '' : `:${port}`}`
}
