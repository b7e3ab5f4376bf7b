import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { answer } from '../../src/app.ts'
import type { HostRole } from '../../src/http/hosts.ts'

const KEY = 'correct-horse-battery-staple'

const HOSTS: Record<HostRole, string> = {
  everything: 'd.example',
  api: 'api.d.example',
  media: 't1.d.example',
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
  ])('%s is 401, and says nothing of the key', async (_what, authorization) => {
    const response = await ask(method, path, { key: KEY, authorization })
    expect([response.status, response.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer'])
    const text = await response.text()
    expect(JSON.parse(text)).toMatchObject({ success: false, error: 'operator_key_incorrect' })
    expect(text).not.toContain(KEY.slice(0, 8))
  })

  test.each([`Bearer ${KEY}`, `bearer  ${KEY}`])('the right key passes: %s', async (authorization) => {
    expect((await ask(method, path, { key: KEY, authorization })).status).not.toBe(401)
  })

  test.each([undefined, ''])('without an OPERATOR_KEY (%j) it is a path that nothing answers', async (key) => {
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
  ['anna:first-key,ben:second-key', ['first-key', 'second-key'], ['anna:first-key', 'first', 'second-key,']],
  [' anna:first-key\n\tsecond-key ', ['first-key', 'second-key'], ['anna:first-key']],
  ['1anna:first-key', ['1anna:first-key'], ['first-key']],
  ['anna:', [], ['anna:', 'anna']],
])('of several keys each opens, and nothing else: %j', async (key, right, wrong) => {
  const statusWith = async (shown: string) =>
    (await ask('GET', '/operator/audit', { key, authorization: `Bearer ${shown}` })).status
  for (const shown of right) expect([shown, await statusWith(shown)]).toEqual([shown, 200])
  for (const shown of wrong) expect([401, 404]).toContain(await statusWith(shown))
})

async function ask(
  method: string,
  path: string,
  {
    key,
    authorization,
    role = 'everything',
  }: { key?: string | undefined; authorization?: string | undefined; role?: HostRole },
) {
  const request = new Request(`https://${HOSTS[role]}${path}`, {
    method,
    headers: authorization === undefined ? {} : { Authorization: authorization },
  })
  const bindings = { ...env, PUBLIC_DOMAINS: 'd.example', ...(key === undefined ? {} : { OPERATOR_KEY: key }) }
  return answer(request, bindings, createExecutionContext())
}
