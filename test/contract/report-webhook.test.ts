import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Api, apiAt, mayStartServices } from './support/api.ts'
import { sendReport } from './support/report.ts'
import { type Service, startService } from './support/service.ts'
import { galleryWithImage, uploadImage } from './support/steps.ts'

const SECRET_PATH = '/hooks/0123456789-secret'

/** A request to the operator's address. */
interface Call {
  path: string | undefined
  headers: IncomingHttpHeaders
  body: string
}

describe.skipIf(!mayStartServices())('REPORT_WEBHOOK (needs a service of its own)', () => {
  let service: Service
  let api: Api
  const calls: Call[] = []
  /** Respond to the next calls, one after another. Later calls get 204. */
  let handlers: ((response: ServerResponse) => void)[] = []
  const hook = createServer(async (request, response) => {
    const body = (await request.toArray()).join('')
    calls.push({ path: request.url, headers: request.headers, body })
    const respond = handlers.shift() ?? ((to: ServerResponse) => to.writeHead(204).end())
    respond(response)
  })
  const status =
    (code: number, headers: Record<string, string> = {}) =>
    (response: ServerResponse) =>
      void response.writeHead(code, headers).end('no')

  beforeAll(async () => {
    hook.listen(0, '127.0.0.1')
    await once(hook, 'listening')
    const address = hook.address()
    const port = typeof address === 'object' && address ? address.port : 0
    service = await startService({ reportWebhook: `http://127.0.0.1:${port}${SECRET_PATH}` })
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

  const report = async (fields: Record<string, string>) => expect((await sendReport(api, fields)).status).toBe(200)
  const bodies = () => calls.map(({ body }) => JSON.parse(body))

  test('it receives what is reported, why and where, and nothing about the reporter', async () => {
    const { showUrl } = await uploadImage(api)
    const { gallery } = await galleryWithImage(api, { finalized: true })
    await report({ url: showUrl, reason: 'child', details: 'I am Ann of Main St.', contact: 'ann@x.example' })
    await expect.poll(() => calls).toHaveLength(1)
    await report({ url: gallery.url })
    await expect.poll(() => calls).toHaveLength(2)
    const common = { event: 'report', reported_at: expect.stringMatching(/^\d{4}-.*Z$/) }
    expect(bodies()).toEqual([
      { ...common, reason: 'child', resource_type: 'image', url: showUrl },
      { ...common, reason: 'illegal', resource_type: 'gallery', url: gallery.url },
    ])
    expect(calls.map(({ path }) => path)).toEqual([SECRET_PATH, SECRET_PATH])
    expect(calls[0]?.headers['content-type']).toBe('application/json; charset=UTF-8')
    expect(JSON.stringify(calls)).not.toMatch(/Ann|ann@|cf-connecting|198\.51|3fff:/i)
  })

  test('a rejected report is not sent', async () => {
    const { showUrl } = await uploadImage(api)
    expect((await sendReport(api, { url: showUrl, reason: 'nonsense' })).status).toBe(422)
    expect((await sendReport(api, { url: `${showUrl}x` })).status).toBe(422)
    await report({ url: showUrl })
    await expect.poll(() => calls).toHaveLength(1)
  })

  test('a failed call is tried three times, and then logged without the address', async () => {
    handlers = [status(503), (response) => response.destroy(), status(429)]
    const { showUrl } = await uploadImage(api)
    await report({ url: showUrl })
    await expect
      .poll(() => service.output())
      .toContain('call the REPORT_WEBHOOK: Error: it responded with 429, at attempt 3')
    expect(bodies()).toHaveLength(3)
    expect(new Set(calls.map(({ body }) => body)).size).toBe(1)
    expect(service.output()).not.toContain('secret')
  })

  test('a permanent failure is tried once, and a redirect is not followed', async () => {
    const { showUrl } = await uploadImage(api)
    for (const [code, headers] of [[404], [302, { location: '/elsewhere' }]] as const) {
      handlers = [status(code, headers)]
      await report({ url: showUrl })
      await expect.poll(() => service.output()).toContain(`it responded with ${code}, at attempt 1`)
    }
    expect(calls.map(({ path }) => path)).toEqual([SECRET_PATH, SECRET_PATH])
  })

  test('the reporter does not wait for any call', async () => {
    const waiting: ServerResponse[] = []
    handlers = [(response) => void waiting.push(response)]
    const { showUrl } = await uploadImage(api)
    await report({ url: showUrl })
    await expect.poll(() => waiting).toHaveLength(1)
    // The call would have been cancelled and repeated before the response to the reporter.
    expect([waiting[0]?.destroyed, calls.length]).toEqual([false, 1])
    waiting[0]?.writeHead(204).end()
  })
})
