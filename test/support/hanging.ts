import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule, TestProject, TestSpecification, Vitest } from 'vitest/node'

/**
 * Ends a run that hangs, and says where. Vitest's own limits do not end a blocked worker, because they are timers of
 * that worker. A file with many tests that each hang would take hours.
 */
export class Hanging implements Reporter {
  #mostMs: number
  /** The last known step of each unfinished file, by project and path. A blocked worker reports nothing more. */
  readonly #left = new Map<string, string>()
  #timer: NodeJS.Timeout | undefined

  /** Ends the run after this many milliseconds without a finished test, or with one that took as long. */
  constructor(mostMs: number) {
    this.#mostMs = mostMs
  }

  onInit(vitest: Vitest): void {
    // Long runs have a limit of their own on the command line.
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
    // A blocked worker does not notice that this process ends.
    for (const child of children()) process.kill(child, 'SIGKILL')
    process.exit(1)
  }
}

function nameOf(project: TestProject, moduleId: string): string {
  return `${project.name}  ${relative(project.config.root, moduleId)}`
}

/** Returns the ids of this process's children, on Linux (proc_pid_stat(5)). */
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
    // The process has ended in the meantime.
    return undefined
  }
}
