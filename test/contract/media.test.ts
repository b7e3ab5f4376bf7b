import { describe, expect, test } from 'vitest'
import { sharedApi } from './support/api.ts'
import { header } from './support/client.ts'
import { FORMATS, photo } from './support/images.ts'
import { file } from './support/multipart-body.ts'
import { uploadImage } from './support/steps.ts'

const api = sharedApi()

/** D29: how image files are served; D30: thumbnails under the same name. */

const bytes = await FORMATS[0].encode(photo(300, 200))
const { originalUrl, thumbnailUrl } = await uploadImage(api, { img: file('a.jpg', bytes) })
const thumbnail = (await api.follow(thumbnailUrl)).bytes
const FILES: [kind: string, link: string, content: Buffer][] = [
  ['original', originalUrl, bytes],
  ['thumbnail', thumbnailUrl, thumbnail],
]

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'public, max-age=14400, s-maxage=300',
  'accept-ranges': 'bytes',
  etag: expect.stringMatching(/^"[^"]+"$/),
}

describe.for(FILES)('%s', ([kind, link, content]) => {
  const length = content.length

  test('GET: the bytes, with all headers', async () => {
    const response = await api.follow(link)
    expect(response.status).toBe(200)
    expect(response.headers).toMatchObject(HEADERS)
    expect(header(response, 'content-length')).toBe(String(length))
    expect(header(response, 'content-encoding')).toBeUndefined()
    expect(response.bytes.equals(content)).toBe(true)
  })

  test('HEAD: the headers of GET, with Content-Length, and no body', async () => {
    const [got, head] = [await api.follow(link), await api.follow(link, { method: 'HEAD' })]
    expect(head).toMatchObject({ status: 200, text: '' })
    for (const name of [...Object.keys(HEADERS), 'content-length', 'content-type']) {
      expect(header(head, name), name).toBe(header(got, name))
    }
  })

  test('a second request returns the same', async () => {
    const [first, second] = [await api.follow(link), await api.follow(link)]
    expect(second.bytes.equals(first.bytes)).toBe(true)
    expect(header(second, 'etag')).toBe(header(first, 'etag'))
    expect(second.headers).toMatchObject(HEADERS)
  })

  const RANGES: [range: string, from: number, to: number][] = [
    ['bytes=0-0', 0, 0],
    ['bytes=0-99', 0, 99],
    ['bytes=10-', 10, length - 1],
    ['bytes=-10', length - 10, length - 1],
    [`bytes=${length - 1}-`, length - 1, length - 1],
    [`bytes=0-${length + 1000}`, 0, length - 1],
    [`bytes=-${length + 1000}`, 0, length - 1],
    ['bytes=5-99999999999999999999', 5, length - 1],
  ]
  test.for(RANGES)('%s is 206', async ([range, from, to]) => {
    const response = await api.follow(link, { headers: { range } })
    expect(response.status).toBe(206)
    expect(header(response, 'content-range')).toBe(`bytes ${from}-${to}/${length}`)
    expect(header(response, 'content-length')).toBe(String(to - from + 1))
    expect(response.bytes.equals(content.subarray(from, to + 1))).toBe(true)
    expect(response.headers).toMatchObject(HEADERS)
  })

  test.for([`bytes=${length}-`, `bytes=${length + 5}-${length + 9}`, 'bytes=-0'])('%s is 416', async (range) => {
    const response = await api.follow(link, { headers: { range } })
    expect(response.status).toBe(416)
    expect(header(response, 'content-range')).toBe(`bytes */${length}`)
  })

  test('a range of another unit is ignored (RFC 9110, 14.2: must)', async () => {
    const response = await api.follow(link, { headers: { range: 'items=0-5' } })
    expect(response.status).toBe(200)
    expect(response.bytes.equals(content)).toBe(true)
  })

  test.for(['bytes=abc', 'bytes=5-2', 'bytes=', 'bytes', '0-5', 'bytes=1.5-2', 'bytes=--5'])(
    'an invalid range (%s) is ignored or rejected (RFC 9110, 14.2: may)',
    async (range) => {
      const response = await api.follow(link, { headers: { range } })
      if (response.status === 200) expect(response.bytes.equals(content)).toBe(true)
      else expect(response.status).toBe(416)
    },
  )

  test('the response to several ranges may be the whole file', async () => {
    const response = await api.follow(link, { headers: { range: 'bytes=0-1,5-6' } })
    expect([200, 206]).toContain(response.status)
    if (response.status === 200) expect(response.bytes.equals(content)).toBe(true)
    else expect(header(response, 'content-type')).toMatch(/^multipart\/byteranges/)
  })

  test('hundreds of overlapping ranges cause no failure', async () => {
    const response = await api.follow(link, { headers: { range: `bytes=${'0-,'.repeat(300)}0-` } })
    expect([200, 206, 416]).toContain(response.status)
  })

  test('conditional requests', async () => {
    const etag = header(await api.follow(link), 'etag') ?? ''
    const rows: [headers: Record<string, string>, status: number][] = [
      [{ 'if-none-match': etag }, 304],
      [{ 'if-none-match': `"other", ${etag}` }, 304],
      [{ 'if-none-match': `W/${etag}` }, 304],
      [{ 'if-none-match': '*' }, 304],
      [{ 'if-none-match': '"other"' }, 200],
      [{ 'if-match': etag }, 200],
      [{ 'if-match': '*' }, 200],
      [{ 'if-match': '"other"' }, 412],
      [{ 'if-none-match': etag, range: 'bytes=0-9' }, 304],
      [{ 'if-range': etag, range: 'bytes=0-9' }, 206],
      [{ 'if-range': '"other"', range: 'bytes=0-9' }, 200],
      [{ 'if-range': `W/${etag}`, range: 'bytes=0-9' }, 200],
    ]
    for (const [headers, status] of rows) {
      const response = await api.follow(link, { headers })
      expect([headers, response.status]).toEqual([headers, status])
      if (status === 304) {
        expect(response.text).toBe('')
        expect(response.headers).toMatchObject({ etag, 'cache-control': HEADERS['cache-control'] })
      }
    }
  })

  test('HEAD evaluates conditions, too', async () => {
    const etag = header(await api.follow(link), 'etag') ?? ''
    expect((await api.follow(link, { method: 'HEAD', headers: { 'if-none-match': etag } })).status).toBe(304)
  })

  test(`the media type of the ${kind} matches its bytes`, async () => {
    const type = header(await api.follow(link), 'content-type')
    expect(type).toBe(kind === 'original' ? 'image/jpeg' : 'image/webp')
  })
})

