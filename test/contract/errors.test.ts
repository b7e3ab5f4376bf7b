import { describe, expect, test } from 'vitest'
import { freshAddress, leaveContent, sharedApi } from './support/api.ts'
import { type ApiResponse, header } from './support/client.ts'
import { file } from './support/multipart-body.ts'
import { expectApiError, expectErrorHeaders, expectTextError } from './support/responses.ts'
import { createGallery, galleryWithImage, LEAST_COVER, LEAST_IMAGE, SMALL_PNG, uploadImage } from './support/steps.ts'

const api = sharedApi()
const UNKNOWN_TOKEN = 'u'.repeat(43)
const TOO_LARGE = file('a.png', Buffer.alloc(10 * 1024 * 1024 + 1))
const NOT_AN_IMAGE = file('a.png', Buffer.from('no picture'))
const CUT_OFF = file('a.png', SMALL_PNG.subarray(0, 40))
const UNKNOWN_GALLERY = { gallery_hash: 'unknown1234', gallery_upload_hash: 'u'.repeat(32) }

const open = await createGallery(api)
const WRONG_TOKEN = { ...open.fields, gallery_upload_hash: 'w'.repeat(32) }
const { gallery: finalized } = await galleryWithImage(api, { finalized: true })
const image = await uploadImage(api, { include_manage_url: '1' })
const deleted = await createGallery(api)
await api.remove(deleted.managementToken)

type Row = [status: number, meaning: string, ask: () => Promise<ApiResponse>]
const statusBody = (body: string, contentType = 'application/json') =>
  api.send({
    path: '/images/status',
    body,
    headers: { 'content-type': contentType, 'cf-connecting-ip': freshAddress() },
  })

/** Without 417 and 500, which no request causes. */
describe('Status codes: uploads and finalize respond with one plain sentence (D21)', () => {
  const rows: Row[] = [
    [400, 'images: not multipart', () => api.send({ path: '/images', body: 'x' })],
    [400, 'images: missing parameter', () => api.uploadImage({ img: file('a.png', SMALL_PNG) })],
    [400, 'images: missing file', () => api.uploadImage({ content_type: '0' })],
    [400, 'covers: not multipart', () => api.send({ path: '/covers', body: 'x' })],
    [400, 'covers: missing parameter', () => api.uploadCover({ img_left: file('a.png', SMALL_PNG) })],
    [400, 'covers: missing file', () => api.uploadCover({ content_type: '0' })],
    [400, 'finalize: missing parameter', () => api.postUrlencoded(`/galleries/${open.hash}/finalize`, {})],
    [413, 'images: uploaded file over the size limit', () => api.uploadImage({ ...LEAST_IMAGE, img: TOO_LARGE })],
    [413, 'covers: left file over the size limit', () => api.uploadCover({ ...LEAST_COVER, img_left: TOO_LARGE })],
    [413, 'covers: right file over the size limit', () => api.uploadCover({ ...LEAST_COVER, img_right: TOO_LARGE })],
    [414, 'images: unsupported image format', () => api.uploadImage({ ...LEAST_IMAGE, img: NOT_AN_IMAGE })],
    [414, 'covers: unsupported image format', () => api.uploadCover({ ...LEAST_COVER, img_left: NOT_AN_IMAGE })],
    [415, 'images: gallery does not exist', () => api.uploadImage({ ...LEAST_IMAGE, ...UNKNOWN_GALLERY })],
    [415, 'covers: gallery does not exist', () => api.uploadCover({ ...LEAST_COVER, ...UNKNOWN_GALLERY })],
    [415, 'finalize: gallery does not exist', () => api.finalize('unknown1234', 'u'.repeat(32))],
    [416, 'images: gallery upload token incorrect', () => api.uploadImage({ ...LEAST_IMAGE, ...WRONG_TOKEN })],
    [416, 'covers: gallery upload token incorrect', () => api.uploadCover({ ...LEAST_COVER, ...WRONG_TOKEN })],
    [416, 'finalize: gallery upload token incorrect', () => api.finalize(open.hash, 'w'.repeat(32))],
    [422, 'images: option invalid', () => api.uploadImage({ ...LEAST_IMAGE, content_type: '2' })],
    [422, 'covers: option invalid', () => api.uploadCover({ ...LEAST_COVER, content_type: '2' })],
    [422, 'images: upload rejected', () => api.uploadImage({ ...LEAST_IMAGE, img: CUT_OFF })],
    [422, 'covers: upload rejected', () => api.uploadCover({ ...LEAST_COVER, img_left: CUT_OFF })],
    [422, 'images: gallery finalized', () => api.uploadImage({ ...LEAST_IMAGE, ...finalized.fields })],
    [422, 'covers: gallery finalized', () => api.uploadCover({ ...LEAST_COVER, ...finalized.fields })],
  ]
  test.for(rows)('%i %s', async ([status, , ask]) => {
    expectTextError(await ask(), status)
  })
})

