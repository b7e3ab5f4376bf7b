import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { inject, onTestFinished } from 'vitest'
import { freshAddress } from '../../contract/support/api.ts'
import { send } from '../../contract/support/client.ts'

/** A request that reached the proxy. */
interface Passed {
  path: string
  key: string | undefined
  authorization: string | undefined
  atMs: number
  body: Buffer
}

/**
 * Treatment of a request: it is passed on, its connection is cut before or after that, or the proxy responds itself.
 */
export type Fate = 'pass' | 'cut' | 'cut-after' | { status: number; headers?: Record<string, string>; body?: string }

/** A proxy in front of the shared service. */
export interface Passing {
  url: string
  requests: Passed[]
}

/**
 * Starts a proxy that passes requests on from a client address of its own, each treated by `fateOf`. It ends with the
 * test.
 */
export async function startProxy(
  fateOf: (path: string, index: number) => Fate | Promise<Fate> = () => 'pass',
): Promise<Passing> {
  const requests: Passed[] = []
  const address = freshAddress()
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing))

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const path = incoming.url ?? ''
    const key = incoming.headers['idempotency-key']
    const passed: Passed = {
      path,
      key: typeof key === 'string' ? key : undefined,
      authorization: incoming.headers.authorization,
      atMs: Date.now(),
      body: Buffer.of(),
    }
    const index = requests.push(passed) - 1
    passed.body = await buffer(incoming)
    const fate = await fateOf(path, index)
    if (fate === 'cut') {
      incoming.socket.destroy()
      return
    }
    if (typeof fate === 'object') {
      outgoing.writeHead(fate.status, fate.headers).end(fate.body)
      return
    }
    const headers: Record<string, string> = { 'cf-connecting-ip': address }
    for (const name of ['content-type', 'idempotency-key']) {
      const value = incoming.headers[name]
      if (typeof value === 'string') headers[name] = value
    }
    const baseUrl = inject('baseUrl')
    const response = await send(baseUrl, { path, host: new URL(baseUrl).host, headers, body: passed.body })
    if (fate === 'cut-after') incoming.socket.destroy()
    else outgoing.writeHead(response.status, response.headers).end(response.bytes)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('the proxy has no port')
  return { url: `http://127.0.0.1:${bound.port}`, requests }
}
