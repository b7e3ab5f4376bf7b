import { createServer, type Server } from 'node:http'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import { freshAddress } from '../contract/support/api.ts'
import { freePort } from '../contract/support/service.ts'
import { SMALL_PNG } from '../contract/support/steps.ts'
import { stopServer } from '../support/stop-server.ts'
import { sharedImage } from './support/content.ts'
import { test } from './support/visit.ts'

/**
 * D20 and D24 from the view of another site: its script may use all of the API, and read none of the management pages.
 */

/** The parts of a response that a script may read. */
interface Seen {
  status: number
  body: string
  headers: Record<string, string>
}

const service = inject('baseUrl')
const port = await freePort()
const origin = `http://127.0.0.1:${port}`
let server: Server

beforeAll(async () => {
  server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=UTF-8')
    response.end('<!DOCTYPE html><html lang="en"><link rel="icon" href="data:,"><title>Another site</title>')
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
})
afterAll(() => stopServer(server))

/** Fetches from the script of the page. Returns undefined if the browser blocks the response. */
function fetchFrom(
  page: Page,
  path: string,
  request: { method?: string; headers?: Record<string, string>; body?: string },
) {
  return page.evaluate<Seen | undefined, [string, typeof request]>(
    async ([url, init]) => {
      try {
        const response = await fetch(url, init)
        return { status: response.status, body: await response.text(), headers: Object.fromEntries(response.headers) }
      } catch {
        return undefined
      }
    },
    [service + path, request],
  )
}

/** Uploads from the script of the page, as a form with a file. */
function uploadFrom(page: Page, headers: Record<string, string> = {}) {
  return page.evaluate<Seen, [string, number[], Record<string, string>]>(
    async ([url, bytes, headers]) => {
      const body = new FormData()
      body.append('img', new File([new Uint8Array(bytes)], 'from elsewhere.png'))
      body.append('content_type', '0')
      const response = await fetch(url, { method: 'POST', headers, body })
      return { status: response.status, body: await response.text(), headers: Object.fromEntries(response.headers) }
    },
    [`${service}/images`, [...SMALL_PNG], headers],
  )
}

describe.skipIf(!inject('chromium'))('a page on another origin', () => {
  test('uploads without a preflight, and shows the upload', async ({ visit }) => {
    const page = await visit(origin)
    const preflights = await preflightsOf(page)
    const { status, body, headers } = await uploadFrom(page)
    expect(status).toBe(200)
    expect(headers['x-request-id']).toMatch(/^\S+$/)
    expect(preflights).toEqual([])
    const { th_url: thumbnail } = JSON.parse(body)
    const width = await page.evaluate(async (url) => {
      const image = new Image()
      image.src = url
      await image.decode()
      return image.naturalWidth
    }, thumbnail)
    expect(width).toBe(30)
  })

  test('sends an Idempotency-Key, and sees that a response is a replay', async ({ visit }) => {
    const page = await visit(origin)
    const preflights = await preflightsOf(page)
    const key = { 'Idempotency-Key': crypto.randomUUID() }
    const [first, second] = [await uploadFrom(page, key), await uploadFrom(page, key)]
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body).toBe(first.body)
    expect([first.headers['idempotent-replayed'], second.headers['idempotent-replayed']]).toEqual([undefined, 'true'])
    await expect.poll(() => preflights.length).toBeGreaterThan(0)
    // One permission is valid for a day.
    expect(preflights).toEqual(['/images'])
  })

  test('reads the sentence of an error', async ({ visit }) => {
    const page = await visit(origin, { complaints: [/status of 400/] })
    const response = await fetchFrom(page, '/images', { method: 'POST', body: 'no form' })
    expect(response).toMatchObject({ status: 400, body: expect.stringMatching(/multipart/) })
  })

  test('requests statuses until it has to wait, and reads for how long', async ({ visit }) => {
    const page = await visit(origin, { complaints: [/status of 429/] })
    const headers = { 'content-type': 'application/json', 'cf-connecting-ip': freshAddress() }
    const ask = () => fetchFrom(page, '/images/status', { method: 'POST', headers, body: '{"urls":["x"]}' })
    const responses = [await ask()]
    // Repeatedly at once, because the bucket refills during single requests of a slow machine.
    while (responses.at(-1)?.status === 200) {
      const more = await Promise.all(Array.from({ length: 12 }, ask))
      responses.push(more.find((response) => response?.status !== 200) ?? more[0])
    }
    const [first, last] = [responses[0], responses.at(-1)]
    expect(first?.headers.ratelimit).toMatch(/^"[^"]+";r=4;t=\d+$/)
    expect(first?.headers['ratelimit-policy']).toMatch(/^"[^"]+";q=5;w=\d+$/)
    expect(first?.headers).not.toHaveProperty('retry-after')
    expect(last?.status).toBe(429)
    expect(last?.headers.ratelimit).toMatch(/^"[^"]+";r=0;t=\d+$/)
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(last?.headers['retry-after'])).toBeLessThanOrEqual(6)
    expect(JSON.parse(last?.body ?? '')).toMatchObject({ success: false, error: 'rate_limited' })
  })

  test('creates a gallery, renames it and deletes it', async ({ visit }) => {
    const page = await visit(origin)
    const post = async (path: string, body: string) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const response = await fetchFrom(page, path, { method: 'POST', headers, body })
      expect(response?.status).toBe(200)
      return JSON.parse(response?.body ?? '')
    }
    const gallery = await post('/galleries', 'gallery_name=Elsewhere&include_manage_url=1')
    const token = gallery.manage_url.slice(-43)
    expect(await post(`/management/${token}/rename`, 'name=Here')).toMatchObject({ gallery_name: 'Here' })
    expect(await post(`/management/${token}/delete`, '')).toMatchObject({ deleted: true })
  })

  test('reads no management page, and no response to its form', async ({ visit }) => {
    const page = await visit(origin, { complaints: [/CORS policy/, /Failed to load resource/, /net::ERR_FAILED/] })
    const { managementToken } = await sharedImage()
    const path = `/manage/${managementToken}`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await fetchFrom(page, path, {})).toBeUndefined()
    expect(await fetchFrom(page, path, { method: 'POST', headers, body: 'action=unheard-of' })).toBeUndefined()
    expect(await fetchFrom(page, '/report', {})).toBeUndefined()
  })

  test('shows no page of ours in a frame', async ({ visit }) => {
    const page = await visit(origin, {
      complaints: [/frame-ancestors/, /Content Security Policy/, /ERR_BLOCKED_BY_RESPONSE/],
    })
    const { managementToken } = await sharedImage()
    await page.evaluate((src) => {
      const frame = document.createElement('iframe')
      frame.src = src
      document.body.append(frame)
      return new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
    }, `${service}/manage/${managementToken}`)
    await expect.poll(() => page.frames().at(1)?.url()).toBe('chrome-error://chromewebdata/')
  })
})

/**
 * Returns the paths of the preflights that the page's browser sends (Fetch, "CORS-preflight fetch"), as they arrive.
 */
async function preflightsOf(page: Page): Promise<string[]> {
  const paths: string[] = []
  const session = await page.context().newCDPSession(page)
  session.on('Network.requestWillBeSent', ({ request }) => {
    if (request.method === 'OPTIONS') paths.push(new URL(request.url).pathname)
  })
  await session.send('Network.enable')
  return paths
}
