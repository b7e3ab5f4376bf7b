import { type IncomingHttpHeaders, request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { checkAgainstContract } from './contract-check.ts'
import { checkProtection } from './header-check.ts'
import { noteTokens, refuseTokensIn } from './issued-tokens.ts'
import { connectPatiently } from './patient-socket.ts'

/** A request. `host` is the Host header, which may name any domain. */
export interface Ask {
  method?: string
  path: string
  host?: string
  headers?: Readonly<Record<string, string>>
  /** Bytes and text are sent with a Content-Length, a list or stream of chunks with chunked encoding. */
  body?: string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /**
   * Whether the request must stay unchanged, and creates nothing that remains. Other services are otherwise asked for a
   * management token.
   */
  asIs?: boolean
  /** Whether a 429 is expected. With other services, it is otherwise retried after a wait. */
  impatient?: boolean
  /**
   * Why the service accepts this request although the OpenAPI document does not describe it. The response must still be
   * described.
   */
  beyondContract?: string
}

/** A response, read to its end. */
export interface ApiResponse {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
}

/**
 * Sends a request like `send`. Throws if the OpenAPI document does not describe the response, or the accepted request,
 * or if the response lacks a protective header.
 */
export async function sendByContract(baseUrl: string, ask: Ask): Promise<ApiResponse> {
  const response = await send(baseUrl, ask)
  checkAgainstContract(ask, response)
  checkProtection(ask, response)
  return response
}

/** Sends one request to `baseUrl` and reads the whole response. Nothing is followed, decoded or retried. */
export function send(baseUrl: string, ask: Ask): Promise<ApiResponse> {
  const { protocol, hostname, port } = new URL(baseUrl)
  const isSecure = protocol === 'https:'
  return new Promise((resolve, reject) => {
    let answered = false
    const outgoing = (isSecure ? secureRequest : request)(
      {
        hostname,
        port,
        method: ask.method ?? 'POST',
        path: ask.path,
        ...(isSecure ? { agent: false } : { createConnection: () => connectPatiently(hostname, Number(port)) }),
        headers: { host: ask.host ?? 'one.example', ...ask.headers, ...lengthOf(ask.body) },
      },
      (incoming) => {
        answered = true
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const bytes = Buffer.concat(chunks)
          const text = bytes.toString()
          // Tokens in the examples of pages and documents were never issued.
          if (ask.method !== 'GET' && ask.method !== 'HEAD') noteTokens(text)
          try {
            refuseTokensIn(incoming.headers)
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes, text })
          } catch (error) {
            reject(error)
          }
        })
      },
    )
    // A connection that breaks after the response is no failure.
    outgoing.on('error', (error) => {
      if (!answered) reject(new Error(`${ask.method ?? 'POST'} ${ask.path} had no answer`, { cause: error }))
    })
    void write(outgoing, ask.body).catch(reject)
  })
}

function lengthOf(body: Ask['body']): Record<string, string> {
  if (typeof body === 'string' || body instanceof Uint8Array)
    return { 'content-length': String(Buffer.byteLength(body)) }
  return body === undefined ? {} : { 'transfer-encoding': 'chunked' }
}

async function write(outgoing: ReturnType<typeof request>, body: Ask['body']): Promise<void> {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    outgoing.end(body)
    return
  }
  const happens = (event: string) => new Promise((resolve) => outgoing.once(event, resolve))
  const closed = happens('close')
  for await (const chunk of body) {
    if (outgoing.destroyed) return
    if (!outgoing.write(chunk)) await Promise.race([happens('drain'), closed])
  }
  outgoing.end()
}

/** Returns a header as text, or `undefined` if it is absent. */
export function header(response: ApiResponse, name: string): string | undefined {
  const value = response.headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join(', ') : value
}
