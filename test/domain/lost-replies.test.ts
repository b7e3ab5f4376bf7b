import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { deleteManaged, renameManagedGallery, requireManagedGallery } from '../../src/domain/content/management.ts'
import { createGallery, finalizeGallery } from '../../src/domain/galleries/gallery.ts'
import { createSequence } from '../../src/domain/ids/image-id.ts'
import { receiveReport } from '../../src/domain/moderation/report.ts'
import { receiveImage } from '../../src/domain/uploads/upload.ts'
import { REQUEST_STORAGE_LIMITS, SHARDS_MAX } from '../../src/limits.ts'
import { StorageFull, StorageUnavailable } from '../../src/storage/bounded-calls.ts'
import { openStore, type Store } from '../../src/storage/store.ts'
import {
  CONNECTION_LOST,
  every,
  type FaultPlan,
  type FaultyBindings,
  faultyBindings,
  onlyCall,
  onlyNth,
  runBucketCalls,
} from '../support/faulty-bindings.ts'
import { withoutWaiting } from '../support/held-clock.ts'
import { madeGallery, madeImage } from './made-content.ts'
import { emptyStore, logProblem, PIXEL_GIF, rows, shard, store, storedKeys } from './store.ts'

const NOW_MS = Date.UTC(2026, 10, 21)
const UNKNOWN = 'D1_ERROR: internal error'
const nextSequenceNumber = createSequence()

beforeEach(emptyStore)

const upload = (in_: Store, gallery?: { hash: string; uploadToken: string }) =>
  receiveImage(
    in_,
    {
      file: { filename: 'a.gif', bytes: PIXEL_GIF.slice() },
      nsfw: false,
      optimizeForWeb: false,
      gallery,
      wantsManagementToken: true,
      maxThumbnailSizePx: 200,
    },
    { sequenceNumber: nextSequenceNumber(NOW_MS), nowMs: NOW_MS, clock: () => NOW_MS, logProblem },
  )

const faulty = (plan: FaultPlan): { in_: Store; bindings: FaultyBindings } => {
  const bindings = faultyBindings(env, plan)
  return { in_: openStore(bindings), bindings }
}

/** Faults that lose the reply of the first batch: by an error that Cloudflare calls retryable, and by another. */
const LOST: [what: string, plan: () => FaultPlan][] = [
  ['a reply lost that may be retried', () => ({ fault: 'throws after', strikes: onlyNth('D1.batch') })],
  [
    'a reply lost for unknown reasons',
    () => ({ fault: 'throws after', strikes: onlyNth('D1.batch'), message: UNKNOWN }),
  ],
]

describe.each(LOST)('%s', (_, plan) => {
  test('an upload returns the token of the stored content', async () => {
    const { managementToken = '' } = await upload(faulty(plan()).in_)
    expect(await rows('SELECT count(*) AS n FROM images')).toEqual([{ n: 1 }])
    expect(await rows('SELECT * FROM file_cleanup')).toEqual([])
    expect(await deleteManaged(store, managementToken, NOW_MS)).toMatchObject({ kind: 'image' })
  })

  test('a gallery is created once, and its tokens work', async () => {
    const wanted = { name: 'x', wantsManagementToken: true }
    const { managementToken = '' } = await createGallery(faulty(plan()).in_, wanted, NOW_MS)
    expect(await rows('SELECT count(*) AS n FROM galleries')).toEqual([{ n: 1 }])
    expect(await deleteManaged(store, managementToken, NOW_MS)).toMatchObject({ kind: 'gallery' })
  })

  test('a delete that took effect succeeds', async () => {
    const { in_ } = faulty(plan())
    const { token } = await madeImage()
    expect(await deleteManaged(in_, token, NOW_MS)).toMatchObject({ kind: 'image' })
    const gallery = await madeGallery()
    expect(await deleteManaged(faulty(plan()).in_, gallery.token, NOW_MS)).toMatchObject({ kind: 'gallery' })
  })

  test('a gallery that was finalized, or removed because it is empty, stays so', async () => {
    const access = await createGallery(store, { name: 'x', wantsManagementToken: true }, NOW_MS)
    await upload(store, access)
    await finalizeGallery(faulty(plan()).in_, access, NOW_MS)
    const empty = await createGallery(store, { name: 'x', wantsManagementToken: true }, NOW_MS)
    await finalizeGallery(faulty(plan()).in_, empty, NOW_MS)
    expect(await rows('SELECT finalized_at, deleted_at FROM galleries ORDER BY id')).toEqual([
      { finalized_at: NOW_MS, deleted_at: null },
      { finalized_at: null, deleted_at: NOW_MS },
    ])
  })

  test('a renamed gallery has its name', async () => {
    const { token } = await madeGallery()
    const gallery = await requireManagedGallery(store, token, NOW_MS)
    await renameManagedGallery(faulty({ ...plan(), strikes: onlyCall(1) }).in_, gallery, 'ours')
    expect(await rows('SELECT name FROM galleries')).toEqual([{ name: 'ours' }])
  })
})

