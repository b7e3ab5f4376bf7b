import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createGallery } from '../../src/domain/gallery.ts'
import type { Surroundings } from '../../src/domain/lease.ts'
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
  /** Waited for while the form is read, when the key is held on the first shard. */
  reading?: () => Promise<void>
}

/** A request for a new gallery; without another `place` it goes to the second shard. */
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

test('the answer is with the record, and the first shard says where', async () => {
  const { response } = await once(newGallery)
  expect([await keysOn(first), await keysOn(second)]).toEqual([
    [{ shard: 1, answered: 0 }],
    [{ shard: null, answered: 1 }],
  ])
  expect(await second?.db.all('SELECT hash FROM galleries')).toEqual([{ hash: response }])
  for (const shard of [first, second])
    expect(await once(unasked, shard ? { shard } : {})).toEqual({ response, replayed: true })
})

test('the same key with another request is refused', async () => {
  await once(newGallery)
  await expect(once(unasked, { name: 'y' })).rejects.toMatchObject({ code: 'idempotency_key_reused' })
})

test('work that fails frees the key on both', async () => {
  await expect(once(() => Promise.reject(new Error('planted')))).rejects.toThrow('planted')
  expect([await keysOn(first), await keysOn(second)]).toEqual([[], []])
  expect(await once(newGallery)).toMatchObject({ replayed: false })
})

test('who takes over from a request that died lets it record nothing any more, wherever the new one goes', async () => {
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

test('who is taken over before the note was written writes none over the new holder, and does no work', async () => {
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

test('of requests at once, each of which would go to another shard, one does the work', async () => {
  const requests = [first, second, first, second].flatMap((shard) => (shard ? [{ shard }] : []))
  const responses = await Promise.all(requests.map((options) => once(newGallery, options)))
  expect(new Set(responses.map(({ response }) => response)).size).toBe(1)
  expect(await rows('SELECT hash FROM galleries')).toHaveLength(1)
})

test('an answer that the first shard has forgotten, as after a backup of it was restored, is found where the request goes', async () => {
  const { response } = await once(newGallery)
  await first?.db.run('DELETE FROM idempotency_keys')
  expect(await once(unasked)).toEqual({ response, replayed: true })
})

test('after its time an answer is forgotten on both, and the work is done anew', async () => {
  await once(newGallery)
  const later = await once(newGallery, { nowMs: NOW_MS + IDEMPOTENCY_RESPONSE_LIFETIME_MS })
  expect(later.replayed).toBe(false)
  expect(await rows('SELECT hash FROM galleries')).toHaveLength(2)
})
