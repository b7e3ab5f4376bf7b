// `npm run deploy`: to Cloudflare, by one command. It checks the account first. The database exists and is migrated before the
// Worker goes live: wrangler would make a missing one only while it deploys, and the Worker would meet a database without tables.

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { continueInOwnNode, ensureInstalled, fail, ROOT } from '../install/installed.mjs'
import { messageOf, readCommandLine } from '../shared/command-line.ts'
import { writeDurably } from '../shared/durable-files.ts'
import { runScript, runTool } from '../shared/processes.ts'
import { parsePublicDomains, WORKERS_DEV } from '../shared/public-domain.ts'
import { checkSettings } from '../shared/settings.ts'
import { checkWriteShards, parseShards, shardsFromNowOn } from '../shared/shards.ts'
import { GENERATED, writeWhole } from '../shared/when-changed.ts'
import { AccountApi, API } from './account-api.ts'
import { accountToken } from './account-login.ts'
import { DATABASE } from './account-responses.ts'
import { findAccount, findWorker, isTintype, namesBoundTo } from './account-workers.ts'
import type { Deployment, WranglerConfig } from './deployment.ts'
import {
  configFileOf,
  deploymentConfig,
  namesOf,
  parseDeployment,
  storageNames,
  upgradeOf,
  warningsOf,
  workerName,
  writtenDomains,
} from './deployment.ts'
import { linesOf } from './finding.ts'
import { preflight } from './preflight.ts'
import { writeRemoteMigrations } from './remote-migrations.ts'
import { lacksMigrations, lastMigration, makeStorage, tagOf, verifyLogs } from './roll-out.ts'

const USAGE = `Usage: npm run deploy -- --domain pics.example [options]
Checks the account, then deploys Tintype to Cloudflare. deployment.json keeps the options: the next time npm run deploy is enough.
A second deployment: npm run deploy -- --deployment deployment.staging.json --name my-staging --domain staging.example
  --domain D               a public domain; again, or with commas, for more of them
  --single-host-domain D   one that cannot have subdomains: everything is on the one host, by path
  --take-all-hosts-of D    routes every proxied host of D here, also blog.D: for t2.D, img7.D and so on, which nobody links
  --workers-dev            the address on workers.dev that Cloudflare assigns
  --name NAME              the Worker's name; a new deployment's database and bucket are named for it
  --account ID             the account, where the login reaches several
  --shards N               the number of databases: more than before, never fewer
  --write-shards 0,2       those that take new pictures and galleries, instead of all
  --shares-with WORKER     a Worker that may use the same storage; its deployment must say so too
  --adopt                  takes over a Worker, a database or a bucket that has the names of a new deployment
  --rebind                 lets the Worker leave the database or the bucket that it has
  --deployment FILE        another file than deployment.json, for another deployment
  --dry-run                shows what would be deployed, and deploys nothing
  --help                   this text`

/** Bucket names have at most 63 characters, and that of a deployment is its name and "-files". */
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,55}[a-z0-9])?$/
const PERMISSIONS = 'see docs/deploying.md#permissions'

const { values } = readCommandLine({
  usage: USAGE,
  options: {
    domain: { type: 'string', multiple: true, default: [] },
    'single-host-domain': { type: 'string', multiple: true, default: [] },
    'take-all-hosts-of': { type: 'string', multiple: true, default: [] },
    'workers-dev': { type: 'boolean', default: false },
    name: { type: 'string' },
    account: { type: 'string' },
    shards: { type: 'string' },
    'write-shards': { type: 'string' },
    'shares-with': { type: 'string', multiple: true, default: [] },
    adopt: { type: 'boolean', default: false },
    rebind: { type: 'boolean', default: false },
    deployment: { type: 'string', default: path.join(ROOT, 'deployment.json') },
    'dry-run': { type: 'boolean', default: false },
  },
})
const file = path.resolve(values.deployment)
const isNew = !existsSync(file)
// Cloudflare builds what a "Deploy to Cloudflare" button was pressed for: it has made what the button's copy of wrangler.toml
// names, and keeps no deployment.json.
const isButton = Boolean(process.env.WORKERS_CI)
const last = readLast()
const deployment: Deployment = { ...last, ...readSaid() }

