import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule, TestProject, TestSpecification, Vitest } from 'vitest/node'

/**
 * Ends a run that hangs, and says where: a worker that stands still for ever is not ended by Vitest's own limits, which are
 * timers of that worker, and a file of many tests that each hang would take hours.
 */
export class Hanging implements Reporter {
  #mostMs: number
  /** What is known of each file that has not ended, by project and path: a worker that stands still tells nothing more. */
  readonly #left = new Map<string, string>()
  #timer: NodeJS.Timeout | undefined

  /** After so many milliseconds without a test that ends, or one that took as long, the run is over. */
  constructor(mostMs: number) {
    this.#mostMs = mostMs
  }

  onInit(vitest: Vitest): void {
    // What runs at length has a limit of its own, on the command line.
    this.#mostMs = Math.max(this.#mostMs, vitest.config.testTimeout)
  }

  onTestRunStart(files: readonly TestSpecification[]): void {
    for (const { project, moduleId } of files) this.#left.set(nameOf(project, moduleId), '')
    this.#waitAgain()
  }

  onTestCaseReady({ project, module, fullName }: TestCase): void {
    this.#left.set(nameOf(project, module.moduleId), fullName)
  }

  onTestCaseResult(test: TestCase): void {
    this.#waitAgain()
    if ((test.diagnostic()?.duration ?? 0) >= this.#mostMs) this.#end()
  }

  onTestModuleEnd({ project, moduleId }: TestModule): void {
    this.#left.delete(nameOf(project, moduleId))
    this.#waitAgain()
  }

  onTestRunEnd(): void {
    clearTimeout(this.#timer)
  }

  #waitAgain(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#end(), this.#mostMs)
  }

  #end(): void {
    const left = [...this.#left].map(([file, test]) => `  ${file}  ${test}`)
    console.error(`\nThe run hangs. What has not ended:\n${left.join('\n')}`)
    // A worker that stands still does not notice that this process ends.
    for (const child of children()) process.kill(child, 'SIGKILL')
    process.exit(1)
  }
}

function nameOf(project: TestProject, moduleId: string): string {
  return `${project.name}  ${relative(project.config.root, moduleId)}`
}

/** The process ids of this process's children, where the system is Linux (proc_pid_stat(5)). */
function children(): number[] {
  if (!existsSync('/proc/self/stat')) return []
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => parentOf(pid) === process.pid)
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(/^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
  } catch {
    // It ended meanwhile.
    return undefined
  }
}
