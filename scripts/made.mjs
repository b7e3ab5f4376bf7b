// What is made of the sources before they can be bundled, checked or tested; each only if what it is made of has changed.
// wrangler runs this before it bundles, our own commands as a process that ends with esbuild's service.
import { fileURLToPath } from 'node:url'
import { ensureAssets } from './assets.mjs'
import { ensureCodec } from './codec.mjs'
import { ensureMessages } from './messages.mjs'
import { ensureContract } from './openapi.mjs'

/** Makes it all. Returns the files that the Worker imports. */
export async function ensureMade() {
  return [await ensureCodec(), await ensureAssets(), await ensureContract(), await ensureMessages()]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await ensureMade()
