// `npm run crash`: kills a service under load again and again, and looks whether it lost anything: test/contract/crash.test.ts at
// length.
import path from 'node:path'
import { readCommandLine } from './command-line.mjs'
import { become, ensureInstalled, fail, ROOT, runScript } from './installed.mjs'

const USAGE = `Usage: npm run crash -- [options]
Kills a service that eight clients use, and looks whether anything is lost of what it acknowledged.
  --cycles N    how often it is killed (200)
  --seed N      repeats the choices of another run
  --help        this text`

const { values } = readCommandLine({
  usage: USAGE,
  options: { cycles: { type: 'string', default: '200' }, seed: { type: 'string' } },
})
for (const [name, value] of Object.entries(values)) {
  if (!/^[1-9][0-9]{0,9}$/.test(value)) fail(`--${name} must be a whole number: received "${value}"`)
}
ensureInstalled('all')
runScript('made.mjs')
process.env.CRASH_CYCLES = values.cycles
if (values.seed !== undefined) process.env.TINTYPE_SEED = values.seed
const file = path.join('test', 'contract', 'crash.test.ts')
const limit = '--test-timeout=86400000'
become(path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), ['run', '--project', 'contract', file, limit])
