import { type IncomingHttpHeaders, request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { checkAgainstContract } from './contract-check.ts'
import { checkProtection } from './header-check.ts'
import { noteTokens, refuseTokensIn } from './issued-tokens.ts'
import { connectPatiently } from './patient-socket.ts'

/** What a request consists of; `host` is the Host header, which may name any domain. */
export interface Ask {
  method?: string
  path: string
  host?: string
  headers?: Readonly<Record<string, string>>
  /** Bytes or text go with a Content-Length; a list or stream of pieces goes chunked. */
  body?: string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** Whether it must go as it is, and makes nothing that stays: services of somebody else's are asked to hand out a
   * management token with everything else. */
  asIs?: boolean
  /** Whether a 429 is what is asked for: it is then not waited out with services of somebody else's. */
  impatient?: boolean
  /** Why the service takes this request though the OpenAPI document does not describe it. Its answer must be described. */
  beyondContract?: string
}

/** What came back, read to its end. */
export interface ApiResponse {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
}

/**
 * As `send`; throws where the OpenAPI document does not describe the answer, or a request that was taken and where the answer
 * lacks what protects its readers.
 */
export async function sendByContract(baseUrl: string, ask: Ask): Promise<ApiResponse> {
  const response = await send(baseUrl, ask)
  checkAgainstContract(ask, response)
  checkProtection(ask, response)
  return response
}

/** Sends one request to `baseUrl` and reads the whole answer. Nothing is followed, decoded or retried. */
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
          // What pages and documents show as examples was never issued.
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
    // What breaks off after the answer is no failure, the answer counts.
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

/** One header as text; `undefined` when it is absent. */
export function header(response: ApiResponse, name: string): string | undefined {
  const value = response.headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join(', ') : value
}