describe('the content decides the media type, not the extension', () => {
  test.for(FORMATS)('$format', async ({ mediaType, extension, encode }) => {
    const image = await uploadImage(api, { img: file('a.xyz', await encode(photo(30, 20))) })
    expect(image.name).toBe(`a.${extension}`)
    expect(header(await api.follow(image.originalUrl), 'content-type')).toBe(mediaType)
    expect(header(await api.follow(image.thumbnailUrl), 'content-type')).toBe('image/webp')
  })
})

describe('the first response for a file equals every later one', () => {
  const rows: [row: string, ask: { method?: string; headers?: Record<string, string> }, status: number][] = [
    ['GET', {}, 200],
    ['HEAD', { method: 'HEAD' }, 200],
    ['a range', { headers: { range: 'bytes=2-4' } }, 206],
    ['a range of the end', { headers: { range: 'bytes=-3' } }, 206],
    ['a range longer than the file', { headers: { range: 'bytes=-99999999' } }, 206],
    ['a range behind the end', { headers: { range: 'bytes=99999999-' } }, 416],
    ['a range of nothing', { headers: { range: 'bytes=-0' } }, 416],
    ['a range of another unit', { headers: { range: 'items=0-5' } }, 200],
    ['If-None-Match: *', { headers: { 'if-none-match': '*' } }, 304],
    ['If-None-Match, another', { headers: { 'if-none-match': '"other"' } }, 200],
    ['If-Match, another', { headers: { 'if-match': '"other"' } }, 412],
    ['If-Match: *', { headers: { 'if-match': '*' } }, 200],
    ['If-Range, another', { headers: { 'if-range': '"other"', range: 'bytes=2-4' } }, 200],
    ['HEAD, If-None-Match: *', { method: 'HEAD', headers: { 'if-none-match': '*' } }, 304],
  ]
  test.for(rows)('%s', async ([, ask, status]) => {
    const image = await uploadImage(api, { img: file('a.jpg', bytes) })
    for (const link of [image.originalUrl, image.thumbnailUrl]) {
      const first = await api.follow(link, ask)
      await api.follow(link)
      const later = await api.follow(link, ask)
      expect(['first', first.status]).toEqual(['first', status])
      expect(['later', later.status]).toEqual(['later', status])
      expect(later.bytes.equals(first.bytes)).toBe(true)
      const { date: _, 'x-request-id': __, ...headers } = first.headers
      expect(later.headers).toMatchObject(headers)
    }
  })
})

test('two images have two ETags', async () => {
  const other = await uploadImage(api, { img: file('a.jpg', await FORMATS[0].encode(photo(300, 201))) })
  expect(header(await api.follow(other.originalUrl), 'etag')).not.toBe(header(await api.follow(originalUrl), 'etag'))
})

test('a deleted image is 404 at once, even if it was requested before and whatever the client caches (D28)', async () => {
  const image = await uploadImage(api, { include_manage_url: '1' })
  const etag = header(await api.follow(image.originalUrl), 'etag') ?? ''
  await api.follow(image.thumbnailUrl)
  await api.remove(image.managementToken)
  for (const link of [image.originalUrl, image.thumbnailUrl]) {
    for (const headers of [{}, { 'if-none-match': etag }, { range: 'bytes=0-9' }]) {
      const response = await api.follow(link, { headers })
      expect([response.status, header(response, 'cache-control')]).toEqual([404, 'no-store'])
    }
  }
})

test('unknown media are 404', async () => {
  for (const path of [
    '/images/1/2_a.png',
    '/thumbs/1/2_a.png',
    '/images/x',
    '/thumbs/',
    '/images/1/2_../../a.png',
    '/thumbs/1/%2e%2e',
  ]) {
    expect((await api.get(path)).status, path).toBe(404)
    expect((await api.get(path, { host: 't1.one.example' })).status, path).toBe(404)
  }
})
