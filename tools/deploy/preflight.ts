// The checks of `npm run deploy` before it changes anything: each requirement of an account, in one list.

import { z } from 'zod'
import { isWorkersDev } from '../shared/public-domain.ts'
import { unmetNeeds } from '../shared/settings.ts'
import { type AccountApi, AccountApiError } from './account-api.ts'
import {
  ACCOUNT,
  type Binding,
  CERTIFICATE_PACK,
  CUSTOM_DOMAIN,
  DATABASE,
  type Database,
  DNS_RECORD,
  ROUTE,
  SECRET,
  SUBDOMAIN,
  SUBSCRIPTION,
  WORKER,
  WORKER_SETTINGS,
  ZONE,
} from './account-responses.ts'
import type { Deployment, WranglerConfig } from './deployment.ts'
import { hostsOf } from './deployment.ts'

/** `wrong` stops the deployment. `later` does not: it can be done afterwards. `unknown` could not be checked. */
export type State = 'ok' | 'wrong' | 'later' | 'unknown'
export interface Finding {
  check: string
  state: State
  text: string
}

/** A Worker of the account, and what it is bound to. */
interface BoundWorker {
  name: string
  bindings: Binding[]
}

interface Preflight {
  findings: Finding[]
  /** The ids of the databases that exist, by name. */
  databases: Map<string, string>
  hasBucket: boolean
  /** The host on workers.dev, where the deployment has one. */
  address: string | undefined
}

/** Rights of a token, as Cloudflare's dashboard names them. */
export const PERMISSIONS = {
  accounts: 'Account, Account Settings, Read',
  databases: 'Account, D1, Edit',
  workers: 'Account, Workers Scripts, Edit',
  buckets: 'Account, Workers R2 Storage, Edit',
  zones: 'Zone, Zone, Read',
  routes: 'Zone, Workers Routes, Edit',
  records: 'Zone, DNS, Read',
  certificates: 'Zone, SSL and Certificates, Read',
  plan: 'Account, Billing, Read',
}

/** Ids of paid plans: https://developers.cloudflare.com/tenant/reference/subscriptions/ */
const PAID_PLAN = /workers_(?:paid|ent|ss|basic)|enterprise/i
const WORKERS_AT_ONCE = 8

/** Returns the account to deploy to. Throws a sentence where the login has none, or several and none is named. */
export async function findAccount(
  api: AccountApi,
  { remembered, named }: { remembered: string | undefined; named: string | undefined },
): Promise<{ id: string; name: string }> {
  if (remembered !== undefined && named !== undefined && remembered !== named) {
    throw new Error(
      `this deployment is in the account ${remembered}, but CLOUDFLARE_ACCOUNT_ID is ${named}: unset it, or name another --deployment`,
    )
  }
  const wanted = remembered ?? named
  const accounts = await api.list('/accounts', ACCOUNT).catch((error) => {
    // A token may be restricted to what the account holds, without a right to list accounts.
    if (wanted !== undefined && error instanceof AccountApiError && error.status === 403) return []
    throw error
  })
  if (wanted !== undefined) return accounts.find(({ id }) => id === wanted) ?? { id: wanted, name: wanted }
  const [first, second] = accounts
  if (first === undefined) {
    throw new Error(
      `the login reaches no account: its token needs "${PERMISSIONS.accounts}", or set CLOUDFLARE_ACCOUNT_ID`,
    )
  }
  if (second === undefined) return first
  const list = accounts.map(({ id, name }) => `--account ${id} (${name})`).join(', ')
  throw new Error(`the login reaches ${accounts.length} accounts. Say which: ${list}`)
}

/** Returns the Worker of this name, or undefined. */
export async function findWorker(api: AccountApi, account: string, name: string): Promise<BoundWorker | undefined> {
  try {
    const { bindings } = await api.get(`/accounts/${account}/workers/scripts/${name}/settings`, WORKER_SETTINGS)
    return { name, bindings: bindings ?? [] }
  } catch (error) {
    if (error instanceof AccountApiError && error.isMissing) return undefined
    throw error
  }
}

