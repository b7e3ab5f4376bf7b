import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { createGallery, finalizeGallery, type GalleryAccess } from '../../src/domain/gallery.ts'
import { answerOnce, type Clock, type KeyedRequest, type OnceAnswer, type Seal } from '../../src/domain/idempotency.ts'
import type { Receipt } from '../../src/domain/store-upload.ts'
import { receiveImage } from '../../src/domain/upload.ts'
import {
  IDEMPOTENCY_ANSWER_LIFETIME_MS,
  IDEMPOTENCY_CLAIM_LIFETIME_MS,
  IDEMPOTENCY_POLL_MS,
  IDEMPOTENCY_WAIT_MS,
} from '../../src/limits.ts'
import type { Store } from '../../src/storage/store.ts'
import { emptyStore, PIXEL_GIF, rows, store } from './store.ts'

const NOW_MS = Date.UTC(2026, 10, 21)
const KEY = '7e1a4a36-0f7c-4e0b-9e1d-5c8a7f2b6d90'

type Work = (seal: Seal<string>) => Promise<string>

/** A clock that stands still; waiting takes a moment, but no time. */
const clockAt = (nowMs: number): Clock => ({
  nowMs: () => nowMs,
  wait: () => new Promise((resolve) => setTimeout(resolve, 5)),
})

/** A clock on which time passes by waiting alone. */
function runningClock() {
  let nowMs = NOW_MS
  return {
    nowMs: () => nowMs,
    wait: async (ms: number) => {
      nowMs += ms
    },
  }
}

const request = (changes: Partial<KeyedRequest> = {}): KeyedRequest => ({
  key: KEY,
  operation: 'createGallery',
  texts: new Map([['gallery_name', 'x']]),
  files: new Map(),
  ...changes,
})

function newGallery(in_: Store = store): Work {
  return async (seal) => {
    const wanted = { name: 'x', wantsManagementToken: true }
    return JSON.stringify(await createGallery(in_, wanted, NOW_MS, (made) => seal(JSON.stringify(made))))
  }
}

function newImage(in_: Store = store, gallery?: GalleryAccess): Work {
  const upload = {
    file: { filename: 'a.gif', bytes: PIXEL_GIF },
    nsfw: false,
    optimizeForWeb: false,
    gallery,
    wantsManagementToken: true,
    maxThumbnailSizePx: 200,
  }
  const write = ({ image, managementToken }: Receipt) => JSON.stringify([image.id, managementToken])
  return async (seal) =>
    write(
      await receiveImage(in_, upload, { imageId: 5000, nowMs: NOW_MS, clock: () => NOW_MS }, (receipt) =>
        seal(write(receipt)),
      ),
    )
}

const WORKS = [
  ['gallery', 'galleries', newGallery],
  ['image', 'images', newImage],
] as const

const once = (work: Work = newGallery(), changes: Partial<KeyedRequest> = {}, clock: Clock = clockAt(NOW_MS)) =>
  answerOnce(store, request(changes), clock, work)

const never: Work = () => new Promise(() => {})
const failing: Work = () => Promise.reject(new Error('refused'))
const unasked: Work = () => Promise.reject(new Error('this work should not have been asked for'))
const failure = (code: string) => expect.objectContaining({ name: 'Failure', code })
const countOf = async (table: string) => (await rows(`SELECT * FROM ${table}`)).length
const claimed = async () => {
  while ((await countOf('idempotency_keys')) === 0) await new Promise((resolve) => setTimeout(resolve, 1))
}

/** A store whose batches do something of their own. */
function withBatch(change: (batch: () => Promise<unknown>) => Promise<unknown>): Store {
  const batch = (...args: Parameters<Store['db']['batch']>) => change(() => store.db.batch(...args))
  const db = new Proxy(store.db, {
    get: (target, name) => (name === 'batch' ? batch : Reflect.get(target, name, target)),
  })
  return { ...store, db }
}

beforeEach(emptyStore)

