// Requests as `fetch` does not send them: any path, no User-Agent, a body that is only announced, HTTP/2 and HTTP/3.
import { execFile } from 'node:child_process'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

const TIMEOUT_MS = 60_000
const EARLY_RESPONSE_MS = 2000
const CHUNK = Buffer.alloc(64 * 1024, 0x2d)

export interface RawRequest {
  method: string
  /** Sent as it is. */
  path: string
  /** All that is sent besides `Host`. */
  headers?: Record<string, string>
  /** Length of a body of dashes, sent until a response comes. */
  bodyBytes?: number
  /** Time that the headers wait for a response before the body is sent. */
  earlyResponseMs?: number
}
export interface RawResponse {
  status: number
  header: (name: string) => string | undefined
  text: string
}

/** Sends a request over HTTP/1.1 and returns the response. Throws where there is none. */
export function rawRequest(
  origin: string,
  { method, path, headers = {}, bodyBytes = 0, earlyResponseMs = EARLY_RESPONSE_MS }: RawRequest,
): Promise<RawResponse> {
  const { protocol, hostname, port } = new URL(origin)
  const send = protocol === 'https:' ? https.request : http.request
  const length = method === 'POST' ? { 'Content-Length': String(bodyBytes) } : {}
  return new Promise((resolve, reject) => {
    const request = send({ hostname, port, method, path, headers: { ...length, ...headers }, agent: false })
    request.setTimeout(TIMEOUT_MS, () => request.destroy(new Error(`no response within ${TIMEOUT_MS / 1000} s`)))
    // The rest of a refused body fails when the server closes the connection, also while its response is read.
    let hasResponse = false
    request.on('error', (error) => hasResponse || reject(error))
    request.on('response', (response) => {
      hasResponse = true
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        request.destroy()
        resolve({
          status: response.statusCode ?? 0,
          header: (name) => response.headers[name.toLowerCase()]?.toString(),
          text: Buffer.concat(chunks).toString(),
        })
      })
    })
    void sendBody(request, bodyBytes, earlyResponseMs)
  })
}

/**
 * Sends a body until a response begins. It first waits for a response to the headers alone: a server that refuses a body may
 * close the connection while it is sent, and the response is then lost.
 */
async function sendBody(request: http.ClientRequest, bytes: number, earlyResponseMs: number) {
  let left = bytes
  const responded = new Promise((resolve) => request.once('response', resolve)).then(() => (left = 0))
  if (bytes > 0) {
    request.flushHeaders()
    await Promise.race([responded, wait(earlyResponseMs)])
  }
  const send = () => {
    while (left > 0) {
      const chunk = CHUNK.subarray(0, Math.min(left, CHUNK.length))
      left -= chunk.length
      if (!request.write(chunk)) return void request.once('drain', send)
    }
    if (!request.destroyed) request.end()
  }
  send()
}

/** Returns the `Content-Length` of a response to HEAD over HTTP/2. */
export function headOverHttp2(address: string): Promise<string | undefined> {
  const url = new URL(address)
  const session = http2.connect(url.origin)
  return new Promise<string | undefined>((resolve, reject) => {
    session.on('error', reject)
    session.setTimeout(TIMEOUT_MS, () => reject(new Error(`no response within ${TIMEOUT_MS / 1000} s`)))
    const stream = session.request({ ':method': 'HEAD', ':path': url.pathname })
    stream.on('error', reject)
    stream.on('response', (headers) => resolve(headers['content-length']))
    stream.resume()
  }).finally(() => session.close())
}

/** Returns the `Content-Length` of a response to HEAD over HTTP/3 in `length`; undefined where this machine's curl cannot speak it. */
export async function headOverHttp3(address: string) {
  const run = promisify(execFile)
  const version = await run('curl', ['--version']).catch(() => ({ stdout: '' }))
  if (!/^Features:.*\bHTTP3\b/m.test(version.stdout)) return undefined
  const { stdout } = await run('curl', [
    '--http3-only',
    '--silent',
    '--show-error',
    '--head',
    '--max-time',
    '60',
    address,
  ])
  return { length: /^content-length:\s*(\d+)\s*$/im.exec(stdout)?.[1] }
}
