import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Api, apiAt, mayStartServices } from './support/api.ts'
import { header } from './support/client.ts'
import { photo, png } from './support/images.ts'
import { file } from './support/multipart-body.ts'
import { expectCreated, expectTextError } from './support/responses.ts'
import { type Service, startService } from './support/service.ts'
import { createGallery, LEAST_COVER, LEAST_IMAGE, uploadImage } from './support/steps.ts'

/** A request to the operator's address. */
interface Call {
  headers: IncomingHttpHeaders
  body: string
}

type Respond = (response: ServerResponse) => void

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Respond =>
  (response) =>
    void response.writeHead(status, headers).end(JSON.stringify(body))

describe.skipIf(!mayStartServices())('UPLOAD_HOOK (needs services of its own)', () => {
  let closed: Service
  let open: Service
  let api: Api
  const calls: Call[] = []
  /** Respond to the next calls, one after another. Later calls are allowed. */
  let handlers: Respond[] = []
  const hook = createServer(async (request, response) => {
    const body = (await request.toArray()).join('')
    calls.push({ headers: request.headers, body })
    const respond = handlers.shift() ?? json({ allow: true })
    respond(response)
  })

  beforeAll(async () => {
    hook.listen(0, '127.0.0.1')
    await once(hook, 'listening')
    const address = hook.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const args = ['--upload-hook', `http://127.0.0.1:${port}/check-secret`, '--upload-hook-timeout', '1']
    closed = await startService({ args })
    open = await startService({ args: [...args, '--upload-hook-fails', 'open'] })
    api = apiAt(closed.baseUrl)
  }, 240_000)

  beforeEach(() => {
    calls.length = 0
    handlers = []
  })

  afterAll(async () => {
    await closed.stop()
    await open.stop()
    hook.closeAllConnections()
    hook.close()
  })

  test('it gets the facts of an upload and a thumbnail, before anything is stored', async () => {
    const bytes = await png(photo(300, 200))
    await uploadImage(api, { img: file('Фото 1.png', bytes), content_type: '1' })
    expect(calls).toHaveLength(1)
    const { type, timestamp, data } = JSON.parse(calls[0]?.body ?? '')
    const { thumbnail, ...facts } = data
    expect(type).toBe('upload.check')
    expect(timestamp).toMatch(/^\d{4}-.*Z$/)
    expect(facts).toEqual({
      kind: 'image',
      filename: 'Фото 1.png',
      media_type: 'image/png',
      bytes: bytes.length,
      width: 300,
      height: 200,
      animated: false,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      content_type: 1,
    })
    const image = sharp(Buffer.from(String(thumbnail).replace(/^data:image\/webp;base64,/, ''), 'base64'))
    expect(await image.metadata()).toMatchObject({ format: 'webp', width: 200 })
    expect(JSON.stringify(calls)).not.toMatch(/cf-connecting|manage/i)
  })

  test('it gets the time at which the image or its gallery expires', async () => {
    const gallery = expectCreated(await api.createGallery({ expires_in: '3600' }))
    const fields = { ...LEAST_IMAGE, ...gallery.fields }
    for (const texts of [{ ...LEAST_IMAGE, expires_in: '60' }, fields, { ...fields, expires_in: '60' }]) {
      await uploadImage(api, texts)
    }
    const lifetimes = calls.map(({ body }) => {
      const { timestamp, data } = JSON.parse(body)
      return Math.round((Date.parse(data.expires_at) - Date.parse(timestamp)) / 60_000)
    })
    expect(lifetimes).toEqual([1, 60, 1])
  })

  test('a denied upload is 422 with the sentence of the hook, in every way to upload, and nothing is stored', async () => {
    const denied = json({ allow: false, message: ` Only\r\n maps,\u202e please.${'x'.repeat(500)}` })
    const gallery = await createGallery(api)
    const uploads = [
      () => api.uploadImage(LEAST_IMAGE),
      () => api.uploadImage({ ...LEAST_IMAGE, ...gallery.fields }),
      () => api.uploadImage({ ...LEAST_IMAGE, optimize_for_web: '1' }, { headers: { 'idempotency-key': 'denied' } }),
      () => api.uploadCover(LEAST_COVER),
    ]
    for (const upload of uploads) {
      handlers = [denied]
      const response = await upload()
      expectTextError(response, 422)
      expect(header(response, 'x-error-code')).toBe('upload_denied')
      expect(response.text).toMatch(/^Only maps, please\.x+$/)
      expect(response.text.length).toBeLessThanOrEqual(200)
    }
    handlers = [denied]
    const body = new FormData()
    const img = await png(photo(20, 20))
    body.set('img', new File([new Uint8Array(img)], 'a.png'))
    const page = await fetch(`${closed.baseUrl}/upload`, { method: 'POST', body })
    expect(page.status).toBe(422)
    expect(await page.text()).toMatch(/The operator did not accept this picture\. \u2068Only maps, please\.x+\u2069/)
    // The gallery is empty: it is removed.
    expect((await api.finalize(gallery.hash, gallery.uploadToken)).status).toBe(200)
    expect((await api.finalize(gallery.hash, gallery.uploadToken)).status).toBe(415)
  })

  test('a denial without a sentence has one of the service', async () => {
    handlers = [json({ allow: false, message: 7 })]
    expect((await api.uploadImage(LEAST_IMAGE)).text).toBe('the operator of this service does not accept this image')
    handlers = [json({ allow: false })]
    const page = await api.postMultipart('/upload', LEAST_IMAGE)
    expect(page.text).toContain('The operator did not accept this picture.</p>')
  })

  const failures: [string, Respond][] = [
    ['a status other than 200', json({ allow: true }, 500)],
    ['a redirect, which is not followed', json({ allow: true }, 307, { location: '/elsewhere' })],
    ['no decision', json({ ok: true })],
    ['no JSON', (response) => void response.end('yes')],
    ['too long a response', json({ allow: true, padding: 'x'.repeat(5000) })],
    ['no response in time', () => {}],
    ['a connection that ends', (response) => void response.destroy()],
  ]

  test.each(failures)('%s is 503 with Retry-After, or passes where uploads are open', async (_, respond) => {
    handlers = [respond]
    const response = await api.uploadImage(LEAST_IMAGE)
    expectTextError(response, 503)
    expect(header(response, 'x-error-code')).toBe('upload_check_unavailable')
    expect(Number(header(response, 'retry-after'))).toBeGreaterThan(0)
    handlers = [respond]
    expect((await apiAt(open.baseUrl).uploadImage(LEAST_IMAGE)).status).toBe(200)
    expect(calls).toHaveLength(2)
    expect(closed.output()).not.toContain('check-secret')
  })

  test('other requests continue while the hook takes its time', async () => {
    const waiting: ServerResponse[] = []
    handlers = [(response) => void waiting.push(response)]
    const slow = apiAt(open.baseUrl).uploadImage(LEAST_IMAGE)
    await expect.poll(() => waiting).toHaveLength(1)
    expect((await apiAt(open.baseUrl).uploadImage(LEAST_IMAGE)).status).toBe(200)
    waiting[0]?.writeHead(200).end('{"allow":true}')
    expect((await slow).status).toBe(200)
  })
})
