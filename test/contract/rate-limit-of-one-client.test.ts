import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { freshAddress, sharedApi } from './support/api.ts'
import { header } from './support/client.ts'

const api = sharedApi()

/** D24 as one client sees it, who cannot choose its address: all that can be tested with a service of somebody else's. */
test('requests are let through until one is 429, and after Retry-After seconds one is let through again', async () => {
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
