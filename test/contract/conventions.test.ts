import { describe, expect, test } from 'vitest'
import { sharedApi } from './support/api.ts'
import { header } from './support/client.ts'
import { expectCreated, expectUploaded } from './support/responses.ts'
import { LEAST_COVER, LEAST_IMAGE, uploadImage } from './support/steps.ts'

const api = sharedApi()

/** "Conventions", and the responses that all operations share (D20, D22, D23). */
describe('Successful upload and gallery-creation responses are application/json; charset=UTF-8', () => {
  test.for([
    ['POST /images', () => api.uploadImage(LEAST_IMAGE)],
    ['POST /covers', () => api.uploadCover(LEAST_COVER)],
    ['POST /galleries', () => api.createGallery()],
    ['POST /images/status', () => api.status(['x'])],
  ] as const)('%s', async ([, ask]) => {
    const response = await ask()
    expect(response.status).toBe(200)
    expect(header(response, 'content-type')).toBe('application/json; charset=UTF-8')
  })
})

describe('Clients send the header Accept: application/json; another one, or none, changes nothing', () => {
  test.for(['application/json', 'text/html', '*/*', 'image/webp', ''])('Accept: %j', async (accept) => {
    expectUploaded(await api.uploadImage(LEAST_IMAGE, { headers: accept === '' ? {} : { accept } }))
    expectCreated(await api.createGallery({}, { headers: accept === '' ? {} : { accept } }))
  })
})

describe('Every response can carry the header X-Request-ID: all do, made by the server (D22)', () => {
  const asks = [
    ['an upload', () => api.uploadImage(LEAST_IMAGE, chosen)],
    ['a refused upload', () => api.uploadImage({}, chosen)],
    ['a new gallery', () => api.createGallery({}, chosen)],
    ['a refused gallery', () => api.createGallery({ gallery_name: '<' }, chosen)],
    ['finalizing an unknown gallery', () => api.finalize('unknown1234', 'x', chosen)],
    ['an unknown management token', () => api.remove('x', chosen)],
    ['a status', () => api.postJson('/images/status', { urls: ['x'] }, chosen)],
    ['a wrong method', () => api.get('/images/status', chosen)],
    ['an unknown path by POST', () => api.send({ path: '/unknown', ...chosen })],
    ['an unknown page', () => api.get('/unknown', chosen)],
    ['the home page', () => api.get('/', chosen)],
    ['a preflight', () => api.send({ method: 'OPTIONS', path: '/images', ...chosen })],
    ['OPTIONS of the whole server', () => api.send({ method: 'OPTIONS', path: '*', ...chosen })],
    ['a Host header that makes no URL', () => api.get('/', { host: 'a b', ...chosen })],
    ["a path of the simulators' own", () => api.get('/cdn-cgi/handler/scheduled', chosen)],
  ] as const
  const chosen = { headers: { 'x-request-id': 'chosen-by-the-client' } }

  test.for(asks)('%s', async ([, ask]) => {
    const [first, second] = [header(await ask(), 'x-request-id'), header(await ask(), 'x-request-id')]
    expect(first).toMatch(/^\S+$/)
    expect(first).not.toBe('chosen-by-the-client')
    expect(second).not.toBe(first)
  })

  test('media', async () => {
    const { thumbnailUrl, originalUrl } = await uploadImage(api)
    for (const link of [thumbnailUrl, originalUrl]) {
      expect(header(await api.follow(link), 'x-request-id')).toMatch(/^\S+$/)
      expect(header(await api.follow(link, { method: 'HEAD' }), 'x-request-id')).toMatch(/^\S+$/)
    }
  })
})

describe('CORS: any origin may read any response to a POST or OPTIONS, without credentials (D20)', () => {
  const headers = { origin: 'https://a-page.example' }
  const asks = [
    ['an upload', () => api.uploadImage(LEAST_IMAGE, { headers })],
    ['a refused upload', () => api.uploadImage({}, { headers })],
    ['a body that is no form', () => api.send({ path: '/images', body: 'x', headers })],
    ['a new gallery', () => api.createGallery({}, { headers })],
    ['a refused gallery', () => api.createGallery({ gallery_name: '<' }, { headers })],
    ['finalizing an unknown gallery', () => api.finalize('unknown1234', 'x', { headers })],
    ['an unknown management token', () => api.remove('x', { headers })],
    ['a status', () => api.postJson('/images/status', { urls: ['x'] }, { headers })],
    ['a refused status', () => api.postJson('/images/status', {}, { headers })],
    ['an unknown path by POST', () => api.send({ path: '/unknown', headers })],
    ['a preflight', () => api.send({ method: 'OPTIONS', path: '/images', headers })],
    ['OPTIONS on an unknown path', () => api.send({ method: 'OPTIONS', path: '/unknown', headers })],
  ] as const

  test.for(asks)('%s', async ([, ask]) => {
    const response = await ask()
    expect(header(response, 'access-control-allow-origin')).toBe('*')
    expect(header(response, 'access-control-allow-credentials')).toBeUndefined()
    const exposed = header(response, 'access-control-expose-headers')
      ?.split(/, */)
      .map((name) => name.toLowerCase())
    expect(exposed?.sort()).toEqual([
      'idempotent-replayed',
      'link',
      'ratelimit',
      'ratelimit-policy',
      'retry-after',
      'x-error-code',
      'x-request-id',
    ])
  })

  test.for([
    '/images',
    '/covers',
    '/images/status',
    '/galleries',
    '/galleries/abcdefghij/finalize',
    `/management/${'a'.repeat(43)}/rename`,
    `/management/${'a'.repeat(43)}/delete`,
  ])('OPTIONS %s is 204 with a day of max-age', async (path) => {
    const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' }
    const response = await api.send({ method: 'OPTIONS', path, headers: { ...headers, ...preflight } })
    expect(response.status).toBe(204)
    expect(response.text).toBe('')
    expect(header(response, 'access-control-max-age')).toBe('86400')
    expect(header(response, 'access-control-allow-methods')).toContain('POST')
    expect(header(response, 'access-control-allow-headers')?.toLowerCase()).toMatch(/content-type|\*/)
  })

  test('management pages send no CORS headers', async () => {
    const { managementToken } = await uploadImage(api, { include_manage_url: '1' })
    const path = `/manage/${managementToken}`
    const form = { contentType: 'application/x-www-form-urlencoded' }
    const asked = { headers: { ...headers, 'content-type': form.contentType } }
    const responses = [
      await api.get(path, { headers }),
      await api.send({ method: 'OPTIONS', path, headers }),
      await api.send({ path, body: 'action=unheard-of', ...asked }),
      await api.get(`/manage/${'x'.repeat(43)}`, { headers }),
    ]
    for (const response of responses) {
      expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })
})
