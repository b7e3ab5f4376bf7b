// A service of its own for a measurement: `npm start` without its installing and building, on an empty folder of data.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ROOT } from '../scripts/installed.mjs'

/**
 * Starts it, and gives its process id and the way to stop it, data and all.
 * @param {number} port
 */
export async function startService(port) {
  const data = mkdtempSync(path.join(tmpdir(), 'tintype-bench-'))
  const args = [path.join(ROOT, 'scripts/serve.mjs'), '--port', String(port), '--data', data]
  const service = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(service, 'exit')
  for await (const text of service.stdout) if (String(text).includes('serves')) break
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
