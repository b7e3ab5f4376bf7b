import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** A program that runs until it is stopped, and its output so far. */
export interface Child {
  output: () => string
  /** Waits for a line of the output, and returns the first group of the pattern. */
  line: (pattern: RegExp) => Promise<string>
  stop: () => Promise<void>
}

/** Starts a program in a process group of its own. */
export function startChild(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Child {
  const child = spawn(program, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const kill = () => killGroup(child)
  process.once('exit', kill)
  let text = ''
  const waiting = new Set<() => void>()
  const ended = once(child, 'close')
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (chunk) => {
      text += chunk
      for (const search of waiting) search()
    })
  }
  return {
    output: () => text,
    line(pattern) {
      return new Promise((resolve, reject) => {
        const search = () => {
          const found = pattern.exec(text)
          if (!found) return
          waiting.delete(search)
          resolve(found[1] ?? '')
        }
        waiting.add(search)
        void ended.then(() => reject(new Error(`${program} ended:\n${text}`)))
        search()
      })
    },
    async stop() {
      process.off('exit', kill)
      kill()
      await ended
    },
  }
}

/** Stops a process and all that it started. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
