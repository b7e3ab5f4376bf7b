import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { inject } from 'vitest'
import { noteTokens } from '../../contract/support/issued-tokens.ts'

export const BUNDLE = join(import.meta.dirname, '../../../cli/dist/tintype-cli.mjs')

/** The result of one call of the command line. */
export interface Run {
  code: number | null
  stdout: string
  stderr: string
  lines: string[]
}

/** Options of a call. */
export interface Call {
  cwd?: string
  env?: Readonly<Record<string, string>>
  stdin?: string | Uint8Array
  /** Sends SIGINT, like Ctrl-C, once the output contains this text. */
  stopAt?: string
  /** The number of SIGINTs to send. A program of `npm run` gets one from npm and one from the terminal. */
  signals?: number
}

/** The environment of the command line in tests. */
export function cliEnvironment(): Record<string, string | undefined> {
  return { PATH: process.env.PATH, HOME: NO_HOME, TINTYPE_URL: inject('baseUrl') }
}

/** No folder is there. */
const NO_HOME = join(import.meta.dirname, 'no-home')

/**
 * Runs the command line against the shared service, unless the arguments name another. Of the environment it gets PATH
 * alone, and a home without a configuration file.
 */
export async function runCli(
  args: readonly string[],
  { cwd, env, stdin, stopAt, signals = 1 }: Call = {},
): Promise<Run> {
  const child = spawn(process.execPath, [BUNDLE, ...args], { cwd, env: { ...cliEnvironment(), ...env } })
  const printed = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (chunk: Buffer) => {
      printed[stream] += chunk.toString()
      if (stopAt === undefined || child.killed || !printed[stream].includes(stopAt)) return
      for (let signal = 0; signal < signals; signal++) child.kill('SIGINT')
    })
  }
  child.stdin.end(stdin)
  await once(child, 'close')
  noteTokens(printed.stdout)
  return { code: child.exitCode, ...printed, lines: printed.stdout.split('\n').slice(0, -1) }
}