describe.each(WORKS)('%s', (_, table, work) => {
  test('a request that comes again has the first answer, and nothing is stored twice', async () => {
    const first = await once(work())
    expect(first.replayed).toBe(false)
    expect(await once(unasked)).toEqual({ answer: first.answer, replayed: true })
    expect(await countOf(table)).toBe(1)
  })

  test('ten at once are one', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => once(work())))
    expect(new Set(answers.map(({ answer }) => answer)).size).toBe(1)
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(await countOf(table)).toBe(1)
  })

  test('an answer that cannot be kept leaves nothing stored, and its key free', async () => {
    await env.DB.exec("CREATE TRIGGER bad BEFORE UPDATE ON idempotency_keys BEGIN SELECT RAISE(ABORT, 'bad row'); END")
    await expect(once(work())).rejects.toThrow()
    await env.DB.exec('DROP TRIGGER bad')
    expect([await countOf(table), await countOf('management_tokens'), await countOf('idempotency_keys')]).toEqual([
      0, 0, 0,
    ])
  })

  test('work that was done though the word of it was lost is not done again', async () => {
    const deaf = withBatch(async (batch) => {
      await batch()
      throw new Error('the line is cut')
    })
    const { answer } = await once(work(deaf))
    expect(await once(unasked)).toEqual({ answer, replayed: true })
    expect(await countOf(table)).toBe(1)
  })

  test('a holder so slow that another took over stores nothing, and gives the answer of the other', async () => {
    let other: Promise<OnceAnswer> | undefined
    const overtaken = withBatch(async (batch) => {
      other ??= once(work(), {}, clockAt(NOW_MS + IDEMPOTENCY_CLAIM_LIFETIME_MS))
      await other
      return batch()
    })
    const slow = await once(work(overtaken))
    expect(slow).toEqual({ answer: (await other)?.answer, replayed: true })
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

  test.each<[what: string, changes: Partial<KeyedRequest>]>([
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
  ])('another %s is refused', async (_, changes) => {
    await once(newGallery(), sent)
    await expect(once(unasked, { ...sent, ...changes })).rejects.toEqual(failure('idempotency_key_reused'))
  })

  test.each<[what: string, changes: Partial<KeyedRequest>]>([
    ['order', { texts: texts(['max_th_size', '200'], ['content_type', '0']) }],
    ['empty field', { texts: texts(['content_type', '0'], ['gallery_hash', ''], ['max_th_size', '200']) }],
  ])('another %s is the same request', async (_, changes) => {
    const { answer } = await once(newGallery(), sent)
    expect(await once(unasked, { ...sent, ...changes })).toEqual({ answer, replayed: true })
  })

  test('is refused while the first is under way, too', async () => {
    void once(never)
    await claimed()
    await expect(once(unasked, { operation: 'other' })).rejects.toEqual(failure('idempotency_key_reused'))
  })
})

test('another key is another request', async () => {
  const first = await once()
  expect((await once(newGallery(), { key: `${KEY}x` })).answer).not.toBe(first.answer)
  expect(await countOf('galleries')).toBe(2)
})

test('work that fails leaves its key free, for another request as well', async () => {
  await expect(once(failing)).rejects.toThrow('refused')
  expect(await countOf('idempotency_keys')).toBe(0)
  expect((await once(newGallery(), { texts: new Map() })).replayed).toBe(false)
})

test('an upload whose gallery goes while it is under way leaves no answer, and its key free', async () => {
  const { hash, uploadToken } = await createGallery(store, { name: '', wantsManagementToken: false }, NOW_MS)
  const overtaken = withBatch(async (batch) => {
    // Without a picture in it, this removes it.
    await finalizeGallery(store, { hash, uploadToken }, NOW_MS)
    return batch()
  })
  await expect(once(newImage(overtaken, { hash, uploadToken }))).rejects.toEqual(failure('gallery_not_found'))
  expect([await countOf('images'), await countOf('idempotency_keys')]).toEqual([0, 0])
})

test('who waits for work that fails does it', async () => {
  const { promise, reject } = Promise.withResolvers<string>()
  const first = once(() => promise)
  await claimed()
  const second = once()
  reject(new Error('refused'))
  await expect(first).rejects.toThrow('refused')
  expect((await second).replayed).toBe(false)
  expect(await countOf('galleries')).toBe(1)
})

test('who waits for work that died takes it over as soon as its claim is over, and not before', async () => {
  void once(never)
  await claimed()
  const clock = runningClock()
  expect((await once(newGallery(), {}, clock)).replayed).toBe(false)
  const waitedMs = clock.nowMs() - NOW_MS
  expect(waitedMs).toBeGreaterThanOrEqual(IDEMPOTENCY_CLAIM_LIFETIME_MS)
  expect(waitedMs).toBeLessThan(IDEMPOTENCY_CLAIM_LIFETIME_MS + IDEMPOTENCY_POLL_MS)
  expect(await countOf('galleries')).toBe(1)
})

test('who waits in vain is told so', async () => {
  void once(never, {}, clockAt(NOW_MS + IDEMPOTENCY_WAIT_MS))
  await claimed()
  const clock = runningClock()
  await expect(once(unasked, {}, clock)).rejects.toEqual(failure('request_in_progress'))
  expect(clock.nowMs() - NOW_MS).toBe(IDEMPOTENCY_WAIT_MS)
})

test.each([
  [IDEMPOTENCY_ANSWER_LIFETIME_MS - 1, true, 1],
  [IDEMPOTENCY_ANSWER_LIFETIME_MS, false, 2],
])('after %i ms an answer is replayed: %s', async (afterMs, replayed, galleries) => {
  await once()
  expect((await once(newGallery(), {}, clockAt(NOW_MS + afterMs))).replayed).toBe(replayed)
  expect(await countOf('galleries')).toBe(galleries)
})

test('what is stored reveals neither the key nor the answer', async () => {
  const { answer } = await once()
  const stored = await rows('SELECT * FROM idempotency_keys')
  expect(stored).toEqual([
    {
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      claim: expect.stringMatching(/^[0-9a-f]{32}$/),
      fingerprint: expect.stringMatching(/^[\w+/]{43}=$/),
      answer: expect.stringMatching(/^[\w+/=]+$/),
      free_at: NOW_MS + IDEMPOTENCY_ANSWER_LIFETIME_MS,
    },
  ])
  const secrets: string[] = Object.values(JSON.parse(answer))
  const text = JSON.stringify(stored) + atob(String(stored[0]?.answer))
  for (const secret of [KEY, ...secrets.filter((value) => value.length > 5)]) expect(text).not.toContain(secret)
})
