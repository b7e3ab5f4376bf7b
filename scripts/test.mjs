// `npm test`: every suite. Arguments go to vitest: `npm test -- --project unit test/domain`.
import path from 'node:path'
import { ensureAssets } from './assets.mjs'
import { ensureCodec } from './codec.mjs'
import { become, ensureInstalled, ROOT } from './installed.mjs'
import { ensureContract } from './openapi.mjs'

ensureInstalled()
ensureCodec()
await ensureAssets()
await ensureContract()
become(path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), ['run', ...process.argv.slice(2)])
