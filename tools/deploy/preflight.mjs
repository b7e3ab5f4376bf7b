// The checks of `npm run deploy` before it changes anything: each requirement of an account, in one list.

import { isWorkersDev } from '../shared/public-domain.ts'
import { AccountApiError } from './account-api.mjs'
import { hostsOf } from './deployment.mjs'

/** @typedef {import('./account-api.mjs').AccountApi} AccountApi */
/** @typedef {import('./deployment.mjs').Deployment} Deployment */
/** @typedef {import('./deployment.mjs').WranglerConfig} WranglerConfig */

/**
 * `wrong` stops the deployment. `later` does not: it can be done afterwards. `unknown` could not be checked.
 * @typedef {'ok' | 'wrong' | 'later' | 'unknown'} State
 */
/** @typedef {{ check: string, state: State, text: string }} Finding */

/** @typedef {{ name: string, type: string, id?: string, database_id?: string, bucket_name?: string, script_name?: string }} Binding */
/** @typedef {{ uuid: string, name: string }} Database */

/**
 * A Worker of the account, and what it is bound to.
 * @typedef {object} BoundWorker
 * @property {string} name
 * @property {Binding[]} bindings
 */

/**
 * @typedef {object} Preflight
 * @property {Finding[]} findings
 * @property {Map<string, string>} databases The ids of the databases that exist, by name.
 * @property {boolean} hasBucket
 * @property {string | undefined} address The host on workers.dev, where the deployment has one.
 */

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

/**
 * Returns the account to deploy to. Throws a sentence where the login has none, or several and none is named.
 * @param {AccountApi} api
 * @param {{ remembered: string | undefined, named: string | undefined }} wanted
 * @returns {Promise<{ id: string, name: string }>}
 */
