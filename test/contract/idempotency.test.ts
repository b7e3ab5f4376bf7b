import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { type Api, apiAt, mayStartServices, sharedApi } from './support/api.ts'
import { type ApiResponse, header } from './support/client.ts'
import { jpeg, photo } from './support/images.ts'
import { type Fields, file, multipartBody, parts } from './support/multipart-body.ts'
import { firstTick } from './support/process-group.ts'
import { expectApiError, expectCreated, expectJson, expectTextError, expectUploaded } from './support/responses.ts'
import { type Service, startService, temporaryData } from './support/service.ts'
import { createGallery, LEAST_COVER, LEAST_IMAGE, SMALL_PNG, statusOf } from './support/steps.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const api = sharedApi()

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })
const isReplayed = (response: ApiResponse) => header(response, 'idempotent-replayed')

/** Expects equal responses: status, media type and every byte. The second one is marked as a replay. */
function expectReplay(first: ApiResponse, second: ApiResponse): void {
  expect({ status: second.status, text: second.text }).toEqual({ status: 200, text: first.text })
  expect(header(second, 'content-type')).toBe(header(first, 'content-type'))
  expect(isReplayed(second)).toBe('true')
}

/** Returns the number of images that a finalized gallery shows. */
async function countImages(where: Api, gallery: { hash: string; uploadToken: string; url: string }): Promise<number> {
  await where.finalize(gallery.hash, gallery.uploadToken)
  const page = (await where.follow(gallery.url)).text
  return new Set(page.match(/\/show\/\d+\/\d+_[\w-]+\.\w+/g)).size
}

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
describe.skipIf(!mayStartServices())('over time (needs services of its own)', async () => {
  if (!mayStartServices()) return
  const data = await temporaryData()
  let service: Service = await startService({ byCommand: true, data: data.path })
  let own: Api = apiAt(service.baseUrl)
  let clockOffsetMs = 0

  const restart = async (offsetMs: number, how: 'stop' | 'kill' = 'stop') => {
    clockOffsetMs = offsetMs
    await service[how]()
    // Only a service in processes of its own can be killed.
    service = await startService({ byCommand: how === 'kill', data: data.path, clockOffsetMs })
    own = apiAt(service.baseUrl)
  }
  afterAll(async () => {
    await service.stop()
    await data.remove()
  })

  const imageKey = randomUUID()
  const galleryKey = randomUUID()
  const managedImage = { ...LEAST_IMAGE, ...MANAGED, img: file('nameless-and-unique.png', SMALL_PNG) }
  const sendImage = () => own.uploadImage(managedImage, withKey(imageKey))
  const sendGallery = () => own.createGallery(MANAGED, withKey(galleryKey))
  const begunMs = Date.now()
  const firstImage = await sendImage()
  const firstGallery = await sendGallery()

  test('a service killed during uploads: after retries, each of them is stored exactly once', async () => {
    const gallery = await createGallery(own)
    const image = await jpeg(photo(800, 600))
    const keys: string[] = []
    const upload = (key: string) => {
      const img = file(`${key}.jpg`, image)
      return own.uploadImage({ img, content_type: '0', optimize_for_web: '1', ...gallery.fields }, withKey(key))
    }
    for (const killAfterMs of [60, 300]) {
      const fresh = Array.from({ length: 4 }, () => randomUUID())
      const uploading = Promise.allSettled(fresh.map(upload))
      await wait(killAfterMs)
      // A minute later, the leases of killed requests have expired.
      await restart(clockOffsetMs + MINUTE_MS, 'kill')
      const before = await uploading
      const retried = await Promise.all(fresh.map(upload))
      for (const [at, response] of retried.entries()) {
        expectUploaded(response)
        const first = before[at]
        if (first?.status === 'fulfilled') expectReplay(first.value, response)
        expectReplay(response, await upload(fresh[at] ?? ''))
      }
      keys.push(...fresh)
    }
    expect(await countImages(own, gallery)).toBe(keys.length)
  })

  test('a kill forgets nothing', async () => {
    expectReplay(firstImage, await sendImage())
    expectReplay(firstGallery, await sendGallery())
  })

  test('the data folder contains neither keys nor tokens in clear, nor the links that end with them', async () => {
    const image = expectUploaded(firstImage)
    const gallery = expectCreated(firstGallery)
    // The killed service left it unchanged.
    const stored = readdirSync(data.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name)))
    const isStored = (text: string) => stored.some((bytes) => bytes.includes(text) || bytes.includes(btoa(text)))
    // The search finds text that is there.
    expect([image.name, gallery.hash].map(isStored)).toEqual([true, true])
    const secrets = [imageKey, galleryKey, image.managementToken, gallery.managementToken, gallery.uploadToken]
    expect(secrets.map((secret) => secret.length >= 36)).toEqual(secrets.map(() => true))
    expect([...secrets, 'manage_url', 'gallery_upload_hash'].map(isStored)).toEqual(Array(7).fill(false))
  })

  test('minutes before 24 hours the first response is still stored', async () => {
    // Independent of the time that the tests took so far.
    await restart(DAY_MS - 5 * MINUTE_MS - (Date.now() - begunMs))
    await firstTick(service.output)
    expectReplay(firstImage, await sendImage())
    expectReplay(firstGallery, await sendGallery())
  })

  test('after 24 hours the key is free', async () => {
    await restart(DAY_MS + MINUTE_MS)
    const [image, gallery] = [await sendImage(), await sendGallery()]
    expect([isReplayed(image), isReplayed(gallery)]).toEqual([undefined, undefined])
    const urls = [firstImage, image].map((response) => expectUploaded(response).showUrl)
    expect(new Set(urls).size).toBe(2)
    for (const url of urls) expect(await statusOf(own, url)).toBe('available')
    expect(expectCreated(gallery).hash).not.toBe(expectCreated(firstGallery).hash)
    expectReplay(image, await sendImage())
  })
})
