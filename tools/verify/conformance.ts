// `npm run tintype -- conformance --url https://api.example`: the contract tests against any service of this API, chapter by chapter.
// All that they make is deleted again.

import type { Reporter } from 'vitest/node'
import { continueInOwnNode, ensureInstalled, fail, ROOT } from '../install/installed.mjs'
import { messageOf, readCommandLine } from '../shared/command-line.ts'
import { runScript } from '../shared/processes.ts'
import { countsOf, printReport, testsOf } from './conformance-report.ts'

const USAGE = `Usage: npm run tintype -- conformance --url https://api.example [options] [names of test files]
Runs the contract tests against any service of this API; what they make is deleted again.
  --url ADDRESS     the service
  --domains a,b,c   its public domains (that of the address)
  --concurrency N   how many files of tests run at once (1)
  --help            this text`

// A service that lets one status request through every 6 seconds is waited for.
const TEST_TIMEOUT_MS = 900_000

const { url, domains, concurrency, files } = readOptions()
ensureInstalled('all')
continueInOwnNode()
runScript('build/made.ts')
process.env.CONFORMANCE_URL = url
if (domains !== undefined) process.env.CONFORMANCE_DOMAINS = domains
const { createVitest } = await import('vitest/node')
const vitest = await createVitest({
  root: ROOT,
  project: ['contract'],
  watch: false,
  reporters: [progress()],
  maxWorkers: concurrency,
  testTimeout: TEST_TIMEOUT_MS,
  hookTimeout: TEST_TIMEOUT_MS,
})
process.once('SIGINT', () => vitest.cancelCurrentRun('keyboard-input'))
try {
  await vitest.start(files)
  if (!printReport(vitest.state.getTestModules())) process.exitCode = 1
  for (const error of vitest.state.getUnhandledErrors()) {
    console.log(`\nunexpected: ${error instanceof Error ? (error.stack ?? error) : error}`)
  }
} catch (error) {
  process.exitCode = 1
  console.error(messageOf(error))
} finally {
  // Ends with the deletion of what the tests made.
  await vitest.close()
}

function readOptions() {
  const { values, positionals } = readCommandLine({
    usage: USAGE,
    allowPositionals: true,
    options: { url: { type: 'string' }, domains: { type: 'string' }, concurrency: { type: 'string', default: '1' } },
  })
  if (values.url === undefined)
    fail('--url must name the service: npm run tintype -- conformance --url https://api.example')
  if (!URL.canParse(values.url)) {
    fail(`--url must be an address such as https://api.example: received "${values.url}"`)
  }
  if (!/^https?:$/.test(new URL(values.url).protocol)) fail(`--url must begin with http: received "${values.url}"`)
  if (!/^[1-9]\d?$/.test(values.concurrency)) {
    fail(`--concurrency must be a number of test files from 1 to 99: received "${values.concurrency}"`)
  }
  return {
    url: values.url,
    domains: values.domains,
    concurrency: Number(values.concurrency),
    files: positionals.map((name) => `contract/${name}.test`),
  }
}

/** A line for every file that has been through. */
function progress(): Reporter {
  return {
    onTestModuleEnd: (module) =>
      console.log(`${countsOf(testsOf(module)).words.padEnd(44)} ${module.relativeModuleId}`),
  }
}
