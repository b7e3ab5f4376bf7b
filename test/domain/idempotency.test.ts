import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { beforeEach, describe, expect, test } from 'vitest'
import { deleteManaged } from '../../src/domain/content/management.ts'
import { createGallery, finalizeGallery, type GalleryAccess } from '../../src/domain/galleries/gallery.ts'
import type { Fields, Surroundings } from '../../src/domain/idempotency/lease.ts'
import type { Receipt } from '../../src/domain/uploads/store-upload.ts'
import { receiveImage } from '../../src/domain/uploads/upload.ts'
import {
  IDEMPOTENCY_LEASE_MS,
  IDEMPOTENCY_POLL_MS,
  IDEMPOTENCY_RENEWAL_MS,
  IDEMPOTENCY_RESPONSE_LIFETIME_MS,
  IDEMPOTENCY_WAIT_MS,
} from '../../src/limits.ts'
import { type CallRunner, runDatabaseCalls } from '../../src/storage/calls.ts'
import { openStore, type Shard, type Store } from '../../src/storage/store.ts'
import { faultyBindings, onlyNth } from '../support/faulty-bindings.ts'
import { madeGallery, madeImage } from './made-content.ts'
import { type OnceResponse, performOnce, type ReadRequest, type Work } from './performed-once.ts'
import { emptyStore, logProblem, onShard, PIXEL_GIF, rows, shard, store } from './store.ts'

const NOW_MS = Date.UTC(2026, 10, 21)
const KEY = '7e1a4a36-0f7c-4e0b-9e1d-5c8a7f2b6d90'

const problems: string[] = []
const quiet = { every: () => () => {}, logProblem: (what: string) => problems.push(what) }

/** Returns a clock that does not advance, on which waiting takes a moment. */
const clockAt = (nowMs: number): Surroundings => ({
  ...quiet,
  nowMs: () => nowMs,
  wait: () => new Promise((resolve) => setTimeout(resolve, 5)),
})

/** Returns a clock that only waiting advances. */
function runningClock() {
  let nowMs = NOW_MS
  return {
    ...quiet,
    nowMs: () => nowMs,
    wait: async (ms: number) => {
      nowMs += ms
    },
  }
}

type Sent = Pick<ReadRequest, 'key' | 'operation'> & Fields

let readings = 0
let clients = 0

function request(changes: Partial<Sent> = {}): ReadRequest {
  const { key = KEY, operation = 'createGallery', texts, files } = changes
  return {
    key,
    operation,
    client: `client ${clients++}`,
    async read() {
      readings++
      return { texts: texts ?? new Map([['gallery_name', 'x']]), files: files ?? new Map() }
    },
  }
}

function newGallery(in_: Store = store): Work {
  return async (seal) => {
    const wanted = { name: 'x', wantsManagementToken: true }
    return JSON.stringify(await createGallery(in_, wanted, NOW_MS, (made) => seal(JSON.stringify(made))))
  }
}

function newImage(in_: Store = store, gallery?: GalleryAccess): Work {
  const upload = {
    file: { filename: 'a.gif', bytes: PIXEL_GIF.slice() },
    nsfw: false,
    optimizeForWeb: false,
    gallery,
    wantsManagementToken: true,
    maxThumbnailSizePx: 200,
  }
  const write = ({ image, managementToken }: Receipt) => JSON.stringify([image.id, managementToken])
  return async (seal) =>
    write(
      await receiveImage(
        in_,
        upload,
        { sequenceNumber: 5000, nowMs: NOW_MS, clock: () => NOW_MS, logProblem },
        (receipt) => seal(write(receipt)),
      ),
    )
}

const WORKS = [
  ['gallery', 'galleries', newGallery],
  ['image', 'images', newImage],
] as const

const once = (work: Work = newGallery(), changes: Partial<Sent> = {}, surroundings = clockAt(NOW_MS), in_ = store) =>
  performOnce(in_, request(changes), surroundings, work)

const never: Work = () => new Promise(() => {})
const failing: Work = () => Promise.reject(new Error('refused'))
const unasked: Work = () => Promise.reject(new Error('this work should not have been asked for'))
const failure = (code: string) => expect.objectContaining({ name: 'Failure', code })
const countOf = async (table: string) => (await rows(`SELECT * FROM ${table}`)).length
const claimed = async () => {
  while ((await countOf('idempotency_keys')) === 0) await new Promise((resolve) => setTimeout(resolve, 1))
}

