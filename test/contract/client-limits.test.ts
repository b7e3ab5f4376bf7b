import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, apiAt, freshAddress, mayStartServices } from './support/api.ts'
import { type ApiResponse, type Ask, header } from './support/client.ts'
import { file } from './support/multipart-body.ts'
import { paddedPng } from './support/png-file.ts'
import { sendRaw } from './support/raw-request.ts'
import { expectApiError, expectTextError } from './support/responses.ts'
import { type Service, startService } from './support/service.ts'
import { createGallery, LEAST_COVER, LEAST_IMAGE, SMALL_PNG, uploadImage } from './support/steps.ts'

const WRONG_TOKEN = 'w'.repeat(43)
const MIB = 1024 * 1024
const CLIENT_LIMITS = [
  'uploads=4,upload_mib=3,megapixels=2,covers=2,galleries=3,finalizes=2,changes=3,download_files=3,unknown_tokens=2',
  'idempotency_keys=2',
].join()

const from = (address: string, headers: Record<string, string> = {}): Partial<Ask> => ({
  headers: { 'cf-connecting-ip': address, ...headers },
})

/** Few bytes, because the header decides how many pixels are charged. */
const NEARLY_1_MP = await sharp({ create: { width: 1000, height: 900, channels: 3, background: '#48a' } })
  .png()
  .toBuffer()