export async function findAccount(api, { remembered, named }) {
  if (remembered !== undefined && named !== undefined && remembered !== named) {
    throw new Error(
      `this deployment is in the account ${remembered}, but CLOUDFLARE_ACCOUNT_ID is ${named}: unset it, or name another --deployment`,
    )
  }
  const wanted = remembered ?? named
  /** @type {{ id: string, name: string }[]} */
  const accounts = await api.list('/accounts').catch((error) => {
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

/**
 * Returns the Worker of this name, or undefined.
 * @param {AccountApi} api
 * @param {string} account
 * @param {string} name
 * @returns {Promise<BoundWorker | undefined>}
 */
export async function findWorker(api, account, name) {
  try {
    /** @type {{ bindings?: Binding[] }} */
    const { bindings = [] } = await api.get(`/accounts/${account}/workers/scripts/${name}/settings`)
    return { name, bindings }
  } catch (error) {
    if (error instanceof AccountApiError && error.isMissing) return undefined
    throw error
  }
}

/** Whether a Worker is a Tintype: it has the bindings of one. */
export function isTintype(/** @type {BoundWorker} */ { bindings }) {
  return ['DB', 'FILES', 'RATE_LIMITER', 'PUBLIC_DOMAINS'].every((name) => bindings.some((one) => one.name === name))
}

/**
 * Returns the names that a Worker stores under.
 * @param {BoundWorker} worker
 * @param {readonly Database[]} databases of the account
 */
export function namesBoundTo({ bindings }, databases) {
  const first = bindings.find(({ name }) => name === 'DB')
  return {
    database: databases.find(({ uuid }) => uuid === databaseIdOf(first))?.name,
    bucket: bindings.find(({ name }) => name === 'FILES')?.bucket_name,
    shards: bindings.filter(({ name, type }) => type === 'd1' && /^DB(?:_\d+)?$/.test(name)).length,
  }
}

/** @param {Binding | undefined} binding */
function databaseIdOf(binding) {
  return binding?.id ?? binding?.database_id
}

/**
 * Checks everything that a deployment needs of its account, and changes nothing.
 * @param {AccountApi} api
 * @param {object} wanted
 * @param {{ id: string, name: string }} wanted.account
 * @param {WranglerConfig} wanted.config
 * @param {Deployment} wanted.deployment
 * @param {boolean} wanted.isNew whether no file knows the deployment
 * @param {boolean} wanted.mayAdopt whether a new deployment may take over what has its names
 * @param {boolean} wanted.mayRebind whether the Worker may leave its database or bucket
 * @returns {Promise<Preflight>}
 */
export async function preflight(api, wanted) {
  const { account, config } = wanted
  const root = `/accounts/${account.id}`
  /** @type {Finding[]} */
  const findings = [{ check: 'account', state: 'ok', text: `${account.name} (${account.id})` }]
  const found = {
    databases: /** @type {Database[]} */ ([]),
    hasBucket: false,
    address: /** @type {string | undefined} */ (undefined),
  }

  /**
   * @param {string} check
   * @param {string} permission that the check needs
   * @param {() => Promise<Finding[] | string>} run returns findings, or the sentence that all is well
   * @param {State} whenDenied
   */
  async function add(check, permission, run, whenDenied = 'wrong') {
    try {
      const result = await run()
      findings.push(
        ...(typeof result === 'string' ? [{ check, state: /** @type {const} */ ('ok'), text: result }] : result),
      )
    } catch (error) {
      if (!(error instanceof AccountApiError)) throw error
      const text = error.isDenied ? `the token needs the permission "${permission}"` : error.message
      findings.push({ check, state: error.isDenied ? whenDenied : 'wrong', text })
    }
  }

  await add('plan', PERMISSIONS.plan, () => checkPlan(api, root), 'unknown')
  await add('D1', PERMISSIONS.databases, async () => {
    found.databases = await api.list(`${root}/d1/database`)
    return `${found.databases.length} databases`
  })
  const bucket = config.r2_buckets?.[0]?.bucket_name ?? ''
  await add('R2', PERMISSIONS.buckets, async () => {
    found.hasBucket = await hasBucket(api, root, bucket)
    return 'on'
  })
  await add('names', PERMISSIONS.workers, () => checkNames(api, root, { ...wanted, ...found }))
  if (config.workers_dev) {
    await add('workers.dev', PERMISSIONS.workers, async () => {
      found.address = `${config.name}.${await subdomainOf(api, root)}.workers.dev`
      return `https://${found.address}`
    })
  }
  for (const domain of wanted.deployment.domains.filter((one) => !isWorkersDev(one))) {
    /** @type {{ id: string, name: string } | undefined} */
    let zone
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

/**
 * Returns the lines that show findings, those that stop the deployment last.
 * @param {readonly Finding[]} findings
 */
export function linesOf(findings) {
  const WORDS = { ok: 'ok', unknown: 'not checked', later: 'to do', wrong: 'WRONG' }
  const order = Object.keys(WORDS)
  return findings
    .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
    .map(({ check, state, text }) => `  ${WORDS[state].padEnd(11)} ${check.padEnd(11)} ${text}`)
}

/**
 * @param {AccountApi} api
 * @param {string} root
 * @returns {Promise<Finding[] | string>}
 */
async function checkPlan(api, root) {
  /** @type {{ rate_plan?: { id?: string } }[]} */
  const subscriptions = await api.list(`${root}/subscriptions`)
  if (subscriptions.some(({ rate_plan: plan }) => PAID_PLAN.test(plan?.id ?? ''))) return 'Workers Paid'
  const text = 'no paid Workers plan was found. A free one has 10 ms of CPU for a request, and images need more'
  return [{ check: 'plan', state: 'later', text }]
}

/**
 * @param {AccountApi} api
 * @param {string} root
 * @param {string} name
 */
async function hasBucket(api, root, name) {
  try {
    await api.get(`${root}/r2/buckets/${name}`)
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

/**
 * Checks that the deployment takes over nothing and shares nothing (D55).
 * @param {AccountApi} api
 * @param {string} root
 * @param {Parameters<typeof preflight>[1] & { databases: Database[], hasBucket: boolean }} wanted
 * @returns {Promise<Finding[] | string>}
 */
async function checkNames(
  api,
  root,
  { account, config, deployment, isNew, mayAdopt, mayRebind, databases, hasBucket },
) {
  const name = config.name ?? ''
  const bucket = config.r2_buckets?.[0]?.bucket_name
  const wanted = (config.d1_databases ?? []).map(({ binding, database_name: database, database_id: id }) => {
    const existing = databases.find((one) => (id === undefined ? one.name === database : one.uuid === id))
    return { binding, name: database ?? existing?.name ?? id ?? '', id: id ?? existing?.uuid }
  })
  /** @type {string[]} */
  const problems = []
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

const FILE = 'this deployment file'
const UNLESS_SHARED = '. Nothing is shared unless both deployments say so ("sharesWith")'

/**
 * Returns what the Worker would leave behind.
 * @param {BoundWorker} worker
 * @param {object} next
 * @param {{ binding: string, name: string, id: string | undefined }[]} next.wanted
 * @param {string | undefined} next.bucket
 * @param {boolean} next.mayRebind
 * @param {readonly Database[]} next.databases
 */
function changesOf({ name, bindings }, { wanted, bucket, mayRebind, databases }) {
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

/**
 * @param {AccountApi} api
 * @param {string} account
 * @param {string} root
 * @param {string} own
 */
async function otherWorkers(api, account, root, own) {
  /** @type {{ id: string }[]} */
  const workers = await api.list(`${root}/workers/scripts`)
  const others = workers.map(({ id }) => id).filter((id) => id !== own)
  /** @type {BoundWorker[]} */
  const found = []
  for (let at = 0; at < others.length; at += WORKERS_AT_ONCE) {
    const batch = others.slice(at, at + WORKERS_AT_ONCE).map((id) => findWorker(api, account, id))
    found.push(...(await Promise.all(batch)).filter((worker) => worker !== undefined))
  }
  return found
}

/**
 * @param {AccountApi} api
 * @param {string} root
 */
async function subdomainOf(api, root) {
  try {
    /** @type {{ subdomain?: string }} */
    const { subdomain } = await api.get(`${root}/workers/subdomain`)
    if (subdomain) return subdomain
  } catch (error) {
    if (!(error instanceof AccountApiError && error.isMissing)) throw error
  }
  throw new AccountApiError('the account has no name on workers.dev: open "Workers & Pages" in the dashboard once', 400)
}

/**
 * Returns the zone of a domain: the longest name that it ends with.
 * @param {AccountApi} api
 * @param {string} account
 * @param {string} domain
 */
async function zoneOf(api, account, domain) {
  const labels = domain.split('.')
  for (let from = 0; from < labels.length - 1; from++) {
    const name = labels.slice(from).join('.')
    /** @type {{ id: string, name: string, status?: string, account?: { id?: string } }[]} */
    const zones = await api.list(`/zones?name=${name}`)
    const zone = zones.find((one) => one.account?.id === undefined || one.account.id === account)
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

/**
 * @param {AccountApi} api
 * @param {{ root: string, zone: string, domain: string, config: WranglerConfig }} wanted
 * @returns {Promise<Finding[] | string>}
 */
async function checkRoutes(api, { root, zone, domain, config }) {
  const patterns = (config.routes ?? [])
    .map((route) => (typeof route === 'string' ? route : route.pattern))
    .filter((pattern) => pattern.startsWith(`${domain}/`) || pattern.includes(`.${domain}/`))
  /** @type {{ pattern: string, script?: string }[]} */
  const routes = await api.list(`/zones/${zone}/workers/routes`)
  /** @type {{ hostname: string, service: string }[]} */
  const domains = await api.list(`${root}/workers/domains?zone_id=${zone}`)
  const taken = [
    ...routes.map(({ pattern, script }) => ({ pattern, script })),
    ...domains.map(({ hostname, service }) => ({ pattern: `${hostname}/*`, script: service })),
  ].filter(({ pattern, script }) => script !== undefined && script !== config.name && patterns.includes(pattern))
  if (taken.length === 0) return `${patterns.length} of ${domain}`
  return taken.map(({ pattern, script }) => ({
    check: 'routes',
    state: 'wrong',
    text: `${pattern} leads to the Worker "${script}": remove that route first`,
  }))
}

/**
 * @param {AccountApi} api
 * @param {{ zone: string, domain: string, hosts: string[] }} wanted
 * @returns {Promise<Finding[] | string>}
 */
async function checkRecords(api, { zone, domain, hosts }) {
  /** @type {{ name: string, type: string, proxied?: boolean }[]} */
  const records = await api.list(`/zones/${zone}/dns_records?name.endswith=${domain}`)
  const proxied = records.filter(({ type, proxied: is }) => is && ['A', 'AAAA', 'CNAME'].includes(type))
  const missing = hosts.filter((host) => !proxied.some(({ name }) => covers(name, host)))
  if (missing.length === 0) return `${hosts.length} hosts of ${domain} have proxied records`
  const text = `add proxied records (AAAA 100::) for ${missing.join(', ')}`
  return [{ check: 'DNS', state: 'later', text }]
}

/**
 * @param {AccountApi} api
 * @param {{ zone: string, domain: string, hosts: string[] }} wanted
 * @returns {Promise<Finding[] | string>}
 */
async function checkCertificate(api, { zone, domain, hosts }) {
  /** @type {{ hosts?: string[], status?: string }[]} */
  const packs = await api.list(`/zones/${zone}/ssl/certificate_packs?status=all`)
  const names = packs.filter(({ status }) => status === 'active').flatMap(({ hosts: of }) => of ?? [])
  const missing = hosts.filter((host) => !names.some((name) => covers(name, host)))
  if (missing.length === 0) return `for ${hosts.length} hosts of ${domain}`
  const text = `no certificate for ${missing.join(', ')}: order one, or deploy with --single-host-domain ${domain}`
  return [{ check: 'certificate', state: 'later', text }]
}

/** Whether a name covers a host. A `*` at its beginning is one label (RFC 6125, 6.4.3). */
function covers(/** @type {string} */ name, /** @type {string} */ host) {
  return name === host || (name.startsWith('*.') && name.slice(2) === host.slice(host.indexOf('.') + 1))
}