ensureInstalled('service')
continueInOwnNode()
const base = await readBase()
if (deployment.domains.length === 0) deployment.domains = orFail(() => writtenDomains(base), 'wrangler.toml: ')
if (deployment.domains.length === 0 && isButton) deployment.domains = [WORKERS_DEV]
if (deployment.domains.length === 0) fail('say where: npm run deploy -- --domain pics.example, or --workers-dev')
const name = orFail(() => workerName(base, deployment))
await checkSettings({ ...base.vars, ...deployment.vars }).catch((error) => fail(messageOf(error)))
if (values['dry-run']) await showDeployment()
else await deploy().catch((error) => fail(messageOf(error)))

async function showDeployment() {
  const present = isNew && !isButton ? undefined : namesOf(base)
  const config = configOf({ ...deployment, ...storageNames(base, deployment, present) })
  const shown = path.join(GENERATED, `wrangler-${name}.dry-run.json`)
  process.on('exit', () => rmSync(shown, { force: true }))
  await writeConfig(shown, config)
  console.log(`Would deploy:\n${jsonOf(config)}`)
  runTool('wrangler', ['deploy', '--dry-run', '--config', shown])
  warn(config)
}

async function deploy() {
  const api = new AccountApi({ address: API, token: accountToken() })
  const account = await findAccount(api, {
    remembered: deployment.wrangler?.account_id,
    named: process.env.CLOUDFLARE_ACCOUNT_ID || undefined,
  })
  Object.assign(deployment, await settleNames(api, account.id))
  const config = configOf(deployment)
  const { findings, databases, hasBucket, address } = await preflight(api, {
    ...{ account, config, deployment, isNew },
    mayAdopt: values.adopt || isButton,
    mayRebind: values.rebind,
  })
  console.log(['Checked, before anything is changed:', ...linesOf(findings)].join('\n'))
  const wrong = findings.filter(({ state }) => state === 'wrong').length
  if (wrong > 0) fail(`Nothing was changed: ${wrong} ${wrong === 1 ? 'check' : 'checks'} failed (${PERMISSIONS})`)

  process.on('exit', adviseOnFailure)
  const { database, bucket, shards } = deployment
  const stored = {
    ...{ name, wrangler: { ...deployment.wrangler, account_id: account.id } },
    ...(database !== undefined && { database }),
    ...(bucket !== undefined && { bucket }),
    ...(shards !== undefined && { shards }),
  }
  // The names of database and bucket must survive later failures. Domains and settings are stored once they are live.
  writeDurably(file, jsonOf({ ...last, ...stored }))
  const bound = await makeStorage(api, { account: account.id, config, databases, hasBucket, log: console.log })
  const written = configFileOf(name)
  await writeConfig(written, bound)
  for (const { binding, database_id: database, database_name: databaseName } of bound.d1_databases ?? []) {
    if (!(await lacksMigrations(api, { account: account.id, database }))) continue
    console.log(`Migrating ${databaseName ?? binding} ...`)
    // wrangler prints a table for each migration; what fails goes to stderr.
    runTool('wrangler', ['d1', 'migrations', 'apply', binding, '--remote', '--config', written], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  const migration = lastMigration()
  const message = `Tintype ${packageJson.version}, migrations to ${migration}`
  // Without a terminal it asks nothing.
  runTool('wrangler', ['deploy', '--config', written, '--tag', tagOf(migration), '--message', message], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  await verifyLogs(api, { account: account.id, config: bound })
  const { allHostsOf = [], singleHostDomains = [], ...rest } = { ...deployment, ...stored }
  const lists = {
    ...(allHostsOf.length > 0 && { allHostsOf }),
    ...(singleHostDomains.length > 0 && { singleHostDomains }),
  }
  writeDurably(file, jsonOf({ ...rest, ...lists }))
  const hosts = deployment.domains.map((domain) => (domain === WORKERS_DEV ? (address ?? domain) : domain))
  console.log(`Deployed: ${hosts.map((host) => `https://${host}`).join(', ')}`)
  const later = findings.filter(({ state }) => state === 'later')
  if (later.length > 0) console.log(['To do, before all of it works:', ...linesOf(later)].join('\n'))
  warn(config)
}

/** Returns the names that this deployment stores under, and how many databases it has (D55). */
async function settleNames(api: AccountApi, account: string): Promise<Partial<Deployment>> {
  if (deployment.database !== undefined && deployment.bucket !== undefined) return {}
  const worker = !isNew || isButton || values.adopt ? await findWorker(api, account, name) : undefined
  if (!worker || !isTintype(worker)) {
    if (!isNew && deployment.database === undefined) await refuseDoubtfulName(api, account)
    return storageNames(base, deployment, isButton ? namesOf(base) : undefined)
  }
  const { shards, ...present } = namesBoundTo(worker, await api.list(`/accounts/${account}/d1/database`, DATABASE))
  return {
    ...storageNames(base, deployment, present),
    ...(shards > (deployment.shards ?? 1) && { shards }),
  }
}

/** Ends the process where a file of an older version may mean the database that all deployments had then. */
async function refuseDoubtfulName(api: AccountApi, account: string) {
  const old = namesOf(base)
  const { database } = storageNames(base, deployment, undefined)
  if (database === undefined || database === old.database) return
  const databases = await api.list(`/accounts/${account}/d1/database`, DATABASE)
  if (!databases.some((one) => one.name === old.database)) return
  fail(
    `${path.relative(ROOT, file)} names no database, and the account has "${old.database}". Add "database": "${old.database}", "bucket": "${old.bucket}" to use it, or "database": "${database}" for a new one`,
  )
}

/** Says what to do about a deployment that stopped half-way. */
function adviseOnFailure(code: number) {
  if (code === 0) return
  console.error('The same command continues where this one stopped.')
  if (process.env.CLOUDFLARE_API_TOKEN) {
    console.error(`If it was an authentication error, the token lacks a permission: ${PERMISSIONS}`)
  }
}

function configOf(wanted: Deployment) {
  return orFail(() => deploymentConfig(base, wanted, { root: ROOT, folder: GENERATED }))
}

/** Writes wrangler's configuration, and what it refers to. */
async function writeConfig(target: string, config: WranglerConfig) {
  runScript('build/made.ts')
  mkdirSync(GENERATED, { recursive: true })
  writeWhole(target, jsonOf(config))
  await writeRemoteMigrations(path.join(ROOT, 'migrations'), path.join(GENERATED, 'migrations'))
}

function warn(config: WranglerConfig) {
  for (const warning of warningsOf(config, deployment)) console.warn(`Note: ${warning}`)
}

/** Returns the settings of the last deployment. */
function readLast(): Deployment {
  if (!existsSync(file)) return { domains: [] }
  return orFail(() => parseDeployment(readFileSync(file, 'utf8')), `${path.relative(ROOT, file)}: `)
}

/** Returns the settings that the options name. Domains replace all earlier ones. */
function readSaid(): Partial<Deployment> {
  const { name, account, 'shares-with': sharesWith } = values
  if (name !== undefined && !NAME.test(name)) {
    fail(`--name must be of a-z, 0-9 and "-", at most 57 of them: received "${name}"`)
  }
  const domains = orFail(() => parsePublicDomains(values.domain), '--domain: ')
  const singleHostDomains = orFail(() => parsePublicDomains(values['single-host-domain']), '--single-host-domain: ')
  const allHostsOf = orFail(() => parsePublicDomains(values['take-all-hosts-of']), '--take-all-hosts-of: ')
  const shards = orFail(() => shardsFromNowOn(parseShards(values.shards), last.shards ?? 1))
  const writeShards = values['write-shards']
  const all = [...new Set([...domains, ...singleHostDomains, ...(values['workers-dev'] ? [WORKERS_DEV] : [])])]
  const vars = { ...last.vars, ...(writeShards !== undefined && { WRITE_SHARDS: writeShards }) }
  orFail(() => checkWriteShards(vars.WRITE_SHARDS, shards))
  return {
    ...(name !== undefined && { name }),
    ...(shards > 1 && { shards }),
    ...(Object.keys(vars).length > 0 && { vars }),
    ...(account !== undefined && { wrangler: { ...last.wrangler, account_id: account } }),
    ...(sharesWith.length > 0 && { sharesWith }),
    ...(all.length > 0 && { domains: all, singleHostDomains }),
    ...((all.length > 0 || allHostsOf.length > 0) && { allHostsOf }),
  }
}

/** Returns the configuration in wrangler.toml. */
async function readBase(): Promise<WranglerConfig> {
  const { parse } = await import('smol-toml')
  const base = orFail(() => parse(readFileSync(path.join(ROOT, 'wrangler.toml'), 'utf8')), 'wrangler.toml: ')
  const upgrade = upgradeOf(base)
  return upgrade === undefined ? base : fail(upgrade)
}

function orFail<T>(read: () => T, where = '') {
  try {
    return read()
  } catch (error) {
    return fail(where + messageOf(error))
  }
}

function jsonOf(value: unknown) {
  return `${JSON.stringify(value, null, 2)}\n`
}
