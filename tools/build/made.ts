// Generates the files that bundles, checks and tests need, if their sources have changed. Wrangler runs this before it
// bundles. Our own commands run it as a process that ends with esbuild's service.
import { fileURLToPath } from 'node:url'
import { ensureAssets } from './assets.ts'
import { ensureCodec } from './codec.ts'
import { ensureLocalTables } from './local-tables.ts'
import { ensureMessages } from './messages.ts'
import { ensureContract } from './openapi.ts'
import { STATIC } from './static.ts'

/** Makes it all. Returns the files that the Worker imports, and the folder of its static assets. */
export async function ensureMade() {
  return [await ensureCodec(), await ensureAssets(), await ensureContract(), await ensureMessages(), STATIC]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await ensureMade()
  // wrangler says so to its build. Without tables, uploads would fail.
  if (process.env.WRANGLER_COMMAND === 'dev') await ensureLocalTables()
}
