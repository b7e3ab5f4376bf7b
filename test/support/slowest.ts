import type { Reporter, TestCase, TestModule } from 'vitest/node'

const MOST = 20
/** A run of fewer files prints the time of each anyway. */
const LEAST_FILES = 20

/** Prints the slowest tests and files at the end of a long run, in seconds of elapsed time. */
export class Slowest implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < LEAST_FILES) return
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    print(
      'tests',
      tests.map((test) => [test.diagnostic()?.duration ?? 0, nameOf(test)]),
    )
    print(
      'files',
      modules.map((module) => [module.diagnostic().duration, `${module.project.name}  ${module.relativeModuleId}`]),
    )
  }
}

function nameOf({ fullName, module }: TestCase): string {
  return `${module.project.name}  ${module.relativeModuleId} > ${fullName}`
}

function print(what: string, rows: [ms: number, name: string][]): void {
  console.log(`\nThe slowest ${what}:`)
  for (const [ms, name] of rows.toSorted(([a], [b]) => b - a).slice(0, MOST)) {
    console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`)
  }
}
