import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Api, apiAt } from '../../contract/support/api.ts'
import { header } from '../../contract/support/client.ts'
import { file } from '../../contract/support/multipart-body.ts'
import { paddedPng } from '../../contract/support/png-file.ts'
import { expectTextError } from '../../contract/support/responses.ts'
import { type Service, startService } from '../../contract/support/service.ts'
import { createGallery, LEAST_IMAGE, SMALL_PNG, uploadImage } from '../../contract/support/steps.ts'
import { BUCKET, OWNER, SMALL_BUCKET, SMALL_BUCKET_BYTES } from '../support/accounts.ts'
import { keysFile } from '../support/keys-file.ts'
import { type S3Proxy, startProxy } from '../support/proxy.ts'
import { type Swift, startSwift } from '../support/swift.ts'

let swift: Swift
let proxy: S3Proxy
let service: Service
let api: Api
const keys = keysFile(OWNER)
beforeAll(async () => {
  swift = await startSwift()
  proxy = await startProxy(swift.endpoint)
  const args = ['--files', `s3://${BUCKET}`, '--s3-endpoint', proxy.endpoint, '--s3-keys', keys]
  service = await startService({ args })
  api = apiAt(service.baseUrl)
})
afterEach(async () => {
  proxy.treat(() => 'pass')
  await swift.start()
})
afterAll(async () => {
  await service.stop()
  await proxy[Symbol.asyncDispose]()
  await swift[Symbol.asyncDispose]()
})

/** Expects nothing to be stored, and a response with the time of a retry. */
function expectUnavailable(response: Awaited<ReturnType<Api['get']>>) {
  expect(response.status).toBe(503)
  expect(header(response, 'retry-after')).toMatch(/^[1-9][0-9]*$/)
}

test('a server that stops and returns: 503 in between, then everything is as before', async () => {
  const [stored, read] = [await uploadImage(api), await uploadImage(api)]
  const { bytes } = await api.follow(read.originalUrl)
  await swift.stop()
  expectUnavailable(await api.uploadImage(LEAST_IMAGE))
  expectUnavailable(await api.follow(stored.originalUrl))
  // Recent reads are in memory.
  expect((await api.follow(read.originalUrl)).status).toBe(200)
  const health = await api.get('/healthz')
  expect([health.status, JSON.parse(health.text).checks.files]).toEqual([503, 'failing'])
  await swift.start()
  expect((await api.follow(stored.originalUrl)).bytes).toEqual(bytes)
  expect((await uploadImage(api)).thumbnailUrl).toContain('/thumbs/')
})

test('an image that is deleted while the server is down is 404 at once', async () => {
  const gallery = await createGallery(api)
  const image = await uploadImage(api, gallery.fields)
  await api.finalize(gallery.hash, gallery.uploadToken)
  await swift.stop()
  const removed = await api.remove(gallery.managementToken)
  expect(removed.status).toBe(200)
  expect((await api.follow(image.originalUrl)).status).toBe(404)
  await swift.start()
  expect((await api.follow(image.originalUrl)).status).toBe(404)
})

test.for([
  ['SlowDown', 503, '<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>'],
  ['an internal error', 500, '<Error><Code>InternalError</Code></Error>'],
  ['a gateway without XML', 502, '<html><body>Bad Gateway'],
  ['keys that are not known any more', 403, '<Error><Code>InvalidAccessKeyId</Code></Error>'],
] as const)('%s for every request: 503 with Retry-After', async ([, status, body]) => {
  proxy.treat(() => ({ status, body }))
  const before = proxy.requests.length
  expectUnavailable(await api.uploadImage(LEAST_IMAGE))
  const tries = Map.groupBy(proxy.requests.slice(before), (request) => request)
  // Of the two files, the first one to fail was tried as often as that may help.
  expect(Math.max(...[...tries.values()].map(({ length }) => length))).toBe(status === 403 ? 1 : 3)
})

