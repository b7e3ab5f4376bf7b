import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pngChunk } from '../support/png.ts'
import { type Api, apiAt, mayStartServices } from './support/api.ts'
import { header, send } from './support/client.ts'
import { file } from './support/multipart-body.ts'
import { pngFile } from './support/png-file.ts'
import { type Service, startService } from './support/service.ts'
import { uploadImage } from './support/steps.ts'

/** More than the kernel buffers for a client that reads nothing: about 4.1 MB. */
const EDGE_PX = 1700

/** The service with Miniflare's edge cache, which simulates that of a data centre. */
describe.skipIf(!mayStartServices())('the edge cache (needs a service of its own)', () => {
  let service: Service
  let api: Api

  beforeAll(async () => {
    service = await startService({ edgeCache: true })
    api = apiAt(service.baseUrl)
  })

  afterAll(() => service.stop())

  test('is filled even while the client of a large original is slow, sends no header of its own, and drops deleted files', async () => {
    const image = await uploadImage(api, { img: file('noise.png', noisePng()), include_manage_url: '1' })
    const { pathname: path, host } = new URL(image.originalUrl)
    const slow = await askAndStall(service.port, path, host)
    // Only responses from a cache have an Age (RFC 9111, 5.1), which the API's description leaves to HTTP.
    const ask = (method: string) => send(service.baseUrl, { method, path, host })
    await expect.poll(async () => header(await ask('HEAD'), 'age')).toBeDefined()
    // The cache did not give up.
    expect(service.output()).not.toContain('edge cache')
    slow.destroy()

    const cached = await ask('GET')
    expect(String(cached.bytes.length)).toBe(header(cached, 'content-length'))
    const names = Object.keys(cached.headers)
    expect(names).toContain('age')
    expect(names).not.toEqual(expect.arrayContaining([expect.stringMatching(/cache-tag|tintype|cf-cache/)]))

    expect((await api.remove(image.managementToken)).status).toBe(200)
    expect((await api.follow(image.originalUrl)).status).toBe(404)
  })
})

/** Returns a file of the size of its pixels. */
function noisePng(): Buffer {
  const stride = 1 + 3 * EDGE_PX
  const rows = randomBytes(EDGE_PX * stride)
  for (let y = 0; y < EDGE_PX; y++) rows[y * stride] = 0
  return pngFile(EDGE_PX, EDGE_PX, 2, [pngChunk('IDAT', deflateSync(rows, { level: 0 }))])
}

/** Requests a file, and reads only the beginning of the response. */
function askAndStall(port: number, path: string, host: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('data', () => {
      socket.pause()
      resolve(socket)
    })
  })
}
