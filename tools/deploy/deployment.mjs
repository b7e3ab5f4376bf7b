// The configuration of a deployment: wrangler.toml, with one operator's settings on top.
import path from 'node:path'
import { isWorkersDev, parsePublicDomains, WORKERS_DEV } from '../shared/public-domain.ts'
import { bindingOf, furtherShards, parseShards } from '../shared/shards.ts'
import { GENERATED } from '../shared/when-changed.ts'

/** @typedef {import('wrangler').Unstable_RawConfig} WranglerConfig */

/**
 * An operator's settings, stored in deployment.json from one `npm run deploy` to the next.
 * @typedef {object} Deployment
 * @property {string[]} domains The public domains, first the one that unknown hosts get links on.
 * @property {string[]} [singleHostDomains] Those of them that cannot have subdomains, besides those of workers.dev.
 * @property {string[]} [allHostsOf] Domains of which the Worker takes every proxied host, those of other sites too.
 * @property {number} [shards] The number of databases, where it is not 1.
 * @property {string} [name] The Worker's, where it is not that of wrangler.toml.
 * @property {string} [database] Name of the first database. Further shards add their number to it.
 * @property {string} [bucket] Name of the bucket.
 * @property {string[]} [sharesWith] Workers that may use the same storage. Their deployments must say so too.
 * @property {Record<string, string>} [vars] Further variables of the Worker.
 * @property {WranglerConfig} [wrangler] Further keys of wrangler's configuration, such as account_id.
 */

const KEYS = [
  'domains',
  'singleHostDomains',
  'allHostsOf',
  'shards',
  'name',
  'database',
  'bucket',
  'sharesWith',
  'vars',
  'wrangler',
]

/**
 * Reads what deployment.json holds. Throws a sentence where it is not of that form.
 * @param {string} text
 * @returns {Deployment}
 */
export function parseDeployment(text) {
  const value = JSON.parse(text)
  const unknown = Object.keys(value ?? {}).find((key) => !KEYS.includes(key))
  if (unknown !== undefined) throw new Error(`it holds "${unknown}": it may hold ${KEYS.join(', ')}`)
  for (const key of ['domains', 'singleHostDomains', 'allHostsOf', 'sharesWith']) {
    const list = value?.[key] ?? []
    if (!Array.isArray(list) || !list.every((name) => typeof name === 'string')) {
      throw new Error(`"${key}" must be a list such as ["pics.example"]`)
    }
  }
  if (value.shards !== undefined) parseShards(String(value.shards))
  for (const key of ['name', 'database', 'bucket']) {
    if (value[key] !== undefined && typeof value[key] !== 'string') throw new Error(`"${key}" must be a text`)
  }
  return {
    ...value,
    domains: parsePublicDomains(value.domains ?? []),
    singleHostDomains: parsePublicDomains(value.singleHostDomains ?? []),
    ...(value.allHostsOf && { allHostsOf: parsePublicDomains(value.allHostsOf) }),
  }
}

/**
 * wrangler's configuration of a deployment. Its paths are those of a file in `folder`; wrangler.toml's are those of `root`.
 * @param {WranglerConfig} base
 * @param {Deployment} deployment
 * @param {{ root: string, folder: string }} places
 * @returns {WranglerConfig}
 */
export function deploymentConfig(base, deployment, { root, folder }) {
  const { domains, singleHostDomains = [], shards = 1, vars, wrangler } = deployment
  // How it is built and served on this machine is of no concern there.
  const named = withNames(base, deployment)
  const { build: _build, dev: _dev, ...rest } = named
  const fromRoot = (/** @type {string} */ file) => path.relative(folder, path.join(root, file))
  return {
    ...rest,
    name: workerName(base, deployment),
    main: fromRoot(base.main ?? ''),
    workers_dev: domains.some(isWorkersDev),
    preview_urls: false,
    routes: routesOf(deployment),
    d1_databases: databasesOf(named, shards).map(({ preview_database_id: _ofThisMachine, ...database }) => ({
      ...database,
      // The copies that remote-migrations.mjs writes beside the configuration.
      migrations_dir: 'migrations',
    })),
    vars: {
      ...base.vars,
      PUBLIC_DOMAINS: domains.join(','),
      ...(singleHostDomains.length > 0 && { SINGLE_HOST_DOMAINS: singleHostDomains.join(',') }),
      ...vars,
    },
    ...wrangler,
  }
}

