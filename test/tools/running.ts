import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { FakeCloudflare } from './deploy/fake-cloudflare.ts'

const TOOLS = join(import.meta.dirname, '../../tools')

/** Runs a script of ours as its user does, in an account where one is given. A fault `kill` ends it and all that it started. */
export async function runScript(
  script: string,
  args: readonly string[],
  { cloudflare, env = {} }: { cloudflare?: FakeCloudflare; env?: Record<string, string> } = {},
) {
  const { VITEST: _, NODE_ENV: __, WORKERS_CI: ___, ...inherited } = process.env
  const child = spawn(process.execPath, [join(TOOLS, script), ...args], {
    env: { ...inherited, CI: '1', ...cloudflare?.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (text) => (stdout += text))
  child.stderr.on('data', (text) => (stderr += text))
  if (cloudflare) cloudflare.onKill = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL')
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, stdout, stderr }
}