/** Whether a Worker is a Tintype: it has the bindings of one. */
export function isTintype({ bindings }: BoundWorker) {
  return ['DB', 'FILES', 'RATE_LIMITER', 'PUBLIC_DOMAINS'].every((name) => bindings.some((one) => one.name === name))
}

/** Returns the names that a Worker stores under. `databases` are those of the account. */
export function namesBoundTo({ bindings }: BoundWorker, databases: readonly Database[]) {
  const first = bindings.find(({ name }) => name === 'DB')
  return {
    database: databases.find(({ uuid }) => uuid === databaseIdOf(first))?.name,
    bucket: bindings.find(({ name }) => name === 'FILES')?.bucket_name ?? undefined,
    shards: bindings.filter(({ name, type }) => type === 'd1' && /^DB(?:_\d+)?$/.test(name)).length,
  }
}

function databaseIdOf(binding: Binding | undefined) {
  return binding?.id ?? binding?.database_id ?? undefined
}

/** A deployment that is to be made. */
interface Wanted {
  account: { id: string; name: string }
  config: WranglerConfig
  deployment: Deployment
  /** No file knows the deployment. */
  isNew: boolean
  /** A new deployment may take over Workers, databases and buckets that have its names. */
  mayAdopt: boolean
  /** The Worker may leave its database or bucket. */
  mayRebind: boolean
}

/** Checks everything that a deployment needs of its account, and changes nothing. */
export async function preflight(api: AccountApi, wanted: Wanted): Promise<Preflight> {
  const { account, config } = wanted
  const root = `/accounts/${account.id}`
  const findings: Finding[] = [{ check: 'account', state: 'ok', text: `${account.name} (${account.id})` }]
  const found: { databases: Database[]; hasBucket: boolean; address: string | undefined } = {
    databases: [],
    hasBucket: false,
    address: undefined,
  }

  /** Runs a check that needs a permission. `run` returns findings, or the sentence that all is well. */
  async function add(
    check: string,
    permission: string,
    run: () => Promise<Finding[] | string>,
    whenDenied: State = 'wrong',
  ) {
    try {
      const result = await run()
      findings.push(...(typeof result === 'string' ? [{ check, state: 'ok' as const, text: result }] : result))
    } catch (error) {
      if (!(error instanceof AccountApiError)) throw error
      const text = error.isDenied ? `the token needs the permission "${permission}"` : error.message
      findings.push({ check, state: error.isDenied ? whenDenied : 'wrong', text })
    }
  }

  await add('plan', PERMISSIONS.plan, () => checkPlan(api, root), 'unknown')
  await add('D1', PERMISSIONS.databases, async () => {
    found.databases = await api.list(`${root}/d1/database`, DATABASE)
    return `${found.databases.length} databases`
  })
  const bucket = config.r2_buckets?.[0]?.bucket_name ?? ''
  await add('R2', PERMISSIONS.buckets, async () => {
    found.hasBucket = await hasBucket(api, root, bucket)
    return 'on'
  })
  await add('names', PERMISSIONS.workers, () => checkNames(api, root, { ...wanted, ...found }))
  await add('settings', PERMISSIONS.workers, () => checkNeeds(api, root, config), 'unknown')
  if (config.workers_dev) {
    await add('workers.dev', PERMISSIONS.workers, async () => {
      found.address = `${config.name}.${await subdomainOf(api, root)}.workers.dev`
      return `https://${found.address}`
    })
  }
  for (const domain of wanted.deployment.domains.filter((one) => !isWorkersDev(one))) {
    let zone: { id: string; name: string } | undefined
    await add('zone', PERMISSIONS.zones, async () => {
      zone = await zoneOf(api, account.id, domain)
      return `${domain} is in the zone ${zone.name}`
    })
    if (zone === undefined) continue
    const { id } = zone
    const hosts = wanted.deployment.singleHostDomains?.includes(domain) ? [domain] : hostsOf(domain)
    await add('routes', PERMISSIONS.routes, () => checkRoutes(api, { root, zone: id, domain, config }))
    await add('DNS', PERMISSIONS.records, () => checkRecords(api, { zone: id, domain, hosts }), 'unknown')
    await add(
      'certificate',
      PERMISSIONS.certificates,
      () => checkCertificate(api, { zone: id, domain, hosts }),
      'unknown',
    )
  }
  return { ...found, findings, databases: new Map(found.databases.map(({ name, uuid }) => [name, uuid])) }
}

