import { expect, test } from 'vitest'
import { digestOf } from '../../src/domain/digest.ts'
import { createClaimId, fingerprint, keyDigest, openAnswer, sealAnswer } from '../../src/domain/sealed-answer.ts'

const ANSWER = '{"name":"blå.png","manage_url":"https://one.example/manage/secret"}'

test('an answer is opened with its key and claim', async () => {
  const claim = createClaimId()
  expect(await openAnswer('key', claim, await sealAnswer('key', claim, ANSWER))).toBe(ANSWER)
})

test.each([
  ['another key', 'kez', 'claim', (sealed: string) => sealed],
  ['another claim', 'key', 'clain', (sealed: string) => sealed],
  [
    'a changed byte',
    'key',
    'claim',
    (sealed: string) => sealed.replace(/^(.{30})(.)/, (_, a, b) => `${a}${b === 'A' ? 'B' : 'A'}`),
  ],
])('an answer is not opened with %s', async (_, key, claim, change) => {
  const sealed = await sealAnswer('key', 'claim', ANSWER)
  await expect(openAnswer(key, claim, change(sealed))).rejects.toThrow()
})

test('what is sealed shows nothing of the answer, and is never the same twice', async () => {
  const sealed = await Promise.all([1, 2].map(() => sealAnswer('key', 'claim', ANSWER)))
  expect(sealed[0]).not.toBe(sealed[1])
  expect(sealed.map((text) => atob(text)).join()).not.toMatch(/name|manage|secret/)
})

test.each([
  ['key', ['kez', 'claim', 'request']],
  ['claim', ['key', 'clain', 'request']],
  ['request', ['key', 'claim', 'requesu']],
] as const)('a fingerprint depends on the %s', async (_, [key, claim, request]) => {
  const first = await fingerprint('key', 'claim', 'request')
  expect(await fingerprint('key', 'claim', 'request')).toBe(first)
  expect(await fingerprint(key, claim, request)).not.toBe(first)
})

test('claims are 128 random bits', () => {
  expect(createClaimId()).toMatch(/^[0-9a-f]{32}$/)
  expect(new Set(Array.from({ length: 100 }, createClaimId)).size).toBe(100)
})

test('a key is not found by the digest that a token of the same text has', async () => {
  expect(await keyDigest('abc')).toMatch(/^[0-9a-f]{64}$/)
  expect(await keyDigest('abc')).not.toBe(await digestOf('abc'))
})
