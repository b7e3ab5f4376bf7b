import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { handleRequest } from '../../../src/app.ts'
import { digestOf } from '../../../src/domain/ids/digest.ts'
import type { Bindings } from '../../../src/env.ts'
import { LIMITER_OBJECTS } from '../../../src/limits.ts'
import { addressSecret } from '../../../src/storage/secrets.ts'
import { homeOf, openStore } from '../../../src/storage/store.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }))
afterEach(() => void vi.useRealTimers())

/** The requests to the objects: their name and hint, and the client. */
const asked: { object: string; hint: string | undefined; client: string }[] = []
beforeEach(() => void asked.splice(0))

const RATE_LIMITER = new Proxy(env.RATE_LIMITER, {
  get(target, name) {
    if (name !== 'getByName') return Reflect.get(target, name)
    return (...of: Parameters<typeof target.getByName>) => {
      const stub = target.getByName(...of)
      const take = (...args: Parameters<typeof stub.take>) => {
        asked.push({ object: of[0], hint: of[1]?.locationHint, client: args[0] })
        return stub.take(...args)
      }
      return { take }
    }
  },
})

/** Requests the status of nothing, from an address. */
async function ask(address: string, { cf, ...bindings }: Partial<Bindings> & { cf?: Record<string, string> } = {}) {
  const context = createExecutionContext()
  const request = new Request('https://api.d.example/images/status', {
    method: 'POST',
    headers: { 'CF-Connecting-IP': address, 'Content-Type': 'application/json' },
    body: '{"urls":["x"]}',
    ...(cf && { cf }),
  })
  const response = await handleRequest(
    request,
    { ...env, PUBLIC_DOMAINS: 'd.example', RATE_LIMITER, ...bindings },
    context,
  )
  await waitOnExecutionContext(context)
  return [response.status, response.headers.get('Retry-After')]
}

test('an isolate that knows a rejection does not ask again until it nearly ends, and returns the same second', async () => {
  const startMs = Date.now()
  for (let i = 0; i < 5; i++) expect(await ask('192.0.2.1')).toEqual([200, null])
  for (const [afterMs, retryAfterS, times] of [
    [0, 6, 6],
    [1, 6, 6],
    [1000, 5, 6],
    [4999, 2, 6],
    // The object decides from a second before on.
    [5000, 1, 7],
    [5999, 1, 8],
  ] as const) {
    vi.setSystemTime(startMs + afterMs)
    expect([afterMs, ...(await ask('192.0.2.1')), asked.length]).toEqual([afterMs, 429, String(retryAfterS), times])
  }
  vi.setSystemTime(startMs + 6000)
  expect(await ask('192.0.2.1')).toEqual([200, null])
  expect(await ask('192.0.2.1')).toEqual([429, '6'])
  // Nobody else is rejected because of it.
  expect(await ask('192.0.2.2')).toEqual([200, null])
})

test.each([
  ['San Francisco', { continent: 'NA', longitude: '-122.4' }, 'wnam'],
  ['New York', { continent: 'NA', longitude: '-74.0' }, 'enam'],
  ['North America', { continent: 'NA' }, 'enam'],
  ['São Paulo', { continent: 'SA', longitude: '-46.6' }, 'sam'],
  ['Paris', { continent: 'EU', longitude: '2.35' }, 'weur'],
  ['Warsaw', { continent: 'EU', longitude: '21.0' }, 'eeur'],
  ['Dubai', { continent: 'AS', longitude: '55.3' }, 'me'],
  ['Tokyo', { continent: 'AS', longitude: '139.7' }, 'apac'],
  ['Sydney', { continent: 'OC', longitude: '151.2' }, 'oc'],
  ['Nairobi', { continent: 'AF', longitude: '36.8' }, 'afr'],
  ['the network of Tor', { country: 'T1' }, undefined],
])('a client in %s is counted in its region', async (_, cf, hint) => {
  expect(await ask('198.51.100.1', { cf })).toEqual([200, null])
  expect(asked).toMatchObject([{ hint, object: expect.stringMatching(`^clients:${hint ?? 'anywhere'}:[0-9]+$`) }])
})

test('clients are spread evenly over a fixed number of objects', async () => {
  for (let client = 0; client < 300; client++)
    await ask(`203.0.${client >> 8}.${client & 255}`, { cf: { continent: 'OC' }, OPERATOR_KEY: 'k'.repeat(32) })
  const numbers = asked.map(({ object }) => Number(object.split(':')[2]))
  expect(Math.max(...numbers)).toBeLessThan(LIMITER_OBJECTS.perRegion)
  // Of 300 clients some 226 objects know one or more, within four standard deviations.
  const objects = new Set(numbers).size
  expect([objects > 200, objects < 252, objects]).toEqual([true, true, objects])
  // One machine has no regions.
  asked.splice(0)
  for (let client = 0; client < 5; client++) await ask(`203.0.112.${client}`)
  expect(new Set(asked.map(({ object }) => object))).toEqual(new Set(['clients:anywhere:0']))
})

test('the stored form of an address is a digest under the OPERATOR_KEY or, without one, under a secret of the records', async () => {
  const OPERATOR_KEY = 'operator:correct-horse-battery-staple-of-one'
  await ask('192.0.2.9', { OPERATOR_KEY })
  await ask('192.0.2.9')
  await ask('192.0.2.9')
  const [keyed, own, again] = asked.map(({ client }) => client)
  const secret = await addressSecret(homeOf(openStore(env)))
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  const under = async (key: string) => (await digestOf(`${key}\n192.0.2.9`)).slice(8, 40)
  expect([keyed, own, again]).toEqual([await under(OPERATOR_KEY), await under(secret), await under(secret)])
})

test('isolates that create the secret at once agree on one', async () => {
  await env.DB.exec('DELETE FROM secrets')
  const shard = homeOf(openStore(env))
  const made = new Set(await Promise.all([addressSecret(shard), addressSecret(shard), addressSecret(shard)]))
  expect([made.size, await addressSecret(shard)]).toEqual([1, [...made][0]])
})