/** Returns the lines that show findings, those that stop the deployment last. */
export function linesOf(findings: readonly Finding[]) {
  const WORDS = { ok: 'ok', unknown: 'not checked', later: 'to do', wrong: 'WRONG' }
  const order = Object.keys(WORDS)
  return findings
    .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
    .map(({ check, state, text }) => `  ${WORDS[state].padEnd(11)} ${check.padEnd(11)} ${text}`)
}

async function checkPlan(api: AccountApi, root: string): Promise<Finding[] | string> {
  const subscriptions = await api.list(`${root}/subscriptions`, SUBSCRIPTION)
  if (subscriptions.some(({ rate_plan: plan }) => PAID_PLAN.test(plan?.id ?? ''))) return 'Workers Paid'
  const text = 'no paid Workers plan was found. A free one has 10 ms of CPU for a request, and images need more'
  return [{ check: 'plan', state: 'later', text }]
}

async function hasBucket(api: AccountApi, root: string, name: string) {
  try {
    await api.get(`${root}/r2/buckets/${name}`, z.unknown())
    return true
  } catch (error) {
    if (!(error instanceof AccountApiError)) throw error
    if (error.isR2Off) {
      throw new AccountApiError('R2 is off: switch it on in the dashboard, under "R2 Object Storage"', 400)
    }
    if (error.isMissing) return false
    throw error
  }
}

/** Checks that the deployment takes over nothing and shares nothing (D55). */
async function checkNames(
  api: AccountApi,
  root: string,
  {
    account,
    config,
    deployment,
    isNew,
    mayAdopt,
    mayRebind,
    databases,
    hasBucket,
  }: Parameters<typeof preflight>[1] & { databases: Database[]; hasBucket: boolean },
): Promise<Finding[] | string> {
  const name = config.name ?? ''
  const bucket = config.r2_buckets?.[0]?.bucket_name
  const wanted = (config.d1_databases ?? []).map(({ binding, database_name: database, database_id: id }) => {
    const existing = databases.find((one) => (id === undefined ? one.name === database : one.uuid === id))
    return { binding, name: database ?? existing?.name ?? id ?? '', id: id ?? existing?.uuid }
  })
  const problems: string[] = []
  const own = await findWorker(api, account.id, name)
  if (own && !isTintype(own)) {
    problems.push(
      `the account has another Worker of the name "${name}", which would be overwritten: choose another --name`,
    )
  } else if (own && isNew && !mayAdopt) {
    problems.push(
      `the account has a Tintype "${name}" that ${FILE} does not know. Take it over by --adopt, or choose another --name`,
    )
  } else if (own) {
    problems.push(...changesOf(own, { wanted, bucket, mayRebind, databases }))
  } else if (isNew && !mayAdopt) {
    for (const one of wanted.filter(({ id }) => id !== undefined)) {
      problems.push(
        `the account has a database "${one.name}" already. Take it over by --adopt, or choose another --name`,
      )
    }
    if (hasBucket) {
      problems.push(`the account has a bucket "${bucket}" already. Take it over by --adopt, or choose another --name`)
    }
  }
  const scriptOf = config.durable_objects?.bindings?.find(
    ({ script_name: script }) => script !== undefined && script !== name,
  )
  const partners = deployment.sharesWith ?? []
  if (scriptOf !== undefined && !partners.includes(scriptOf.script_name ?? '')) {
    problems.push(`${scriptOf.name} is the Durable Object of the Worker "${scriptOf.script_name}"${UNLESS_SHARED}`)
  }
  for (const other of await otherWorkers(api, account.id, root, name)) {
    if (partners.includes(other.name)) continue
    for (const { type, script_name: script, bucket_name: used, ...binding } of other.bindings) {
      const database = wanted.find(
        ({ id }) => type === 'd1' && id !== undefined && id === databaseIdOf({ type, ...binding }),
      )
      if (database)
        problems.push(`the database "${database.name}" belongs to the Worker "${other.name}" too${UNLESS_SHARED}`)
      if (type === 'r2_bucket' && used === bucket) {
        problems.push(`the bucket "${bucket}" belongs to the Worker "${other.name}" too${UNLESS_SHARED}`)
      }
      if (type === 'durable_object_namespace' && script === name) {
        problems.push(`the Worker "${other.name}" is bound to the Durable Object of "${name}"${UNLESS_SHARED}`)
      }
    }
  }
  if (problems.length > 0) return problems.map((text) => ({ check: 'names', state: 'wrong', text }))
  const stores = [...wanted.map((one) => one.name), bucket].join(', ')
  return `Worker ${name}, storage of its own: ${stores}`
}

