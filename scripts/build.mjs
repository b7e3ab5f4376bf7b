// Builds the Worker as it is deployed, and what the local service needs beside it: dist/service.json.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT, runTool } from './installed.mjs'

const DIST = path.join(ROOT, 'dist')
const SERVICE = path.join(DIST, 'service.json')
const SOURCES = ['src', 'migrations', 'scripts/build.mjs', 'wrangler.toml', 'package-lock.json', 'tsconfig.json']

/**
 * Builds with `wrangler deploy --dry-run` unless the last build was of the same sources. Gives the folder of the Worker's modules and what dist/service.json
 * holds: `bindings` (of wrangler.toml, as Miniflare options) and `migrations` ([{ name, statements }]).
 */
export async function ensureBuilt() {
  const digest = digestOfSources()
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

function digestOfSources() {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    for (const file of filesUnder(path.join(ROOT, source))) hash.update(`${file}\0`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

function filesUnder(start) {
  const entries = (() => {
    try {
      return readdirSync(start, { recursive: true, withFileTypes: true })
    } catch {
      return undefined
    }
  })()
  if (!entries) return [start]
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
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
