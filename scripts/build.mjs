// Builds the Worker as it is deployed, and what the local service needs beside it: dist/service.json.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { digestOf } from './digest.mjs'
import { ROOT, runTool } from './installed.mjs'
import { ensureMade } from './made.mjs'

const DIST = path.join(ROOT, 'dist')
const SERVICE = path.join(DIST, 'service.json')
// What is made of other sources lies in src/ too.
const SOURCES = ['src', 'migrations', 'scripts/build.mjs', 'wrangler.toml', 'package-lock.json', 'tsconfig.json']

/**
 * Builds with `wrangler deploy --dry-run` unless the last build was of the same sources. Gives the folder of the Worker's modules and what dist/service.json
 * holds: `bindings` (of wrangler.toml, as Miniflare options) and `migrations` ([{ name, statements }]).
 */
export async function ensureBuilt() {
  await ensureMade()
  const digest = digestOf(SOURCES.map((source) => path.join(ROOT, source)))
  const last = existsSync(SERVICE) ? JSON.parse(readFileSync(SERVICE, 'utf8')) : undefined
  if (last?.digest === digest) return { dist: DIST, ...last }

  const fresh = `${DIST}.${process.pid}`
  runTool('wrangler', ['deploy', '--dry-run', '--env=', '--outdir', fresh], { stdio: ['ignore', 'ignore', 'inherit'] })
  const service = { digest, bindings: await readBindings(), migrations: await readMigrations() }
  writeFileSync(path.join(fresh, 'service.json'), JSON.stringify(service))
  rmSync(DIST, { recursive: true, force: true })
  renameSync(fresh, DIST)
  return { dist: DIST, ...service }
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
