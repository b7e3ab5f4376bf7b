import { beforeAll, describe, expect, test } from 'vitest'
import { type Api, freshAddress, mayStartServices, sharedApi } from './support/api.ts'
import { inParallel } from './support/in-parallel.ts'
import { sendRaw } from './support/raw-request.ts'

const BODY = Buffer.alloc(3_000_000, 'a')
const TOKEN = 'u'.repeat(43)

type Row = [status: number, method: string, path: string, headers?: Record<string, string>]

const ROWS: Row[] = [
  [400, 'POST', '/unknown'],
  [400, 'POST', '/docs'],
  [400, 'PUT', '/images'],
  [400, 'POST', '/images', { 'content-type': 'text/plain' }],
  [400, 'POST', `/galleries/abcdefghij/finalize`, { 'content-type': 'text/plain' }],
  [401, 'POST', '/operator/remove'],
  [403, 'POST', '/upload', { origin: 'https://elsewhere.example' }],
  [404, 'POST', `/management/${TOKEN}/rename`],
  [404, 'POST', `/management/${TOKEN}/delete`],
  [404, 'POST', `/manage/${TOKEN}`],
  [405, 'PUT', '/images/status'],
  [413, 'POST', '/images/status', { 'content-type': 'application/json' }],
  [415, 'POST', '/images/status', { 'content-type': 'text/plain' }],
]

/** D41: every request gets a response, so the service must consume the body of a rejected one. */
describe.skipIf(!mayStartServices())('3 MB of a rejected body', () => {
  let api: Api
  beforeAll(() => {
    api = sharedApi()
  })

  test.for(ROWS)('%i: %s %s %j', async ([status, method, path, headers = {}]) => {
    for (let i = 0; i < 2; i++) {
      const sent = { method, headers: { 'cf-connecting-ip': freshAddress(), ...headers }, body: BODY }
      const response = await fetch(`${api.baseUrl}${path}`, sent)
      expect([response.status, (await response.text()).length > 0]).toEqual([status, true])
    }
    const raw = { method, path, headers, body: BODY }
    for (let i = 0; i < 2; i++) expect(await sendRaw(api.baseUrl, raw)).toBe(status)
    // A sender that announces more and sends nothing gets a response, because the body does not matter.
    expect(await sendRaw(api.baseUrl, { ...raw, sentBytes: 0 })).toBe(status)
  })

  test('fifty times, eight at a time', async () => {
    const statuses = await inParallel([...Array(50)], 8, () => sendRaw(api.baseUrl, { path: '/unknown', body: BODY }))
    expect(statuses).toEqual(Array(50).fill(400))
  })
})
