import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { ASSETS } from '#generated/assets.ts'
import { handleRequest } from '../../src/app.ts'
import { STATIC_ASSET_ATTEMPTS } from '../../src/limits.ts'
import { executionContext, requestOf } from '../support/invocation.ts'

const ORIGIN = 'https://d.example'
const OF_ASSETS = [ASSETS.style.path, ASSETS.icon192.path, '/favicon.ico', '/share-worker.js', '/embed.js']
const OF_DOCUMENTS = ['/openapi.json', '/openapi.yaml', '/docs/reference', '/tools']

/** Returns the response of the service whose static assets are these. */
async function ask(path: string, init: RequestInit = {}, assets: Fetcher = env.ASSETS) {
  const { ctx } = executionContext()
  const bindings = { ...env, ASSETS: assets, PUBLIC_DOMAINS: 'd.example', SINGLE_HOST_DOMAINS: 'd.example' }
  return handleRequest(await requestOf(ORIGIN + path, init), bindings, ctx)
}

test.each(OF_ASSETS)('%s has no header of the static asset', async (path) => {
  const { headers } = await ask(path)
  for (const name of ['ETag', 'CF-Cache-Status', 'Last-Modified']) expect(headers.has(name), name).toBe(false)
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
})

test.each([...OF_ASSETS, ...OF_DOCUMENTS])('%s is whole, whatever range or condition a client sends', async (path) => {
  const plain = await ask(path)
  const asked = await ask(path, { headers: { Range: 'bytes=0-1', 'If-None-Match': '*', 'If-Modified-Since': 'x' } })
  expect([plain.status, asked.status]).toEqual([200, 200])
  expect([...asked.headers.keys()]).toEqual([...plain.headers.keys()])
  expect(new Uint8Array(await asked.arrayBuffer())).toEqual(new Uint8Array(await plain.arrayBuffer()))
})

test('only the Worker decides which paths have one', async () => {
  for (const path of ['/contract/openapi.json', '/assets/', '/assets/none.js', `${ASSETS.style.path}/`, '/assets']) {
    expect((await ask(path)).status, path).toBe(404)
  }
})

describe.each([...OF_ASSETS, ...OF_DOCUMENTS])('%s', (path) => {
  test.each([
    ['is missing', () => env.ASSETS.fetch('https://static.invalid/none')],
    ['fails', () => Promise.reject(new Error('internal error'))],
  ])('is 503 and may be asked again if its static asset %s', async (_, fetch) => {
    let calls = 0
    const counted = () => {
      calls++
      return fetch()
    }
    const response = await ask(path, {}, new Proxy(env.ASSETS, { get: () => counted }))
    expect(response.status).toBe(503)
    expect(response.headers.get('Retry-After')).toBe('5')
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(await response.text()).not.toContain('internal')
    expect(calls).toBe(STATIC_ASSET_ATTEMPTS)
  })
})
