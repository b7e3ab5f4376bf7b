// The configuration of a deployment: wrangler.toml, with one operator's settings on top.

import path from 'node:path'
import type { Unstable_RawConfig } from 'wrangler'
import { z } from 'zod'
import { isObject, parseAs } from '../shared/json.ts'
import { isWorkersDev, parsePublicDomains, WORKERS_DEV } from '../shared/public-domain.ts'
import { bindingOf, furtherShards, SHARDS_MAX } from '../shared/shards.ts'
import { GENERATED } from '../shared/when-changed.ts'

export type WranglerConfig = Unstable_RawConfig
export const WRANGLER_CONFIG = z.custom<WranglerConfig>(isObject, 'must be an object')

const SHARD_RANGE = `must be from 1 to ${SHARDS_MAX}`
const TEXT = z.string('must be a text')
const DOMAINS = z.array(TEXT, 'must be a list such as ["pics.example"]').transform((lists) => parsePublicDomains(lists))

/** An operator's settings, stored in deployment.json from one `npm run deploy` to the next. */
const DEPLOYMENT = z.strictObject({
  /** The public domains, first the one that unknown hosts get links on. */
  domains: DOMAINS.default([]),
  /** Public domains that cannot have subdomains, besides those of workers.dev. */
  singleHostDomains: DOMAINS.exactOptional(),
  /** Domains of which the Worker takes every proxied host, those of other sites too. */
  allHostsOf: DOMAINS.exactOptional(),
  /** The number of databases, where it is not 1. */
  shards: z.int().min(1, SHARD_RANGE).max(SHARDS_MAX, SHARD_RANGE).exactOptional(),
  /** The Worker's, where it is not that of wrangler.toml. */
  name: TEXT.exactOptional(),
  /** Name of the first database. Further shards add their number to it. */
  database: TEXT.exactOptional(),
  /** Name of the bucket. */
  bucket: TEXT.exactOptional(),
  /** Workers that may use the same storage. Their deployments must say so too. */
  sharesWith: z.array(TEXT, 'must be a list such as ["tintype-staging"]').exactOptional(),
  /** Further variables of the Worker. */
  vars: z.record(z.string(), TEXT).exactOptional(),
  /** Further keys of wrangler's configuration, such as account_id: wrangler checks them. */
  wrangler: WRANGLER_CONFIG.exactOptional(),
})
export type Deployment = Omit<z.infer<typeof DEPLOYMENT>, 'domains'> & { domains: string[] }

/** Reads a deployment.json. Throws a sentence where it is not of that form. */
export function parseDeployment(text: string): Deployment {
  return parseAs(DEPLOYMENT, text)
}

/** wrangler's configuration of a deployment. Its paths are those of a file in `folder`; wrangler.toml's are those of `root`. */
export function deploymentConfig(
  base: WranglerConfig,
  deployment: Deployment,
  { root, folder }: { root: string; folder: string },
): WranglerConfig {
  const { domains, singleHostDomains = [], shards = 1, vars, wrangler } = deployment
  // Settings of the build and of the local server do not apply there.
  const named = withNames(base, deployment)
  const { build: _build, dev: _dev, ...rest } = named
  const fromRoot = (file: string) => path.relative(folder, path.join(root, file))
  return {
    ...rest,
    name: workerName(base, deployment),
    main: fromRoot(base.main ?? ''),
    ...(base.assets?.directory !== undefined && {
      assets: { ...base.assets, directory: fromRoot(base.assets.directory) },
    }),
    workers_dev: domains.some(isWorkersDev),
    preview_urls: false,
    routes: routesOf(deployment),
    d1_databases: databasesOf(named, shards).map(({ preview_database_id: _ofThisMachine, ...database }) => ({
      ...database,
      // The copies that remote-migrations.ts writes beside the configuration.
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
 */
export function storageNames(
  base: WranglerConfig,
  deployment: Deployment,
  present: { database?: string | undefined; bucket?: string | undefined } | undefined,
): Pick<Deployment, 'database' | 'bucket'> {
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
export function namesOf({ d1_databases: databases, r2_buckets: buckets }: WranglerConfig) {
  return { database: databases?.[0]?.database_name, bucket: buckets?.[0]?.bucket_name }
}

/** Returns the file that holds wrangler's configuration of the deployed Worker of this name. */
export function configFileOf(name: string) {
  return path.join(GENERATED, `wrangler-${name}.json`)
}

/** Returns wrangler.toml with the deployment's own database and bucket instead of the first ones. */
function withNames(base: WranglerConfig, { database, bucket }: Deployment): WranglerConfig {
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
 */
function databasesOf({ d1_databases: databases = [] }: WranglerConfig, shards: number) {
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
 */
function routesOf({ domains, singleHostDomains = [], allHostsOf = [] }: Deployment) {
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
export function hostsOf(domain: string) {
  return [domain, ...['www', 'api', 't1', 'img1'].map((prefix) => `${prefix}.${domain}`)]
}

/**
 * Returns the Worker's name: as given, or from its address on workers.dev, or from wrangler.toml. Throws a sentence if the first two disagree.
 */
export function workerName(base: WranglerConfig, { name, domains }: Deployment) {
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
 */
export function writtenDomains({ vars }: WranglerConfig) {
  const written = String(vars?.PUBLIC_DOMAINS ?? '').split(',')
  return parsePublicDomains(written.filter((name) => name.trim().toLowerCase() !== 'localhost'))
}

/** Returns warnings for the operator before a deployment. */
export function warningsOf(config: WranglerConfig, { domains, singleHostDomains = [], allHostsOf = [] }: Deployment) {
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
 */
export function upgradeOf({ env, d1_databases: databases, r2_buckets: buckets }: WranglerConfig) {
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

function namesThatDiffer(
  key: 'database_name' | 'bucket_name',
  before: readonly { database_name?: string; bucket_name?: string }[] = [],
  now: readonly { database_name?: string; bucket_name?: string }[] = [],
) {
  return before.flatMap(({ [key]: name }, at) => (name === now[at]?.[key] ? [] : [`${key} = "${name}"`]))
}
