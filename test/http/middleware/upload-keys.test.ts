import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { handleRequest } from '../../../src/app.ts'
import { digestOf } from '../../../src/domain/digest.ts'
import { parseUploadKeys } from '../../../src/domain/upload-keys.ts'
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

test.each([
  [UPLOAD_KEYS, 'Authorization, *'],
  ['', '*'],
])('pages of other origins may send a key: %j', async (setting, headers) => {
  const response = await ask('/images', { method: 'OPTIONS' }, setting)
  expect(response.headers.get('Access-Control-Allow-Headers')).toBe(headers)
})

test('settings for other programs have a place for the key, where one is needed', async () => {
  for (const path of ['/sharex.sxcu', '/picgo.json']) {
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
