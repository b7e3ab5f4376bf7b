// `npm run tintype -- crash`: kills a service under load again and again, and looks whether it lost anything: test/contract/crash.test.ts at
// length.
import { runAtLength } from './suite-at-length.ts'

runAtLength({
  usage: `Usage: npm run tintype -- crash [options]
Kills a service that eight clients use, and looks whether anything is lost of what it acknowledged.
  --cycles N    how often it is killed (200)
  --seed N      repeats the choices of another run
  --help        this text`,
  numbers: { cycles: '200' },
  environment: ({ cycles }) => ({ CRASH_CYCLES: cycles }),
  files: ['crash'],
})
