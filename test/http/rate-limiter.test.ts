import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const RULE = { burst: 5, intervalMs: 6000 }

/** Time stands still unless a test lets it pass: a slow machine would see tokens come back. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }))
afterEach(() => void vi.useRealTimers())

const limiter = (name: string) => env.RATE_LIMITER.getByName(name)

async function empty(name: string) {
  for (let i = 0; i < RULE.burst; i++) expect(await limiter(name).take(RULE)).toMatchObject({ allowed: true })
}

test('a bucket outlives the eviction of its object (D24)', async () => {
  await empty('a')
  expect(await limiter('a').take(RULE)).toMatchObject({ allowed: false })
  await evictDurableObject(limiter('a'))
  expect(await limiter('a').take(RULE)).toMatchObject({ allowed: false })
})

test('a bucket that is full again deletes itself', async () => {
  await limiter('b').take(RULE)
  vi.setSystemTime(Date.now() + RULE.intervalMs)
  await runDurableObjectAlarm(limiter('b'))
  await runInDurableObject(limiter('b'), (_, { storage }) => {
    expect([...storage.kv.list()]).toEqual([])
  })
  expect(await limiter('b').take(RULE)).toMatchObject({ allowed: true, remaining: 4 })
})

test('an alarm that finds a token just taken waits for it to come back', async () => {
  await empty('d')
  expect(await runDurableObjectAlarm(limiter('d'))).toBe(true)
  expect(await limiter('d').take(RULE)).toMatchObject({ allowed: false })
})

test('a refusal writes nothing', async () => {
  await empty('c')
  const kept = () => runInDurableObject(limiter('c'), (_, { storage }) => storage.kv.get('full_at_ms'))
  const before = await kept()
  await limiter('c').take(RULE)
  expect(await kept()).toBe(before)
})

const charge = (name: string, tokens: number) => ({ name, tokens, rule: RULE })

test('of several buckets all are charged or none, and the longest wait is told (D40)', async () => {
  const take = (...charges: ReturnType<typeof charge>[]) => limiter('e').takeAll(charges)
  expect(await take(charge('one', 5), charge('other', 3))).toEqual({ refused: undefined, retryAfterS: 0 })
  expect(await take(charge('other', 1), charge('one', 1))).toMatchObject({ refused: 'one' })
  expect(await take(charge('one', 1), charge('other', 5))).toEqual({ refused: 'other', retryAfterS: 18 })
  // Refusals took nothing.
  expect(await take(charge('other', 2))).toMatchObject({ refused: undefined })
  await evictDurableObject(limiter('e'))
  expect(await take(charge('other', 1))).toMatchObject({ refused: 'other' })
})

test('several buckets delete themselves when the last is full', async () => {
  await limiter('f').takeAll([
    { name: 'fast', tokens: 1, rule: { burst: 5, intervalMs: 60_000 } },
    { name: 'slow', tokens: 1, rule: { burst: 5, intervalMs: 90_000 } },
  ])
  const kept = () => runInDurableObject(limiter('f'), (_, { storage }) => [...storage.kv.list()].length)
  vi.setSystemTime(Date.now() + 60_000)
  await runDurableObjectAlarm(limiter('f'))
  expect(await kept()).toBe(2)
  vi.setSystemTime(Date.now() + 30_000)
  await runDurableObjectAlarm(limiter('f'))
  expect(await kept()).toBe(0)
})
