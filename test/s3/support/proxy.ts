import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect } from 'node:net'

/** The treatment of a request by the proxy. */
export type Treatment =
  | 'pass'
  /** No response comes. */
  | 'stall'
  /** The connection breaks before the response, or after so many bytes of its body. */
  | { cutAfter: number }
  /** Nothing more comes after so many bytes of the body, and the connection stays. */
  | { stallAfter: number }
  /** Passes it on after this delay. */
  | { holdMs: number }
  /** Passes it on, and breaks the connection in place of the response. */
  | 'lose reply'
  /** This response comes in place of the server's. */
  | { status: number; headers?: Record<string, string>; body?: string }

/** A proxy in front of a real server. */
export interface S3Proxy {
  endpoint: string
  /** Sets the treatment of each further request. */
  treat: (how: (request: IncomingMessage) => Treatment) => void
  /** Requests so far, as `PUT /bucket/key`. */
  requests: string[]
  [Symbol.asyncDispose]: () => Promise<void>
}

/**
 * Starts a proxy, with TLS if it gets a certificate of `localhost`. Signatures stay valid, because they are made for
 * the host that the client names.
 */
export async function startProxy(target: string, tls?: { key: Buffer; cert: Buffer }): Promise<S3Proxy> {
  const { hostname, port } = new URL(target)
  const requests: string[] = []
  let treatmentOf: (request: IncomingMessage) => Treatment = () => 'pass'
  const serve: RequestListener = (incoming, outgoing) => {
    requests.push(`${incoming.method} ${incoming.url}`)
    const treatment = treatmentOf(incoming)
    if (treatment === 'stall') return
    if (typeof treatment === 'object' && 'status' in treatment) {
      incoming.resume()
      outgoing.writeHead(treatment.status, treatment.headers).end(treatment.body)
      return
    }
    const holdMs = typeof treatment === 'object' && 'holdMs' in treatment ? treatment.holdMs : 0
    setTimeout(() => pass(incoming, outgoing, treatment), holdMs)
  }
  const server = tls ? createSecureServer(tls, serve) : createServer(serve)

  function pass(incoming: IncomingMessage, outgoing: ServerResponse, treatment: Treatment) {
    const { method, url: path, headers } = incoming
    const onwards = request({
      hostname,
      port,
      method,
      path,
      headers,
      createConnection: () => connect(Number(port), hostname),
    })
    // A server that has responded need not read the rest of a body.
    onwards.on('error', () => outgoing.headersSent || outgoing.destroy())
    onwards.on('response', (response) => {
      if (treatment === 'lose reply') {
        response.resume().on('end', () => outgoing.destroy())
        return
      }
      outgoing.writeHead(response.statusCode ?? 500, response.headers)
      let left = Number.POSITIVE_INFINITY
      if (typeof treatment === 'object' && 'cutAfter' in treatment) left = treatment.cutAfter
      const stallAfter = typeof treatment === 'object' && 'stallAfter' in treatment ? treatment.stallAfter : undefined
      if (stallAfter !== undefined) {
        response.once('data', (chunk: Buffer) => {
          outgoing.write(chunk.subarray(0, stallAfter))
          response.pause()
        })
        return
      }
      response.on('data', (chunk: Buffer) => {
        outgoing.write(chunk.subarray(0, left))
        left -= chunk.length
        // Lets written bytes arrive before the end.
        if (left <= 0) setImmediate(() => outgoing.destroy())
      })
      response.on('end', () => outgoing.end())
    })
    incoming.pipe(onwards)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    endpoint: tls ? `https://localhost:${address.port}` : `http://127.0.0.1:${address.port}`,
    treat(how) {
      treatmentOf = how
    },
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
