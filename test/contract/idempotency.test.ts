import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { sharedApi } from './support/api.ts'
import { header } from './support/client.ts'
import { jpeg, photo } from './support/images.ts'
import { type Fields, file, multipartBody, parts } from './support/multipart-body.ts'
import { countImages, expectReplay, isReplayed, withKey } from './support/replays.ts'
import { expectApiError, expectCreated, expectJson, expectTextError, expectUploaded } from './support/responses.ts'
import { createGallery, LEAST_COVER, LEAST_IMAGE, SMALL_PNG } from './support/steps.ts'

const api = sharedApi()

const MANAGED = { include_manage_url: '1' }
const OPERATIONS = [
  ['POST /images', (key: string) => api.uploadImage({ ...LEAST_IMAGE, ...MANAGED }, withKey(key))],
  ['POST /covers', (key: string) => api.uploadCover({ ...LEAST_COVER, ...MANAGED }, withKey(key))],
  ['POST /galleries', (key: string) => api.createGallery({ gallery_name: 'Once', ...MANAGED }, withKey(key))],
] as const

describe.each(OPERATIONS)('%s', (_, send) => {
  test('a retry returns the first response, byte for byte, marked as a replay', async () => {
    const key = randomUUID()
    const first = await send(key)
    expectJson(first)
    expect(isReplayed(first)).toBeUndefined()
    const second = await send(key)
    expectReplay(first, second)
    expect(header(second, 'x-request-id')).not.toBe(header(first, 'x-request-id'))
  })

  test('another key is another request', async () => {
    const [first, second] = [await send(randomUUID()), await send(randomUUID())]
    expect(second.text).not.toBe(first.text)
    expect(isReplayed(second)).toBeUndefined()
  })

  test('nine simultaneous requests act as one', async () => {
    const key = randomUUID()
    const responses = await Promise.all(Array.from({ length: 9 }, () => send(key)))
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(responses.filter((response) => isReplayed(response) === undefined)).toHaveLength(1)
  })

  test('the management token of a replay works, and a delete does not undo the request', async () => {
    const key = randomUUID()
    const first = await send(key)
    const { manage_url } = expectJson(await send(key))
    expectJson(await api.remove(String(manage_url).split('/').at(-1) ?? ''))
    expectReplay(first, await send(key))
  })
})

describe('a delete (D46)', () => {
  test.for([
    ['image', async () => expectUploaded(await api.uploadImage({ ...LEAST_IMAGE, ...MANAGED })).managementToken],
    ['gallery', async () => (await createGallery(api)).managementToken],
  ] as const)('of a %s, repeated, returns the first response, and only to this client', async ([, make]) => {
    const [token, key] = [await make(), randomUUID()]
    const first = await api.remove(token, withKey(key))
    expectJson(first)
    expect(isReplayed(first)).toBeUndefined()
    expectReplay(first, await api.remove(token, withKey(key)))
    expectApiError(await api.remove(token), 410)
    expectApiError(await api.remove(token, withKey(randomUUID())), 410)
  })

  test('nine simultaneous requests with one key act as one', async () => {
    const { managementToken } = await createGallery(api)
    const key = randomUUID()
    const responses = await Promise.all(Array.from({ length: 9 }, () => api.remove(managementToken, withKey(key))))
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(responses.filter((response) => isReplayed(response) === undefined)).toHaveLength(1)
  })

  test('an invalid key is a 400, that of another token a 422, and an unknown token does not use up the key', async () => {
    const [one, other] = [await createGallery(api), await createGallery(api)]
    const key = randomUUID()
    expectApiError(await api.remove(one.managementToken, withKey('a b')), 400)
    expectApiError(await api.remove('A'.repeat(43), withKey(key)), 404)
    expectJson(await api.remove(one.managementToken, withKey(key)))
    expectApiError(await api.remove(other.managementToken, withKey(key)), 422)
  })
})

