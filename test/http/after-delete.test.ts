import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answer } from '../../src/app.ts'
import { imagePath } from '../../src/domain/links.ts'
import type { Bindings } from '../../src/env.ts'
import { madeGallery, madePicture } from '../domain/made-content.ts'
import { emptyStore, rows, storedKeys } from '../domain/store.ts'

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

/** Deletes what a token manages; gives the answer, and what ends when all that goes on after it has. */
async function remove(token: string, bindings: Bindings = PURGED) {
  const context = createExecutionContext()
  const request = new Request(`https://d.example/management/${token}/delete`, { method: 'POST' })
  const response = await answer(request, bindings, context)
  return { status: response.status, text: await response.text(), end: () => waitOnExecutionContext(context) }
}

const filesOf = (body: string) => JSON.parse(body).files

test('a picture is purged by the API under its links, and swept', async () => {
  const { image, token } = await madePicture()
  const { status, end } = await remove(token)
  await end()
  expect(status).toBe(200)
  expect(asked.map(({ url, body }) => [url, filesOf(body)])).toEqual([
    [ADDRESS, [`https://img1.d.example/images/${imagePath(image)}`, `https://t1.d.example/thumbs/${imagePath(image)}`]],
  ])
  expect(await storedKeys()).toEqual([])
})

test('so are the pictures of a gallery, before the sweep forgets their names', async () => {
  const { picture, token } = await madeGallery()
  const { end } = await remove(token)
  await end()
  expect(asked.flatMap(({ body }) => filesOf(body))).toEqual([
    `https://img1.d.example/images/${imagePath(picture.image)}`,
    `https://t1.d.example/thumbs/${imagePath(picture.image)}`,
  ])
  expect(await storedKeys()).toEqual([])
})

test('without a token nothing is asked', async () => {
  const { PURGE_TOKEN: _, ...bindings } = PURGED
  const { status, end } = await remove((await madePicture()).token, bindings)
  await end()
  expect([status, asked]).toEqual([200, []])
})

test.each<[what: string, change: Partial<Bindings>, respond: () => Promise<Response>]>([
  ['refuses', {}, async () => new Response('no', { status: 403 })],
  ['cannot be reached', {}, () => Promise.reject(new Error('Network connection lost.'))],
  ['is not named a zone', { PURGE_ZONES: 'mine' }, async () => new Response()],
])('an API that %s changes no answer, and keeps no file', async (_, change, answerOfApi) => {
  respond = answerOfApi
  const { token } = await madePicture()
  const { status, text, end } = await remove(token, { ...PURGED, ...change })
  await end()
  expect([status, JSON.parse(text)]).toMatchObject([200, { success: true }])
  expect(await storedKeys()).toEqual([])
  expect(await rows('SELECT * FROM file_cleanup')).toEqual([])
  expect(logged.join()).not.toContain(token)
  expect(logged.join()).not.toContain(PURGED.PURGE_TOKEN)
})

test('an API that does not answer holds no answer up', async () => {
  let release = () => {}
  respond = () => new Promise((resolve) => (release = () => resolve(new Response())))
  const { status, end } = await remove((await madePicture()).token)
  expect(status).toBe(200)
  await expect.poll(() => asked.length).toBe(1)
  release()
  await end()
})
