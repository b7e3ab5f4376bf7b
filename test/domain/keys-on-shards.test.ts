import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createGallery } from '../../src/domain/galleries/gallery.ts'
import type { Surroundings } from '../../src/domain/idempotency/lease.ts'
import { IDEMPOTENCY_LEASE_MS, IDEMPOTENCY_RESPONSE_LIFETIME_MS } from '../../src/limits.ts'
import { openStore, type Shard, type Store } from '../../src/storage/store.ts'
import { NOW_MS } from './made-content.ts'
import { performOnce, type Work } from './performed-once.ts'
import { bindShards, emptyStore, logProblem, rows } from './store.ts'

let store: Store
let [first, second]: Shard[] = []

beforeAll(async () => {
  store = openStore(await bindShards(2))
  ;[first, second] = store.shards
})
beforeEach(emptyStore)
afterAll(() => bindShards(1))

interface Options {
  name?: string
  nowMs?: number
  shard?: Shard | undefined
  /** Awaited while the form is read, during the lease on the first shard. */
  reading?: () => Promise<void>
}

/** Sends a request for a new gallery, which by default goes to the second shard. */
function once(work: Work, { name = 'x', nowMs = NOW_MS, shard = second, reading = async () => {} }: Options = {}) {
  const request = {
    key: 'key',
    operation: 'createGallery',
    async read() {
      await reading()
      return { texts: new Map([['gallery_name', name]]), files: new Map() }
    },
    ...(shard ? { shard: shard } : {}),
  }
  let clockMs = nowMs
  const surroundings: Surroundings = {
    nowMs: () => clockMs,
    async wait(ms) {
      clockMs += ms
    },
    every: () => () => {},
    logProblem,
  }
  return performOnce(store, request, surroundings, work)
}

const newGallery: Work = async (seal, shard) => {
  const wanted = { name: 'x', wantsManagementToken: false }
  const { hash } = await createGallery(store, wanted, NOW_MS, ({ hash: made }) => seal(made), [shard])
  return hash
}
const unasked: Work = () => Promise.reject(new Error('this work should not have been asked for'))
const keysOn = async (shard: Shard | undefined) =>
  shard?.db.all('SELECT shard, answer IS NOT NULL AS answered FROM idempotency_keys')

test('the response is with the record, and the first shard has the forwarding record', async () => {
  const { response } = await once(newGallery)
  expect([await keysOn(first), await keysOn(second)]).toEqual([
    [{ shard: 1, answered: 0 }],
    [{ shard: null, answered: 1 }],
  ])
  expect(await second?.db.all('SELECT hash FROM galleries')).toEqual([{ hash: response }])
  for (const shard of [first, second])
    expect(await once(unasked, shard ? { shard } : {})).toEqual({ response, replayed: true })
})

test('the same key with another request is rejected', async () => {
  await once(newGallery)
  await expect(once(unasked, { name: 'y' })).rejects.toMatchObject({ code: 'idempotency_key_reused' })
})

test('work that fails frees the key on both', async () => {
  await expect(once(() => Promise.reject(new Error('planted')))).rejects.toThrow('planted')
  expect([await keysOn(first), await keysOn(second)]).toEqual([[], []])
  expect(await once(newGallery)).toMatchObject({ replayed: false })
})

test('a request that takes over from a dead one prevents its record, wherever the new one goes', async () => {
  const resume = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const dead = once(async (seal, shard) => {
    reached.resolve()
    await resume.promise
    return newGallery(seal, shard)
  })
  await reached.promise
  const laterMs = NOW_MS + IDEMPOTENCY_LEASE_MS
  const { response, replayed } = await once(newGallery, { nowMs: laterMs, ...(first ? { shard: first } : {}) })
  expect(replayed).toBe(false)
  resume.resolve()
  expect((await dead).response).toBe(response)
  expect(await rows('SELECT hash FROM galleries')).toEqual([{ hash: response }])
})

test('a request that is taken over before its forwarding record was written writes none, and does no work', async () => {
  const [slow, late, working, work] = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  const dead = once(unasked, {
    async reading() {
      slow?.resolve()
      await late?.promise
    },
  })
  await slow?.promise
  const next = once(
    async (seal, shard) => {
      working?.resolve()
      await work?.promise
      return newGallery(seal, shard)
    },
    { nowMs: NOW_MS + IDEMPOTENCY_LEASE_MS, shard: first },
  )
  await working?.promise
  late?.resolve()
  await expect(dead).rejects.toMatchObject({ code: 'request_in_progress' })
  work?.resolve()
  const { response } = await next
  expect(await rows('SELECT hash FROM galleries')).toEqual([{ hash: response }])
})

test('of simultaneous requests to different shards, one does the work', async () => {
  const requests = [first, second, first, second].flatMap((shard) => (shard ? [{ shard }] : []))
  const responses = await Promise.all(requests.map((options) => once(newGallery, options)))
  expect(new Set(responses.map(({ response }) => response)).size).toBe(1)
  expect(await rows('SELECT hash FROM galleries')).toHaveLength(1)
})

test('a response that the first shard has lost, as after a restore, is found where the request goes', async () => {
  const { response } = await once(newGallery)
  await first?.db.run('DELETE FROM idempotency_keys')
  expect(await once(unasked)).toEqual({ response, replayed: true })
})

test('an expired response is removed on both, and the work is done again', async () => {
  await once(newGallery)
  const later = await once(newGallery, { nowMs: NOW_MS + IDEMPOTENCY_RESPONSE_LIFETIME_MS })
  expect(later.replayed).toBe(false)
  expect(await rows('SELECT hash FROM galleries')).toHaveLength(2)
})