/** Returns a store whose batches are changed. */
function withBatch(change: (batch: () => Promise<unknown>) => Promise<unknown>): Store {
  const batch = (...args: Parameters<Shard['db']['batch']>) => change(() => shard.db.batch(...args))
  const db = new Proxy(shard.db, {
    get: (target, name) => (name === 'batch' ? batch : Reflect.get(target, name, target)),
  })
  return onShard({ ...shard, db })
}

beforeEach(async () => {
  problems.length = 0
  readings = 0
  await emptyStore()
})

/** Returns a manual clock, and a store that counts the queries of waiting requests. */
function manyWaiters() {
  let nowMs = NOW_MS
  let timers: { dueMs: number; resolve: () => void }[] = []
  const counts = { reads: 0, writes: 0, pending: 0 }
  const clock = {
    ...quiet,
    nowMs: () => nowMs,
    wait: (ms: number) => new Promise<void>((resolve) => timers.push({ dueMs: nowMs + ms, resolve })),
  }
  const counting = <Value>(kind: 'reads' | 'writes', call: () => Promise<Value>): Promise<Value> => {
    counts[kind]++
    counts.pending++
    return call().finally(() => counts.pending--)
  }
  const run: CallRunner = (name, call) => counting(name === 'D1.batch' ? 'writes' : 'reads', call)
  const db = drizzle(runDatabaseCalls(env.DB, run))
  async function pass(ms: number) {
    for (const endMs = nowMs + ms; nowMs < endMs; nowMs += 50) {
      const due = timers.filter(({ dueMs }) => dueMs <= nowMs)
      timers = timers.filter(({ dueMs }) => dueMs > nowMs)
      for (const { resolve } of due) resolve()
      do await new Promise((resolve) => setTimeout(resolve))
      while (counts.pending > 0)
    }
  }
  return { clock, counts, pass, in_: onShard({ ...shard, db }) }
}

test('400 requests that wait for a key write nothing, and together read at most four times a second', async () => {
  const { clock, counts, pass, in_ } = manyWaiters()
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const work: Work = async (seal, at) => {
    await finished
    return newGallery()(seal, at)
  }
  const send = (client: string) =>
    performOnce(in_, { ...request(), client }, clock, work).catch(({ code }) => ({ response: code }))
  const first = send('holder')
  await claimed()
  counts.writes = 0
  const waiting = Array.from({ length: 400 }, (_, i) => send(`client ${i % 50}`))
  let refused = 0
  void send('client 0').then(({ response }) => {
    if (response === 'request_in_progress') refused++
  })
  await pass(1000)
  expect([counts.writes, refused, counts.reads <= 4], `${counts.reads} reads`).toEqual([0, 1, true])
  await pass(20_000)
  expect([counts.writes, counts.reads <= 9], `${counts.reads} reads`).toEqual([0, true])
  finish()
  const { response: stored } = await first
  await pass(1000)
  expect(new Set((await Promise.all(waiting)).map((response) => response.response))).toEqual(new Set([stored]))
  expect(counts.writes).toBe(0)
})

