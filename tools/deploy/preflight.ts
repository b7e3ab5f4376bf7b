// The checks of `npm run deploy` before it changes anything: each requirement of an account, in one list.

import { z } from 'zod'
import { isWorkersDev } from '../shared/public-domain.ts'
import { unmetNeeds } from '../shared/settings.ts'
import { type AccountApi, AccountApiError } from './account-api.ts'
import { DATABASE, type Database, SECRET, SUBDOMAIN, SUBSCRIPTION } from './account-responses.ts'
import type { WranglerConfig } from './deployment.ts'
import { hostsOf } from './deployment.ts'
import type { Finding, State } from './finding.ts'
import { PERMISSIONS } from './permissions.ts'
import { checkNames, type Wanted } from './storage-names.ts'
import { checkCertificate, checkRecords, checkRoutes, zoneOf } from './zone-checks.ts'

/** Ids of paid plans: https://developers.cloudflare.com/tenant/reference/subscriptions/ */
const PAID_PLAN = /workers_(?:paid|ent|ss|basic)|enterprise/i

interface Preflight {
  findings: Finding[]
  /** The ids of the databases that exist, by name. */
  databases: Map<string, string>
  hasBucket: boolean
  /** The host on workers.dev, where the deployment has one. */
  address: string | undefined
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
  await add('names', PERMISSIONS.workers, () => checkNames(api, wanted, found))
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

async function subdomainOf(api: AccountApi, root: string) {
  try {
    const { subdomain } = await api.get(`${root}/workers/subdomain`, SUBDOMAIN)
    if (subdomain) return subdomain
  } catch (error) {
    if (!(error instanceof AccountApiError && error.isMissing)) throw error
  }
  throw new AccountApiError('the account has no name on workers.dev: open "Workers & Pages" in the dashboard once', 400)
}
