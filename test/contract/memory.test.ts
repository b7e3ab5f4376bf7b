import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mayStartServices } from './support/api.ts'
import { type ApiResponse, header, send } from './support/client.ts'
import { jpeg, photo } from './support/images.ts'
import { filePart, multipartBody, textPart } from './support/multipart-body.ts'
import { paddedJpeg } from './support/padded-jpeg.ts'
import { paddedPng } from './support/png-file.ts'
import { type Service, startService } from './support/service.ts'
import { SMALL_PNG } from './support/steps.ts'

const MIB = 1024 * 1024
const UPLOADS = 10
const FILE = paddedPng(SMALL_PNG, 9.9 * MIB)
const UPLOAD = multipartBody([textPart('content_type', '0'), filePart('img', 'picture.png', FILE)])
/** Larger than the kernel's buffers for a reader. Its comments are stored unchanged. */
const LARGE_JPEG = paddedJpeg(await jpeg(photo(60, 40)), 9.5 * MIB)
const READER_TIMEOUT_MS = 3000

/** Uploads a file, and retries as requested. */
async function upload(baseUrl: string): Promise<ApiResponse> {
  for (;;) {
    const ask = { path: '/images', headers: { 'content-type': UPLOAD.contentType }, body: UPLOAD.bytes }
    const response = await send(baseUrl, ask)
    if (response.status !== 503) return response
    await wait(Number(header(response, 'retry-after')) * 1000)
  }
}

/** Needs a service of its own, and a system that reports its memory and connections. */
describe.skipIf(!mayStartServices() || process.platform !== 'linux')('large files', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ byCommand: true, readerTimeoutMs: READER_TIMEOUT_MS })
  })
  afterAll(async () => {
    expect(await service.stop()).toBe(0)
  })

  test('memory of large uploads is reused by the next ones', async () => {
    const afterRound = async () => {
      const statuses = await Promise.all(Array.from({ length: UPLOADS }, () => upload(service.baseUrl)))
      expect(statuses.map(({ status }) => status)).toEqual(Array(UPLOADS).fill(200))
      return service.residentMb()
    }
    // The simultaneously used memory varies. A leak grows by more, in every round.
    let [before, after] = [await afterRound(), await afterRound()]
    if (after > 1.25 * before) [before, after] = [after, await afterRound()]
    expect(after).toBeLessThanOrEqual(1.25 * before)
  })

  test('the connection of a reader that reads nothing is closed', async ({ skip }) => {
    skip(!hasPerl(), 'connections of readers that take nothing are not closed: apt install perl-base')
    const form = multipartBody([textPart('content_type', '0'), filePart('img', 'large.jpg', LARGE_JPEG)])
    const ask = { path: '/images', headers: { 'content-type': form.contentType }, body: form.bytes }
    const { text } = await send(service.baseUrl, ask)
    const path = new URL(JSON.parse(text).th_url).pathname.replace('/thumbs/', '/images/')
    const socket = connect(service.port, '127.0.0.1').pause()
    socket.on('error', () => {})
    socket.write(`GET ${path} HTTP/1.1\r\nHost: one.example\r\nConnection: close\r\n\r\n`)
    // Its first bytes have arrived, so the response is being sent.
    await new Promise((resolve) => socket.once('readable', resolve))
    await expect.poll(() => isServed(socket.localPort)).toBe(false)
    let bytes = 0
    socket.on('data', (chunk) => {
      bytes += chunk.length
    })
    socket.resume()
    await new Promise((resolve) => socket.on('close', resolve))
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThan(LARGE_JPEG.length)
  })

  /** Returns whether the service has a connection to this port of a client (proc_net_tcp(5)). */
  function isServed(clientPort = 0): boolean {
    const hex = (port: number) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`
    const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n')
    return lines.some((line) => {
      const [, local = '', remote = ''] = line.trim().split(/\s+/)
      return local.endsWith(hex(service.port)) && remote.endsWith(hex(clientPort))
    })
  }
})

function hasPerl(): boolean {
  return spawnSync('perl', ['-MSocket', '-e', '1']).status === 0
}
