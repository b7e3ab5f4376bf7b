// Builds the Worker as it is deployed, and what the local service needs beside it: generated/worker/, with service.json.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT, runTool } from './installed.mjs'
import { ensureMade } from './made.mjs'
import { GENERATED, makeWhenChanged } from './when-changed.mjs'

const WORKER = path.join(GENERATED, 'worker')
const SERVICE = path.join(WORKER, 'service.json')
const SOURCES = ['src', 'migrations', 'scripts/build.mjs', 'wrangler.toml', 'package-lock.json', 'tsconfig.json']

/**
 * Builds with `wrangler deploy --dry-run` unless the last build was of the same sources. Gives `folder`, where the Worker's
 * modules are, and what its service.json holds: `bindings` (of wrangler.toml, as Miniflare options) and `migrations`
 * ([{ name, statements }]).
 */
export async function ensureBuilt() {
  const { files } = await ensureMade()
  const sources = [...SOURCES.map((source) => path.join(ROOT, source)), ...files]
  await makeWhenChanged({ outputs: [SERVICE], sources, make: build })
  return { folder: WORKER, ...JSON.parse(readFileSync(SERVICE, 'utf8')) }
}

async function build() {
  const fresh = `${WORKER}.${process.pid}`
  runTool('wrangler', ['deploy', '--dry-run', '--env=', '--outdir', fresh], { stdio: ['ignore', 'ignore', 'inherit'] })
  const service = { bindings: await readBindings(), migrations: await readMigrations() }
  writeFileSync(path.join(fresh, 'service.json'), JSON.stringify(service))
  rmSync(WORKER, { recursive: true, force: true })
  renameSync(fresh, WORKER)
}

async function readBindings() {
  const { unstable_getMiniflareWorkerOptions: readOptions } = await import('wrangler')
  const { workerOptions } = readOptions(path.join(ROOT, 'wrangler.toml'))
  return workerOptions
}

async function readMigrations() {
  const { unstable_splitSqlQuery: split } = await import('wrangler')
  const folder = path.join(ROOT, 'migrations')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ name, statements: split(readFileSync(path.join(folder, name), 'utf8')) }))
}