/**
 * Returns the names that a deployment stores under (D55): those of its file, else those that its Worker has in the account. A new
 * one gets names made from the Worker's. Where wrangler.toml or the deployment's own `wrangler` binds a database by its id,
 * those bindings hold, and nothing is added.
 * @param {WranglerConfig} base
 * @param {Deployment} deployment
 * @param {{ database?: string | undefined, bucket?: string | undefined } | undefined} present
 * @returns {Pick<Deployment, 'database' | 'bucket'>}
 */
export function storageNames(base, deployment, present) {
  const name = workerName(base, deployment)
  const { wrangler, ...own } = deployment
  const named = present ?? (base.d1_databases?.[0]?.database_id === undefined ? undefined : namesOf(base))
  const database = own.database ?? named?.database ?? name
  const bucket = own.bucket ?? named?.bucket ?? `${name}-files`
  return {
    ...(wrangler?.d1_databases === undefined && { database }),
    ...(wrangler?.r2_buckets === undefined && { bucket }),
  }
}

/** Returns the names of wrangler.toml, which all deployments had before each had its own. */
export function namesOf(/** @type {WranglerConfig} */ { d1_databases: databases, r2_buckets: buckets }) {
  return { database: databases?.[0]?.database_name, bucket: buckets?.[0]?.bucket_name }
}

/** Returns the file that holds wrangler's configuration of the deployed Worker of this name. */
export function configFileOf(/** @type {string} */ name) {
  return path.join(GENERATED, `wrangler-${name}.json`)
}

/**
 * Returns wrangler.toml with the deployment's own database and bucket instead of the first ones.
 * @param {WranglerConfig} base
 * @param {Deployment} deployment
 * @returns {WranglerConfig}
 */
function withNames(base, { database, bucket }) {
  const [first, ...further] = base.d1_databases ?? []
  const [files, ...others] = base.r2_buckets ?? []
  const isSame = database === undefined || database === first?.database_name
  // An id names a database more precisely than its name does: it goes with the name.
  const { database_id: _ofTheOther, ...unbound } = first ?? { binding: 'DB' }
  return {
    ...base,
    ...(!isSame && { d1_databases: [{ ...unbound, database_name: database }, ...further] }),
    ...(bucket !== undefined && files && { r2_buckets: [{ ...files, bucket_name: bucket }, ...others] }),
  }
}

/**
 * The databases of wrangler.toml, and those of further shards, named for the first one. In an account the name counts: they have
 * no ids.
 * @param {WranglerConfig} base
 * @param {number} shards
 */
function databasesOf({ d1_databases: databases = [] }, shards) {
  const [first] = databases
  if (!first) return databases
  const { database_id: _ofTheFirst, ...like } = first
  const further = furtherShards(shards).map((shard) => ({
    ...like,
    binding: bindingOf(shard),
    database_name: `${like.database_name}-${shard}`,
  }))
  return [...databases, ...further]
}

/**
 * Returns the routes of a domain: one for each host that links are on. wrangler finds the zone. Throws a sentence where `allHostsOf`
 * names another domain.
 * @param {Deployment} deployment
 */
function routesOf({ domains, singleHostDomains = [], allHostsOf = [] }) {
  const withHosts = domains.filter((domain) => !isWorkersDev(domain) && !singleHostDomains.includes(domain))
  const stranger = allHostsOf.find((domain) => !withHosts.includes(domain))
  if (stranger !== undefined) {
    throw new Error(`--take-all-hosts-of must name a public domain that has subdomains: received "${stranger}"`)
  }
  return domains
    .filter((domain) => !isWorkersDev(domain))
    .flatMap((domain) => {
      if (!withHosts.includes(domain)) return [domain]
      return allHostsOf.includes(domain) ? [domain, `*.${domain}`] : hostsOf(domain)
    })
    .map((host) => `${host}/*`)
}