describe.each(WORKS)('%s', (_, table, work) => {
  test('a repeated request returns the first response, and nothing is stored twice', async () => {
    const first = await once(work())
    expect(first.replayed).toBe(false)
    expect(await once(unasked)).toEqual({ response: first.response, replayed: true })
    expect(await countOf(table)).toBe(1)
  })

  test('ten simultaneous requests act as one', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => once(work())))
    expect(new Set(responses.map(({ response }) => response)).size).toBe(1)
    expect(responses.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(await countOf(table)).toBe(1)
  })

  test('a response that cannot be stored leaves nothing stored, and its key free', async () => {
    await env.DB.exec("CREATE TRIGGER bad BEFORE UPDATE ON idempotency_keys BEGIN SELECT RAISE(ABORT, 'bad row'); END")
    await expect(once(work())).rejects.toThrow()
    await env.DB.exec('DROP TRIGGER bad')
    expect([await countOf(table), await countOf('management_tokens'), await countOf('idempotency_keys')]).toEqual([
      0, 0, 0,
    ])
  })

  test('work whose reply was lost is not done again', async () => {
    const deaf = withBatch(async (batch) => {
      await batch()
      throw new Error('the line is cut')
    })
    const { response } = await once(work(deaf))
    expect(await once(unasked)).toEqual({ response, replayed: true })
    expect(await countOf(table)).toBe(1)
  })

  test("a lease holder so slow that another took over stores nothing, and returns the other's response", async () => {
    let other: Promise<OnceResponse> | undefined
    const overtaken = withBatch(async (batch) => {
      other ??= once(work(), {}, clockAt(NOW_MS + IDEMPOTENCY_LEASE_MS))
      await other
      return batch()
    })
    const slow = await once(work(overtaken))
    expect(slow).toEqual({ response: (await other)?.response, replayed: true })
    expect([await countOf(table), await countOf('management_tokens')]).toEqual([1, 1])
  })
})

describe('the same key with another request', () => {
  const file = (bytes: string, filename = 'a.gif') =>
    new Map([['img', { filename, bytes: new TextEncoder().encode(bytes) }]])
  const texts = (...entries: [string, string][]) => new Map(entries)
  const sent = {
    operation: 'uploadImage',
    files: file('GIF'),
    texts: texts(['content_type', '0'], ['max_th_size', '200']),
  }

  test.each<[what: string, changes: Partial<Sent>]>([
    ['operation', { operation: 'uploadCover' }],
    ['text', { texts: texts(['content_type', '1'], ['max_th_size', '200']) }],
    ['field less', { texts: texts(['content_type', '0']) }],
    ['field more', { texts: texts(['a', '0'], ['content_type', '0'], ['max_th_size', '200']) }],
    ['split of the same letters', { texts: texts(['content_type', '0"],["max_th_size","200']) }],
    ['byte of the file', { files: file('GIG') }],
    ['length of the file', { files: file('GIF ') }],
    ['file name', { files: file('GIF', 'b.gif') }],
    ['field of the file', { files: new Map([['img_left', { filename: 'a.gif', bytes: PIXEL_GIF }]]) }],
    ['file more', { files: new Map([...file('GIF'), ['img_right', { filename: '', bytes: new Uint8Array() }]]) }],
  ])('another %s is rejected', async (_, changes) => {
    await once(newGallery(), sent)
    await expect(once(unasked, { ...sent, ...changes })).rejects.toEqual(failure('idempotency_key_reused'))
  })

  test.each<[what: string, changes: Partial<Sent>]>([
    ['order', { texts: texts(['max_th_size', '200'], ['content_type', '0']) }],
    ['empty field', { texts: texts(['content_type', '0'], ['gallery_hash', ''], ['max_th_size', '200']) }],
  ])('another %s is the same request', async (_, changes) => {
    const { response } = await once(newGallery(), sent)
    expect(await once(unasked, { ...sent, ...changes })).toEqual({ response, replayed: true })
  })

  test('is rejected when the first is done, and not read before', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const first = once(async (seal, at) => {
      await promise
      return newGallery()(seal, at)
    })
    await claimed()
    const second = once(unasked, { operation: 'other' })
    const refused = expect(second).rejects.toEqual(failure('idempotency_key_reused'))
    await new Promise((turn) => setTimeout(turn, 50))
    expect(readings).toBe(1)
    resolve()
    await refused
    await first
    expect(readings).toBe(2)
  })
})

test('another key is another request', async () => {
  const first = await once()
  expect((await once(newGallery(), { key: `${KEY}x` })).response).not.toBe(first.response)
  expect(await countOf('galleries')).toBe(2)
})

test('work that fails frees its key, also for a different request', async () => {
  await expect(once(failing)).rejects.toThrow('refused')
  expect(await countOf('idempotency_keys')).toBe(0)
  expect((await once(newGallery(), { texts: new Map() })).replayed).toBe(false)
})

