import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Api, apiAt, mayStartServices } from './support/api.ts'
import { sendReport } from './support/report.ts'
import { type Service, startService } from './support/service.ts'
import { createGallery, LEAST_COVER, uploadImage } from './support/steps.ts'

const SECRET = randomBytes(32)
const SECRET_PATH = '/hooks/0123456789-secret'

/** A request to the operator's address. */
interface Call {
  headers: IncomingHttpHeaders
  body: string
}

describe.skipIf(!mayStartServices())('UPLOAD_WEBHOOK (needs a service of its own)', () => {
  let service: Service
  let api: Api
  const calls: Call[] = []
  /** Respond to the next calls, one after another. Later calls get 204. */
  let handlers: ((response: ServerResponse) => void)[] = []
  const hook = createServer(async (request, response) => {
    const body = (await request.toArray()).join('')
    calls.push({ headers: request.headers, body })
    const respond = handlers.shift() ?? ((to: ServerResponse) => to.writeHead(204).end())
    respond(response)
  })

  beforeAll(async () => {
    hook.listen(0, '127.0.0.1')
    await once(hook, 'listening')
    const address = hook.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const url = `http://127.0.0.1:${port}${SECRET_PATH}`
    process.env.WEBHOOK_SECRET = `whsec_${SECRET.toString('base64')}`
    try {
      service = await startService({ reportWebhook: url, args: ['--upload-webhook', url] })
    } finally {
      delete process.env.WEBHOOK_SECRET
    }
    api = apiAt(service.baseUrl)
  }, 240_000)

  beforeEach(() => {
    calls.length = 0
    handlers = []
  })

  afterAll(async () => {
    await service.stop()
    hook.closeAllConnections()
    hook.close()
  })

  /** Expects a signature as Standard Webhooks defines it. */
  function expectSigned({ headers, body }: Call): void {
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(300)
    const mac = createHmac('sha256', SECRET).update(`${id}.${timestamp}.${body}`).digest('base64')
    expect(signature).toBe(`v1,${mac}`)
  }

  test('each stored upload is announced, signed, and without a token', async () => {
    const image = await uploadImage(api, { include_manage_url: '1', content_type: '1' })
    await expect.poll(() => calls).toHaveLength(1)
    const gallery = await createGallery(api)
    await uploadImage(api, gallery.fields)
    await expect.poll(() => calls).toHaveLength(2)
    expect((await api.uploadCover(LEAST_COVER)).status).toBe(200)
    await expect.poll(() => calls).toHaveLength(3)
    const [first, second, third] = calls.map(({ body }) => JSON.parse(body))
    expect(first).toEqual({
      type: 'upload',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        kind: 'image',
        name: image.name,
        show_url: image.showUrl,
        th_url: image.thumbnailUrl,
        original_url: expect.stringContaining('/images/'),
        media_type: 'image/png',
        bytes: expect.any(Number),
        width: expect.any(Number),
        height: expect.any(Number),
        content_type: 1,
      },
    })
    expect(second.data).toMatchObject({ gallery_hash: gallery.hash, content_type: 0 })
    expect(third.data).toMatchObject({ kind: 'cover' })
    for (const call of calls) expectSigned(call)
    expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(3)
    expect(JSON.stringify(calls)).not.toMatch(/manage|cf-connecting/i)
    expect(JSON.stringify(calls)).not.toContain(gallery.fields.gallery_upload_hash)
  })

  test('an upload that is refused is not announced', async () => {
    expect((await api.uploadImage({ content_type: '0', img: 'no file' })).status).not.toBe(200)
    await uploadImage(api)
    await expect.poll(() => calls).toHaveLength(1)
  })

  test('the uploader waits for no call, and a failure is logged without the address', async () => {
    const waiting: ServerResponse[] = []
    handlers = [(response) => void waiting.push(response), (response) => void response.writeHead(503).end()]
    await uploadImage(api)
    await expect.poll(() => waiting).toHaveLength(1)
    expect(waiting[0]?.destroyed).toBe(false)
    await uploadImage(api)
    await expect.poll(() => service.output()).toContain('call the UPLOAD_WEBHOOK: Error: it responded with 503')
    expect(service.output()).not.toContain('0123456789-secret')
    waiting[0]?.writeHead(204).end()
  })

  test('reports are signed too', async () => {
    const { showUrl } = await uploadImage(api)
    await expect.poll(() => calls).toHaveLength(1)
    expect((await sendReport(api, { url: showUrl })).status).toBe(200)
    await expect.poll(() => calls).toHaveLength(2)
    expect(JSON.parse(calls[1]?.body ?? '')).toMatchObject({ event: 'report' })
    for (const call of calls) expectSigned(call)
  })
})
