import { beforeEach, expect, test } from 'vitest'
import { publicSite } from '../../../src/domain/ids/links.ts'
import {
  cacheTagOf,
  deleteFromEdgeCache,
  type EdgeFile,
  findInEdgeCache,
  putInEdgeCache,
} from '../../../src/http/cache/edge-cache.ts'

const IMAGE = { id: 1, name: 'a.gif' }
const [SITE, OTHER] = [publicSite('one.example'), publicSite('two.example')]
const SITES = [SITE, OTHER]
const FILE: EdgeFile = { site: SITE, kind: 'images', path: '0/1_a.gif' }
const response = () =>
  new Response('pixels', {
    headers: {
      'Cache-Control': 'public, s-maxage=300',
      'Content-Length': '6',
      ETag: '"x"',
      'Last-Modified': 'Sat, 21 Nov 2026 00:00:00 GMT',
    },
  })
const put = (galleryId: number | null, file = FILE, expiresAt: number | null = null) =>
  putInEdgeCache(file, { image: { id: IMAGE.id, galleryId }, expiresAt }, response())
const NOW_MS = Date.UTC(2026, 10, 21)
const DELETED = { kind: 'image', shard: 0, image: IMAGE } as const
const ask = (init?: RequestInit) => findInEdgeCache(new Request('https://img7.one.example/any', init), FILE, NOW_MS)

beforeEach(async () => {
  const urls = SITES.flatMap(({ originals }) =>
    ['images/0/1_a.gif', 'gone/0/1_a.gif', 'gone/gallery/0-5', 'gone/gallery/3-5'].map((key) => `${originals}/${key}`),
  )
  await Promise.all(urls.map((url) => caches.default.delete(url)))
})

test('an entry is in the zone of the requested domain, under the link of its file there', async () => {
  await put(null)
  expect(await caches.default.match('https://img1.one.example/images/0/1_a.gif')).toBeDefined()
  expect(await caches.default.match('https://img1.two.example/images/0/1_a.gif')).toBeUndefined()
})

test('a delete on one domain removes the file on all of them', async () => {
  await put(null, { ...FILE, site: OTHER })
  await deleteFromEdgeCache(SITES, DELETED)
  expect(await caches.default.match('https://img1.two.example/images/0/1_a.gif')).toBeUndefined()
})

test('an entry that a reader stores after a delete, but read before it, is removed again', async () => {
  await deleteFromEdgeCache(SITES, DELETED)
  await put(null)
  expect(await caches.default.match('https://img1.one.example/images/0/1_a.gif')).toBeUndefined()
})

test('an entry that is stored after the delete is not found: the delete left a tombstone', async () => {
  await deleteFromEdgeCache(SITES, DELETED)
  await put(null)
  expect(await ask()).toBeUndefined()
})

test('a file is cached for every host, and removed with its image', async () => {
  expect(await ask()).toBeUndefined()
  await put(null)
  const cached = await ask()
  expect(await cached?.text()).toBe('pixels')
  await deleteFromEdgeCache(SITES, DELETED)
  expect(await ask()).toBeUndefined()
})

test('an entry has the tags of its image and its gallery, which no client sees', async () => {
  await put(5)
  const entry = await caches.default.match('https://img1.one.example/images/0/1_a.gif')
  expect(entry?.headers.get('Cache-Tag')).toBe('tintype-image-1,tintype-gallery-0-5')
  expect(cacheTagOf(DELETED)).toBe('tintype-image-1')
  expect(cacheTagOf({ kind: 'gallery', shard: 0, galleryId: 5 })).toBe('tintype-gallery-0-5')
  const names = [...((await ask())?.headers.keys() ?? expect.fail('not cached'))]
  expect(names).not.toEqual(expect.arrayContaining([expect.stringMatching(/tag$(?<!etag)|tintype|cf-/)]))
})

test('the files of a gallery are removed with it, by one tombstone for all of them', async () => {
  await put(5)
  expect(await (await ask())?.text()).toBe('pixels')
  await deleteFromEdgeCache(SITES, { kind: 'gallery', shard: 0, galleryId: 6 })
  expect(await (await ask())?.text()).toBe('pixels')
  await deleteFromEdgeCache(SITES, { kind: 'gallery', shard: 3, galleryId: 5 })
  expect(await (await ask())?.text()).toBe('pixels')
  await deleteFromEdgeCache(SITES, { kind: 'gallery', shard: 0, galleryId: 5 })
  expect(await ask()).toBeUndefined()
})

test('HEAD of a cached file has no body', async () => {
  await put(null)
  const cached = await ask({ method: 'HEAD' })
  expect(cached?.headers.get('Content-Length')).toBe('6')
  expect(await cached?.text()).toBe('')
})

test('a request for a range is left to storage', async () => {
  await put(null)
  expect(await ask({ headers: { Range: 'bytes=0-1' } })).toBeUndefined()
})

test.each([
  [304, { 'If-None-Match': '"x"' }],
  [200, { 'If-None-Match': '"y"' }],
  [304, { 'If-Modified-Since': 'Sat, 21 Nov 2026 00:00:00 GMT' }],
  [200, { 'If-Modified-Since': 'Fri, 20 Nov 2026 23:59:59 GMT' }],
  [412, { 'If-Match': '"y"' }],
] as const)('a cached file responds %i to %o', async (status, headers) => {
  await put(null)
  const cached = await ask({ headers })
  expect(cached?.status).toBe(status)
  expect(cached?.headers.get('ETag')).toBe('"x"')
  expect(cached?.headers.get('Content-Length')).toBe(status === 200 ? '6' : null)
  expect(await cached?.text()).toBe(status === 200 ? 'pixels' : '')
})
