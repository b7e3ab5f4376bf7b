// Builds the Worker as it is deployed, and what the local service needs beside it, into generated/worker/.
// Run as a process: esbuild's service ends with it, and the memory that wrangler takes is free again.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { syncFolder, syncTree } from '../install/durable-files.mjs'
import { ROOT, runTool } from '../install/installed.mjs'
import { GENERATED, makeWhenChanged } from '../shared/when-changed.mjs'
import { ensureMade } from './made.mjs'

/** The folder of the Worker's modules. */
export const WORKER = path.join(GENERATED, 'worker')

const SERVICE = path.join(WORKER, 'service.json')
const SOURCES = [
  'src',
  'codec/src',
  'migrations',
  'tools/build/build.mjs',
  'wrangler.toml',
  'package-lock.json',
  'tsconfig.json',
]

/**
 * The local service besides its modules: `bindings` of wrangler.toml, as options of a Miniflare worker, and the
 * `migrations` in order.
 * @typedef {{
 *   bindings: import('miniflare').V4WorkerOptionsShape,
 *   migrations: { name: string, statements: string[] }[],
 * }} LocalService
 */

/** The ids of the databases that are bound so. */
export function idsOf(/** @type {import('miniflare').V4WorkerOptionsShape['d1Databases']} */ databases = {}) {
  return Object.values(databases).map((database) => (typeof database === 'string' ? database : (database.id ?? '')))
}

/** @returns {LocalService} what the last build wrote */
export function readLocalService() {
  return JSON.parse(readFileSync(SERVICE, 'utf8'))
}

async function build() {
  const made = await ensureMade()
  const sources = [...SOURCES.map((source) => path.join(ROOT, source)), ...made]
  await makeWhenChanged({ what: 'the Worker', outputs: [SERVICE], sources, make: bundleWorker })
}

async function bundleWorker() {
  const fresh = `${WORKER}.${process.pid}`
  runTool('wrangler', ['deploy', '--dry-run', '--env=', '--outdir', fresh], { stdio: ['ignore', 'ignore', 'inherit'] })
  /** @type {LocalService} */
  const service = { bindings: await readBindings(), migrations: await readMigrations() }
  writeFileSync(path.join(fresh, 'service.json'), JSON.stringify(service))
  syncTree(fresh)
  rmSync(WORKER, { recursive: true, force: true })
  renameSync(fresh, WORKER)
  syncFolder(path.dirname(WORKER))
}

async function readBindings() {
  const { unstable_getMiniflareWorkerOptions: readOptions } = await import('wrangler')
  return readOptions(path.join(ROOT, 'wrangler.toml')).workerOptions
}

async function readMigrations() {
  const { unstable_splitSqlQuery: split } = await import('wrangler')
  const folder = path.join(ROOT, 'migrations')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ name, statements: split(readFileSync(path.join(folder, name), 'utf8')) }))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build()
