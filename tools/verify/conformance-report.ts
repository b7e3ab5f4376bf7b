// The report of `npm run tintype -- conformance`: how many tests passed by chapter of the specification, what failed and what was skipped.
import type { TestCase, TestModule } from 'vitest/node'
import { CHAPTERS, chapterOf } from './chapters.ts'

type Chapter = [name: string, tests: TestCase[]]

/** Prints the table, then what failed and what was left out; whether nothing failed. */
export function printReport(modules: readonly TestModule[]) {
  const chapters = new Map<string, TestCase[]>(CHAPTERS.map(([chapter]) => [chapter, []]))
  for (const module of modules) {
    const chapter = chapterOf(module.moduleId) ?? module.relativeModuleId
    chapters.set(chapter, [...(chapters.get(chapter) ?? []), ...testsOf(module)])
  }
  const ran = [...chapters].filter(([, tests]) => tests.length > 0)
  const width = Math.max(...ran.map(([chapter]) => chapter.length))
  console.log(`\n${'Chapter'.padEnd(width)}   passed   failed  skipped`)
  for (const [chapter, tests] of [...ran, allOf(ran)]) {
    const { passed, failed, skipped } = countsOf(tests)
    const numbers = [passed, failed, skipped].map((count) => String(count).padStart(9)).join('')
    console.log(`${chapter.padEnd(width)}${numbers}`)
  }
  printSkipped(ran)
  const broken = modules.filter((module) => module.errors().length > 0)
  printFailed(ran, broken)
  return broken.length === 0 && ran.every(([, tests]) => countsOf(tests).failed === 0)
}

function allOf(ran: Chapter[]): Chapter {
  return ['All', ran.flatMap(([, tests]) => tests)]
}

function printSkipped(ran: Chapter[]) {
  const reasons = Map.groupBy(
    ran.flatMap(([, tests]) => tests).filter((test) => stateOf(test) === 'skipped'),
    (test) => noteOf(test) ?? 'it needs a service of its own',
  )
  if (reasons.size > 0) console.log('\nSkipped')
  for (const [reason, tests] of reasons) console.log(`${String(tests.length).padStart(5)}  ${reason}`)
}

function printFailed(ran: Chapter[], broken: TestModule[]) {
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

/** Returns the numbers of tests that passed, failed and were skipped, also as words. */
export function countsOf(tests: readonly TestCase[]) {
  const count = (state: string) => tests.filter((test) => stateOf(test) === state).length
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')]
  return { passed, failed, skipped, words: `${passed} passed, ${failed} failed, ${skipped} skipped` }
}

/** All tests of a file. */
export function testsOf(module: TestModule) {
  return [...module.children.allTests()]
}

/** A test that never ran, since a hook before it failed, has failed. */
function stateOf(test: TestCase) {
  const { state } = test.result()
  return state === 'pending' ? 'failed' : state
}

function noteOf(test: TestCase) {
  const result = test.result()
  return result.state === 'skipped' ? result.note : undefined
}
