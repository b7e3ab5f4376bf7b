// Runs tools of the packages, and scripts of tools/, as processes that end.
import { type SpawnSyncOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { fail, nodeBinary, ROOT, toolEnvironment, toolPath } from '../install/installed.mjs'

/** Runs a tool of the packages to its end. A failure ends this process too. */
export function runTool(name: string, args: readonly string[], options: SpawnSyncOptions = {}): { stdout: string } {
  const { status, stdout } = spawnSync(nodeBinary(), [toolPath(name), ...args], inTools(options))
  if (status !== 0) fail(`${name} ${args.join(' ')} failed`, status ?? 1)
  return { stdout: String(stdout ?? '') }
}

/** Like `runTool`, beside other work of this process. */
export async function runToolBeside(
  name: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const child = spawn(nodeBinary(), [toolPath(name), ...args], { cwd: ROOT, env: environment, stdio: 'inherit' })
  await once(child, 'close')
  if (child.exitCode !== 0) fail(`${name} ${args.join(' ')} failed`, child.exitCode ?? 1)
}

/** Runs a tool of the packages without its output. Returns whether it succeeded. */
export function toolSucceeds(name: string, args: readonly string[], options: SpawnSyncOptions = {}): boolean {
  const silent = inTools({ stdio: 'ignore', ...options })
  return spawnSync(nodeBinary(), [toolPath(name), ...args], silent).status === 0
}

/**
 * Runs a script to its end, by its path in tools/. A failure ends this process too. What a script leaves running ends with its
 * process, such as the service of esbuild.
 */
export function runScript(name: string, args: readonly string[] = []): void {
  const { status } = spawnSync(nodeBinary(), [path.join(ROOT, 'tools', name), ...args], inTools({}))
  if (status !== 0) process.exit(status ?? 1)
}

function inTools(options: SpawnSyncOptions): SpawnSyncOptions {
  return { cwd: ROOT, env: toolEnvironment(), stdio: 'inherit', ...options }
}
