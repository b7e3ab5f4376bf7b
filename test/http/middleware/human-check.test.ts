import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { handleRequest } from '../../../src/app.ts'
import { digestOf } from '../../../src/domain/ids/digest.ts'
import { createHumanPass, isHumanPass } from '../../../src/domain/uploads/human-pass.ts'
import type { Bindings } from '../../../src/env.ts'
import { HUMAN_PASS_LIFETIME_MS } from '../../../src/limits.ts'
import { freshNumber, gifOf } from '../faults/ledger.ts'

const SECRET = 'secret-of-turnstile'
const SETTINGS = { ...env, PUBLIC_DOMAINS: 'd.example', TURNSTILE_SITE_KEY: '1x00AA', TURNSTILE_SECRET: SECRET }
const PAGE = { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://d.example' }
const CLIENT = { 'CF-Connecting-IP': '198.51.100.7' }

/** The response of Turnstile to a token. */
let respond: (token: string | null) => Response | Promise<Response>
let asked: URLSearchParams[]

beforeEach(() => {
  asked = []
  respond = (token) => Response.json({ success: token === 'good' })
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    expect(String(url)).toBe('https://challenges.cloudflare.com/turnstile/v0/siteverify')
    const form = new URLSearchParams(String(init?.body))
    asked.push(form)
    return respond(form.get('response'))
  })
})

afterEach(() => void vi.restoreAllMocks())

async function ask(path: string, init: RequestInit, settings: Partial<Bindings> = {}): Promise<Response> {
  const ctx = createExecutionContext()
  const response = await handleRequest(new Request(`https://d.example${path}`, init), { ...SETTINGS, ...settings }, ctx)
  await waitOnExecutionContext(ctx)
  return response
}

function upload(path: string, headers: Record<string, string>, settings?: Partial<Bindings>): Promise<Response> {
  const body = new FormData()
  const field = path === '/covers' ? 'img_left' : path === '/new-upload/' ? 'file' : 'img'
  body.set(field, new File([gifOf(freshNumber())], 'a.gif'))
  body.set('content_type', '0')
  return ask(path, { method: 'POST', body, headers: { ...CLIENT, ...headers }, redirect: 'manual' }, settings)
}

const confirm = (token: string, settings?: Partial<Bindings>) =>
  ask('/human', { method: 'POST', body: new URLSearchParams({ token }), headers: { ...CLIENT, ...PAGE } }, settings)
const cookieOf = (response: Response) => response.headers.get('Set-Cookie')?.split(';')[0] ?? ''

describe.each(['/images', '/covers', '/new-upload/', '/upload', '/share'])('%s', (path) => {
  test('of the page needs a pass, which a confirmation sets', async () => {
    const refused = await upload(path, PAGE)
    expect([refused.status, refused.headers.get('Set-Cookie')]).toEqual([403, null])
    const confirmed = await confirm('good')
    expect(confirmed.status).toBe(204)
    expect((await upload(path, { ...PAGE, Cookie: cookieOf(confirmed) })).status).toBeLessThan(400)
    // Of another client network.
    const elsewhere = { ...PAGE, Cookie: cookieOf(confirmed), 'CF-Connecting-IP': '203.0.113.9' }
    expect((await upload(path, elsewhere)).status).toBe(403)
  })

  test('of a program needs none, unless the operator says so', async () => {
    // These two are forms of the page, whoever sends them.
    const isForm = path === '/upload' || path === '/share'
    expect((await upload(path, {})).status < 400).toBe(!isForm)
    expect((await upload(path, {}, { TURNSTILE_FOR: 'all' })).status).toBe(403)
  })

  test.each([{ TURNSTILE_SECRET: '' }, { TURNSTILE_SITE_KEY: '' }])(
    'with one key alone is 503 (%o)',
    async (settings) => {
      const refused = await upload(path, PAGE, settings)
      expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '60'])
    },
  )

  test('needs none without both keys, or with the key of an uploader', async () => {
    expect((await upload(path, PAGE, { TURNSTILE_SECRET: '', TURNSTILE_SITE_KEY: '' })).status).toBeLessThan(400)
    const UPLOAD_KEYS = `anna:${await digestOf('a key')}`
    const headers = { ...PAGE, Authorization: `Basic ${btoa('x:a key')}` }
    expect((await upload(path, headers, { UPLOAD_KEYS })).status).toBeLessThan(400)
  })
})

test('a new gallery of the page needs a pass', async () => {
  const create = (headers: Record<string, string>) =>
    ask('/galleries', { method: 'POST', headers: { ...CLIENT, ...headers } })
  expect((await create(PAGE)).status).toBe(403)
  expect((await create({ ...PAGE, Cookie: cookieOf(await confirm('good')) })).status).toBe(200)
  expect((await create({})).status).toBe(200)
})

test.each(['page', 'all'])('a private link and a guest link need no pass, for %s', async (scope) => {
  const settings = { TURNSTILE_FOR: scope }
  const Cookie = cookieOf(await confirm('good'))
  const body = new URLSearchParams({ include_manage_url: '1' })
  const created = await ask('/galleries', { method: 'POST', body, headers: { ...CLIENT, ...PAGE, Cookie } }, settings)
  const { manage_url: manageUrl } = await created.json<{ manage_url: string }>()
  const token = manageUrl.split('/').at(-1)
  expect((await upload(`/management/${token}/images`, PAGE, settings)).status).toBe(200)
  const opened = await ask(`/management/${token}/guests`, { method: 'POST', headers: { ...CLIENT, ...PAGE } }, settings)
  const { guest_url: guestUrl } = await opened.json<{ guest_url: string }>()
  const guestPath = `/guests/${guestUrl.split('/').at(-1)}/images`
  expect((await upload(guestPath, PAGE, settings)).status).toBe(200)
})