test('an upload whose gallery is deleted during the upload stores no response, and its key is free', async () => {
  const { hash, uploadToken } = await createGallery(store, { name: '', wantsManagementToken: false }, NOW_MS)
  const overtaken = withBatch(async (batch) => {
    // Without an image in it, this removes it.
    await finalizeGallery(store, { hash, uploadToken }, NOW_MS)
    return batch()
  })
  await expect(once(newImage(overtaken, { hash, uploadToken }))).rejects.toEqual(failure('gallery_not_found'))
  expect([await countOf('images'), await countOf('idempotency_keys')]).toEqual([0, 0])
})

test('an unreadable request leaves its key free', async () => {
  const broken = { ...request(), read: () => Promise.reject(new Error('cut off')) }
  await expect(performOnce(store, broken, clockAt(NOW_MS), () => Promise.resolve(''))).rejects.toThrow('cut off')
  expect(await countOf('idempotency_keys')).toBe(0)
})

test('a key that cannot be freed does not hide the fault of the request', async () => {
  // The first batch takes the lease, the second releases it.
  const bindings = faultyBindings(env, {
    fault: 'throws before',
    strikes: onlyNth('D1.batch', 2),
    message: 'D1_ERROR: internal error',
  })
  await expect(once(failing, {}, clockAt(NOW_MS), openStore(bindings))).rejects.toThrow('refused')
  expect(problems).toEqual(['release an Idempotency-Key'])
})

test('a lease whose reply is lost is the same lease, and a key released twice is free', async () => {
  for (const nth of [1, 2]) {
    const bindings = faultyBindings(env, { fault: 'throws after', strikes: onlyNth('D1.batch', nth) })
    await expect(once(failing, {}, clockAt(NOW_MS), openStore(bindings))).rejects.toThrow('refused')
    expect(await countOf('idempotency_keys')).toBe(0)
  }
})

test('work that takes longer than two leases is done once: nobody takes over while its holder renews the lease', async () => {
  const time = createTime()
  let runs = 0
  const slow: Work = async (seal, at) => {
    if (++runs > 5) throw new Error('the work is done again and again')
    await time.surroundings.wait(2 * IDEMPOTENCY_LEASE_MS + IDEMPOTENCY_RENEWAL_MS)
    return newGallery()(seal, at)
  }
  const in_ = openStore({ DB: runDatabaseCalls(env.DB, time.counted), FILES: env.FILES })
  const sendPatiently = async (): Promise<OnceResponse> => {
    for (;;) {
      try {
        return await once(slow, {}, time.surroundings, in_)
      } catch (error) {
        expect(error).toEqual(failure('request_in_progress'))
      }
    }
  }
  const responses = await time.passFor(Promise.all([sendPatiently(), sendPatiently()]))
  expect(runs).toBe(1)
  expect(responses.filter(({ replayed }) => !replayed)).toHaveLength(1)
  expect(await countOf('galleries')).toBe(1)
})

/** Returns a clock that advances to its next timer whenever the database is idle. */
function createTime() {
  let nowMs = NOW_MS
  let calls = 0
  const timers = new Set<{ atMs: number; act: () => void }>()
  const after = (ms: number, act: () => void) => {
    const timer = { atMs: nowMs + ms, act }
    timers.add(timer)
    return timer
  }
  const counted: CallRunner = async (_, call) => {
    calls++
    try {
      return await call()
    } finally {
      calls--
    }
  }
  const turn = () => new Promise((resolve) => setTimeout(resolve, 2))
  const surroundings: Surroundings = {
    ...quiet,
    nowMs: () => nowMs,
    wait: (ms) => new Promise((resolve) => after(ms, () => resolve())),
    every(ms, act) {
      let timer = after(ms, again)
      function again() {
        act()
        timer = after(ms, again)
      }
      return () => timers.delete(timer)
    },
  }
  async function passFor<Result>(work: Promise<Result>): Promise<Result> {
    let isDone = false
    const done = work.finally(() => {
      isDone = true
    })
    while (!isDone) {
      await turn()
      const [next] = [...timers].sort((a, b) => a.atMs - b.atMs)
      if (calls > 0 || !next) continue
      timers.delete(next)
      nowMs = next.atMs
      next.act()
    }
    return done
  }
  return { surroundings, counted, passFor }
}

test('a request that waits for failing work does it itself', async () => {
  const { promise, reject } = Promise.withResolvers<string>()
  const first = once(() => promise)
  await claimed()
  const second = once()
  reject(new Error('refused'))
  await expect(first).rejects.toThrow('refused')
  expect((await second).replayed).toBe(false)
  expect(await countOf('galleries')).toBe(1)
})

