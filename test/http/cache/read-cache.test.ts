import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { handleRequest } from '../../../src/app.ts'
import { findPublicImage } from '../../../src/domain/content/public-image.ts'
import { createGallery, finalizeGallery } from '../../../src/domain/galleries/gallery.ts'
import { imagePath } from '../../../src/domain/ids/links.ts'
import { readCacheOf, renewReadCache } from '../../../src/http/cache/isolate-cache.ts'
import { runDatabaseCalls } from '../../../src/storage/calls.ts'
import { madeImage, NOW_MS } from '../../domain/made-content.ts'
import { PIXEL_GIF, store } from '../../domain/store.ts'
import { below, pick, type Random, seededRandom } from '../../support/random.ts'

/** `npm run tintype -- histories` makes 5,000. */
const HISTORIES = Number(env.TEST_SETTINGS.HISTORIES ?? 4)
const SEED = Number(env.TEST_SETTINGS.TINTYPE_SEED ?? 20261123)
const KEY = 'correct-horse-battery-staple'
const ON = { ...env, PUBLIC_DOMAINS: 'd.example', OPERATOR_KEY: KEY, READ_CACHE: 'on', CLIENT_LIMITS: 'off' }
const OFF = { ...ON, READ_CACHE: 'off' }

type Settings = typeof ON

