import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { handleRequest } from '../../../src/app.ts'
import { digestOf } from '../../../src/domain/ids/digest.ts'
import { parseUploadKeys } from '../../../src/domain/settings/upload-keys.ts'
import { countsOf } from '../../../src/http/counters.ts'
import { freshNumber, gifOf } from '../faults/ledger.ts'

const KEY = 'k'.repeat(64)
const UPLOAD_KEYS = `anna:${await digestOf(KEY)}, bob:${'0'.repeat(64)}`
const basic = (password: string) => ({ Authorization: `Basic ${btoa(`anyone:${password}`)}` })
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })

async function ask(path: string, init: RequestInit = {}, setting = UPLOAD_KEYS): Promise<Response> {
  const ctx = createExecutionContext()
  const request = new Request(`https://d.example${path}`, init)
  const response = await handleRequest(request, { ...env, PUBLIC_DOMAINS: 'd.example', UPLOAD_KEYS: setting }, ctx)
  await waitOnExecutionContext(ctx)
  return response
}

interface Sent {
  headers?: Record<string, string>
  texts?: Record<string, string>
}

function upload(path: string, { headers = {}, texts = {} }: Sent = {}, setting?: string): Promise<Response> {
  const body = new FormData()
  const field = { '/images': 'img', '/covers': 'img_left', '/new-upload/': 'file', '/upload': 'img', '/share': 'img' }[
    path
  ]
  if (field !== undefined) body.set(field, new File([gifOf(freshNumber())], 'a.gif'))
  for (const [name, text] of Object.entries({ content_type: '0', ...texts })) body.set(name, text)
  return ask(path, { method: 'POST', body, headers, redirect: 'manual' }, setting)
}

const FORMS = ['/images', '/covers', '/new-upload/', '/galleries']
const PAGES = ['/upload', '/share']

describe.each([...FORMS, ...PAGES])('%s', (path) => {
  test.each([
    ['no key', {}],
    ['a wrong key', { headers: bearer(`${KEY}x`) }],
    ['a wrong password', { headers: basic('k') }],
    ['no Basic credentials', { headers: { Authorization: 'Basic %' } }],
    ['a digest, which is no key', { headers: bearer('0'.repeat(64)) }],
    [
      'a password that a browser added to the form of another site',
      { headers: { ...basic(KEY), 'Sec-Fetch-Site': 'cross-site' } },
    ],
    ['a wrong key in the form', { texts: { upload_key: 'x' } }],
  ])('%s is 401, and nothing of a key is in the response', async (_what, sent) => {
    const response = await upload(path, sent)
    expect(response.status).toBe(401)
    expect(response.headers.get('WWW-Authenticate')).toMatch(/^Basic realm="uploads".*, Bearer/)
    const text = await response.text()
    expect(text + JSON.stringify([...response.headers])).not.toMatch(/k{8}|0{8}|anna|bob/)
  })

  const right: [where: string, sent: Sent][] = [
    ['Bearer', { headers: bearer(KEY) }],
    ['Basic', { headers: basic(KEY) }],
    ['the form', { texts: { upload_key: KEY } }],
  ]
  test.each(right.slice(0, FORMS.includes(path) ? 3 : 2))('a key passes in %s', async (_where, sent) => {
    expect((await upload(path, sent)).status).toBeLessThan(400)
  })

  test('needs none without the setting, and none passes if the setting cannot be read', async () => {
    expect((await upload(path, {}, '')).status).toBeLessThan(400)
    expect((await upload(path, { headers: bearer(KEY) }, `anna:${KEY}`)).status).toBe(401)
  })
})

test('reading, finalizing and deleting need no key', async () => {
  const { show_url: showUrl, manage_url: manageUrl } = await (
    await upload('/images', { headers: bearer(KEY), texts: { include_manage_url: '1' } })
  ).json<Record<string, string>>()
  expect((await ask(new URL(showUrl ?? '').pathname)).status).toBe(200)
  const gallery = await (await upload('/galleries', { headers: bearer(KEY) })).json<Record<string, string>>()
  const { gallery_hash: hash = '', gallery_upload_hash: token = '' } = gallery
  const body = new URLSearchParams({ gallery_upload_hash: token })
  expect((await ask(`/galleries/${hash}/finalize`, { method: 'POST', body })).status).toBe(200)
  const path = `/management/${manageUrl?.split('/').at(-1)}/delete`
  expect((await ask(path, { method: 'POST' })).status).toBe(200)
})

test('the uploads of each key are counted by its name', async () => {
  const before = countsOf('keyed_uploads').find(({ labels }) => labels.key === 'anna')?.value ?? 0
  await upload('/images', { headers: bearer(KEY) })
  expect(countsOf('keyed_uploads')).toEqual([{ labels: { key: 'anna' }, value: before + 1 }])
})

