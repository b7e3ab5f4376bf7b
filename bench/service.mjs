// A service of its own for a measurement: `npm start` without its installing and building, on an empty folder of data.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ROOT } from '../scripts/installed.mjs'

/**
 * Starts it, and gives its process id and the way to stop it, data and all. `environment` is that of scripts/serve.mjs.
 * @param {number} port
 * @param {Record<string, string>} [environment]
 */
export async function startService(port, environment) {
  const data = mkdtempSync(path.join(tmpdir(), 'tintype-bench-'))
  const args = [path.join(ROOT, 'scripts/serve.mjs'), '--port', String(port), '--data', data]
  const service = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
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
      rmSync(data, { recursive: true, force: true })
    },
  }
}