describe('Status codes: all other operations respond with ApiError JSON (D21)', () => {
  const rows: Row[] = [
    [
      400,
      'galleries: malformed',
      () => api.send({ path: '/galleries', body: 'x', headers: { 'content-type': 'multipart/form-data' } }),
    ],
    [400, 'rename: missing parameter', () => api.postUrlencoded(`/management/${open.managementToken}/rename`, {})],
    [400, 'status: malformed JSON', () => statusBody('{')],
    [400, 'status: missing parameter', () => statusBody('{}')],
    [400, 'unsupported endpoint', () => api.send({ path: '/unknown' })],
    [404, 'rename: management token does not exist', () => api.rename(UNKNOWN_TOKEN, 'x')],
    [404, 'delete: management token does not exist', () => api.remove(UNKNOWN_TOKEN)],
    [404, 'delete: management token is not valid', () => api.remove('x')],
    [405, 'status: method other than POST', () => api.get('/images/status')],
    [410, 'rename: content already deleted, token revoked', () => api.rename(deleted.managementToken, 'x')],
    [410, 'delete: content already deleted, token revoked', () => api.remove(deleted.managementToken)],
    [413, 'status: JSON body over 64 KiB', () => statusBody(' '.repeat(65_537))],
    [415, 'status: request not application/json', () => statusBody('{"urls":["x"]}', 'text/plain')],
    [422, 'galleries: name invalid', () => api.createGallery({ gallery_name: '<' })],
    [422, 'galleries: name oversized', () => api.createGallery({ gallery_name: 'a'.repeat(256) })],
    [422, 'galleries: option invalid', () => api.createGallery({ include_manage_url: '2' })],
    [422, 'rename: name invalid', () => api.rename(open.managementToken, '<')],
    [422, 'rename: operation not allowed', () => api.rename(image.managementToken, 'x')],
    [422, 'status: urls invalid', () => statusBody('{"urls":"x"}')],
    [422, 'status: urls beyond limits', () => statusBody('{"urls":[]}')],
  ]
  test.for(rows)('%i %s', async ([status, , ask]) => {
    expectApiError(await ask(), status)
  })

  test('429 status: rate limit exceeded; Retry-After is an integer of seconds', async () => {
    const more = { headers: { 'cf-connecting-ip': freshAddress() }, impatient: true }
    const ask = () => api.postJson('/images/status', { urls: ['x'] }, more)
    let response = await ask()
    for (let time = 1; time < 12 && response.status === 200; time++) response = await ask()
    expectApiError(response, 429)
    expect(header(response, 'retry-after')).toMatch(/^\d+$/)
  })

  test('the same failure has the same error code', async () => {
    const [first, second] = [await api.rename(UNKNOWN_TOKEN, 'x'), await api.remove('x')]
    expect(JSON.parse(first.text).error).toBe(JSON.parse(second.text).error)
  })
})

describe('D43: errors in plain text have their code in X-Error-Code', () => {
  const finalize = (form: Record<string, string>) => api.postUrlencoded(`/galleries/${open.hash}/finalize`, form)
  test.for<[code: string, ask: () => Promise<ApiResponse>]>([
    ['malformed_request', () => api.send({ path: '/images', body: 'x' })],
    ['missing_field', () => api.uploadCover({ content_type: '0' })],
    ['invalid_option', () => api.uploadImage({ ...LEAST_IMAGE, max_th_size: '9' }, { beyondContract: 'refused' })],
    ['file_too_large', () => api.uploadImage({ ...LEAST_IMAGE, img: TOO_LARGE })],
    ['unsupported_image_format', () => api.uploadImage({ ...LEAST_IMAGE, img: NOT_AN_IMAGE })],
    ['unreadable_image', () => api.uploadImage({ ...LEAST_IMAGE, img: CUT_OFF })],
    ['gallery_not_found', () => api.uploadCover({ ...LEAST_COVER, ...UNKNOWN_GALLERY })],
    ['upload_token_incorrect', () => api.uploadImage({ ...LEAST_IMAGE, ...WRONG_TOKEN })],
    ['missing_field', () => finalize({})],
    ['gallery_not_found', () => api.finalize('unknown1234', 'u'.repeat(32))],
    ['upload_token_incorrect', () => api.finalize(open.hash, 'w'.repeat(32))],
    // D19: in JSON, which also has the code in its body.
    ['unsupported_endpoint', () => api.get('/images')],
  ])('%s', async ([code, ask]) => {
    expectErrorHeaders(await ask(), code)
  })
})