describe('into a gallery', () => {
  test.for([2, 9])('%i simultaneous uploads with one key store one image', async (count) => {
    const gallery = await createGallery(api)
    const key = randomUUID()
    const fields = { ...LEAST_IMAGE, ...gallery.fields }
    const send = () => api.uploadImage(fields, withKey(key))
    const responses = await Promise.all(Array.from({ length: count }, send))
    expect(await countImages(api, gallery)).toBe(1)
    // The gallery accepts no more uploads, but this one has succeeded.
    const replay = await send()
    for (const response of responses) expectReplay(response, replay)
  })

  test('the upload token of a replay works', async () => {
    const key = randomUUID()
    await api.createGallery({}, withKey(key))
    const gallery = expectCreated(await api.createGallery({}, withKey(key)))
    expectUploaded(await api.uploadImage({ ...LEAST_IMAGE, ...gallery.fields }))
    expect(await countImages(api, gallery)).toBe(1)
  })

  test('a client that disconnects and retries has one image', async () => {
    const gallery = await createGallery(api)
    const key = randomUUID()
    const image = file('large.jpg', await jpeg(photo(2000, 1500)))
    const fields = { img: image, content_type: '0', optimize_for_web: '1', ...gallery.fields }
    await sendAndHangUp(fields, key)
    expectReplay(await api.uploadImage(fields, withKey(key)), await api.uploadImage(fields, withKey(key)))
    expect(await countImages(api, gallery)).toBe(1)
  })

  /** Sends a whole upload, and disconnects before the response. */
  function sendAndHangUp(fields: Fields, key: string): Promise<void> {
    const { contentType, bytes } = multipartBody(parts(fields))
    return new Promise((resolve) => {
      const { hostname, port } = new URL(api.baseUrl)
      const outgoing = request({
        hostname,
        port,
        path: '/images',
        method: 'POST',
        headers: { host: 'one.example', 'content-type': contentType, 'idempotency-key': key },
      })
      outgoing.on('error', () => {})
      outgoing.on('close', () => resolve())
      outgoing.on('finish', () => void wait(30).then(() => outgoing.destroy()))
      outgoing.end(bytes)
    })
  }
})

describe('equal requests', () => {
  const fields = { ...LEAST_IMAGE, max_th_size: '200' }
  const asImage = (form: Fields, boundary?: string) => multipartBody(parts(form), boundary)

  test.for([
    ['another boundary', asImage(fields, 'another-boundary')],
    ['another order of fields', asImage(Object.fromEntries(Object.entries(fields).reverse()))],
    ['an unknown field more', asImage({ ...fields, unknown: '1' })],
    ['an empty optional field more', asImage({ ...fields, gallery_hash: '' })],
  ] as const)('%s', async ([, { contentType, bytes }]) => {
    const key = randomUUID()
    const first = await api.uploadImage(fields, withKey(key))
    const headers = { 'content-type': contentType, 'idempotency-key': key }
    expectReplay(first, await api.send({ path: '/images', headers, body: bytes }))
  })

  test('a chunked body', async () => {
    const key = randomUUID()
    const first = await api.uploadImage(fields, withKey(key))
    const { contentType, bytes } = asImage(fields)
    const headers = { 'content-type': contentType, 'idempotency-key': key }
    const body = [bytes.subarray(0, 100), bytes.subarray(100)]
    expectReplay(first, await api.send({ path: '/images', headers, body }))
  })

  test('a gallery in urlencoded and multipart form, untitled by no body and by an empty name', async () => {
    const [named, untitled] = [randomUUID(), randomUUID()]
    const form = { gallery_name: 'a b' }
    const asIs = (key: string) => ({ ...withKey(key), asIs: true })
    expectReplay(await api.createGallery(form, asIs(named)), await api.postMultipart('/galleries', form, asIs(named)))
    expectReplay(
      await api.send({ path: '/galleries', ...asIs(untitled) }),
      await api.createGallery({ gallery_name: '' }, asIs(untitled)),
    )
  })

  test('the key in quotes', async () => {
    const key = randomUUID()
    expectReplay(await api.createGallery({}, withKey(key)), await api.createGallery({}, withKey(`"${key}"`)))
  })

  test('on another domain: the links stay those of the first response', async () => {
    const key = randomUUID()
    const first = await api.createGallery({}, { host: 'one.example', ...withKey(key) })
    expectReplay(first, await api.createGallery({}, { host: 'two.example', ...withKey(key) }))
  })
})

