import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { handleRequest } from '../../src/app.ts'
import type { Bindings } from '../../src/env.ts'
import { madeImage } from '../domain/made-content.ts'
import { PIXEL_GIF } from '../domain/store.ts'
import { type Fault, faultyBindings } from '../support/faulty-bindings.ts'
import { withoutWaiting } from '../support/held-clock.ts'

const NOWHERE = { ...env, PUBLIC_DOMAINS: 'd.example' }

function ask(path: string, init: RequestInit, bindings: Bindings): Promise<Response> {
  return Promise.resolve(
    handleRequest(new Request(`http://d.example${path}`, init), bindings, createExecutionContext()),
  )
}

function form(): FormData {
  const body = new FormData()
  body.set('img', new File([PIXEL_GIF], 'a.gif'))
  body.set('content_type', '0')
  return body
}

const TOKEN = 'A'.repeat(43)
const REQUESTS: [what: string, path: string, init: () => RequestInit][] = [
  ['an upload', '/images', () => ({ method: 'POST', body: form() })],
  [
    'one with a key',
    '/images',
    () => ({ method: 'POST', body: form(), headers: { 'Idempotency-Key': crypto.randomUUID() } }),
  ],
  ['a new gallery', '/galleries', () => ({ method: 'POST' })],
  ['a delete', `/management/${TOKEN}/delete`, () => ({ method: 'POST' })],
  ['a page', '/show/0/1_a.gif', () => ({})],
  ['a file', '/images/0/1_a.gif', () => ({})],
]

describe.each(['hangs', 'throws before'] satisfies Fault[])('storage that %s', (fault) => {
  test.each(REQUESTS)('%s is 503 with Retry-After, in time', async (_, path, init) => {
    const faulty = faultyBindings(env, { fault, strikes: () => true, message: 'D1_ERROR: internal error' })
    const { DB, FILES } = faulty
    const response = await withoutWaiting(faulty, () => ask(path, init(), { ...NOWHERE, DB, FILES }))
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5'])
    expect(await response.text()).not.toContain('D1')
  })
})

test('storage without room is 507', async () => {
  const { DB, FILES } = faultyBindings(env, {
    fault: 'throws before',
    strikes: () => true,
    message: 'D1_ERROR: SQLITE_FULL',
  })
  const response = await ask('/galleries', { method: 'POST' }, { ...NOWHERE, DB, FILES })
  expect([response.status, await response.json()]).toMatchObject([507, { error: 'storage_full' }])
})

test.each([
  ['ENOSPC', 507, null],
  ['EDQUOT', 507, null],
  ['EIO', 503, '5'],
  ['EROFS', 503, '5'],
  ['EMFILE', 503, '5'],
])('an upload to a disk that responds %s is %i, and the next one succeeds', async (code, status, retryAfter) => {
  const { FILES: _, ...onDisk } = NOWHERE
  const fetch = async () => new Response(`${code}: planted, open '/data/files'`, { status: 503 })
  const failing = new Proxy(env.FILES_SERVICE, {
    get: (target, name) => (name === 'fetch' ? fetch : Reflect.get(target, name)),
  })
  const upload = () => ({ method: 'POST', body: form() })
  const refused = await ask('/images', upload(), { ...onDisk, FILES_SERVICE: failing })
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([status, retryAfter])
  expect(await refused.text()).not.toMatch(/planted|data/)
  const stored = await ask('/images', upload(), onDisk)
  expect(stored.status).toBe(200)
  const { th_url: thumbnail } = await stored.json<{ th_url: string }>()
  const read = await ask(new URL(thumbnail).pathname, {}, onDisk)
  expect([read.status, read.headers.get('ETag')]).toEqual([200, expect.stringMatching(/^"[0-9a-f]{32}"$/)])
})

describe('an unreachable limiter lets requests pass', () => {
  const urls = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"urls":["x"]}' }

  test.each<[what: string, take: () => Promise<never>]>([
    ['it throws', () => Promise.reject(new Error('Network connection lost.'))],
    ['it hangs', () => new Promise(() => {})],
  ])('%s', async (_, take) => {
    const limiter = new Proxy(env.RATE_LIMITER, {
      get: (target, name) => (name === 'getByName' ? () => ({ take }) : Reflect.get(target, name, target)),
    })
    const response = await ask('/images/status', urls, { ...NOWHERE, RATE_LIMITER: limiter })
    expect([response.status, response.headers.get('RateLimit')]).toEqual([200, '"status";r=4;t=6'])
  })
})

test('an image whose file hangs is 503, too', async () => {
  const { address } = await madeImage()
  const faulty = faultyBindings(env, { fault: 'hangs', strikes: (_, name) => name === 'R2.get' })
  const file = () => ask(`/images/${address.image.path}`, {}, { ...NOWHERE, FILES: faulty.FILES })
  const response = await withoutWaiting(faulty, file)
  expect(response.status).toBe(503)
})