/** D40, with limits so small that tests reach them. */
describe.skipIf(!mayStartServices())("the operator's limits of one client (needs a service of its own)", () => {
  let service: Service
  let api: Api

  beforeAll(async () => {
    service = await startService({ clientLimits: CLIENT_LIMITS })
    api = apiAt(service.baseUrl)
  }, 240_000)

  afterAll(() => service.stop())

  type Row = [
    limit: string,
    passing: number,
    status: number,
    ask: (more: Partial<Ask>, i: number) => Promise<ApiResponse>,
  ]
  const keyed = (more: Partial<Ask>, key: string) => ({ ...more, headers: { ...more.headers, 'idempotency-key': key } })
  const image = (mib: number) => ({ ...LEAST_IMAGE, img: file('a.png', paddedPng(SMALL_PNG, mib * MIB)) })
  const textRows: Row[] = [
    ['uploads', 4, 200, (more) => api.uploadImage(LEAST_IMAGE, more)],
    // So far over 3 MiB that the bucket does not refill in time on a slow machine.
    ['MiB of uploads', 2, 200, (more) => api.uploadImage(image(1.3), more)],
    [
      'megapixels of uploads',
      2,
      200,
      (more) => api.uploadImage({ ...LEAST_IMAGE, img: file('a.png', NEARLY_1_MP) }, more),
    ],
    ['covers', 2, 200, (more) => api.uploadCover(LEAST_COVER, more)],
    ['finalized galleries', 2, 415, (more) => api.finalize('x'.repeat(10), WRONG_TOKEN, more)],
    [
      'requests with an Idempotency-Key',
      2,
      200,
      (more, i) => api.uploadImage(LEAST_IMAGE, keyed(more, `${freshAddress()}${i}`)),
    ],
  ]
  test.for(textRows)('%s: %i pass, the next one is 429 with a sentence', async ([limit, passing, status, ask]) => {
    const more = from(freshAddress())
    for (let i = 0; i < passing; i++) expect((await ask(more, i)).status).toBe(status)
    const refused = await ask(more, passing)
    expectTextError(refused, 429)
    expect(refused.text).toContain(`${limit} an hour`)
    expectRetryAfter(refused)
    expect((await ask(from(freshAddress()), passing + 1)).status).toBe(status)
  })

  const jsonRows: Row[] = [
    ['new galleries', 3, 200, (more) => api.createGallery({}, more)],
    ['management tokens that do not exist', 2, 404, (more) => api.rename(WRONG_TOKEN, 'a', more)],
    ['management tokens that do not exist', 2, 404, (more) => api.remove(WRONG_TOKEN, more)],
  ]
  test.for(jsonRows)('%s: %i pass, the next one is 429 with an ApiError', async ([limit, passing, status, ask]) => {
    const more = from(freshAddress())
    for (let i = 0; i < passing; i++) expect((await ask(more, i)).status).toBe(status)
    const refused = await ask(more, passing)
    expectApiError(refused, 429)
    expect(JSON.parse(refused.text)).toMatchObject({ error: 'client_limit_reached' })
    expect(refused.text).toContain(`${limit} an hour`)
    expectRetryAfter(refused)
    expect((await ask(from(freshAddress()), passing + 1)).status).toBe(status)
  })

  test('pages show the limit as a page', async () => {
    const more = from(freshAddress())
    for (let i = 0; i < 2; i++) expect((await api.get(`/manage/${WRONG_TOKEN}`, more)).status).toBe(404)
    const refused = await api.get(`/manage/${WRONG_TOKEN}`, more)
    expect([refused.status, header(refused, 'content-type')]).toEqual([429, 'text/html; charset=UTF-8'])
    expectRetryAfter(refused)
    for (let i = 0; i < 4; i++) await api.uploadImage(LEAST_IMAGE, more)
    const upload = await api.postMultipart('/upload', LEAST_IMAGE, more)
    expect([upload.status, header(upload, 'content-type')]).toEqual([429, 'text/html; charset=UTF-8'])
  })

  test('changes count, through the API and through the page', async () => {
    const { managementToken } = await createGallery(api)
    const more = from(freshAddress())
    const byPage = () => api.postUrlencoded(`/manage/${managementToken}`, { action: 'rename', name: 'b' }, more)
    expect((await byPage()).status).toBe(200)
    for (let i = 0; i < 2; i++) expect((await api.rename(managementToken, 'a', more)).status).toBe(200)
    const refused = await api.rename(managementToken, 'a', more)
    expectApiError(refused, 429)
    expect(refused.text).toContain('3 changes of galleries and images an hour')
    const page = await byPage()
    expect([page.status, header(page, 'content-type')]).toEqual([429, 'text/html; charset=UTF-8'])
  })

  test("a gallery's ZIP counts its files, and HEAD counts none", async () => {
    const gallery = await createGallery(api)
    for (let i = 0; i < 2; i++) await uploadImage(api, gallery.fields)
    await api.finalize(gallery.hash, gallery.uploadToken)
    const path = `${new URL(gallery.url).pathname}/download`
    const more = from(freshAddress())
    const head = async () => (await api.get(path, { ...more, method: 'HEAD' })).status
    for (let i = 0; i < 4; i++) expect(await head()).toBe(200)
    expect((await api.get(path, more)).status).toBe(200)
    const refused = await api.get(path, more)
    expect([refused.status, header(refused, 'content-type')]).toEqual([429, 'text/html; charset=UTF-8'])
    expectRetryAfter(refused)
    expect([await head(), (await api.get(path, from(freshAddress()))).status]).toEqual([200, 200])
  })

  test('a valid token works for a client that has tried too many others', async () => {
    const { managementToken } = await uploadImage(api, { include_manage_url: '1' }, from(freshAddress()))
    const guesser = from(freshAddress())
    for (let i = 0; i < 4; i++) await api.remove(WRONG_TOKEN, guesser)
    expect((await api.remove(managementToken, guesser)).status).toBe(200)
  })

  test('an IPv6 network (/64) is one client', async () => {
    const address = freshAddress()
    for (let i = 0; i < 3; i++) expect((await api.createGallery({}, from(address))).status).toBe(200)
    expect((await api.createGallery({}, from(address.replace(/::1$/, '::2')))).status).toBe(429)
  })

  test('a rejected upload stores nothing, and its bytes are not charged', async () => {
    const more = from(freshAddress())
    expect((await api.uploadImage(image(2), more)).status).toBe(200)
    expect((await api.uploadImage(image(1.5), more)).status).toBe(429)
    expect((await api.uploadImage(image(0.5), more)).status).toBe(200)
  })

  test('a body of unknown length counts as the largest file', async () => {
    const more = from(freshAddress())
    const chunked = () => api.send({ path: '/images', body: [Buffer.from('x')], ...more })
    expect((await chunked()).status).toBe(400)
    expect((await chunked()).status).toBe(429)
  })

  test('the response does not wait for the body of a rejected upload', async () => {
    const more = from(freshAddress())
    for (let i = 0; i < 4; i++) expect((await api.uploadImage(LEAST_IMAGE, more)).status).toBe(200)
    const headers = { ...more.headers, 'content-type': 'multipart/form-data; boundary=b' }
    for (const path of ['/images', '/covers', '/upload']) {
      expect(await sendRaw(service.baseUrl, { path, headers, body: Buffer.alloc(MIB), sentBytes: 0 })).toBe(429)
    }
  })

  test('clients without an address are not limited', async () => {
    for (let i = 0; i < 5; i++) expect((await api.createGallery()).status).toBe(200)
  })
})

function expectRetryAfter(response: ApiResponse): void {
  const seconds = Number(header(response, 'retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(3600)
}