test('a request that waits for dead work takes it over once its lease expires, and not before', async () => {
  void once(never)
  await claimed()
  const clock = runningClock()
  expect((await once(newGallery(), {}, clock)).replayed).toBe(false)
  const waitedMs = clock.nowMs() - NOW_MS
  expect(waitedMs).toBeGreaterThanOrEqual(IDEMPOTENCY_LEASE_MS)
  expect(waitedMs).toBeLessThan(IDEMPOTENCY_LEASE_MS + IDEMPOTENCY_POLL_MS)
  expect(await countOf('galleries')).toBe(1)
})

test('a request that waits in vain is told so', async () => {
  void once(never, {}, clockAt(NOW_MS + IDEMPOTENCY_WAIT_MS))
  await claimed()
  const clock = runningClock()
  await expect(once(unasked, {}, clock)).rejects.toEqual(failure('request_in_progress'))
  expect(clock.nowMs() - NOW_MS).toBe(IDEMPOTENCY_WAIT_MS)
})

test.each([
  [IDEMPOTENCY_RESPONSE_LIFETIME_MS - 1, true, 1],
  [IDEMPOTENCY_RESPONSE_LIFETIME_MS, false, 2],
])('after %i ms a response is replayed: %s', async (afterMs, replayed, galleries) => {
  await once()
  expect((await once(newGallery(), {}, clockAt(NOW_MS + afterMs))).replayed).toBe(replayed)
  expect(await countOf('galleries')).toBe(galleries)
})

describe('a delete', () => {
  const deleting =
    (token: string, in_: Store = store): Work =>
    async (seal) =>
      JSON.stringify(await deleteManaged(in_, token, NOW_MS, (made) => seal(JSON.stringify(made))))

  test.each(['image', 'gallery'])('of one %s, repeated, returns the first response, by its key alone', async (kind) => {
    const { token } = kind === 'image' ? await madeImage() : await madeGallery()
    const first = await once(deleting(token))
    expect(await once(deleting(token))).toEqual({ response: first.response, replayed: true })
    await expect(once(deleting(token), { key: `${KEY}x` })).rejects.toEqual(failure('content_deleted'))
  })

  test('ten simultaneous requests with one key act as one', async () => {
    const { token } = await madeImage()
    const responses = await Promise.all(Array.from({ length: 10 }, () => once(deleting(token))))
    expect(new Set(responses.map(({ response }) => response)).size).toBe(1)
    expect(responses.filter(({ replayed }) => !replayed)).toHaveLength(1)
  })

  test('by a holder that lost its key to another deletes nothing', async () => {
    const { token } = await madeImage()
    const tried = Promise.withResolvers<void>()
    void once(async (seal, at) => {
      await env.DB.exec("UPDATE idempotency_keys SET claim = 'another', free_at = 9000000000000000")
      return deleting(token)(seal, at).finally(tried.resolve)
    })
    await tried.promise
    expect(await rows('SELECT deleted_at FROM images')).toEqual([{ deleted_at: null }])
    expect(await rows('SELECT * FROM file_cleanup')).toEqual([])
  })
})

test('the stored record reveals neither the key nor the response', async () => {
  const column = 'answer'
  const { response } = await once()
  const stored = await rows('SELECT * FROM idempotency_keys')
  expect(stored).toEqual([
    {
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      claim: expect.stringMatching(/^[0-9a-f]{32}$/),
      fingerprint: expect.stringMatching(/^[\w+/]{43}=$/),
      [column]: expect.stringMatching(/^[\w+/=]+$/),
      free_at: NOW_MS + IDEMPOTENCY_RESPONSE_LIFETIME_MS,
      shard: null,
    },
  ])
  const values: unknown[] = Object.values(JSON.parse(response))
  const secrets = values.flatMap((value) => (typeof value === 'string' && value.length > 5 ? [value] : []))
  expect(secrets.length).toBeGreaterThan(1)
  const text = JSON.stringify(stored) + atob(String(stored[0]?.[column]))
  for (const secret of [KEY, ...secrets]) expect(text).not.toContain(secret)
})
