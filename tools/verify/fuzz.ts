// `npm run tintype -- fuzz`: the seeded mutations of the suite, at length and from a new seed. `TINTYPE_SEED` repeats one.
import path from 'node:path'
import { become, ensureInstalled, fail, ROOT } from '../install/installed.mjs'
import { readCommandLine } from '../shared/command-line.ts'
import { runScript } from '../shared/processes.ts'

const { positionals } = readCommandLine({
  usage: `Usage: npm run tintype -- fuzz [mutations of each picture]
Sends mutated pictures through the codec: 5000 of each, unless another number is said.
  --help   this text
TINTYPE_SEED=N repeats the choices of another run.`,
  options: {},
  allowPositionals: true,
})
const [rounds = '5000', ...more] = positionals
if (!/^[1-9]\d*$/.test(rounds) || more.length > 0)
  fail(`how many mutations must be one whole number: received "${positionals.join(' ')}"`)
ensureInstalled('all')
runScript('build/made.ts')
process.env.TINTYPE_SEED ??= String(Date.now() % 1_000_000_000)
process.env.FUZZ_ROUNDS ??= rounds
become(path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), [
  'run',
  '--project',
  'unit-node',
  '--project',
  'codec',
  'fuzz',
])
