// The form of the published service's own page, which some programs send.
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { freshAddress, sharedApi } from './support/api.ts'
import { header } from './support/client.ts'
import { file, multipartBody, parts } from './support/multipart-body.ts'
import { expectApiError, expectTextError, expectUploaded } from './support/responses.ts'
import { createGallery, LEAST_IMAGE, SMALL_PNG } from './support/steps.ts'

const api = sharedApi()
/** The fields that published programs send. */
const FORM = { name: 'poster.jpg', ajax: 'yes', content_type: '0', file: file('p2557573348.jpg', SMALL_PNG) }
const upload = (fields: object = {}, more?: object) => api.postMultipart('/new-upload/', { ...FORM, ...fields }, more)

describe('POST /new-upload/', () => {
  test('stores an image by the name of the form, with the response of POST /images', async () => {
    const [uploaded, usual] = [expectUploaded(await upload()), expectUploaded(await api.uploadImage(LEAST_IMAGE))]
    expect(Object.keys(uploaded.fields)).toEqual(Object.keys(usual.fields))
    // A JPEG by its name, a PNG by its bytes.
    expect(uploaded.showUrl).toMatch(/_poster\.png$/)
    expect((await api.follow(uploaded.originalUrl)).bytes).toEqual(SMALL_PNG)
  })

  test('takes the name of the file if the form has none, and the options of POST /images', async () => {
    const gallery = await createGallery(api)
    const { name: _, ...unnamed } = FORM
    const response = await api.postMultipart('/new-upload/', { ...unnamed, ...gallery.fields, max_th_size: '150' })
    expect(expectUploaded(response).showUrl).toMatch(/_p2557573348\.png$/)
    expect((await api.finalize(gallery.hash, gallery.uploadToken)).status).toBe(200)
  })

  test('stores nothing twice with an Idempotency-Key', async () => {
    const keyed = { headers: { 'idempotency-key': crypto.randomUUID() } }
    const [first, again] = [await upload({}, keyed), await upload({}, keyed)]
    expect(again.text).toBe(first.text)
    expect(header(again, 'idempotent-replayed')).toBe('true')
  })

  test.for([
    [400, 'missing_field', { file: 'no file' }],
    [414, 'unsupported_image_format', { file: file('a.png', Buffer.from('no picture')) }],
    [416, 'upload_token_incorrect', { gallery_hash: '', gallery_upload_hash: '' }],
  ] as const)('explains %i in error.description', async ([status, code, fields]) => {
    const { hash = '' } = status === 416 ? await createGallery(api) : {}
    const wrong = status === 416 ? { gallery_hash: hash, gallery_upload_hash: 'w'.repeat(32) } : fields
    const response = await upload(wrong)
    expect(response.status).toBe(status)
    expect(header(response, 'x-error-code')).toBe(code)
    expect(JSON.parse(response.text)).toEqual({ error: { description: expect.stringMatching(/^[a-z].{20,}/) } })
  })
})

describe('a request that nobody can read says why', () => {
  test.for(['gzip', 'br'])('a body in %s', async (encoding) => {
    const { contentType, bytes } = multipartBody(parts(LEAST_IMAGE))
    const headers = { 'content-type': contentType, 'content-encoding': encoding }
    const sentence = 'The request has a Content-Encoding: send the body uncompressed'
    const image = await api.send({ path: '/images', headers, body: gzipSync(bytes) })
    expectTextError(image, 400)
    expect(image.text).toContain(sentence)
    const json = {
      'content-type': 'application/json',
      'content-encoding': encoding,
      'cf-connecting-ip': freshAddress(),
    }
    const status = await api.send({ path: '/images/status', headers: json, body: gzipSync('{"urls":["x"]}') })
    expectApiError(status, 400)
    expect(JSON.parse(status.text).message).toContain(sentence)
  })

  test('a body that only claims to be compressed is read as it is', async () => {
    expectUploaded(await api.uploadImage(LEAST_IMAGE, { headers: { 'content-encoding': 'gzip' } }))
  })

  test('a path with two slashes', async () => {
    const response = await api.send({ path: '//images' })
    expectApiError(response, 400)
    expect(JSON.parse(response.text).message).toBe(
      'POST of this path is not supported: it has two slashes in a row, leave one out',
    )
  })
})
