import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { longestRefusal, type RateRule } from '../../../src/domain/rate.ts'
import { LIMITER_SWEEP_INTERVAL_MS, LIMITER_SWEEP_ROWS } from '../../../src/limits.ts'

const RULE = { burst: 5, intervalMs: 6000 }
const ONE = { name: 'status', rule: RULE, tokens: 1 }

/** The clock advances only when a test advances it, because buckets would refill on a slow machine. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }))
afterEach(() => void vi.useRealTimers())

const limiter = (name: string) => env.RATE_LIMITER.getByName(name)
const take = async (object: string, client = 'client') => (await limiter(object).take(client, [ONE]))[0]

async function empty(object: string, client = 'client') {
  for (let i = 0; i < RULE.burst; i++) expect(await take(object, client)).toMatchObject({ allowed: true })
}

/** Returns the storage of an object: its rows, its writes since it woke, and its next alarm. */
function stored(object: string) {
  return runInDurableObject(limiter(object), async (_, { storage }) => ({
    rows: storage.sql.exec('SELECT * FROM buckets').toArray(),
    writes: storage.sql.exec('SELECT total_changes() AS writes').one().writes,
    alarmMs: await storage.getAlarm(),
  }))
}

test('a bucket outlives the eviction of its object (D24)', async () => {
  await empty('a')
  expect(await take('a')).toMatchObject({ allowed: false })
  await evictDurableObject(limiter('a'))
  expect(await take('a')).toMatchObject({ allowed: false })
})

test('each client has buckets of its own, and each bucket counts by itself', async () => {
  await empty('b')
  expect(await take('b')).toMatchObject({ allowed: false, retryAfterS: 6 })
  expect(await take('b', 'another')).toMatchObject({ allowed: true, remaining: 4 })
  expect(await limiter('b').take('client', [{ ...ONE, name: 'reports' }])).toMatchObject([{ allowed: true }])
  expect((await stored('b')).rows).toHaveLength(3)
})

test('a rejection writes nothing', async () => {
  await empty('c')
  const before = await stored('c')
  vi.setSystemTime(Date.now() + 1)
  await take('c')
  expect(await stored('c')).toEqual(before)
})

const charge = (name: string, tokens: number, rule: RateRule = RULE) => ({ name, tokens, rule })

test('of several buckets all are charged or none, and the longest wait is returned (D40)', async () => {
  const takeAll = async (...charges: ReturnType<typeof charge>[]) => {
    const refusal = longestRefusal(await limiter('e').take('client', charges))
    return refusal && [refusal.name, refusal.retryAfterS]
  }
  expect(await takeAll(charge('one', 5), charge('other', 3))).toBe(undefined)
  expect(await takeAll(charge('other', 1), charge('one', 1))).toEqual(['one', 6])
  expect(await takeAll(charge('one', 1), charge('other', 5))).toEqual(['other', 18])
  // Rejections charged nothing.
  expect(await takeAll(charge('other', 2))).toBe(undefined)
  await evictDurableObject(limiter('e'))
  expect(await takeAll(charge('other', 1))).toEqual(['other', 6])
})

test('full buckets are removed, the others are not, and the alarm repeats while there are any', async () => {
  await limiter('f').take('client', [charge('fast', 1), charge('slow', 1, { burst: 5, intervalMs: 3_600_000 })])
  expect(await stored('f')).toMatchObject({ alarmMs: Date.now() + LIMITER_SWEEP_INTERVAL_MS })
  vi.setSystemTime(Date.now() + LIMITER_SWEEP_INTERVAL_MS)
  expect(await runDurableObjectAlarm(limiter('f'))).toBe(true)
  expect(await stored('f')).toMatchObject({ rows: [{ name: 'slow' }], alarmMs: Date.now() + LIMITER_SWEEP_INTERVAL_MS })
  vi.setSystemTime(Date.now() + 3_600_000)
  await runDurableObjectAlarm(limiter('f'))
  expect(await stored('f')).toMatchObject({ rows: [], alarmMs: null })
  // It wakes again for later buckets, also after an eviction.
  await take('f')
  expect((await stored('f')).alarmMs).not.toBe(null)
  await evictDurableObject(limiter('f'))
  await take('f')
  expect((await stored('f')).rows).toHaveLength(1)
})

test('a flood of new clients is removed in batches, between which others are served', async () => {
  const clients = LIMITER_SWEEP_ROWS + 500
  await runInDurableObject(limiter('g'), async (object) => {
    for (let client = 0; client < clients; client++) await object.take(`client ${client}`, [ONE])
  })
  vi.setSystemTime(Date.now() + RULE.intervalMs)
  await empty('g', 'honest')
  await runDurableObjectAlarm(limiter('g'))
  const after = await stored('g')
  expect(after.rows).toHaveLength(501)
  expect(after.alarmMs).toBe(Date.now())
  expect(await take('g', 'honest')).toMatchObject({ allowed: false })
  await runDurableObjectAlarm(limiter('g'))
  expect((await stored('g')).rows).toMatchObject([{ client: 'honest' }])
})

test('an object of version 2.0, which had one client, deletes all its data', async () => {
  await runInDurableObject(limiter('h'), async (_, { storage }) => {
    storage.kv.put('full_at_ms', Date.now() + RULE.intervalMs)
    await storage.setAlarm(Date.now() + RULE.intervalMs)
  })
  await runDurableObjectAlarm(limiter('h'))
  await runInDurableObject(limiter('h'), async (_, { storage }) => {
    expect([[...storage.kv.list()], await storage.getAlarm()]).toEqual([[], null])
  })
})
