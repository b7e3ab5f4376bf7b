// `npm run deploy`: to Cloudflare, by one command. The database is there and migrated before the Worker goes live: wrangler
// would make a missing one only while it deploys, and the Worker would meet a database without tables.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { messageOf, readCommandLine } from './command-line.mjs'
import {
  deploymentConfig,
  parseDeployment,
  storageNames,
  upgradeOf,
  warningsOf,
  writtenDomains,
} from './deployment.mjs'
import { writeDurably } from './durable-files.mjs'
import { continueInOwnNode, ensureInstalled, fail, ROOT, runScript, runTool, toolSucceeds } from './installed.mjs'
import { parsePublicDomains, WORKERS_DEV } from './public-domain.mjs'
import { writeRemoteMigrations } from './remote-migrations.mjs'
import { checkSettings } from './settings.mjs'
import { checkWriteShards, parseShards, shardsFromNowOn } from './shards.mjs'
import { GENERATED } from './when-changed.mjs'

/** @typedef {import('./deployment.mjs').Deployment} Deployment */
/** @typedef {import('./deployment.mjs').WranglerConfig} WranglerConfig */

const USAGE = `Usage: npm run deploy -- --domain pics.example [options]
Deploys Tintype to Cloudflare. What is said is kept in deployment.json; the next time npm run deploy is enough.
A second deployment: npm run deploy -- --deployment deployment.staging.json --name my-staging --domain staging.example
  --domain D               a public domain; again, or with commas, for more of them
  --single-host-domain D   one that cannot have subdomains: everything is on the one host, by path
  --take-all-hosts-of D    routes every proxied host of D here, also blog.D: for t2.D, img7.D and so on, which nobody links
  --workers-dev            the address on workers.dev that Cloudflare gives
  --name NAME              the Worker's name; a new deployment's database and bucket are named for it
  --shards N               the number of databases: more than before, never fewer
  --write-shards 0,2       those that take new pictures and galleries, instead of all
  --deployment FILE        another file than deployment.json, for another deployment
  --dry-run                shows what would be deployed, and deploys nothing
  --help                   this text`

const CONFIG = path.join(GENERATED, 'wrangler.json')
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
    shards: { type: 'string' },
    'write-shards': { type: 'string' },
    deployment: { type: 'string', default: path.join(ROOT, 'deployment.json') },
    'dry-run': { type: 'boolean', default: false },
  },
})
const file = path.resolve(values.deployment)
const last = readLast()
const deployment = { ...last, ...readSaid() }

ensureInstalled('service')
continueInOwnNode()
const base = await readBase()
if (deployment.domains.length === 0) deployment.domains = orFail(() => writtenDomains(base), 'wrangler.toml: ')
// Cloudflare builds what a "Deploy to Cloudflare" button was pressed for.
if (deployment.domains.length === 0 && process.env.WORKERS_CI) deployment.domains = [WORKERS_DEV]
if (deployment.domains.length === 0) fail('say where: npm run deploy -- --domain pics.example, or --workers-dev')
// Cloudflare has made what a button's copy of wrangler.toml names, and keeps no deployment.json.
const isKnown = existsSync(file) || Boolean(process.env.WORKERS_CI)
Object.assign(
  deployment,
  orFail(() => storageNames(base, deployment, isKnown)),
)
const config = orFail(() => deploymentConfig(base, deployment, { root: ROOT, folder: GENERATED }))
await checkSettings(config.vars ?? {}).catch((error) => fail(messageOf(error)))
runScript('made.mjs')
mkdirSync(GENERATED, { recursive: true })
writeFileSync(CONFIG, jsonOf(config))
await writeRemoteMigrations(path.join(ROOT, 'migrations'), path.join(GENERATED, 'migrations'))
if (values['dry-run']) showDeployment()
else deploy()
for (const warning of warningsOf(config, deployment)) console.warn(`Note: ${warning}`)

function showDeployment() {
  console.log(`Would deploy, as ${path.relative(ROOT, CONFIG)} tells wrangler:\n${jsonOf(config)}`)
  wrangler('deploy', '--dry-run')
}

function deploy() {
  writeDurably(file, jsonOf(deployment))
  if (process.env.CLOUDFLARE_API_TOKEN) process.on('exit', adviseOnToken)
  if (!process.env.CLOUDFLARE_API_TOKEN && !toolSucceeds('wrangler', ['whoami', '--json'])) wrangler('login')
  const wanted = (config.d1_databases ?? []).filter(({ database_id: id }) => id === undefined)
  const present = wanted.length === 0 ? [] : databases()
  for (const { database_name: name } of wanted) {
    if (name !== undefined && !present.includes(name)) unasked(['d1', 'create', name])
  }
  for (const { binding } of config.d1_databases ?? []) unasked(['d1', 'migrations', 'apply', binding, '--remote'])
  wrangler('deploy')
  console.log(`Deployed: ${deployment.domains.map((domain) => `https://${domain}`).join(', ')}`)
}

/** Says what a failed deployment by a token may lack: the API tells the operation alone. */
function adviseOnToken(/** @type {number} */ code) {
  if (code !== 0) console.error(`If it was an authentication error, the token lacks a permission: ${PERMISSIONS}`)
}

/** The names of the account's databases. */
function databases() {
  /** @type {{ name: string }[]} */
  const list = JSON.parse(unasked(['d1', 'list', '--json'], 'pipe').stdout)
  return list.map(({ name }) => name)
}

function wrangler(/** @type {string[]} */ ...args) {
  runTool('wrangler', [...args, '--config', CONFIG])
}

/**
 * wrangler, without a terminal: where it would ask a question it goes on. Returns what it printed, where that is piped.
 * @param {string[]} args
 * @param {'inherit' | 'pipe'} output
 */
function unasked(args, output = 'inherit') {
  return runTool('wrangler', [...args, '--config', CONFIG], { stdio: ['ignore', output, 'inherit'] })
}

/** @returns {Deployment} what was said the last time */
function readLast() {
  if (!existsSync(file)) return { domains: [] }
  return orFail(() => parseDeployment(readFileSync(file, 'utf8')), `${path.relative(ROOT, file)}: `)
}

/** @returns {Partial<Deployment>} what is said now: domains take the place of all that were said before */
function readSaid() {
  const { name } = values
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
    ...(all.length > 0 && { domains: all, singleHostDomains }),
    ...((all.length > 0 || allHostsOf.length > 0) && { allHostsOf }),
  }
}

/** @returns {Promise<WranglerConfig>} what wrangler.toml says */
async function readBase() {
  const { parse } = await import('smol-toml')
  const base = orFail(() => parse(readFileSync(path.join(ROOT, 'wrangler.toml'), 'utf8')), 'wrangler.toml: ')
  const upgrade = upgradeOf(base)
  return upgrade === undefined ? base : fail(upgrade)
}

/**
 * @template T
 * @param {() => T} read
 */
function orFail(read, where = '') {
  try {
    return read()
  } catch (error) {
    return fail(where + messageOf(error))
  }
}

function jsonOf(/** @type {unknown} */ value) {
  return `${JSON.stringify(value, null, 2)}\n`
}
