// A look at the port of a service before anything is installed or built for it.
import net from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { fail } from '../install/installed.mjs'
import { codeOf } from '../shared/command-line.ts'

/** A service that was just killed may hold its port for a moment. */
const TRIES = 12
const TRY_MS = 250

/** Waits until nothing listens on a port; ends the process with a sentence where that takes longer than a service takes to stop. */
export async function requireFreePort({ host, port }: { host: string; port: number }) {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    if (await isFree(host, port)) return
    if (attempt === 1) console.log(`Port ${port} is taken: waiting for it ...`)
    await wait(TRY_MS)
  }
  fail(`port ${port} is taken: choose another with --port`)
}

/** Whether something can listen there now. What else may be wrong is found when the service starts. */
function isFree(host: string, port: number) {
  return new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', (error) => resolve(codeOf(error) !== 'EADDRINUSE'))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)))
  })
}