/** Returns the sequence number in an id. */
const sequenceOf = (id: number) => Math.floor(id / SHARDS_MAX)

test('a reservation whose reply is lost costs an id, and nothing else', async () => {
  const { image } = await upload(faulty({ fault: 'throws after', strikes: onlyNth('D1.run') }).in_)
  expect(await rows('SELECT id FROM images')).toEqual([{ id: image.id }])
  const [left, ...others] = await rows('SELECT image_id FROM file_cleanup')
  expect([sequenceOf(Number(left?.image_id)), others]).toEqual([sequenceOf(image.id) - 1, []])
})

test('a record that arrives after its upload was cancelled is rejected: nobody has its token', async () => {
  const { in_, bindings } = faulty({ fault: 'takes effect late', strikes: onlyNth('D1.batch'), message: UNKNOWN })
  await expect(upload(in_)).rejects.toThrow()
  await bindings.release()
  expect(await rows('SELECT * FROM images')).toEqual([])
  expect(await rows('SELECT due_at, claimed FROM file_cleanup')).toEqual([{ due_at: 0, claimed: 1 }])
})

test.each([
  ['the original', 1],
  ['the thumbnail', 2],
])('%s whose reply is lost is recognized when it is put again', async (_, nth) => {
  const { in_, bindings } = faulty({ fault: 'throws after', strikes: onlyNth('R2.put', nth) })
  const { managementToken = '' } = await upload(in_)
  expect(bindings.calls.filter((name) => name.startsWith('R2')).toSorted()).toEqual([
    'R2.head',
    ...Array<string>(3).fill('R2.put'),
  ])
  expect(await rows('SELECT * FROM file_cleanup')).toEqual([])
  expect(await storedKeys()).toHaveLength(2)
  expect(await deleteManaged(store, managementToken, NOW_MS)).toMatchObject({ kind: 'image' })
})

test.each([
  ['the connection is lost', 'Network connection lost.'],
  ['R2 has an internal error', 'get: We encountered an internal error. Please try again. (10001)'],
  ['there are too many requests', 'get: Reduce your rate of requests. (10058)'],
  ['R2 is not available', 'get: Please try again later. (10043)'],
])('a call to R2 is retried twice when %s', async (_, message) => {
  await env.FILES.put('x', 'text')
  const failing = (times: number) => {
    const bindings = faultyBindings(env, { fault: 'throws before', strikes: (number) => number <= times, message })
    return { files: openStore(bindings).files, bindings }
  }
  expect(await new Response((await failing(2).files.read('x'))?.body).text()).toBe('text')
  expect(await failing(2).files.head('x')).toMatchObject({ key: 'x' })
  await failing(2).files.delete(['x'])
  expect(await env.FILES.head('x')).toBeNull()
  const { files, bindings } = failing(3)
  await expect(files.head('x')).rejects.toThrow(StorageUnavailable)
  expect(bindings.calls).toHaveLength(3)
})

test('a call to R2 that is rejected is made once', async () => {
  const { in_, bindings } = faulty({
    fault: 'throws before',
    strikes: () => true,
    message: 'get: Not allowed. (10003)',
  })
  await expect(in_.files.read('x')).rejects.toThrow(StorageUnavailable)
  expect(bindings.calls).toEqual(['R2.get'])
})

