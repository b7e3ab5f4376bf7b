// A service of its own for a measurement: `npm start` without its installing and building.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ROOT } from '../../tools/install/installed.mjs'

/** A new folder for data; it is not removed with the service that uses it. */
export const newDataFolder = () => mkdtempSync(path.join(tmpdir(), 'tintype-bench-'))

/**
 * Starts it, and returns its process id and the way to stop it; without a folder, on empty data that is removed with it. `environment`
 * is that of tools/serve/serve.ts; `checkout` may be another than this one, which must be built.
 * @param options further ones of `npm start`
 */
export async function startService(
  port: number,
  environment?: Record<string, string>,
  folder?: string,
  checkout: string = ROOT,
  options: readonly string[] = [],
) {
  const data = folder ?? newDataFolder()
  const args = [path.join(checkout, 'tools/serve/serve.ts'), '--port', String(port), '--data', data, ...options]
  const service = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: checkout,
    env: { ...process.env, ...environment },
  })
  const ended = once(service, 'exit')
  // To its end: a service that cannot print ends.
  await new Promise((resolve) => {
    service.stdout.on('data', (text) =>
      String(text).includes('serves') ? resolve(undefined) : process.stderr.write(text),
    )
    service.once('exit', resolve)
  })
  if (service.pid === undefined || service.exitCode !== null) throw new Error('the service did not start')
  return {
    pid: service.pid,
    stop: async () => {
      service.kill('SIGTERM')
      await ended
      if (folder === undefined) rmSync(data, { recursive: true, force: true })
    },
  }
}

/** Starts a Worker that does nothing. Git keeps no empty folder, so that of its static assets is made. */
export function startTrivialService(port: number): ReturnType<typeof startService> {
  const worker = path.join(ROOT, 'bench', 'support', 'trivial-worker')
  mkdirSync(path.join(worker, 'static'), { recursive: true })
  return startService(port, { MEASURED_WORKER: worker })
}
