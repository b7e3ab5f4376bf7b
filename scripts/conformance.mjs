// `npm run conformance -- --url https://api.example`: the contract tests against any service of this API, chapter by chapter.
// All that they make is deleted again. Options: --url, --domains a,b,c, --concurrency N (test files at once); names of test files.
import { parseArgs } from 'node:util'
import { CHAPTERS, chapterOf } from './chapters.mjs'
import { continueInOwnNode, ensureInstalled, fail, ROOT, runScript } from './installed.mjs'

// A service that lets one status request through every 6 seconds is waited for.
const TEST_TIMEOUT_MS = 900_000

ensureInstalled('all')
continueInOwnNode()
const { url, domains, concurrency, files } = readOptions()
runScript('made.mjs')
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
  if (!report(vitest.state.getTestModules())) process.exitCode = 1
  for (const error of vitest.state.getUnhandledErrors()) console.log(`\nunexpected: ${error.stack ?? error}`)
} catch (error) {
  process.exitCode = 1
  console.error(error.message)
} finally {
  // Ends with the deletion of what the tests made.
  await vitest.close()
}

function readOptions() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { url: { type: 'string' }, domains: { type: 'string' }, concurrency: { type: 'string', default: '1' } },
    })
    if (values.url === undefined) fail('--url must name the service: npm run conformance -- --url https://api.example')
    if (!/^[1-9]\d?$/.test(values.concurrency)) {
      fail(`--concurrency must be a number of test files from 1 to 99: received "${values.concurrency}"`)
    }
    return {
      ...values,
      concurrency: Number(values.concurrency),
      files: positionals.map((name) => `contract/${name}.test`),
    }
  } catch (error) {
    fail(`${error.message}\nOptions: --url ADDRESS --domains a,b,c --concurrency N, and names of test files`)
  }
}

/** A line for every file that has been through. */
function progress() {
  return {
    onTestModuleEnd: (module) => console.log(`${counts(testsOf(module)).words.padEnd(44)} ${module.relativeModuleId}`),
  }
}

/** Prints the table, then what failed and what was left out; whether nothing failed. */
function report(modules) {
  const chapters = new Map(CHAPTERS.map(([chapter]) => [chapter, []]))
  for (const module of modules) {
    const chapter = chapterOf(module.moduleId) ?? module.relativeModuleId
    chapters.set(chapter, [...(chapters.get(chapter) ?? []), ...testsOf(module)])
  }
  const ran = [...chapters].filter(([, tests]) => tests.length > 0)
  const width = Math.max(...ran.map(([chapter]) => chapter.length))
  console.log(`\n${'Chapter'.padEnd(width)}   passed   failed  skipped`)
  for (const [chapter, tests] of [...ran, ['All', ran.flatMap(([, tests]) => tests)]]) {
    const { passed, failed, skipped } = counts(tests)
    const numbers = [passed, failed, skipped].map((count) => String(count).padStart(9)).join('')
    console.log(`${chapter.padEnd(width)}${numbers}`)
  }
  printSkipped(ran)
  const broken = modules.filter((module) => module.errors().length > 0)
  printFailed(ran, broken)
  return broken.length === 0 && ran.every(([, tests]) => counts(tests).failed === 0)
}

function printSkipped(ran) {
  const reasons = Map.groupBy(
    ran.flatMap(([, tests]) => tests).filter((test) => stateOf(test) === 'skipped'),
    (test) => test.result().note ?? 'it needs a service of its own',
  )
  if (reasons.size > 0) console.log('\nSkipped')
  for (const [reason, tests] of reasons) console.log(`${String(tests.length).padStart(5)}  ${reason}`)
}

function printFailed(ran, broken) {
  for (const module of broken) {
    console.log(
      `\n${module.relativeModuleId}: ${module
        .errors()
        .map(({ message }) => message)
        .join('; ')}`,
    )
  }
  for (const [chapter, tests] of ran) {
    const failed = tests.filter((test) => stateOf(test) === 'failed')
    if (failed.length > 0) console.log(`\n${chapter}`)
    for (const test of failed) {
      const [error] = test.result().errors ?? []
      console.log(
        `  ✗ ${test.fullName}\n      ${(error?.message ?? 'failed').split('\n').slice(0, 6).join('\n      ')}`,
      )
    }
  }
}

function counts(tests) {
  const count = (state) => tests.filter((test) => stateOf(test) === state).length
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')]
  return { passed, failed, skipped, words: `${passed} passed, ${failed} failed, ${skipped} skipped` }
}

function testsOf(module) {
  return [...module.children.allTests()]
}

/** A test that never ran, since a hook before it failed, has failed. */
function stateOf(test) {
  const { state } = test.result()
  return state === 'pending' ? 'failed' : state
}
