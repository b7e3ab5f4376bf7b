import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import { SECOND_MS } from '../../../src/units.ts'
import { BODY_CHUNK_BYTES, IDLE_TIMEOUT_MS, RESPONSE_MAX_BYTES } from '../limits.ts'
import { RequestFailed, Stopped } from '../problems.ts'

/** A POST, whole: the same bytes can be sent again. Without a body, a GET, or the method that it names. */
export interface Ask {
  url: URL
  method?: 'HEAD'
  headers: Readonly<Record<string, string>>
  body?: Uint8Array
  /** Told how many bytes of the body have gone to the network so far. */
  onSent?: ((bytes: number) => void) | undefined
}

/** A complete response. */
export interface Response {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** No response came: nobody knows whether the request arrived. */
export class ConnectionFailed extends RequestFailed {
  /** Whether trying again may help: it does not against a certificate that is not trusted. */
  readonly passing: boolean

  constructor(message: string, passing: boolean) {
    super(message)
    this.passing = passing
  }
}

// `import` reads every property of these modules, one of which loads Node's WebSocket and fetch: a fifth of the CPU of each start.
const require = createRequire(import.meta.url)
const http: typeof import('node:http') = require('node:http')
const https: typeof import('node:https') = require('node:https')

// Keep-alive saves a handshake for each image. Node.js exits without waiting for idle connections.
const AGENTS = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) }
// Time to read what the host wrote before it closed the connection.
const LAST_WORDS_MS = 200

/**
 * Sends one request and reads its whole response. Throws `ConnectionFailed` when no response comes, `Stopped` when `signal` says
 * so. Follows nothing, retries nothing.
 */
export function send(ask: Ask, signal: AbortSignal): Promise<Response> {
  return exchange(ask, readResponse, signal)
}

/** Sends one request, as `send` does, with a reader of the response. An error of its stream is a failed connection. */
export async function exchange<T>(
  { url, method, headers, body, onSent }: Ask,
  read: (incoming: IncomingMessage) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  if (signal.aborted) throw new Stopped()
  const secure = url.protocol === 'https:'
  const request: typeof http.request = secure ? https.request : http.request
  try {
    return await new Promise((resolve, reject) => {
      let hasResponse = false
      const outgoing = request(url, {
        method: method ?? (body ? 'POST' : 'GET'),
        agent: secure ? AGENTS.https : AGENTS.http,
        headers: { ...headers, ...(body && { 'Content-Length': String(body.length) }) },
        timeout: IDLE_TIMEOUT_MS,
        signal,
      })
      outgoing.on('response', (incoming) => {
        hasResponse = true
        read(incoming).then(resolve, reject)
      })
      outgoing.on('timeout', () => outgoing.destroy(new Error(`nothing moved for ${IDLE_TIMEOUT_MS / SECOND_MS} s`)))
      outgoing.on('error', (error) => {
        setTimeout(() => hasResponse || reject(error), LAST_WORDS_MS)
      })
      if (body) writeInChunks(outgoing, body, onSent)
      else outgoing.end()
    })
  } catch (error) {
    if (signal.aborted) throw new Stopped()
    throw error instanceof RequestFailed ? error : connectionFailed(url, error)
  }
}

function writeInChunks(outgoing: ReturnType<typeof http.request>, body: Uint8Array, onSent?: (bytes: number) => void) {
  let at = 0
  const next = () => {
    onSent?.(at)
    if (outgoing.destroyed) return
    if (at >= body.length) {
      outgoing.end()
      return
    }
    const chunk = body.subarray(at, at + BODY_CHUNK_BYTES)
    at += chunk.length
    // The callback comes when the piece has left for the network, so the progress is that of the line and not of our memory.
    outgoing.write(chunk, (error) => !error && next())
  }
  next()
}

/** Reads a whole response, which is small. */
export async function readResponse(incoming: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of incoming) {
    if (!(chunk instanceof Uint8Array)) continue
    length += chunk.length
    if (length > RESPONSE_MAX_BYTES) throw new RequestFailed('the host sent more than any response of this API')
    chunks.push(Buffer.from(chunk))
  }
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text: Buffer.concat(chunks).toString() }
}

/** Causes with a clearer name than the system's. `{}` is the host. */
const CAUSES: Record<string, string> = {
  ECONNREFUSED: 'no service responds at {}: is it running, and the address (--url) right?',
  ENOTFOUND: 'there is no host {}: check the address (--url)',
  EAI_AGAIN: 'the name of {} could not be looked up: check the network',
  ECONNRESET: '{} cut the connection',
  EPIPE: '{} cut the connection',
  ETIMEDOUT: '{} does not respond',
  EHOSTUNREACH: '{} cannot be reached: check the network',
  ENETUNREACH: '{} cannot be reached: check the network',
}

function connectionFailed(url: URL, error: unknown): ConnectionFailed {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  const cause = CAUSES[code]
  if (cause !== undefined) return new ConnectionFailed(cause.replace('{}', url.host), true)
  if (code === 'EPROTO')
    return new ConnectionFailed(`${url.host} speaks no TLS: is its address (--url) one of http://?`, false)
  const message = error instanceof Error ? error.message : 'unknown'
  const distrusted = /CERT|SSL|TLS/.test(code)
  if (distrusted) return new ConnectionFailed(`no secure connection to ${url.host}: ${message}`, false)
  return new ConnectionFailed(`the connection to ${url.host} failed: ${message}`, true)
}
