// `npm run tintype -- hostile`: hostile files and requests at length, from a new seed: test/contract/hostile.test.ts and random-bytes.test.ts.
import { runAtLength } from './suite-at-length.mjs'

const OPERATIONS = 7

runAtLength({
  usage: `Usage: npm run tintype -- hostile [options]
Sends the corpus and mutations of it, and requests of random bytes, and looks that none gives a 5xx but 503,
and that each file of the corpus is answered as its manifest says.
  --requests N  how many mutated files, and how many requests of random bytes (20000)
  --seed N      repeats the choices of another run
  --help        this text`,
  numbers: { requests: '20000' },
  environment: ({ requests }) => ({
    HOSTILE_FILES: requests,
    TINTYPE_REQUESTS: String(Math.ceil(Number(requests) / OPERATIONS)),
  }),
  files: ['hostile', 'random-bytes', 'corpus'],
  // One file after the other: how long a response takes is looked at.
  flags: ['--no-file-parallelism'],
})
