import { execFile } from 'node:child_process'
import { join } from 'node:path'

const SCRIPTS = join(import.meta.dirname, '../../../scripts')

/** How a command ended, and what it printed. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs the script of a command as its user does. No key but that of `variables` is in its environment. */
export function runCommand(
  name: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const { TINTYPE_OPERATOR_KEY: _, ...env } = process.env
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(SCRIPTS, `${name}.mjs`), ...args],
      { env: { ...env, ...variables } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}
