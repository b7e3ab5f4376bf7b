// `npm run hostile`: hostile files and requests at length, from a new seed: test/contract/hostile.test.ts and random-bytes.test.ts.
import path from 'node:path'
import { readCommandLine } from './command-line.mjs'
import { become, ensureInstalled, fail, ROOT, runScript } from './installed.mjs'

const OPERATIONS = 7
const USAGE = `Usage: npm run hostile -- [options]
Sends the corpus and mutations of it, and requests of random bytes, and looks that none gives a 5xx but 503.
  --requests N  how many mutated files, and how many requests of random bytes (20000)
  --seed N      repeats the choices of another run
  --help        this text`

const { values } = readCommandLine({
  usage: USAGE,
  options: { requests: { type: 'string', default: '20000' }, seed: { type: 'string' } },
})
for (const [name, value] of Object.entries(values)) {
  if (!/^[1-9][0-9]{0,9}$/.test(value)) fail(`--${name} must be a whole number: received "${value}"`)
}
ensureInstalled('all')
runScript('made.mjs')
process.env.HOSTILE_FILES = values.requests
process.env.TINTYPE_REQUESTS = String(Math.ceil(Number(values.requests) / OPERATIONS))
if (values.seed !== undefined) process.env.TINTYPE_SEED = values.seed
const files = ['hostile', 'random-bytes'].map((name) => path.join('test', 'contract', `${name}.test.ts`))
// One file after the other: how long an answer takes is looked at.
const options = ['--no-file-parallelism', '--test-timeout=86400000']
become(path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), ['run', '--project', 'contract', ...files, ...options])