/** Returns the hosts of a domain that links are on (D4): images have one, `t1` and `img1`, of all their numbers. */
export function hostsOf(/** @type {string} */ domain) {
  return [domain, ...['www', 'api', 't1', 'img1'].map((prefix) => `${prefix}.${domain}`)]
}

/**
 * The Worker's name: as said, or as its address on workers.dev begins, or that of wrangler.toml. Throws a sentence where two of
 * the first disagree.
 * @param {WranglerConfig} base
 * @param {Deployment} deployment
 */
export function workerName(base, { name, domains }) {
  const [address, another] = domains.filter((domain) => isWorkersDev(domain) && domain !== WORKERS_DEV)
  if (another !== undefined)
    throw new Error(`a Worker has one address on workers.dev: ${address} and ${another} are two`)
  const [label, ...account] = address?.split('.') ?? []
  if (address !== undefined && account.length !== 3) {
    throw new Error(`an address on workers.dev is <name>.<account>.workers.dev: received "${address}"`)
  }
  if (name !== undefined && label !== undefined && label !== name) {
    throw new Error(`the Worker "${name}" has the address ${[name, ...account].join('.')}, not ${address}`)
  }
  return name ?? label ?? base.name ?? ''
}

/**
 * Returns the public domains that an operator wrote into wrangler.toml, as the page behind a "Deploy to Cloudflare"
 * button allows. By default there is only localhost.
 * @param {WranglerConfig} base
 */
export function writtenDomains({ vars }) {
  const written = String(vars?.PUBLIC_DOMAINS ?? '').split(',')
  return parsePublicDomains(written.filter((name) => name.trim().toLowerCase() !== 'localhost'))
}

/**
 * Returns warnings for the operator before a deployment.
 * @param {WranglerConfig} config
 * @param {Deployment} deployment
 */
export function warningsOf(config, { domains, singleHostDomains = [], allHostsOf = [] }) {
  const hosts = [
    ...singleHostDomains,
    ...(domains.some(isWorkersDev) ? [`${config.name}.<account>.${WORKERS_DEV}`] : []),
  ]
  return [
    ...hosts
      .filter((host) => host.startsWith('t'))
      .map(
        (host) =>
          `${host} begins with "t": programs that turn "//t" into "//img", to get from a thumbnail to its original, will fail there`,
      ),
    ...allHostsOf.map(
      (domain) => `*.${domain} leads to this Worker: every proxied host of ${domain}, also those of other sites`,
    ),
  ]
}

/**
 * Returns instructions for an operator whose wrangler.toml still has the section for domains and ids of version 2.0;
 * undefined without it.
 * @param {WranglerConfig} base
 */
export function upgradeOf({ env, d1_databases: databases, r2_buckets: buckets }) {
  const production = env?.production
  if (production === undefined) return undefined
  const domains = String(production.vars?.PUBLIC_DOMAINS ?? 'pics.example')
  const command = `npm run deploy -- --domain ${domains} --name ${production.name ?? 'tintype-production'}`
  const renamed = [
    ...namesThatDiffer('database_name', production.d1_databases, databases),
    ...namesThatDiffer('bucket_name', production.r2_buckets, buckets),
  ]
  return [
    'wrangler.toml has [env.production], where domains and ids were up to version 2.0.',
    `Remove it with all its sections, ${renamed.map((line) => `write ${line}, `).join('')}and say once: ${command}`,
  ].join(' ')
}

/**
 * @param {'database_name' | 'bucket_name'} key
 * @param {readonly { database_name?: string, bucket_name?: string }[]} [before]
 * @param {readonly { database_name?: string, bucket_name?: string }[]} [now]
 */
function namesThatDiffer(key, before = [], now = []) {
  return before.flatMap(({ [key]: name }, at) => (name === now[at]?.[key] ? [] : [`${key} = "${name}"`]))
}
