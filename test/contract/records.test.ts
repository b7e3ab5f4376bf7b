import { describe, expect, test } from 'vitest'
import { sharedApi } from './support/api.ts'
import { type ApiResponse, header } from './support/client.ts'
import { photo, png } from './support/images.ts'
import { file } from './support/multipart-body.ts'
import { expectApiError, expectJson } from './support/responses.ts'
import { createGallery, galleryWithImage, previewUrlOf, uploadCover, uploadImage } from './support/steps.ts'

/** D65: image pages and galleries as JSON. */

const api = sharedApi()
const JSON_ONLY = { headers: { accept: 'application/json' } }
const TIME = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)

describe('an image', () => {
  test('all fields of a photograph', async () => {
    const img = file('Frühling фото.PNG', await png(photo(1600, 1200)))
    const { showUrl, originalUrl, thumbnailUrl } = await uploadImage(api, { img, content_type: '1' })
    const { headers } = await api.follow(originalUrl, { method: 'HEAD' })
    expect(expectJson(await api.follow(`${showUrl}.json`))).toEqual({
      name: 'Frühling фото.PNG',
      show_url: showUrl,
      image_url: originalUrl,
      thumb_url: thumbnailUrl,
      preview_url: previewUrlOf({ thumbnailUrl }),
      media_type: 'image/png',
      bytes: Number(headers['content-length']),
      width: 1600,
      height: 1200,
      nsfw: true,
      created_at: TIME,
    })
  })

  test('a small one is its own preview', async () => {
    const { showUrl, originalUrl } = await uploadImage(api)
    expect(expectJson(await api.follow(`${showUrl}.json`))).toMatchObject({ preview_url: originalUrl, nsfw: false })
  })

  test('a cover is an image', async () => {
    const { showUrl } = await uploadCover(api)
    expect(expectJson(await api.follow(`${showUrl}.json`))).toMatchObject({ show_url: showUrl, name: 'cover.png' })
  })

  test('in a gallery, with its position', async () => {
    const gallery = await createGallery(api)
    const images = [await uploadImage(api, gallery.fields), await uploadImage(api, gallery.fields)]
    await api.finalize(gallery.hash, gallery.uploadToken)
    for (const [at, { showUrl }] of images.entries()) {
      const record = expectJson(await api.follow(`${showUrl}.json`))
      expect(record).toMatchObject({ gallery_url: gallery.url, position: at + 1 })
      const { images: listed } = expectJson(await api.follow(`${gallery.url}.json`))
      expect(Array.isArray(listed) && listed[at]).toEqual(record)
    }
  })
})

describe('a gallery', () => {
  test('all fields', async () => {
    const { gallery, image } = await galleryWithImage(api, { finalized: true, name: 'Trip' })
    expect(expectJson(await api.follow(`${gallery.url}.json`))).toEqual({
      name: 'Trip',
      gallery_url: gallery.url,
      image_count: 1,
      created_at: TIME,
      download_url: `${gallery.url}/download`,
      images: [expect.objectContaining({ show_url: image.showUrl })],
    })
  })

  test('after a cursor, also that of a deleted image, the images that follow', async () => {
    const gallery = await createGallery(api)
    const images = []
    for (const _ of [1, 2, 3]) images.push(await uploadImage(api, gallery.fields))
    await api.finalize(gallery.hash, gallery.uploadToken)
    const idOf = (url: string | undefined) => /(\d+)_/.exec(url ?? '')?.[1] ?? ''
    const imagesAfter = async (cursor: string) => {
      const { images: listed } = expectJson(await api.follow(`${gallery.url}.json?after=${cursor}`))
      if (!Array.isArray(listed)) throw new Error('images is no list')
      return listed.map(({ show_url, position }) => [show_url, position])
    }
    const urls = images.map(({ showUrl }) => showUrl)
    expect(await imagesAfter('0')).toEqual([1, 2, 3].map((position) => [urls[position - 1], position]))
    expect(await imagesAfter(idOf(urls[0]))).toEqual([2, 3].map((position) => [urls[position - 1], position]))
    expect(await imagesAfter(idOf(urls[2]))).toEqual([])
    const form = { action: 'delete-image', image: urls[1]?.split('/show/')[1] ?? '', confirm: '1' }
    await api.postUrlencoded(`/manage/${gallery.managementToken}`, form)
    expect(await imagesAfter(idOf(urls[1]))).toEqual([[urls[2], 2]])
  })

  test.for(['x', '-1', '1.5', '01', '9007199254740992'])('the cursor %s is refused', async (cursor) => {
    const { gallery } = await galleryWithImage(api, { finalized: true })
    expectApiError(await api.get(`/gallery/${gallery.hash}.json?after=${cursor}`, { beyondContract: 'refused' }), 422)
  })
})

