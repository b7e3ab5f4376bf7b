import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { handleRequest } from '../../../src/app.ts'
import type { Bindings } from '../../../src/env.ts'
import { makeDuePurges } from '../../../src/http/cache/edge-purge.ts'
import { MINUTE_MS } from '../../../src/units.ts'
import { madeGallery, madeImage } from '../../domain/made-content.ts'
import { emptyStore, rows, store, storedKeys } from '../../domain/store.ts'

const PURGED = {
  ...env,
  PUBLIC_DOMAINS: 'd.example',
  PURGE_TOKEN: 'purge-token-of-the-operator',
  PURGE_ZONES: '1'.repeat(32),
}
const ADDRESS = `https://api.cloudflare.com/client/v4/zones/${'1'.repeat(32)}/purge_cache`

const asked: { url: string; body: string }[] = []
const logged: string[] = []
let respond: () => Promise<Response>

beforeEach(async () => {
  await emptyStore()
  asked.length = 0
  logged.length = 0
  respond = async () => Response.json({ success: true })
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    asked.push({ url: String(url), body: String(init?.body) })
    return respond()
  })
  vi.spyOn(console, 'error').mockImplementation((line) => void logged.push(String(line)))
})

afterEach(() => vi.restoreAllMocks())

/** Deletes the content of a token. Returns the response, and a promise of the end of all work after it. */
async function remove(token: string, bindings: Bindings = PURGED) {
  const context = createExecutionContext()
  const request = new Request(`https://d.example/management/${token}/delete`, { method: 'POST' })
  const response = await handleRequest(request, bindings, context)
  return { status: response.status, text: await response.text(), end: () => waitOnExecutionContext(context) }
}

const tagsOf = (body: string) => JSON.parse(body).tags
const queued = () => rows('SELECT zone, tag, due_at > deleted_at AS isPurged FROM edge_purges')

test('an image is purged by the tag of its cache entries, and its files are removed', async () => {
  const { image, token } = await madeImage()
  const { status, end } = await remove(token)
  await end()
  expect(status).toBe(200)
  expect(asked.map(({ url, body }) => [url, tagsOf(body)])).toEqual([[ADDRESS, [`tintype-image-${image.id}`]]])
  expect(await queued()).toEqual([{ zone: '1'.repeat(32), tag: `tintype-image-${image.id}`, isPurged: 1 }])
  expect(await storedKeys()).toEqual([])
})

test('a gallery is purged by one tag', async () => {
  const { token, image } = await madeGallery()
  const { end } = await remove(token)
  await end()
  const tag = `tintype-gallery-0-${image.image.galleryId}`
  expect(asked.map(({ body }) => tagsOf(body))).toEqual([[tag]])
  expect(await queued()).toMatchObject([{ tag }])
  expect(await storedKeys()).toEqual([])
})

test('each domain is purged in its own zone, one without a zone in none', async () => {
  const { token } = await madeImage()
  const [one, two] = ['1'.repeat(32), '2'.repeat(32)]
  const domains = 'd.example,e.example,f.example,g.example,my.me.workers.dev,localhost'
  const zones = `d.example=${one}, E.example=${two}, f.example=${two}`
  const { end } = await remove(token, { ...PURGED, PUBLIC_DOMAINS: domains, PURGE_ZONES: zones })
  await end()
  expect(asked.map(({ url }) => url.split('/').at(-2)).toSorted()).toEqual([one, two])
})

test('deletes past half of the account’s rate are left to the cron, which purges them together', async () => {
  const made = [await madeImage(), await madeImage(), await madeImage(), await madeImage(), await madeImage()]
  const minute = () => Math.floor(Date.now() / MINUTE_MS)
  const before = minute()
  for (const { token } of made) await (await remove(token)).end()
  const atOnce = asked.length
  // Twice as many if the minute ended in between.
  if (minute() === before) expect(atOnce).toBe(3)
  expect((await queued()).filter(({ isPurged }) => isPurged === 0)).toHaveLength(5 - atOnce)
  await makeDuePurges(PURGED, store, Date.now() + MINUTE_MS, () => {})
  expect(asked.length).toBeLessThanOrEqual(atOnce + 1)
  expect(asked.flatMap(({ body }) => tagsOf(body)).toSorted()).toEqual(
    made.map(({ image }) => `tintype-image-${image.id}`).toSorted(),
  )
})

test('without a token, no request is sent', async () => {
  const { PURGE_TOKEN: _, ...bindings } = PURGED
  const { status, end } = await remove((await madeImage()).token, bindings)
  await end()
  expect([status, asked]).toEqual([200, []])
})

test.each<[what: string, change: Partial<Bindings>, respond: () => Promise<Response>]>([
  ['refuses', {}, async () => new Response('no', { status: 403 })],
  ['cannot be reached', {}, () => Promise.reject(new Error('Network connection lost.'))],
  ['is not named a zone', { PURGE_ZONES: 'mine' }, async () => new Response()],
])('an API that %s changes no response, and caches no file', async (_, change, responseOfApi) => {
  respond = responseOfApi
  const { token } = await madeImage()
  const { status, text, end } = await remove(token, { ...PURGED, ...change })
  await end()
  expect([status, JSON.parse(text)]).toMatchObject([200, { success: true }])
  expect(await storedKeys()).toEqual([])
  expect(await rows('SELECT * FROM file_cleanup')).toEqual([])
  expect(logged.join()).not.toContain(token)
  expect(logged.join()).not.toContain(PURGED.PURGE_TOKEN)
})

test('an API that does not respond delays no response', async () => {
  let release = () => {}
  respond = () => new Promise((resolve) => (release = () => resolve(new Response())))
  const { status, end } = await remove((await madeImage()).token)
  expect(status).toBe(200)
  await expect.poll(() => asked.length).toBe(1)
  release()
  await end()
})
