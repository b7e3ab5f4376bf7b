import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { freshAddress, sharedApi } from './support/api.ts'
import { header } from './support/client.ts'

const api = sharedApi()

/** D24 as seen by one client that cannot choose its address, which is all that another service allows to test. */
test('requests pass until one is 429, and after Retry-After seconds one passes again', async () => {
  const more = { headers: { 'cf-connecting-ip': freshAddress() }, impatient: true }
  const ask = () => api.postJson('/images/status', { urls: ['x'] }, more)
  let response = await ask()
  let passed = 0
  for (; response.status === 200 && passed < 12; passed++) {
    expect(header(response, 'ratelimit')).toMatch(/^"[^"]+";r=[0-4];t=\d+$/)
    response = await ask()
  }
  expect(response.status).toBe(429)
  expect(header(response, 'ratelimit')).toMatch(/^"[^"]+";r=0;t=\d+$/)
  await wait(1000 * Number(header(response, 'retry-after')))
  expect((await ask()).status).toBe(200)
})