describe('the same key with another request is 422', () => {
  test.for<[what: string, fields: Fields]>([
    ['text', { content_type: '1' }],
    ['option more', { optimize_for_web: '1' }],
    ['file', { img: file('picture.png', Buffer.concat([SMALL_PNG, Buffer.from([0])])) }],
    ['file name', { img: file('other.png', SMALL_PNG) }],
    // The rejection precedes the search for the gallery, which does not exist.
    ['gallery', { gallery_hash: 'nosuchgallery', gallery_upload_hash: 'x' }],
  ])('another %s', async ([, changes]) => {
    const key = randomUUID()
    expectUploaded(await api.uploadImage(LEAST_IMAGE, withKey(key)))
    const response = await api.uploadImage({ ...LEAST_IMAGE, ...changes }, withKey(key))
    expectTextError(response, 422)
    expect(response.text).toContain('Idempotency-Key')
    expect(isReplayed(response)).toBeUndefined()
  })

  test('another operation', async () => {
    const key = randomUUID()
    expectUploaded(await api.uploadImage(LEAST_IMAGE, withKey(key)))
    expectTextError(await api.uploadCover(LEAST_COVER, withKey(key)), 422)
    const response = await api.createGallery({}, withKey(key))
    expectApiError(response, 422)
    expect(expect.objectContaining({ error: 'idempotency_key_reused' })).toEqual(JSON.parse(response.text))
  })

  test('malformed and invalid requests are rejected as usual, and the first response stays', async () => {
    const key = randomUUID()
    const first = await api.uploadImage(LEAST_IMAGE, withKey(key))
    expectTextError(await api.uploadImage({ content_type: '0' }, withKey(key)), 400)
    expectTextError(await api.uploadImage({ ...LEAST_IMAGE, max_th_size: '9000' }, withKey(key)), 422)
    expectReplay(first, await api.uploadImage(LEAST_IMAGE, withKey(key)))
  })
})

describe('a rejection is not stored: its key is free for the corrected request', () => {
  test.for<[status: number, fields: Fields]>([
    [400, { content_type: '' }],
    [422, { content_type: '2' }],
    [415, { gallery_hash: 'nosuchgallery', gallery_upload_hash: 'x' }],
    [414, { img: file('picture.png', Buffer.from('no picture')) }],
    [422, { img: file('picture.png', SMALL_PNG.subarray(0, 40)) }],
  ])('%i', async ([status, changes]) => {
    const key = randomUUID()
    expectTextError(await api.uploadImage({ ...LEAST_IMAGE, ...changes }, withKey(key)), status)
    const corrected = await api.uploadImage(LEAST_IMAGE, withKey(key))
    expectUploaded(corrected)
    expect(isReplayed(corrected)).toBeUndefined()
  })

  test('the same rejection is repeated, and is no replay', async () => {
    const key = randomUUID()
    for (let time = 0; time < 2; time++) {
      const response = await api.createGallery({ gallery_name: '<' }, withKey(key))
      expectApiError(response, 422)
      expect(isReplayed(response)).toBeUndefined()
    }
    expectCreated(await api.createGallery({ gallery_name: 'x' }, withKey(key)))
  })
})

describe('keys', () => {
  test.for(['!', '~'.repeat(255), `"${'k'.repeat(255)}"`])('%s is valid', async (key) => {
    const unique = key.length > 36 ? key.slice(0, 1) + randomUUID() + key.slice(37) : `${key}${randomUUID()}`
    expectCreated(await api.createGallery({}, withKey(unique)))
  })

  test.for(['', '""', '"', 'a b', '"a b"', '"a";p=1', 'k'.repeat(256), 'k\u00e9y'])(
    '%s is invalid: 400',
    async (key) => {
      const upload = await api.uploadImage(LEAST_IMAGE, withKey(key))
      expectTextError(upload, 400)
      expect(upload.text).toBe('Idempotency-Key must be 1 to 255 visible ASCII characters, bare or in double quotes')
      expectTextError(await api.uploadCover(LEAST_COVER, withKey(key)), 400)
      const gallery = await api.createGallery({}, withKey(key))
      expectApiError(gallery, 400)
      expect(JSON.parse(gallery.text)).toMatchObject({ error: 'invalid_idempotency_key' })
    },
  )

  test('an invalid key is a 400 before every other error', async () => {
    const large = { img: file('a.jpg', Buffer.alloc(11_000_000)), content_type: '2' }
    expectTextError(await api.uploadImage(large, withKey('a b')), 400)
  })

  test('other operations ignore the key', async () => {
    const gallery = await createGallery(api)
    for (let time = 0; time < 2; time++) {
      const response = await api.rename(gallery.managementToken, `name ${time}`, withKey('a b'))
      expect(expectJson(response).gallery_name).toBe(`name ${time}`)
    }
    expect((await api.finalize(gallery.hash, gallery.uploadToken, withKey('a b'))).status).toBe(200)
  })
})

test('web pages may send the request header and read the response header (D20)', async () => {
  const preflight = await api.send({ method: 'OPTIONS', path: '/images', headers: { origin: 'https://a.example' } })
  expect(header(preflight, 'access-control-allow-headers')).toMatch(/\*|idempotency-key/i)
  const response = await api.createGallery({}, withKey(randomUUID()))
  expect(header(response, 'access-control-expose-headers')).toMatch(/\bIdempotent-Replayed\b/)
})

/** One data folder under one service after another. The tests build on each other, so their order matters. */