describe('D19: other methods on API paths, and unknown paths by POST', () => {
  const apiPaths = [
    '/images',
    '/covers',
    '/galleries',
    `/galleries/${open.hash}/finalize`,
    `/management/${image.managementToken}/rename`,
    `/management/${image.managementToken}/delete`,
  ]
  const asks = apiPaths.flatMap((path) => ['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => ({ method, path })))
  test.for(asks)('$method $path is 400 with an ApiError body', async (ask) => {
    expectApiError(await api.send(ask), 400)
  })

  test.for(apiPaths)('HEAD %s is 400', async (path) => {
    expect((await api.send({ method: 'HEAD', path })).status).toBe(400)
  })

  test.for([
    '/',
    '/unknown',
    '/image',
    '/Images',
    '/images/',
    '/covers/',
    '/images/status/',
    '/galleries/',
    `/galleries/${open.hash}`,
    `/galleries/${open.hash}/finalize/`,
    `/galleries/${open.hash}/delete`,
    `/management/${image.managementToken}`,
    `/management/${image.managementToken}/delete/`,
    `/management/${image.managementToken}/finalize`,
    '/v2/images',
    '//images',
    new URL(image.showUrl).pathname,
  ])('POST %s is 400 with an ApiError body', async (path) => {
    expectApiError(await api.postMultipart(path, LEAST_IMAGE), 400)
  })

  test.for([
    '/unknown',
    '/images/',
    '/show/',
    '/show/x',
    '/gallery/',
    '/gallery/unknown1234',
    '/thumbs/',
    '/galleries/',
    '/%ff',
  ])('GET %s is a 404 page', async (path) => {
    const response = await api.get(path)
    expect(response.status).toBe(404)
    expect(header(response, 'content-type')).toMatch(/^text\/html; charset=utf-8$/i)
  })

  test('these requests change nothing', async () => {
    expect((await api.follow(image.showUrl)).status).toBe(200)
  })
})

describe('errors never contain a token', () => {
  test('a wrong upload token, a duplicate one, a management token', async () => {
    const secret = `Wr0ngT0ken${'x'.repeat(33)}`
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const twice = `gallery_upload_hash=${secret}&gallery_upload_hash=${secret}`
    const responses = [
      await api.uploadImage({ ...LEAST_IMAGE, ...open.fields, gallery_upload_hash: secret }),
      await api.uploadImage({ ...LEAST_IMAGE, gallery_upload_hash: secret }),
      await api.finalize(open.hash, secret),
      await api.send({ path: `/galleries/${open.hash}/finalize`, body: twice, headers: form }),
      await api.rename(secret, 'x'),
      await api.remove(secret),
      await api.remove(`${secret}.`),
      await api.send({ path: `/management/${secret}/unknown` }),
      await api.get(`/manage/${secret}`),
    ]
    for (const { status, text } of responses) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(text).not.toContain(secret)
    }
  })
})

describe('Authentication', () => {
  test('1. no API key is required, and credentials are ignored', async () => {
    const headers = { authorization: 'Bearer nonsense', cookie: 'session=nonsense' }
    expect((await api.uploadImage(LEAST_IMAGE, { headers })).status).toBe(200)
  })

  test('2. the upload token is required together with gallery_hash to add an upload, and to finalize', async () => {
    expectTextError(await api.uploadImage({ ...LEAST_IMAGE, gallery_hash: open.hash }), 400)
    expectTextError(
      await api.uploadImage({ ...LEAST_IMAGE, ...open.fields, gallery_upload_hash: finalized.uploadToken }),
      416,
    )
    expectTextError(await api.postUrlencoded(`/galleries/${open.hash}/finalize`, {}), 400)
    expectTextError(await api.finalize(open.hash, finalized.uploadToken), 416)
  })

  test('3. a management token is issued only when include_manage_url=1 is sent', async () => {
    leaveContent()
    expect((await uploadImage(api)).manageUrl).toBeUndefined()
    expect((await uploadImage(api, { include_manage_url: '1' })).manageUrl).toBeDefined()
  })

  test('4. missing or invalid is 404, revoked is 410', async () => {
    expectApiError(await api.remove(UNKNOWN_TOKEN), 404)
    expectApiError(await api.remove(deleted.managementToken), 410)
  })
})
