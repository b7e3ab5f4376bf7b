// Builds the Worker as it is deployed, and what the local service needs beside it, into generated/worker/.
// Run as a process: esbuild's service ends with it, and the memory that wrangler takes is free again.

import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { V4WorkerOptionsShape } from 'miniflare'
import { ROOT } from '../install/installed.mjs'
import { syncFolder, syncTree } from '../shared/durable-files.ts'
import { isObject } from '../shared/json.ts'
import { runTool } from '../shared/processes.ts'
import { GENERATED, makeWhenChanged } from '../shared/when-changed.ts'
import { bundle } from './bundle.ts'
import { ensureMade } from './made.ts'
import { STATIC } from './static.ts'

/** The folder of the Worker's modules. */
export const WORKER = path.join(GENERATED, 'worker')

/** The Worker that applies the migrations on this machine. */
export const MIGRATIONS_WORKER = path.join(WORKER, 'local', 'migrations.js')
/** The folder of its static assets, in that of its modules. */
export const STATIC_OF_WORKER = 'static'
const SERVICE = path.join(WORKER, 'service.json')
const SOURCES = [
  'src',
  'codec/src',
  'migrations',
  'tools/build/build.ts',
  'tools/serve/migrations.ts',
  'wrangler.toml',
  'package-lock.json',
  'tsconfig.json',
]

/**
 * The local service besides its modules: `bindings` of wrangler.toml, as options of a Miniflare worker, and the
 * `migrations` in order.
 */
export interface LocalService {
  bindings: V4WorkerOptionsShape
  migrations: { name: string; statements: string[] }[]
}

/** The ids of the databases that are bound so. */
export function idsOf(databases: V4WorkerOptionsShape['d1Databases'] = {}) {
  return Object.values(databases).map((database) => (typeof database === 'string' ? database : (database.id ?? '')))
}

/** Returns what the last build wrote. */
export function readLocalService(): LocalService {
  const service: unknown = JSON.parse(readFileSync(SERVICE, 'utf8'))
  if (isLocalService(service)) return service
  throw new Error(`${SERVICE} is not what the build writes: remove it`)
}

function isLocalService(value: unknown): value is LocalService {
  return isObject(value) && isObject(value.bindings) && Array.isArray(value.migrations)
}

async function build() {
  const made = await ensureMade()
  const sources = [...SOURCES.map((source) => path.join(ROOT, source)), ...made]
  await makeWhenChanged({ what: 'the Worker', outputs: [SERVICE], sources, make: bundleWorker })
}

async function bundleWorker() {
  const fresh = `${WORKER}.${process.pid}`
  runTool('wrangler', ['deploy', '--dry-run', '--env=', '--outdir', fresh], { stdio: ['ignore', 'ignore', 'inherit'] })
  const service: LocalService = { bindings: await readBindings(), migrations: await readMigrations() }
  writeFileSync(path.join(fresh, 'service.json'), JSON.stringify(service))
  const { contents } = await bundle({ entryPoints: [path.join(ROOT, 'tools', 'serve', 'migrations.ts')] })
  mkdirSync(path.join(fresh, 'local'))
  writeFileSync(path.join(fresh, 'local', 'migrations.js'), contents)
  cpSync(STATIC, path.join(fresh, STATIC_OF_WORKER), { recursive: true })
  syncTree(fresh)
  rmSync(WORKER, { recursive: true, force: true })
  renameSync(fresh, WORKER)
  syncFolder(path.dirname(WORKER))
  return []
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
