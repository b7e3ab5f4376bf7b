import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'
import { readLocalService, STATIC_OF_WORKER, WORKER } from '../../../tools/build/build.ts'
import { nodeBinary, ROOT, toolEnvironment } from '../../../tools/install/installed.mjs'
import { staticAssetsModules } from '../../../tools/serve/static-assets.ts'
import { freePort } from '../../contract/support/service.ts'

/** The last public workerd whose timers count from the clock of their request, with its Miniflare. */
const PACKAGE = 'miniflare-clamping'
/** The latest date that this workerd knows. */
const COMPATIBILITY_DATE = '2026-01-20'

const SLOW = `export default {
  async fetch(request) {
    await new Promise((resolve) => setTimeout(resolve, Number(new URL(request.url).pathname.slice(1))))
    return new Response('')
  },
}`

/** Starts the service and the scenarios on that workerd. */
export async function startClampingService() {
  execFileSync(nodeBinary(), [path.join(ROOT, 'tools', 'build', 'build.ts')], { env: toolEnvironment() })
  const { Miniflare } = clampingMiniflare()
  const { bindings, migrations } = readLocalService()
  const data = await mkdtemp(path.join(tmpdir(), 'tintype-clamping-'))
  const port = await freePort()
  const miniflare = new Miniflare({
    defaultPersistRoot: data,
    cf: false,
    workers: [
      {
        name: 'tintype',
        modules: [{ type: 'ESModule', path: 'worker.js', contents: await bundleWorker() }, ...builtModules()],
        modulesRoot: '/',
        compatibilityDate: COMPATIBILITY_DATE,
        compatibilityFlags: bindings.compatibilityFlags,
        d1Databases: bindings.d1Databases,
        r2Buckets: bindings.r2Buckets,
        durableObjects: bindings.durableObjects,
        cache: false,
        bindings: { ...bindings.bindings, CLIENT_LIMITS: 'off', LOCAL_PORT: String(port) },
        serviceBindings: { SLOW: 'slow', ASSETS: 'static-assets' },
        unsafeDirectSockets: [{ host: '127.0.0.1', port }],
      },
      {
        name: 'static-assets',
        modules: staticAssetsModules(path.join(WORKER, STATIC_OF_WORKER)),
        modulesRoot: '/',
        compatibilityDate: COMPATIBILITY_DATE,
      },
      { name: 'slow', modules: true, compatibilityDate: COMPATIBILITY_DATE, script: SLOW },
    ],
  })
  const database = await miniflare.getD1Database('DB', 'tintype')
  for (const { statements } of migrations) for (const statement of statements) await database.prepare(statement).run()
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    /** Triggers the cron, and returns its outcome. */
    cron: async () => (await miniflare.getWorker('tintype')).scheduled({ cron: '* * * * *' }),
    async stop() {
      await miniflare.dispose()
      await rm(data, { recursive: true, force: true })
    },
  }
}

function clampingMiniflare() {
  try {
    return createRequire(import.meta.url)(PACKAGE)
  } catch (cause) {
    throw new Error(`${PACKAGE} is missing: install the packages of package-lock.json by npm ci`, { cause })
  }
}

/** Returns the version of the workerd that the old Miniflare starts. */
export function workerdVersion(): string {
  const miniflare = createRequire(import.meta.url).resolve(PACKAGE)
  const { version } = createRequire(miniflare)('workerd/package.json')
  return String(version)
}

async function bundleWorker(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, 'worker.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    external: ['./index.js', 'cloudflare:*', 'node:*'],
  })
  return outputFiles[0]?.text ?? ''
}

function builtModules() {
  return readdirSync(WORKER)
    .filter((file) => /\.(?:js|wasm)$/.test(file))
    .map((file) => ({
      type: file.endsWith('.js') ? 'ESModule' : 'CompiledWasm',
      path: file,
      contents: readFileSync(path.join(WORKER, file)),
    }))
}
