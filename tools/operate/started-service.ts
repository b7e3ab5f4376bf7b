// Starts the service of a data folder for as long as a command needs it.
import { spawn } from 'node:child_process'
import net from 'node:net'
import path from 'node:path'
import { fail, ROOT } from '../install/installed.mjs'

const PORT_OF_ANY = 0

/** A service that was started. It ends with this process at the latest. */
interface StartedService {
  origin: string
  stop: () => Promise<void>
}

/** Starts the service on a free port. `usualPort` is the one at which none responded. */
export async function startForNow(data: string, usualPort: string): Promise<StartedService> {
  const port = await freePort()
  const script = path.join(ROOT, 'tools', 'serve', 'start.ts')
  const child = spawn(process.execPath, [script, '--port', String(port), '--data', data], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  process.on('exit', () => child.kill('SIGTERM'))
  let printed = ''
  return new Promise((resolve) => {
    const ended = () => fail(`${printed.trim()}\nif it runs on another port than ${usualPort}, name that with --port`)
    child.on('exit', ended)
    const stop = () =>
      new Promise<void>((stopped) => {
        child.off('exit', ended).on('exit', () => stopped())
        child.kill('SIGTERM')
      })
    const read = (chunk: Buffer) => {
      printed += chunk
      const origin = `http://localhost:${port}`
      if (printed.includes(origin)) resolve({ origin, stop })
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
  })
}

/** Returns a port that nothing listens on. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject)
    server.listen(PORT_OF_ANY, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : PORT_OF_ANY))
    })
  })
}
