// What is made of the sources before they can be bundled, checked or tested; each only if what it is made of has changed.
import { ensureAssets } from './assets.mjs'
import { ensureCodec } from './codec.mjs'
import { ensureContract } from './openapi.mjs'

/** Makes it all. Gives the file of the OpenAPI document. */
export async function ensureMade() {
  ensureCodec()
  await ensureAssets()
  return { document: await ensureContract() }
}

// `node scripts/made.mjs`: what wrangler calls before it bundles.
if (process.argv[1] === import.meta.filename) await ensureMade()
