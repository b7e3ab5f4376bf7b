import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A way to the service that can break: what goes through it is what the service sees. */
export interface Connection {
  /** Where the browser finds the service at the other end. */
  baseUrl: string
  /** From now on uploads come to a standstill half-way, after this many that pass. */
  stallAfter: (uploads: number) => void
  /** Those that stand still, and all that come, pass. */
  release: () => void
  /** How many uploads have stood still. */
  stalled: () => number
  /** Breaks off all that is under way, and refuses whatever comes. */
  cut: () => Promise<void>
  /** Everything passes again. */
  mend: () => Promise<void>
  close: () => Promise<void>
}

/** Opens a way to the service at `serviceUrl`, on a port of its own. */
export async function openConnection(serviceUrl: string): Promise<Connection> {
  const sockets = new Set<Socket>()
  let left = Number.POSITIVE_INFINITY
  let stalled = 0
  let waiting: (() => void)[] = []

  function arrive(asked: IncomingMessage, answered: ServerResponse): void {
    const isUpload = asked.method === 'POST' && asked.url === '/images'
    if (isUpload && left-- <= 0) {
      stalled++
      waiting.push(() => pass(asked, answered))
      return
    }
    pass(asked, answered)
  }

  function pass(asked: IncomingMessage, answered: ServerResponse): void {
    const outgoing = request(new URL(asked.url ?? '/', serviceUrl), { method: asked.method, headers: asked.headers })
    outgoing.on('response', (incoming) => {
      answered.writeHead(incoming.statusCode ?? 502, incoming.headers)
      incoming.pipe(answered)
    })
    outgoing.on('error', () => answered.destroy())
    asked.pipe(outgoing)
  }

  const server = createServer(arrive)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  })
  const port = await listen(server, 0)

  async function cut(): Promise<void> {
    waiting = []
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }

  return {
    baseUrl: `http://127.0.0.1:${port}`,
    stallAfter: (uploads) => {
      left = uploads
    },
    release: () => {
      left = Number.POSITIVE_INFINITY
      for (const go of waiting.splice(0)) go()
    },
    stalled: () => stalled,
    cut,
    mend: async () => {
      left = Number.POSITIVE_INFINITY
      await listen(server, port)
    },
    close: () => (server.listening ? cut() : Promise.resolve()),
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      if (address && typeof address === 'object') resolve(address.port)
      else reject(new Error('no port'))
    })
  })
}
