import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { handleRequest } from '../../../src/app.ts'
import { checkOperatorKeys } from '../../../src/domain/settings/operator-keys.ts'
import type { HostRole } from '../../../src/http/hosts.ts'

const KEY = 'correct-horse-battery-staple-of-one-operator'
const [FIRST, SECOND] = ['first-key-'.padEnd(32, '1'), 'second-key-'.padEnd(32, '2')]

const HOSTS: Record<HostRole, string> = {
  everything: 'd.example',
  api: 'api.d.example',
  media: 't1.d.example',
  unknown: 'other.example',
}

const PATHS = [
  ['GET', '/operator/reports'],
  ['POST', '/operator/remove'],
  ['POST', '/operator/dismiss'],
  ['POST', '/operator/reconcile'],
  ['POST', '/operator/show'],
  ['POST', '/operator/hide'],
  ['POST', '/operator/unhide'],
  ['GET', '/operator/hidden'],
  ['POST', '/operator/unblock'],
  ['POST', '/operator/import'],
  ['POST', '/operator/withdraw'],
  ['GET', '/operator/block-lists'],
  ['GET', '/operator/export'],
  ['GET', '/operator/blocks'],
  ['GET', '/operator/audit'],
  ['GET', '/operator/metrics'],
] as const

describe.each(PATHS)('%s %s', (method, path) => {
  test.each([
    ['no key', undefined],
    ['another key', `Bearer ${KEY}x`],
    ['the beginning of the key', `Bearer ${KEY.slice(0, -1)}`],
    ['an empty key', 'Bearer '],
    ['the key without its scheme', KEY],
    ['the key under another scheme', `Basic ${KEY}`],
  ])('%s is 401, and reveals nothing of the key', async (_what, authorization) => {
    const response = await ask(method, path, { key: KEY, authorization })
    expect([response.status, response.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer'])
    const text = await response.text()
    expect(JSON.parse(text)).toMatchObject({ success: false, error: 'operator_key_incorrect' })
    expect(text).not.toContain(KEY.slice(0, 8))
  })

  test.each([`Bearer ${KEY}`, `bearer  ${KEY}`])('the right key passes: %s', async (authorization) => {
    expect((await ask(method, path, { key: KEY, authorization })).status).not.toBe(401)
  })

  test.each([undefined, ''])('without an OPERATOR_KEY (%j) the path does not exist', async (key) => {
    const response = await ask(method, path, { key, authorization: 'Bearer ' })
    const unknown = await ask(method, '/unknown', { key, authorization: 'Bearer ' })
    expect([response.status, response.headers.get('Content-Type')]).toEqual([
      unknown.status,
      unknown.headers.get('Content-Type'),
    ])
    expect(response.status).toBe(method === 'GET' ? 404 : 400)
  })

  test.each(['api', 'media'] as const)('hosts for %s have no operator', async (role) => {
    const response = await ask(method, path, { key: KEY, authorization: `Bearer ${KEY}`, role })
    expect(response.status).toBe(method === 'GET' ? 404 : 400)
  })
})

test.each([
  [`anna:${FIRST},ben:${SECOND}`, [FIRST, SECOND], [`anna:${FIRST}`, FIRST.slice(0, -1), `${SECOND},`]],
  [` anna:${FIRST}\n\t${SECOND} `, [FIRST, SECOND], [`anna:${FIRST}`]],
  [`1anna:${FIRST}`, [`1anna:${FIRST}`], [FIRST]],
  ['anna:', [], ['anna:', 'anna']],
])('each of several keys opens, and nothing else does: %j', async (key, right, wrong) => {
  const statusWith = async (shown: string) =>
    (await ask('GET', '/operator/audit', { key, authorization: `Bearer ${shown}` })).status
  for (const shown of right) expect([shown, await statusWith(shown)]).toEqual([shown, 200])
  for (const shown of wrong) expect([401, 404]).toContain(await statusWith(shown))
})

test('a key under 32 characters is rejected although it is right, with what to change', async () => {
  for (const key of [KEY.slice(0, 31), 'a']) {
    const response = await ask('GET', '/operator/audit', {
      key: `anna:${key},${SECOND}`,
      authorization: `Bearer ${key}`,
    })
    expect([response.status, await response.json()]).toMatchObject([
      401,
      {
        error: 'operator_key_incorrect',
        message: expect.stringContaining('at least 32 characters: set the OPERATOR_KEY'),
      },
    ])
  }
  expect(() => checkOperatorKeys(`anna:${KEY},ben:${KEY.slice(0, 31)}`)).toThrow(
    'OPERATOR_KEY must hold keys of 32 characters or more: that of "ben" has 31. openssl rand -base64 32 prints one',
  )
  expect(() => checkOperatorKeys(`anna:${KEY},${KEY.slice(0, 32)}`)).not.toThrow()
})

test('wrong keys of one client are 429 after several in an hour; the right one always works', async () => {
  const from = (address: string, authorization?: string) =>
    ask('GET', '/operator/audit', { key: KEY, authorization, address, limits: 'operator_keys=2' })
  for (const wrong of [undefined, `Bearer ${SECOND}`]) expect((await from('192.0.2.7', wrong)).status).toBe(401)
  for (const wrong of [undefined, `Bearer ${SECOND}`]) {
    const refused = await from('192.0.2.7', wrong)
    expect([refused.status, refused.headers.get('Retry-After'), await refused.json()]).toMatchObject([
      429,
      '1800',
      { error: 'client_limit_reached', message: expect.stringContaining('2 wrong keys of an operator an hour') },
    ])
  }
  expect((await from('192.0.2.7', `Bearer ${KEY}`)).status).toBe(200)
  expect((await from('192.0.2.8')).status).toBe(401)
})

async function ask(
  method: string,
  path: string,
  {
    key,
    authorization,
    role = 'everything',
    address,
    limits = '',
  }: {
    key?: string | undefined
    authorization?: string | undefined
    role?: HostRole
    address?: string
    limits?: string
  },
) {
  const headers = {
    ...(authorization && { Authorization: authorization }),
    ...(address && { 'CF-Connecting-IP': address }),
  }
  const request = new Request(`https://${HOSTS[role]}${path}`, { method, headers })
  const bindings = {
    ...env,
    PUBLIC_DOMAINS: 'd.example',
    CLIENT_LIMITS: limits,
    ...(key === undefined ? {} : { OPERATOR_KEY: key }),
  }
  return handleRequest(request, bindings, createExecutionContext())
}
