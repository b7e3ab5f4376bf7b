import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { format } from 'node:util'
import { vi } from 'vitest'
import { COMMANDS } from '../../../tools/commands.ts'

const TOOLS = join(import.meta.dirname, '../../../tools')

/** Returns the file of a command, by its name in the list of `npm run tintype`. */
export function scriptOf(name: string): string {
  const command = Object.values(COMMANDS).flatMap((commands) => commands[name] ?? [])[0]
  if (command === undefined || !('script' in command)) throw new Error(`no command "${name}" has a script`)
  return join(TOOLS, command.script)
}

/** The exit code of a command, and its output. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs the script of a command as a user does. Its environment has no key except those of `variables`. */
export function runCommand(
  name: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const { TINTYPE_OPERATOR_KEY: _, ...env } = process.env
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [scriptOf(name), ...args],
      { env: { ...env, ...variables } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}

let runs = 0

/**
 * Runs a command in this process, one at a time, for a twentieth of the processor time. It is for commands that leave
 * nothing behind in their process, such as `moderate`. `runCommand` tests the process itself.
 */
export async function runHere(
  name: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const ended = { code: undefined as number | undefined, stdout: '', stderr: '' }
  const keep =
    (stream: 'stdout' | 'stderr') =>
    (...values: unknown[]) => {
      // Output after the end is ignored.
      if (ended.code === undefined) ended[stream] += `${format(...values)}\n`
    }
  const spies = [
    vi.spyOn(console, 'log').mockImplementation(keep('stdout')),
    vi.spyOn(console, 'error').mockImplementation(keep('stderr')),
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      ended.code ??= Number(code ?? 0)
      throw new Error('the command has ended')
    }),
  ]
  const { argv } = process
  process.argv = [...argv.slice(0, 1), scriptOf(name), ...args]
  vi.stubEnv('TINTYPE_OPERATOR_KEY', undefined)
  for (const [variable, value] of Object.entries(variables)) vi.stubEnv(variable, value)
  try {
    // Each address is a module of its own, which runs when it is loaded.
    await import(/* @vite-ignore */ `${scriptOf(name)}?run=${++runs}`)
  } catch (error) {
    if (ended.code === undefined) throw error
  } finally {
    vi.unstubAllEnvs()
    process.argv = argv
    for (const spy of spies) spy.mockRestore()
  }
  return { ...ended, code: ended.code ?? 0 }
}
