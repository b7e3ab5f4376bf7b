import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A connection to the service that can break. The service receives what passes through it. */
export interface Connection {
  /** The address of the service at the browser's end. */
  baseUrl: string
  /** Lets this many uploads pass, and stalls later ones half-way. */
  stallAfter: (uploads: number) => void
  /** Lets pages pass up to this text, and their rest at the release. */
  holdPagesAt: (text: string) => void
  /** Releases stalled uploads and the rest of pages, and lets everything pass. */
  release: () => void
  /** Returns the number of stalled uploads. */
  stalled: () => number
  /** Breaks all connections, and refuses new ones. */
  cut: () => Promise<void>
  /** Lets everything pass again. */
  mend: () => Promise<void>
  close: () => Promise<void>
}

/** Opens a connection to the service at `serviceUrl`, on a port of its own. */
export async function openConnection(serviceUrl: string): Promise<Connection> {
  const sockets = new Set<Socket>()
  let left = Number.POSITIVE_INFINITY
  let heldAt: string | undefined
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
    const headers = { ...asked.headers, ...(heldAt && { 'accept-encoding': 'identity' }) }
    const outgoing = request(new URL(asked.url ?? '/', serviceUrl), { method: asked.method, headers })
    outgoing.on('response', (incoming) => {
      answered.writeHead(incoming.statusCode ?? 502, incoming.headers)
      if (heldAt && incoming.headers['content-type']?.startsWith('text/html')) void holdPage(incoming, answered, heldAt)
      else incoming.pipe(answered)
    })
    outgoing.on('error', () => answered.destroy())
    asked.pipe(outgoing)
  }

  async function holdPage(incoming: IncomingMessage, answered: ServerResponse, text: string): Promise<void> {
    const page = Buffer.concat(await incoming.toArray())
    const at = page.indexOf(text)
    answered.write(page.subarray(0, at))
    waiting.push(() => answered.end(page.subarray(at)))
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
    holdPagesAt: (text) => {
      heldAt = text
    },
    release: () => {
      left = Number.POSITIVE_INFINITY
      heldAt = undefined
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
