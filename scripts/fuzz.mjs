// `npm run fuzz`: the seeded mutations of the suite, at length and from a new seed. `TINTYPE_SEED=1 npm run fuzz -- 50000` repeats one.
import path from 'node:path'
import { become, ensureInstalled, ROOT, runScript } from './installed.mjs'

ensureInstalled('all')
runScript('made.mjs')
process.env.TINTYPE_SEED ??= String(Date.now() % 1_000_000_000)
process.env.FUZZ_ROUNDS ??= process.argv[2] ?? '5000'
become(path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), [
  'run',
  '--project',
  'unit-node',
  '--project',
  'codec',
  'fuzz',
])
