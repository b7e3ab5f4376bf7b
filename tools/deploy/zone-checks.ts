// Checks of the zone of a domain: its routes, DNS records and certificates.

import { type AccountApi, AccountApiError } from './account-api.ts'
import { CERTIFICATE_PACK, CUSTOM_DOMAIN, DNS_RECORD, ROUTE, ZONE } from './account-responses.ts'
import type { WranglerConfig } from './deployment.ts'
import type { Finding } from './finding.ts'

/** Returns the zone of a domain: the longest name that it ends with. */
export async function zoneOf(api: AccountApi, account: string, domain: string) {
  const labels = domain.split('.')
  for (let from = 0; from < labels.length - 1; from++) {
    const name = labels.slice(from).join('.')
    const zones = await api.list(`/zones?name=${name}`, ZONE)
    const zone = zones.find((one) => (one.account?.id ?? account) === account)
    if (zone?.status === 'active') return zone
    if (zone) {
      throw new AccountApiError(
        `the zone ${name} is ${zone.status}: set the name servers that Cloudflare asks for`,
        400,
      )
    }
    if (zones.length > 0) throw new AccountApiError(`the zone ${name} belongs to another account`, 400)
  }
  throw new AccountApiError(`${domain} is in no zone of this account: add its domain to Cloudflare first`, 400)
}

/** Checks that no host of a domain is routed to another Worker. */
export async function checkRoutes(
  api: AccountApi,
  { root, zone, domain, config }: { root: string; zone: string; domain: string; config: WranglerConfig },
): Promise<Finding[] | string> {
  const patterns = (config.routes ?? [])
    .map((route) => (typeof route === 'string' ? route : route.pattern))
    .filter((pattern) => pattern.startsWith(`${domain}/`) || pattern.includes(`.${domain}/`))
  const routes = await api.list(`/zones/${zone}/workers/routes`, ROUTE)
  const domains = await api.list(`${root}/workers/domains?zone_id=${zone}`, CUSTOM_DOMAIN)
  const taken = [
    ...routes.map(({ pattern, script }) => ({ pattern, script })),
    ...domains.map(({ hostname, service }) => ({ pattern: `${hostname}/*`, script: service })),
  ].filter(({ pattern, script }) => (script ?? config.name) !== config.name && patterns.includes(pattern))
  if (taken.length === 0) return `${patterns.length} of ${domain}`
  return taken.map(({ pattern, script }) => ({
    check: 'routes',
    state: 'wrong',
    text: `${pattern} leads to the Worker "${script}": remove that route first`,
  }))
}

/** Checks that each host has a proxied record. */
export async function checkRecords(
  api: AccountApi,
  { zone, domain, hosts }: { zone: string; domain: string; hosts: string[] },
): Promise<Finding[] | string> {
  const records = await api.list(`/zones/${zone}/dns_records?name.endswith=${domain}`, DNS_RECORD)
  const proxied = records.filter(({ type, proxied: is }) => is && ['A', 'AAAA', 'CNAME'].includes(type))
  const missing = hosts.filter((host) => !proxied.some(({ name }) => covers(name, host)))
  if (missing.length === 0) return `${hosts.length} hosts of ${domain} have proxied records`
  const text = `add proxied records (AAAA 100::) for ${missing.join(', ')}`
  return [{ check: 'DNS', state: 'later', text }]
}

/** Checks that an active certificate covers each host. */
export async function checkCertificate(
  api: AccountApi,
  { zone, domain, hosts }: { zone: string; domain: string; hosts: string[] },
): Promise<Finding[] | string> {
  const packs = await api.list(`/zones/${zone}/ssl/certificate_packs?status=all`, CERTIFICATE_PACK)
  const names = packs.filter(({ status }) => status === 'active').flatMap(({ hosts: of }) => of ?? [])
  const missing = hosts.filter((host) => !names.some((name) => covers(name, host)))
  if (missing.length === 0) return `for ${hosts.length} hosts of ${domain}`
  const text = `no certificate for ${missing.join(', ')}: order one, or deploy with --single-host-domain ${domain}`
  return [{ check: 'certificate', state: 'later', text }]
}

/** Whether a name covers a host. A `*` at its beginning is one label (RFC 6125, 6.4.3). */
function covers(name: string, host: string) {
  return name === host || (name.startsWith('*.') && name.slice(2) === host.slice(host.indexOf('.') + 1))
}
