import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { apiAt, freshAddress, mayStartServices, needChosenAddresses, sharedApi } from './support/api.ts'
import { askChecked, bucketModel } from './support/bucket-model.ts'
import { type ApiResponse, header } from './support/client.ts'
import { startService, temporaryData } from './support/service.ts'

const api = sharedApi()
needChosenAddresses()

/** D24: a token bucket of 5 that refills one each 6 seconds, exact. "Rate | sustained 10 requests per minute per client IP, burst allowance 5" */

test('five at once pass, then one each six seconds, as Retry-After says', async () => {
  const model = bucketModel()
  const address = freshAddress()
  const ask = () => askChecked(model, () => api.status(['x'], address))
  for (let time = 0; time < 5; time++) expect((await ask()).status).toBe(200)
  let refused = await ask()
  // On a machine so slow that the bucket refilled in the meantime, it is empty a little later.
  while (refused.status === 200) refused = await ask()
  expect(refused.status).toBe(429)
  await wait(Number(header(refused, 'retry-after')) * 1000)
  expect((await ask()).status).toBe(200)
  await ask()
})

test('of many at once, no more pass than the bucket holds', async () => {
  const address = freshAddress()
  const startedMs = Date.now()
  const responses = await Promise.all(Array.from({ length: 40 }, () => api.status(['x'], address)))
  const passed = responses.filter(({ status }) => status === 200).length
  expect(passed).toBeGreaterThanOrEqual(5)
  expect(passed).toBeLessThanOrEqual(5 + Math.floor((Date.now() - startedMs) / 6000))
})

describe('every request but a 405 spends one token', () => {
  const json = { 'content-type': 'application/json' }
  const rows: [row: string, ask: { body: string; headers: Record<string, string> }][] = [
    ['a good one', { body: '{"urls":["x"]}', headers: json }],
    ['415', { body: '{"urls":["x"]}', headers: { 'content-type': 'text/plain' } }],
    ['413', { body: ' '.repeat(65_537), headers: json }],
    ['400', { body: '{', headers: json }],
    ['422', { body: '{"urls":[]}', headers: json }],
  ]
  test.for(rows)('%s', async ([, { body, headers }]) => {
    const model = bucketModel()
    const sent = { path: '/images/status', body, headers: { ...headers, 'cf-connecting-ip': freshAddress() } }
    for (let time = 0; time < 8; time++) await askChecked(model, () => api.send(sent))
  })

  test('a 405 spends nothing', async () => {
    const address = freshAddress()
    for (let time = 0; time < 12; time++) {
      const response = await api.get('/images/status', { headers: { 'cf-connecting-ip': address } })
      expect(response.status).toBe(405)
    }
    for (let time = 0; time < 5; time++) expect((await api.status(['x'], address)).status).toBe(200)
  })

  test('a preflight spends nothing', async () => {
    const address = freshAddress()
    for (let time = 0; time < 12; time++) {
      await api.send({ method: 'OPTIONS', path: '/images/status', headers: { 'cf-connecting-ip': address } })
    }
    for (let time = 0; time < 5; time++) expect((await api.status(['x'], address)).status).toBe(200)
  })
})

