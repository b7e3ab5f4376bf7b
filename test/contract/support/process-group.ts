import { type ChildProcess, spawn } from 'node:child_process'
import { expect } from 'vitest'
import { scriptOf } from './command.ts'
import { TEST_DOMAINS } from './service.ts'

/** A command in a process group of its own, so that signals also reach its children. */
export interface ProcessGroup {
  output: () => string
  /** The exit code; null if a signal ended it. */
  ended: Promise<number | null>
  /** Stops all its processes with SIGSTOP. */
  freeze: () => void
  kill: () => Promise<void>
}

/** A service in a process group of its own. */
export interface KillableService extends ProcessGroup {
  /** Resolves to true when it serves, and to false if it ends before. */
  ready: Promise<boolean>
}

/** Runs the script of a command in a process group of its own. */
export function runGroup(name: string, args: readonly string[]): ProcessGroup {
  const child = spawn(process.execPath, [scriptOf(name), ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  }
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const killWithUs = () => signalGroup(child, 'SIGKILL')
  process.once('exit', killWithUs)
  const kill = async () => {
    signalGroup(child, 'SIGKILL')
    await ended
    process.off('exit', killWithUs)
  }
  return { output: () => output, ended, freeze: () => signalGroup(child, 'SIGSTOP'), kill }
}

/** Starts a service for the test domains in a process group of its own. */
export function startGroup(options: { port: number; data: string; 'clock-offset-ms'?: number; 'min-free'?: number }) {
  const all = { domains: TEST_DOMAINS.join(','), 'client-limits': 'off', ...options }
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, String(value)])
  const group = runGroup('start', args)
  let hasEnded = false
  void group.ended.then(() => {
    hasEnded = true
  })
  const ready = expect.poll(() => hasEnded || group.output().includes('serves')).toBe(true)
  return { ...group, ready: ready.then(() => !hasEnded) } satisfies KillableService
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // It has ended.
  }
}

/** The counts of `npm run reconcile` if every file has its record, and every record its files. */
export const NOTHING_AMISS = { orphans: 0, missing: 0, unrecognized: 0, due: 0 }

/** Waits for the end of the tick at the start of a service (D3), which logs the remaining work. */
export async function firstTick(output: () => string): Promise<void> {
  await expect.poll(output).toContain('maintenance backlog: ')
}

/** Waits for the line in which a tick reports that no work remains. */
export async function waitForBacklog(output: () => string): Promise<void> {
  await expect.poll(output).toContain('maintenance backlog: none')
}