/** Sends one request to the app, and waits for the work after its response. */
async function send(settings: Settings, method: string, path: string, body?: unknown) {
  const context = createExecutionContext()
  const host = path.startsWith('/thumbs') ? 't1' : path.startsWith('/images') ? 'img1' : 'www'
  const headers = {
    Authorization: `Bearer ${KEY}`,
    ...(body === undefined || body instanceof FormData ? {} : { 'Content-Type': 'application/json' }),
  }
  const request = new Request(`https://${host}.d.example${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
  })
  const response = await handleRequest(request, settings, context)
  const text = new TextDecoder('latin1').decode(await response.bytes())
  await waitOnExecutionContext(context)
  const { 'x-request-id': _, ...others } = Object.fromEntries(response.headers)
  return { status: response.status, text, headers: others }
}

/** Two images in a public gallery. */
async function newGallery() {
  const {
    hash,
    uploadToken,
    managementToken = '',
  } = await createGallery(store, { name: 'first', wantsManagementToken: true }, NOW_MS)
  const images = [await madeImage({ hash, uploadToken }), await madeImage({ hash, uploadToken })]
  await finalizeGallery(store, { hash, uploadToken }, NOW_MS)
  const [one = '', other = ''] = images.map(({ image }) => imagePath(image))
  return { hash, token: managementToken, one, other }
}

type Content = Awaited<ReturnType<typeof newGallery>>
type Write =
  | ('hide one' | 'show one' | 'remove one' | 'hide gallery' | 'show gallery' | 'delete gallery' | 'rename')
  | ('add' | 'move' | 'caption')

/** Writes that end a history are rare. */
const WRITES: readonly Write[] = [
  ...(['hide one', 'show one', 'hide gallery', 'show gallery', 'rename'] as const),
  ...(['hide one', 'show one', 'hide gallery', 'show gallery', 'rename'] as const),
  ...(['add', 'move', 'move', 'caption', 'caption'] as const),
  ...(['show one', 'show gallery', 'remove one', 'delete gallery'] as const),
]

function perform(settings: Settings, { hash, token, one, other }: Content, write: Write, random: Random) {
  const operate = (what: string, path: string) =>
    send(settings, 'POST', `/operator/${what}`, { url: `https://d.example${path}` })
  const [showsOne, showsGallery] = [`/show/${one}`, `/gallery/${hash}`]
  if (write === 'hide one') return operate('hide', showsOne)
  if (write === 'show one') return operate('unhide', showsOne)
  if (write === 'remove one') return operate('remove', showsOne)
  if (write === 'hide gallery') return operate('hide', showsGallery)
  if (write === 'show gallery') return operate('unhide', showsGallery)
  if (write === 'delete gallery') return send(settings, 'POST', `/management/${token}/delete`)
  if (write === 'add') return send(settings, 'POST', `/management/${token}/images`, uploadForm())
  if (write === 'move') {
    const [images, after] = random() < 0.5 ? [[one], other] : [[other], one]
    return send(settings, 'POST', `/management/${token}/order`, { images, after })
  }
  if (write === 'caption') {
    return send(settings, 'POST', `/management/${token}/edit`, {
      image: one,
      caption: `caption ${below(1000, random)}`,
    })
  }
  return send(settings, 'POST', `/management/${token}/rename`, { name: `name ${below(1000, random)}` })
}

function uploadForm(): FormData {
  const body = new FormData()
  body.set('img', new File([PIXEL_GIF], 'a.gif'))
  body.set('content_type', '0')
  return body
}

const readsOf = ({ one, other }: Content) =>
  [one, other].flatMap((path) => [`/thumbs/${path}`, `/images/${path}`, `/show/${path}`])

/**
 * Wraps a database so that its calls interleave in every order. Some fail, before or after their effect, or take effect
 * at the end.
 */
function unreliable(random: Random, faults: number) {
  const late: (() => Promise<unknown>)[] = []
  const DB = runDatabaseCalls(env.DB, async (name, call) => {
    for (let turns = below(6, random); turns > 0; turns--) await new Promise((resolve) => setTimeout(resolve))
    const isWrite = name === 'D1.run' || name === 'D1.batch'
    if (random() >= (isWrite ? faults : faults / 10)) return call()
    const fault = below(3, random)
    if (fault === 1) await call()
    if (fault === 2) late.push(call)
    throw new Error('D1_ERROR: planted')
  })
  return { DB, takeEffect: () => Promise.all(late.map((call) => call().catch(() => {}))) }
}

/** Expects each read, sent twice, to match the database. */
async function expectExact(content: Content, seed: number): Promise<void> {
  for (const path of [...readsOf(content), ...readsOf(content)]) {
    const cached = await send(ON, 'GET', path)
    const where = `seed ${seed}: ${path}`
    if (path.startsWith('/show/')) expect(cached, where).toEqual(await send(OFF, 'GET', path))
    else {
      const isPublic = await findPublicImage(store, path.replace(/^\/\w+\//, ''), NOW_MS)
      expect(cached.status, where).toBe(isPublic ? 200 : 404)
    }
  }
}

beforeEach(renewReadCache)

describe(`${HISTORIES} histories of concurrent reads and writes (seed ${SEED})`, () => {
  test.each([
    ['whose calls succeed', 0],
    ['of whose writes some fail, or take effect late', 0.3],
  ])('%s', async (_, faults) => {
    let hits = 0
    for (let seed = SEED; seed < SEED + HISTORIES; seed++) {
      renewReadCache()
      const random = seededRandom(seed)
      const content = await newGallery()
      const { DB, takeEffect } = unreliable(random, faults)
      const settings = { ...ON, DB }
      for (let round = 0; round < 3; round++) {
        const writer = async () => {
          for (let left = below(3, random); left > 0; left--) {
            await perform(settings, content, pick(WRITES, random), random)
          }
        }
        const reader = async () => {
          for (let left = 4; left > 0; left--) await send(settings, 'GET', pick(readsOf(content), random))
        }
        await Promise.all([writer(), writer(), reader(), reader(), reader()])
        await expectExact(content, seed)
      }
      await takeEffect()
      await expectExact(content, seed)
      hits += readCacheOf(ON)?.state.hits ?? 0
    }
    expect(hits / HISTORIES, 'hits a history').toBeGreaterThan(10)
  })
})

test('a read that began before a delete leaves nothing in the cache', async () => {
  const { image, token } = await madeImage()
  const path = `/thumbs/${imagePath(image)}`
  const read = Promise.withResolvers<void>()
  const deleted = Promise.withResolvers<void>()
  const DB = runDatabaseCalls(env.DB, async (_, call) => {
    const result = await call()
    read.resolve()
    await deleted.promise
    return result
  })
  const began = send({ ...ON, DB }, 'GET', path)
  await read.promise
  expect((await send(ON, 'POST', `/management/${token}/delete`)).status).toBe(200)
  deleted.resolve()
  // It may have read the file before the delete.
  expect([200, 404]).toContain((await began).status)
  expect(readCacheOf(ON)?.state).toMatchObject({ entries: 0, hits: 0 })
  expect((await send(ON, 'GET', path)).status).toBe(404)
})

test('a failed write may take effect at any time: its content is not cached again', async () => {
  const { image, token } = await madeImage()
  const path = `/thumbs/${imagePath(image)}`
  const late: (() => Promise<unknown>)[] = []
  const DB = runDatabaseCalls(env.DB, async (name, call) => {
    if (name !== 'D1.batch' || late.length > 0) return call()
    late.push(call)
    throw new Error('D1_ERROR: planted')
  })
  expect((await send(ON, 'GET', path)).status).toBe(200)
  expect((await send({ ...ON, DB }, 'POST', `/management/${token}/delete`)).status).toBe(503)
  for (let reader = 0; reader < 3; reader++) expect((await send(ON, 'GET', path)).status).toBe(200)
  await Promise.all(late.map((call) => call()))
  expect((await send(ON, 'GET', path)).status).toBe(404)
})

test("a hit equals the app's response, to the byte and the header", async () => {
  const { image } = await madeImage()
  const path = imagePath(image)
  for (const at of [`/thumbs/${path}`, `/images/${path}`, `/show/${path}`]) {
    const first = await send(ON, 'GET', at)
    const hits = readCacheOf(ON)?.state.hits ?? 0
    expect(await send(ON, 'GET', at)).toEqual(first)
    expect(readCacheOf(ON)?.state.hits, at).toBe(hits + 1)
  }
})

test('it is off unless the settings say that all writes go through one isolate', () => {
  expect([readCacheOf({}), readCacheOf(OFF)]).toEqual([undefined, undefined])
})
