import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from 'vitest/node'

/** The verdict names at most this many failed tests. */
const NAMED_MAX = 20

/** Prints the verdict of a run as its last lines: how many tests passed, failed and were skipped, which, and why. */
export class Verdict implements Reporter {
  #beganMs = 0
  #isFiltered = false

  onInit({ config }: Vitest): void {
    this.#isFiltered = config.testNamePattern !== undefined
  }

  onTestRunStart(): void {
    this.#beganMs = Date.now()
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const inState = (state: string) => tests.filter((test) => test.result().state === state)
    const [passed, failed, skipped] = [inState('passed'), inState('failed'), inState('skipped')]
    const broken = modules.filter((module) => module.errors().length > 0)
    const problems = [
      ...broken.map((module) => `${module.project.name}  ${module.relativeModuleId}: the file itself`),
      ...failed.map((test) => `${test.project.name}  ${test.module.relativeModuleId} > ${test.fullName}`),
      ...errors.map(({ message }) => `outside of tests: ${message.split('\n')[0]}`),
    ]
    const counts = [`${count(passed.length)} passed`, `${count(failed.length)} failed`]
    if (broken.length > 0) counts.push(`${broken.length} files failed`)
    if (errors.length > 0) counts.push(`${errors.length} errors outside of tests`)
    if (skipped.length > 0) counts.push(`${count(skipped.length)} skipped`)
    console.log(`\n${counts.join(', ')}, in ${((Date.now() - this.#beganMs) / 1000).toFixed(0)} s`)
    for (const problem of problems.slice(0, NAMED_MAX)) console.log(`  FAILED  ${problem}`)
    if (problems.length > NAMED_MAX) console.log(`  FAILED  and ${problems.length - NAMED_MAX} more`)
    // With -t, all other tests are skipped.
    if (this.#isFiltered) return
    for (const [reason, those] of Map.groupBy(skipped, reasonOf)) console.log(`  skipped ${those.length}: ${reason}`)
  }
}

/** Returns why a test was skipped: the argument of `skip`, or else the name of its suite or file. */
function reasonOf(test: TestCase): string {
  const result = test.result()
  if (result.state === 'skipped' && result.note) return result.note
  const { missing } = test.project.getProvidedContext()
  const [, need] = /\((needs? [^()]*)\)/.exec(test.fullName) ?? []
  return need ?? missing ?? `${test.module.relativeModuleId} > ${test.fullName}`
}

function count(tests: number): string {
  return tests.toLocaleString('en')
}
