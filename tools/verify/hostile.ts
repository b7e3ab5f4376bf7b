// `npm run tintype -- hostile`: hostile files and requests at length, from a new seed: test/contract/hostile.test.ts and random-bytes.test.ts.
import { runAtLength } from './suite-at-length.ts'

const OPERATIONS = 7

runAtLength({
  usage: `Usage: npm run tintype -- hostile [options]
Sends the corpus, mutations of it, and requests of random bytes. It fails at a 5xx other than 503, and if the
response to a file of the corpus is not the one in the manifest.
  --requests N  how many mutated files, and how many requests of random bytes (20000)
  --seed N      repeats the choices of another run
  --help        this text`,
  numbers: { requests: '20000' },
  environment: ({ requests }) => ({
    HOSTILE_FILES: requests,
    TINTYPE_REQUESTS: String(Math.ceil(Number(requests) / OPERATIONS)),
  }),
  files: ['hostile', 'random-bytes', 'corpus'],
  // One file after the other, because the tests check the time of responses.
  flags: ['--no-file-parallelism'],
})
