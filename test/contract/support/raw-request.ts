import { connect } from 'node:net'
import { freshAddress } from './api.ts'

/** A request of a program that writes everything before it reads, and treats any error as the end. */
export interface RawRequest {
  method?: string
  path: string
  headers?: Readonly<Record<string, string>>
  body: Buffer
  /** The number of bytes of the body that are sent before it waits for the response; all by default. */
  sentBytes?: number
}

/** Returns the status of the response. Throws unless it arrives whole, with a body. */
export function sendRaw(
  baseUrl: string,
  { method = 'POST', path, headers, body, sentBytes }: RawRequest,
): Promise<number> {
  const { hostname, port } = new URL(baseUrl)
  const fields = {
    Host: 'one.example',
    Connection: 'close',
    'Content-Length': String(body.length),
    'cf-connecting-ip': freshAddress(),
    ...headers,
  }
  const lines = [`${method} ${path} HTTP/1.1`, ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`)]
  return new Promise((resolve, reject) => {
    let response = ''
    const socket = connect(Number(port), hostname)
    socket.on('error', reject)
    socket.pause()
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    socket.write(body.subarray(0, sentBytes), (error) => (error ? reject(error) : socket.resume()))
    socket.on('data', (chunk) => {
      response += chunk.toString('latin1')
    })
    socket.on('end', () => {
      const [, status, content] = /^HTTP\/1\.1 (\d+) .*?\r\n\r\n(.+)$/s.exec(response) ?? []
      if (content) resolve(Number(status))
      else reject(new Error(`no answer with a body: ${response}`))
    })
  })
}
