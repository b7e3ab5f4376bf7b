// What is made of the sources before they can be bundled, checked or tested; each only if what it is made of has changed.
import path from 'node:path'
import { ensureAssets } from './assets.mjs'
import { ensureCodec } from './codec.mjs'
import { ensureContract } from './openapi.mjs'
import { GENERATED } from './when-changed.mjs'

const FILES = ['assets.ts', 'av1.wasm', 'codec.wasm', 'contract.ts']

/** Makes it all. Gives the `files` that the Worker imports, and the `document` of OpenAPI. */
export async function ensureMade() {
  await ensureCodec()
  await ensureAssets()
  const document = await ensureContract()
  return { files: FILES.map((name) => path.join(GENERATED, name)), document }
}

// `node scripts/made.mjs`: what wrangler calls before it bundles.
if (process.argv[1] === import.meta.filename) await ensureMade()