describe('one bucket per client address, by CF-Connecting-IP alone', () => {
  const spent = async (address: string) => {
    await Promise.all(Array.from({ length: 8 }, () => api.status(['x'], address)))
  }
  const passes = async (address: string | undefined, headers: Record<string, string> = {}) => {
    const own = address === undefined ? {} : { 'cf-connecting-ip': address }
    const response = await api.postJson('/images/status', { urls: ['x'] }, { headers: { ...own, ...headers } })
    return response.status === 200
  }
  const [a, b] = [randomGroup(), randomGroup()]

  test.for([
    ['another IPv4 address', `10.${byte()}.${byte()}.1`, `10.${byte()}.${byte()}.2`, true],
    ['another IPv6 network (/64)', `2001:db8:${a}:1::1`, `2001:db8:${a}:2::1`, true],
    ['another address of the same IPv6 network', `2001:db8:${b}:1::1`, `2001:db8:${b}:1:ffff:ffff:ffff:ffff`, false],
    [
      'the same IPv6 address written in full',
      `2001:db8:${b}:3::1`,
      `2001:0db8:${b.padStart(4, '0')}:0003:0000:0000:0000:0001`,
      false,
    ],
    ['the same IPv6 address in upper case', `2001:db8:${b}:abcd::1`, `2001:DB8:${b.toUpperCase()}:ABCD::1`, false],
  ] as const)('%s', async ([, first, second, own]) => {
    await expectOwnBucket(first, second, own)
  })

  test('forwarding headers of the client do not make a new bucket', async () => {
    const address = freshAddress()
    const startedMs = Date.now()
    let passed = 0
    for (let time = 0; time < 12; time++) {
      const forged = {
        'x-forwarded-for': freshAddress(),
        'x-real-ip': freshAddress(),
        'true-client-ip': freshAddress(),
      }
      if (await passes(address, { ...forged, forwarded: `for="[${freshAddress()}]"` })) passed++
    }
    expect(passed).toBeLessThanOrEqual(5 + Math.floor((Date.now() - startedMs) / 6000))
  })

  test('requests without an address share one bucket', async () => {
    const startedMs = Date.now()
    const results = await Promise.all(
      Array.from({ length: 12 }, () => passes(undefined, { 'x-forwarded-for': freshAddress() })),
    )
    const refilled = Math.floor((Date.now() - startedMs) / 6000)
    expect(results.filter((pass) => pass).length).toBeLessThanOrEqual(5 + refilled)
  })

  /**
   * Checks the second address after the first has spent its bucket: whether it still gets five at once, or hardly one.
   */
  async function expectOwnBucket(first: string, second: string, own: boolean) {
    const startedMs = Date.now()
    await spent(first)
    const results = await Promise.all(Array.from({ length: 5 }, () => passes(second)))
    const passed = results.filter((pass) => pass).length
    if (own) expect(passed).toBe(5)
    else expect(passed).toBeLessThanOrEqual(Math.floor((Date.now() - startedMs) / 6000))
  }
})

describe('RateLimit and RateLimit-Policy are on every status response except a 405', () => {
  const json = { 'content-type': 'application/json' }
  test.for([
    [200, '{"urls":["x"]}', json],
    [400, '{', json],
    [413, ' '.repeat(65_537), json],
    [415, 'x', { 'content-type': 'text/plain' }],
    [422, '{"urls":[]}', json],
  ] as const)('%i', async ([status, body, headers]) => {
    const response = await api.send({
      path: '/images/status',
      body,
      headers: { ...headers, 'cf-connecting-ip': freshAddress() },
    })
    expect(response.status).toBe(status)
    expectRateHeaders(response, 4)
  })

  test('429: nothing remains', async () => {
    const address = freshAddress()
    const responses = await Promise.all(Array.from({ length: 30 }, () => api.status(['x'], address)))
    const refused = responses.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    for (const response of refused) expectRateHeaders(response, 0)
  })

  test('not on a 405', async () => {
    const response = await api.get('/images/status')
    expect([header(response, 'ratelimit'), header(response, 'ratelimit-policy')]).toEqual([undefined, undefined])
  })

  /** The syntax of the IETF draft: structured fields, `"name";q=quota;w=window` and `"name";r=remaining;t=seconds`. */
  function expectRateHeaders(response: ApiResponse, remaining: number) {
    const policy = /^("[^"]+");q=5;w=\d+$/.exec(header(response, 'ratelimit-policy') ?? '')
    const limit = /^("[^"]+");r=(\d+);t=\d+$/.exec(header(response, 'ratelimit') ?? '')
    expect(policy, header(response, 'ratelimit-policy')).not.toBeNull()
    expect(limit, header(response, 'ratelimit')).not.toBeNull()
    expect(limit?.[1]).toBe(policy?.[1])
    expect(Number(limit?.[2])).toBe(remaining)
  }
})

describe('it survives a restart (needs services of its own)', () => {
  test.skipIf(!mayStartServices())('stores no file for an address', async () => {
    const data = await temporaryData()
    const service = await startService({ data: data.path })
    const addresses = Array.from({ length: 60 }, freshAddress)
    await Promise.all(addresses.map((address) => apiAt(service.baseUrl).status(['x'], address)))
    await service.stop()
    const files = readdirSync(join(data.path, 'do'), { recursive: true, encoding: 'utf8' })
    // One of the object, and one of its alarms.
    expect(files.filter((file) => file.endsWith('.sqlite'))).toHaveLength(2)
    await data.remove()
  })
})

function byte(): number {
  return 1 + Math.floor(Math.random() * 254)
}

function randomGroup(): string {
  return (0x1000 + Math.floor(Math.random() * 0xefff)).toString(16)
}