test('the pass is in a cookie that no script reads and no other site sends', async () => {
  const { headers } = await confirm('good')
  expect(headers.get('Set-Cookie')).toMatch(
    /^tintype_human=\d+\.[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  )
  expect(asked.map((form) => Object.fromEntries(form))).toEqual([{ secret: SECRET, response: 'good' }])
})

test.each(['bad', '', 'x'.repeat(2049)])('the token %s is 403, and sets none', async (token) => {
  const response = await confirm(token)
  expect([response.status, cookieOf(response)]).toEqual([403, ''])
})

test.each<[string, () => Response | Promise<Response>]>([
  ['an error', () => new Response('no', { status: 500 })],
  ['no JSON', () => new Response('no')],
  ['no answer to the question', () => Response.json({})],
  ['no response', () => Promise.reject(new Error('unreachable'))],
])('%s of Turnstile is 503, or a pass where the operator says so', async (_, response) => {
  respond = response
  expect((await confirm('good')).status).toBe(503)
  const open = await confirm('good', { TURNSTILE_FAILS: 'open' })
  expect([open.status, cookieOf(open) !== '']).toEqual([204, true])
})

test('only the page of such a service loads Turnstile', async () => {
  const page = await ask('/', { headers: { 'Accept-Language': 'en' } })
  expect(await page.text()).toContain('id="human" data-site-key="1x00AA"')
  const policy = page.headers.get('Content-Security-Policy') ?? ''
  expect(policy).toContain("script-src 'self' https://challenges.cloudflare.com;")
  expect(policy).toContain('frame-src https://challenges.cloudflare.com;')
  for (const TURNSTILE_SECRET of ['', SECRET]) {
    const other = await ask('/', {}, { TURNSTILE_SITE_KEY: '', TURNSTILE_SECRET })
    expect(await other.text()).not.toContain('id="human"')
    expect(other.headers.get('Content-Security-Policy')).not.toContain('challenges')
  }
})

test('the form without a script says what is missing', async () => {
  const response = await upload('/upload', { ...PAGE, 'Accept-Language': 'en' })
  expect(await response.text()).toContain('Confirm above that you are human, then try again.')
})

test('a form of another site gets no pass, and without Turnstile there is none', async () => {
  const init = { method: 'POST', body: new URLSearchParams({ token: 'good' }) }
  expect((await ask('/human', { ...init, headers: { Origin: 'https://a.example' } })).status).toBe(403)
  expect((await ask('/human', init, { TURNSTILE_SITE_KEY: '', TURNSTILE_SECRET: '' })).status).toBe(400)
})

test('one key alone is logged once, and closes the upload page but not to programs', async () => {
  const lines: string[] = []
  vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(String(line)))
  const settings = { TURNSTILE_SECRET: 'secret of the log' }
  for (let count = 0; count < 2; count++) {
    expect((await upload('/images', PAGE, { ...settings, TURNSTILE_SITE_KEY: '' })).status).toBe(503)
  }
  expect((await upload('/images', {}, { ...settings, TURNSTILE_SITE_KEY: '' })).status).toBe(200)
  const told = lines.filter((line) => line.includes('TURNSTILE_SECRET needs TURNSTILE_SITE_KEY, which is not set'))
  expect(told).toHaveLength(1)
  expect(lines.join()).not.toContain('secret of the log')
  expect((await confirm('good', { TURNSTILE_SECRET: '' })).status).toBe(503)
  expect(asked).toEqual([])
})

test('a pass holds for an hour, for its client and under its secret', async () => {
  const nowMs = Date.UTC(2026, 10, 27)
  const pass = await createHumanPass(SECRET, 'one', nowMs)
  expect(await isHumanPass(SECRET, 'one', pass, nowMs + HUMAN_PASS_LIFETIME_MS)).toBe(true)
  expect(await isHumanPass(SECRET, 'one', pass, nowMs + HUMAN_PASS_LIFETIME_MS + 1000)).toBe(false)
  expect(await isHumanPass(SECRET, 'other', pass, nowMs)).toBe(false)
  expect(await isHumanPass('another', 'one', pass, nowMs)).toBe(false)
  const [end = '', mac = ''] = pass.split('.')
  for (const forged of ['', pass.slice(1), `${Number(end) + 1}.${mac}`, `${end}.${'A'.repeat(43)}`]) {
    expect(await isHumanPass(SECRET, 'one', forged, nowMs)).toBe(false)
  }
})

test('confirmations count as uploads, and beyond the limit Turnstile is not asked', async () => {
  const settings = { CLIENT_LIMITS: 'uploads=2' }
  const client = { 'CF-Connecting-IP': '198.51.100.77' }
  const init = () => ({ method: 'POST', body: new URLSearchParams({ token: 'bad' }), headers: { ...client, ...PAGE } })
  for (const status of [403, 403, 429]) expect((await ask('/human', init(), settings)).status).toBe(status)
  expect(asked).toHaveLength(2)
})