describe('limits', () => {
  const OTHER = 'o'.repeat(64)
  let client = 0
  const newAddress = () => `198.51.100.${++client}`

  /** Returns a key that no other test has used, with the setting that accepts it and OTHER. */
  async function newKey() {
    const key = crypto.randomUUID()
    return { key, keys: `anna:${await digestOf(key)} carl:${await digestOf(OTHER)}` }
  }

  /** Creates a gallery from an address, and returns the status and the message. */
  async function create(
    address: string,
    UPLOAD_KEYS: string,
    sent: { header?: string; field?: string },
    more: object = { CLIENT_LIMITS: 'galleries=1' },
  ): Promise<[number, string]> {
    const ctx = createExecutionContext()
    const { header, field } = sent
    const request = new Request('https://d.example/galleries', {
      method: 'POST',
      headers: { 'CF-Connecting-IP': address, ...(header !== undefined && bearer(header)) },
      body: new URLSearchParams(field === undefined ? {} : { upload_key: field }),
    })
    const response = await handleRequest(request, { ...env, PUBLIC_DOMAINS: 'd.example', UPLOAD_KEYS, ...more }, ctx)
    await waitOnExecutionContext(ctx)
    return [response.status, (await response.json<{ message?: string }>()).message ?? '']
  }

  test('are those of the key, from whatever address, and leave the network of others alone', async () => {
    const { key, keys } = await newKey()
    const address = newAddress()
    expect(await create(address, keys, { header: key })).toEqual([200, ''])
    const [status, message] = await create(newAddress(), keys, { header: key })
    expect([status, message]).toEqual([
      429,
      expect.stringMatching(/^your upload key is allowed 1 new galleries an hour/),
    ])
    expect((await create(address, '', {}))[0]).toBe(200)
    expect((await create(address, '', {}))[0]).toBe(429)
    // A program with its own key is not throttled together with others of its address.
    const { key: other, keys: others } = await newKey()
    expect((await create(address, others, { header: other }))[0]).toBe(200)
  })

  test('of a key in the form are those of the network too, which is charged before the body', async () => {
    const { key, keys } = await newKey()
    const address = newAddress()
    expect((await create(address, keys, { field: key }))[0]).toBe(200)
    expect((await create(newAddress(), keys, { field: key }))[1]).toMatch(/^your upload key is allowed/)
    expect((await create(newAddress(), keys, { header: key }))[1]).toMatch(/^your upload key is allowed/)
    expect((await create(address, keys, { field: OTHER }))[1]).toMatch(/^your network address is allowed/)
  })

  test('apply to a key without a known address, and not to a new key of the same name', async () => {
    const [one, two] = [await newKey(), await newKey()]
    expect((await create('', one.keys, { header: one.key }))[0]).toBe(200)
    expect((await create('', one.keys, { header: one.key }))[0]).toBe(429)
    expect((await create('', two.keys, { header: two.key }))[0]).toBe(200)
  })

  test('a wrong key is charged to nobody', async () => {
    const { key, keys } = await newKey()
    const address = newAddress()
    for (let tries = 0; tries < 3; tries++) expect((await create(address, keys, { header: `${key}x` }))[0]).toBe(401)
    expect((await create(address, keys, { header: key }))[0]).toBe(200)
  })

  test.each([
    ['those of clients', { CLIENT_LIMITS: 'galleries=2' }, 2],
    ['more', { CLIENT_LIMITS: 'galleries=1', UPLOAD_KEY_LIMITS: 'galleries=3' }, 3],
    ['none', { CLIENT_LIMITS: 'galleries=1', UPLOAD_KEY_LIMITS: 'off' }, 4],
    ['those of a key alone', { CLIENT_LIMITS: 'off', UPLOAD_KEY_LIMITS: 'galleries=1' }, 1],
  ])('may be %s', async (_what, settings, allowed) => {
    const { key, keys } = await newKey()
    for (let at = 0; at < 4; at++) {
      expect((await create(newAddress(), keys, { header: key }, settings))[0]).toBe(at < allowed ? 200 : 429)
    }
  })

  test.each([
    ['uploads', '/images', [200, 429]],
    ['finalizes', '/galleries/unknown12345/finalize', [415, 429]],
    // Of the network, which is another one each time.
    ['unknown_tokens', `/management/${'u'.repeat(43)}/images`, [404, 404]],
  ])('%s from two addresses: one is allowed', async (limit, path, statuses) => {
    const { key, keys } = await newKey()
    const found: number[] = []
    for (const address of [newAddress(), newAddress()]) {
      const ctx = createExecutionContext()
      const body = new FormData()
      if (limit === 'finalizes') body.set('gallery_upload_hash', 'x')
      else {
        body.set('img', new File([gifOf(freshNumber())], 'a.gif'))
        body.set('content_type', '0')
      }
      const headers = { 'CF-Connecting-IP': address, ...bearer(key) }
      const request = new Request(`https://d.example${path}`, { method: 'POST', body, headers })
      const settings = { ...env, PUBLIC_DOMAINS: 'd.example', UPLOAD_KEYS: keys, CLIENT_LIMITS: `${limit}=1` }
      found.push((await handleRequest(request, settings, ctx)).status)
      await waitOnExecutionContext(ctx)
    }
    expect(found).toEqual(statuses)
  })
})

test.each([
  [UPLOAD_KEYS, 'Authorization, *'],
  ['', '*'],
])('pages of other origins may send a key: %j', async (setting, headers) => {
  const response = await ask('/images', { method: 'OPTIONS' }, setting)
  expect(response.headers.get('Access-Control-Allow-Headers')).toBe(headers)
})

test('settings for other programs have a place for the key, where one is needed', async () => {
  for (const path of ['/sharex.sxcu', '/picgo.json', '/tools']) {
    expect(await (await ask(path)).text()).toContain('Bearer YOUR-KEY')
    expect(await (await ask(path, {}, '')).text()).not.toContain('Bearer')
  }
})

describe('the setting', () => {
  test('is entries of a name and a digest', () => {
    expect(parseUploadKeys('')).toBeUndefined()
    expect(parseUploadKeys(UPLOAD_KEYS)?.map(({ name }) => name)).toEqual(['anna', 'bob'])
  })

  test.each([`anna:${KEY}`, KEY, `1:${'0'.repeat(64)}`, `a:${'0'.repeat(63)}`])('%s is refused unquoted', (setting) => {
    expect(() => parseUploadKeys(`bob:${'0'.repeat(64)} ${setting}`)).toThrow(/^(?!.*k{8}).*: entry 2 is none$/)
  })
})
