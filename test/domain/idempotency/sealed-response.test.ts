import { expect, test } from 'vitest'
import {
  createLeaseId,
  fingerprint,
  keyDigest,
  openResponse,
  sealResponse,
} from '../../../src/domain/idempotency/sealed-response.ts'
import { digestOf } from '../../../src/domain/ids/digest.ts'

const RESPONSE = '{"name":"blå.png","manage_url":"https://one.example/manage/secret"}'

test('a response is opened with its key and lease', async () => {
  const lease = createLeaseId()
  expect(await openResponse('key', lease, await sealResponse('key', lease, RESPONSE))).toBe(RESPONSE)
})

test.each([
  ['another key', 'kez', 'lease', (sealed: string) => sealed],
  ['another lease', 'key', 'leasf', (sealed: string) => sealed],
  [
    'a changed byte',
    'key',
    'lease',
    (sealed: string) => sealed.replace(/^(.{30})(.)/, (_, a, b) => `${a}${b === 'A' ? 'B' : 'A'}`),
  ],
])('a response is not opened with %s', async (_, key, lease, change) => {
  const sealed = await sealResponse('key', 'lease', RESPONSE)
  await expect(openResponse(key, lease, change(sealed))).rejects.toThrow()
})

test('a sealed response reveals nothing, and differs each time', async () => {
  const sealed = await Promise.all([1, 2].map(() => sealResponse('key', 'lease', RESPONSE)))
  expect(sealed[0]).not.toBe(sealed[1])
  expect(sealed.map((text) => atob(text)).join()).not.toMatch(/name|manage|secret/)
})

test.each([
  ['key', ['kez', 'lease', 'request']],
  ['lease', ['key', 'leasf', 'request']],
  ['request', ['key', 'lease', 'requesu']],
] as const)('a fingerprint depends on the %s', async (_, [key, lease, request]) => {
  const first = await fingerprint('key', 'lease', 'request')
  expect(await fingerprint('key', 'lease', 'request')).toBe(first)
  expect(await fingerprint(key, lease, request)).not.toBe(first)
})

test('leases are 128 random bits', () => {
  expect(createLeaseId()).toMatch(/^[0-9a-f]{32}$/)
  expect(new Set(Array.from({ length: 100 }, createLeaseId)).size).toBe(100)
})

test('a key has another digest than a token with the same text', async () => {
  expect(await keyDigest('abc')).toMatch(/^[0-9a-f]{64}$/)
  expect(await keyDigest('abc')).not.toBe(await digestOf('abc'))
})