test('a call has no more time because of its retries', async () => {
  let calls = 0
  const failSlowly = async (): Promise<never> => {
    calls++
    await new Promise((resolve) => setTimeout(resolve, 60))
    throw new Error(CONNECTION_LOST)
  }
  const limits = { ...REQUEST_STORAGE_LIMITS, filesMs: 100, tickMs: 20, retryMs: 1 }
  const { files } = openStore({ ...env, FILES: runBucketCalls(env.FILES, failSlowly) }, { limits })
  vi.useFakeTimers()
  try {
    const refused = expect(files.head('x')).rejects.toThrow('did not respond in time')
    await vi.advanceTimersByTimeAsync(200)
    await refused
  } finally {
    vi.useRealTimers()
  }
  expect(calls).toBe(2)
})

test.each(LOST)('a report is stored once: %s', async (_, plan) => {
  const { address } = await madeImage()
  const report = { reason: 'illegal', details: 'mine', contact: '' } as const
  await receiveReport(faulty(plan()).in_, address, report, NOW_MS)
  expect(await rows('SELECT reason, details, created_at FROM reports')).toEqual([
    { reason: 'illegal', details: 'mine', created_at: NOW_MS },
  ])
})

test('two reports with one id from two isolates are both stored', async () => {
  const { address } = await madeImage()
  await receiveReport(store, address, { reason: 'illegal', details: 'first', contact: '' }, NOW_MS)
  // The next id is the one after this.
  await env.DB.exec('UPDATE reports SET id = id + 1')
  await receiveReport(store, address, { reason: 'illegal', details: 'second', contact: '' }, NOW_MS)
  expect(await rows('SELECT details FROM reports ORDER BY id')).toEqual([{ details: 'first' }, { details: 'second' }])
})

test('a file whose reply is lost for unknown reasons is rejected, and due at once', async () => {
  const { in_ } = faulty({ fault: 'throws after', strikes: onlyNth('R2.put'), message: UNKNOWN })
  await expect(upload(in_)).rejects.toThrow(StorageUnavailable)
  expect(await rows('SELECT due_at FROM file_cleanup')).toEqual([{ due_at: 0 }])
})

test('storage that fails is unavailable, for every kind of call', async () => {
  const counted = faultyBindings(env)
  await upload(openStore(counted))
  for (let number = 1; number <= counted.calls.length; number++) {
    await emptyStore()
    const { in_, bindings } = faulty({ fault: 'throws before', strikes: (n) => n >= number, message: UNKNOWN })
    const error = await upload(in_).catch((thrown: Error) => thrown)
    expect(error, bindings.calls.join()).toMatchObject({ cause: expect.anything() })
    expect(await rows('SELECT * FROM images')).toEqual([])
    const due = await rows('SELECT image_id FROM file_cleanup')
    expect((await storedKeys()).length <= 2 * due.length).toBe(true)
  }
})

test.each(['D1.raw', 'D1.run', 'D1.batch', 'R2.put'])('%s that hangs does not block the upload', async (name) => {
  const access = await createGallery(store, { name: 'x', wantsManagementToken: true }, NOW_MS)
  const { in_, bindings } = faulty({ fault: 'hangs', strikes: every(name) })
  const error = await withoutWaiting(bindings, () => upload(in_, access).catch((thrown) => thrown))
  expect(rootOf(error)).toBeInstanceOf(StorageUnavailable)
})

test('a call is cancelled at its timeout, the next ones sooner', async () => {
  const in_ = openStore(faultyBindings(env, { fault: 'hangs', strikes: () => true }), {
    limits: { ...REQUEST_STORAGE_LIMITS, filesMs: 60, afterHangMs: 20, tickMs: 20 },
  })
  for (const leastMs of [60, 20]) {
    const begunMs = Date.now()
    await expect(in_.files.head('x')).rejects.toThrow(StorageUnavailable)
    expect(Date.now() - begunMs).toBeGreaterThanOrEqual(leastMs - 1)
  }
})

test('a full database is reported as full, and a rejected statement as an internal error', async () => {
  const full = faulty({ fault: 'throws before', strikes: every('D1.run'), message: 'D1_ERROR: x: SQLITE_FULL' })
  await expect(upload(full.in_).catch((error) => Promise.reject(rootOf(error)))).rejects.toThrow(StorageFull)
  const refused = await shard.db.run('INSERT INTO nowhere VALUES (1)').catch((thrown) => thrown)
  expect(rootOf(refused)).not.toBeInstanceOf(StorageUnavailable)
})

/** Returns the cause of a failed query, because Drizzle throws an error of its own. */
function rootOf(error: unknown): unknown {
  return error instanceof Error && error.name === 'Error' && error.cause ? error.cause : error
}
