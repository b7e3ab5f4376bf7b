// Generates the files that bundles, checks and tests need, if their sources have changed. Wrangler runs this before it
// bundles. Our own commands run it as a process that ends with esbuild's service.
import { fileURLToPath } from 'node:url'
import { ensureAssets } from './assets.mjs'
import { ensureCodec } from './codec.mjs'
import { ensureLocalTables } from './local-tables.mjs'
import { ensureMessages } from './messages.mjs'
import { ensureContract } from './openapi.mjs'

/** Makes it all. Returns the files that the Worker imports. */
export async function ensureMade() {
  return [await ensureCodec(), await ensureAssets(), await ensureContract(), await ensureMessages()]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await ensureMade()
  // wrangler says so to its build. Without tables, uploads would fail.
  if (process.env.WRANGLER_COMMAND === 'dev') await ensureLocalTables()
}
