// `npm test`: every suite. Arguments go to vitest: `npm test -- --project unit test/domain`.
import path from 'node:path'
import { become, ensureInstalled, ROOT } from './installed.mjs'
import { ensureMade } from './made.mjs'

ensureInstalled()
await ensureMade()
become(path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), ['run', ...process.argv.slice(2)])