test('a single failure succeeds by a retry', async () => {
  const stored = await uploadImage(api)
  const failing = new Set<string>()
  proxy.treat(({ url = '' }) => {
    if (failing.has(url)) return 'pass'
    failing.add(url)
    return failing.size % 2 === 0 ? { cutAfter: 0 } : { status: 503, body: '<Error><Code>SlowDown</Code></Error>' }
  })
  await uploadImage(api)
  expect((await api.follow(stored.originalUrl)).status).toBe(200)
  expect(failing.size).toBeGreaterThan(2)
})

test('a put whose reply is lost is found to be stored', async () => {
  const lost = new Set<string>()
  proxy.treat(({ method, url = '' }) => {
    if (method !== 'PUT' || lost.has(url)) return 'pass'
    lost.add(url)
    return 'lose reply'
  })
  const { originalUrl } = await uploadImage(api)
  expect(lost.size).toBe(2)
  expect((await api.follow(originalUrl)).status).toBe(200)
})

test('a server that does not respond: 503 within the time of a request', async () => {
  const stored = await uploadImage(api)
  proxy.treat(() => 'stall')
  const responses = await Promise.all([api.uploadImage(LEAST_IMAGE), api.follow(stored.originalUrl)])
  for (const response of responses) expectUnavailable(response)
})

test('a truncated file is no shorter file', async () => {
  const large = file('a.png', paddedPng(SMALL_PNG, 400_000))
  const { originalUrl } = await uploadImage(api, { img: large })
  proxy.treat(({ method }) => (method === 'GET' ? { cutAfter: 100_000 } : 'pass'))
  await expect(api.follow(originalUrl)).rejects.toThrow()
  proxy.treat(() => 'pass')
  expect((await api.follow(originalUrl)).status).toBe(200)
})

test('a stalled file is cancelled, and so is its client', async () => {
  const large = file('a.png', paddedPng(SMALL_PNG, 400_000))
  const { originalUrl } = await uploadImage(api, { img: large })
  proxy.treat(({ method }) => (method === 'GET' ? { stallAfter: 1000 } : 'pass'))
  await expect(api.follow(originalUrl)).rejects.toThrow()
})

test.for([
  ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/other' } }],
  [
    'the whole file in place of its part',
    { status: 200, headers: { etag: '"x"', 'last-modified': new Date(0).toUTCString() }, body: 'x' },
  ],
  [
    'another part',
    {
      status: 206,
      headers: { 'content-range': 'bytes 1-2/3', etag: '"x"', 'last-modified': new Date(0).toUTCString() },
      body: 'x',
    },
  ],
  [
    'no entity tag',
    { status: 206, headers: { 'content-range': 'bytes 0-0/3', 'last-modified': new Date(0).toUTCString() }, body: 'x' },
  ],
] as const)('%s is no file', async ([, treatment]) => {
  const { originalUrl } = await uploadImage(api)
  proxy.treat(() => treatment)
  const response = await api.follow(originalUrl, { headers: { range: 'bytes=0-0' } })
  expectUnavailable(response)
})

test('a full bucket: 507, and stored files can be read and deleted', async () => {
  const args = ['--files', `s3://${SMALL_BUCKET}`, '--s3-endpoint', swift.endpoint, '--s3-keys', keys]
  const small = await startService({ args })
  const inSmall = apiAt(small.baseUrl)
  const stored = await uploadImage(inSmall, { include_manage_url: '1' })
  const large = file('a.png', paddedPng(SMALL_PNG, SMALL_BUCKET_BYTES + 1))
  const refused = await inSmall.uploadImage({ ...LEAST_IMAGE, img: large })
  expectTextError(refused, 507)
  expect(header(refused, 'x-error-code')).toBe('storage_full')
  expect((await inSmall.follow(stored.originalUrl)).status).toBe(200)
  expect((await inSmall.remove(stored.managementToken ?? '')).status).toBe(200)
  expect((await inSmall.follow(stored.originalUrl)).status).toBe(404)
  await small.stop()
})