/** Checks that no setting lacks another one that it needs. Secrets are those that the Worker has. */
async function checkNeeds(
  api: AccountApi,
  root: string,
  { name, vars = {} }: WranglerConfig,
): Promise<Finding[] | string> {
  const secrets = await api.get(`${root}/workers/scripts/${name}/secrets`, z.array(SECRET)).catch((error) => {
    if (error instanceof AccountApiError && error.isMissing) return []
    throw error
  })
  const problems = await unmetNeeds(
    vars,
    secrets.map((secret) => secret.name),
  )
  return problems.length === 0 ? 'complete' : problems.map((text) => ({ check: 'settings', state: 'wrong', text }))
}

const FILE = 'this deployment file'
const UNLESS_SHARED = '. Nothing is shared unless both deployments say so ("sharesWith")'

/** Returns what the Worker would leave behind. */
function changesOf(
  { name, bindings }: BoundWorker,
  {
    wanted,
    bucket,
    mayRebind,
    databases,
  }: Pick<Wanted, 'mayRebind'> & {
    wanted: readonly { binding: string; name: string; id: string | undefined }[]
    bucket: string | undefined
    databases: readonly Database[]
  },
) {
  if (mayRebind) return []
  return bindings.flatMap((bound) => {
    if (bound.type === 'd1') {
      const next = wanted.find(({ binding }) => binding === bound.name)
      const id = databaseIdOf(bound)
      if (next?.id === id) return []
      const present = databases.find(({ uuid }) => uuid === id)?.name ?? id
      return [
        `${bound.name} of the Worker "${name}" is the database "${present}", and would be ${next ? `"${next.name}"` : 'gone'}: its images would not be found any more. Name the old one in ${FILE}, or pass --rebind`,
      ]
    }
    if (bound.name !== 'FILES' || bound.bucket_name === bucket) return []
    return [
      `the bucket of the Worker "${name}" is "${bound.bucket_name}", and would be "${bucket}": its files would not be found any more. Name the old one in ${FILE}, or pass --rebind`,
    ]
  })
}

async function otherWorkers(api: AccountApi, account: string, root: string, own: string) {
  const workers = await api.list(`${root}/workers/scripts`, WORKER)
  const others = workers.map(({ id }) => id).filter((id) => id !== own)
  const found: BoundWorker[] = []
  for (let at = 0; at < others.length; at += WORKERS_AT_ONCE) {
    const batch = others.slice(at, at + WORKERS_AT_ONCE).map((id) => findWorker(api, account, id))
    found.push(...(await Promise.all(batch)).filter((worker) => worker !== undefined))
  }
  return found
}

async function subdomainOf(api: AccountApi, root: string) {
  try {
    const { subdomain } = await api.get(`${root}/workers/subdomain`, SUBDOMAIN)
    if (subdomain) return subdomain
  } catch (error) {
    if (!(error instanceof AccountApiError && error.isMissing)) throw error
  }
  throw new AccountApiError('the account has no name on workers.dev: open "Workers & Pages" in the dashboard once', 400)
}

/** Returns the zone of a domain: the longest name that it ends with. */
async function zoneOf(api: AccountApi, account: string, domain: string) {
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

async function checkRoutes(
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

async function checkRecords(
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

async function checkCertificate(
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