describe('what is asked for', () => {
  const content = async () => {
    const { gallery, image } = await galleryWithImage(api, { finalized: true })
    return [gallery.url, image.showUrl]
  }
  const kindOf = (response: ApiResponse) => header(response, 'content-type')?.split(';')[0]

  test.for([
    [undefined, 'text/html'],
    ['*/*', 'text/html'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
    ['application/json, text/plain, */*', 'text/html'],
    ['application/json', 'application/json'],
    ['text/html;q=0.5, application/json', 'application/json'],
  ] as const)('Accept: %s is %s, whoever asked before', async ([accept, type]) => {
    for (const url of await content()) {
      const headers: Record<string, string> = accept === undefined ? {} : { accept }
      // Pages may come from the cache of the isolate.
      for (const before of ['text/html', 'application/json', 'text/html']) {
        await api.follow(url, { headers: { accept: before } })
        const response = await api.follow(url, { headers })
        expect(kindOf(response)).toBe(type)
        expect(header(response, 'vary')).toMatch(/accept(?!-)/i)
      }
    }
  })

  test('.json is JSON, whatever is accepted', async () => {
    for (const url of await content()) {
      const response = await api.follow(`${url}.json`, { headers: { accept: 'text/html' } })
      expect(kindOf(response)).toBe('application/json')
      expect(header(response, 'vary')).not.toMatch(/accept(?!-)/i)
      expect(response.text).toBe((await api.follow(url, JSON_ONLY)).text)
    }
  })

  test('pages name it', async () => {
    for (const url of await content()) {
      expect((await api.follow(url)).text).toContain(`<link rel="alternate" type="application/json" href="${url}.json"`)
    }
  })

  test('links are on the domain of the request', async () => {
    const { gallery, image } = await galleryWithImage(api, { finalized: true })
    for (const path of [`/gallery/${gallery.hash}.json`, `${new URL(image.showUrl).pathname}.json`]) {
      const { text } = await api.get(path, { host: 'www.two.example' })
      expect(text).toContain('"https://img1.two.example/images/')
      expect(text).not.toContain('one.example')
    }
  })
})

test('HEAD has the headers of GET', async () => {
  const { gallery } = await galleryWithImage(api, { finalized: true })
  const path = `/gallery/${gallery.hash}.json`
  const [got, head] = [await api.get(path), await api.get(path, { method: 'HEAD' })]
  expect([head.status, head.text]).toEqual([200, ''])
  for (const name of ['content-type', 'etag', 'vary', 'cache-control'])
    expect(header(head, name)).toBe(header(got, name))
})

describe('entity tags', () => {
  test('304 until something changes', async () => {
    const { gallery } = await galleryWithImage(api, { finalized: true, name: 'Before' })
    const ask = (etag: string) => api.get(`/gallery/${gallery.hash}.json`, { headers: { 'if-none-match': etag } })
    const etag = header(await ask('"other"'), 'etag') ?? ''
    for (const sent of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
      const response = await ask(sent)
      expect([response.status, response.text, header(response, 'etag')]).toEqual([304, '', etag])
    }
    await api.rename(gallery.managementToken, 'After')
    const changed = await ask(etag)
    expect(expectJson(changed).name).toBe('After')
    expect(header(changed, 'etag')).not.toBe(etag)
  })

  test('of a page with an image, they are of the JSON alone', async () => {
    const { showUrl } = await uploadImage(api)
    const etag = header(await api.follow(showUrl, JSON_ONLY), 'etag') ?? ''
    expect((await api.follow(showUrl, { headers: { ...JSON_ONLY.headers, 'if-none-match': etag } })).status).toBe(304)
    expect((await api.follow(showUrl, { headers: { 'if-none-match': etag } })).status).toBe(200)
  })
})

describe('pages of any origin may read it', () => {
  test('responses and errors', async () => {
    const { gallery } = await galleryWithImage(api, { finalized: true })
    for (const [hash, status] of [
      [gallery.hash, 200],
      ['unknown1234', 404],
    ] as const) {
      const response = await api.get(`/gallery/${hash}.json`, { headers: { origin: 'https://other.example' } })
      expect(response.status).toBe(status)
      expect(header(response, 'access-control-allow-origin')).toBe('*')
      expect(header(response, 'access-control-expose-headers')).toMatch(/ETag/)
    }
  })

  test('but not the page', async () => {
    const { showUrl } = await uploadImage(api)
    const response = await api.follow(showUrl, { headers: { origin: 'https://other.example' } })
    expect(header(response, 'access-control-allow-origin')).toBeUndefined()
  })
})

describe('what is not public is 404 with an ApiError', () => {
  test.for<[what: string, path: () => Promise<string>]>([
    ['an unknown image', async () => '/show/1/2_a.png'],
    ['another name', async () => new URL((await uploadImage(api)).showUrl).pathname.replace('picture', 'other')],
    ['an unknown gallery', async () => '/gallery/unknown1234'],
    ['an unfinished gallery', async () => `/gallery/${(await galleryWithImage(api)).gallery.hash}`],
    ['an image in one', async () => new URL((await galleryWithImage(api)).image.showUrl).pathname],
    [
      'a deleted image',
      async () => {
        const { showUrl, managementToken } = await uploadImage(api, { include_manage_url: '1' })
        await api.follow(`${showUrl}.json`)
        await api.remove(managementToken)
        return new URL(showUrl).pathname
      },
    ],
    [
      'a deleted gallery',
      async () => {
        const { gallery } = await galleryWithImage(api, { finalized: true })
        await api.remove(gallery.managementToken)
        return `/gallery/${gallery.hash}`
      },
    ],
  ])('%s', async ([, made]) => {
    const path = await made()
    for (const response of [await api.get(`${path}.json`), await api.get(path, JSON_ONLY)]) {
      expectApiError(response, 404)
      expect(JSON.parse(response.text).error).toBe('content_not_found')
    }
  })
})

describe('JSON bodies', () => {
  test.for<[body: object, name: string, hasManageUrl: boolean]>([
    [{}, '', false],
    [{ gallery_name: ' Trip  1 ', include_manage_url: 1 }, 'Trip 1', true],
    [{ gallery_name: 'a', include_manage_url: '1', color: [{}] }, 'a', true],
    [{ gallery_name: '', include_manage_url: 0 }, '', false],
    [{ gallery_name: null, include_manage_url: null }, '', false],
  ])('POST /galleries with %o', async ([body, name, hasManageUrl]) => {
    const created = expectJson(
      await api.postJson('/galleries', body, { asIs: true, beyondContract: 'null is missing' }),
    )
    expect([created.gallery_name, 'manage_url' in created]).toEqual([name, hasManageUrl])
  })

  test('an empty body is an untitled gallery', async () => {
    const headers = { 'content-type': 'application/json' }
    expect(expectJson(await api.send({ path: '/galleries', body: '', headers })).gallery_name).toBe('')
  })

  test.for<[body: unknown, status: number, code: string]>([
    [[], 400, 'malformed_request'],
    ['text', 400, 'malformed_request'],
    [{ gallery_name: 7 }, 422, 'invalid_gallery_name'],
    [{ gallery_name: '<' }, 422, 'invalid_gallery_name'],
    [{ include_manage_url: true }, 422, 'invalid_option'],
    [{ include_manage_url: 2 }, 422, 'invalid_option'],
    [{ include_manage_url: 1.5 }, 422, 'invalid_option'],
    [{ include_manage_url: {} }, 422, 'invalid_option'],
  ])('POST /galleries with %o: %i %s', async ([body, status, code]) => {
    const response = await api.postJson('/galleries', body)
    expectApiError(response, status)
    expect(JSON.parse(response.text).error).toBe(code)
  })

  test('finalize', async () => {
    const { gallery, image } = await galleryWithImage(api)
    const path = `/galleries/${gallery.hash}/finalize`
    expect((await api.postJson(path, { gallery_upload_hash: 7 })).status).toBe(422)
    expect((await api.postJson(path, {})).status).toBe(400)
    const response = await api.postJson(path, { gallery_upload_hash: gallery.uploadToken })
    expect([response.status, response.text]).toEqual([200, ''])
    expect((await api.follow(image.showUrl)).status).toBe(200)
  })

  test('a retry with the same key gets the first response', async () => {
    const more = { headers: { 'idempotency-key': crypto.randomUUID() } }
    const ask = () => api.postJson('/galleries', { gallery_name: 'Once' }, more)
    expect((await ask()).text).toBe((await ask()).text)
  })
})
