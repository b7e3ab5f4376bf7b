import { expect, test } from 'vitest'
import { findInEdgeCache, purgeFromEdgeCache, putInEdgeCache } from '../../src/http/edge-cache.ts'

const IMAGE = { id: 1, name: 'a.gif' }
const KEY = 'images/0/1_a.gif'
const answer = () =>
  new Response('pixels', { headers: { 'Cache-Control': 'public, s-maxage=300', ETag: '"x"', 'Content-Length': '6' } })
const ask = (init?: RequestInit) => findInEdgeCache(new Request('https://img7.one.example/any', init), KEY)

test('a file is kept whatever the host, and forgotten with its picture', async () => {
  expect(await ask()).toBeUndefined()
  await putInEdgeCache(KEY, null, answer())
  const kept = await ask()
  expect(await kept?.text()).toBe('pixels')
  expect(kept?.headers.has('X-Tintype-Gallery')).toBe(false)
  await purgeFromEdgeCache({ kind: 'image', image: IMAGE })
  expect(await ask()).toBeUndefined()
})

test('the files of a gallery are forgotten with it, one mark for all of them', async () => {
  await putInEdgeCache(KEY, 5, answer())
  expect(await (await ask())?.text()).toBe('pixels')
  await purgeFromEdgeCache({ kind: 'gallery', galleryId: 6 })
  expect(await (await ask())?.text()).toBe('pixels')
  await purgeFromEdgeCache({ kind: 'gallery', galleryId: 5 })
  expect(await ask()).toBeUndefined()
})

test('a kept file answers HEAD without a body', async () => {
  await putInEdgeCache(KEY, null, answer())
  const kept = await ask({ method: 'HEAD' })
  expect(kept?.headers.get('Content-Length')).toBe('6')
  expect(await kept?.text()).toBe('')
})

test.each(['Range', 'If-Range', 'If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Unmodified-Since'])(
  'a request with %s is left to storage',
  async (name) => {
    await putInEdgeCache(KEY, null, answer())
    expect(await ask({ headers: { [name]: 'x' } })).toBeUndefined()
  },
)
