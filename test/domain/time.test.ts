import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { ContentDeleted, deleteManaged } from '../../src/domain/content/management.ts'
import { createGallery, finalizeGallery } from '../../src/domain/galleries/gallery.ts'
import { maintain } from '../../src/domain/maintenance/maintenance.ts'
import { UPLOAD_TOKEN_LIFETIME_MS } from '../../src/limits.ts'
import { runDatabaseCalls } from '../../src/storage/calls.ts'
import { openStore, type Store } from '../../src/storage/store.ts'
import { HOUR_MS } from '../../src/units.ts'
import { madeGallery, NOW_MS, uploadOf } from './made-content.ts'
import { emptyStore, rows, store, storedKeys } from './store.ts'

const DUE_MS = NOW_MS + UPLOAD_TOKEN_LIFETIME_MS
const STALE = 10_000

const problems: string[] = []
const tick = (nowMs: number, in_ = store) => maintain(in_, nowMs, (what) => void problems.push(what))

beforeEach(async () => {
  problems.length = 0
  await emptyStore()
})

/** Stores unfinished galleries, as records alone. Every second one has an image. */
async function staleGalleries(count: number): Promise<void> {
  const numbers = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)'
  await env.DB.prepare(
    `${numbers} INSERT INTO galleries (id, hash, name, upload_token_digest, created_at) SELECT i, 'hash' || i, '', '', ?2 FROM n`,
  )
    .bind(count, NOW_MS)
    .run()
  await env.DB.prepare(`
    ${numbers} INSERT INTO images (id, name, media_type, bytes, width, height, thumbnail_bytes, thumbnail_width, thumbnail_height, nsfw, gallery_id)
    SELECT i, 'a.gif', 'image/gif', 1, 1, 1, 1, 1, 1, 0, i FROM n WHERE i % 2 = 0`)
    .bind(count)
    .run()
}

const countOf = async (where: string) => (await rows(`SELECT count(*) AS n FROM galleries WHERE ${where}`))[0]?.n

test('10,000 stale galleries are public or removed within two ticks', async () => {
  await staleGalleries(STALE)
  await tick(DUE_MS)
  await tick(DUE_MS + 1)
  expect(await countOf('finalized_at IS NOT NULL AND deleted_at IS NULL')).toBe(STALE / 2)
  expect(await countOf('deleted_at IS NOT NULL AND finalized_at IS NULL')).toBe(STALE / 2)
  expect(problems).toEqual([])
})

test('a gallery of shared images that nobody finalized is removed with its files, not published', async () => {
  const wanted = { name: '', wantsManagementToken: true, removedIfUnfinished: true }
  const gallery = await createGallery(store, wanted, NOW_MS)
  await uploadOf(store, gallery)
  const empty = await createGallery(store, wanted, NOW_MS)
  const finalized = await createGallery(store, wanted, NOW_MS)
  await uploadOf(store, finalized)
  await finalizeGallery(store, finalized, NOW_MS)
  await tick(DUE_MS)
  await tick(DUE_MS + HOUR_MS)
  expect(await outcome()).toEqual([
    { public: 0, deleted: 1 },
    { public: 0, deleted: 1 },
    { public: 1, deleted: 0 },
  ])
  expect((await storedKeys()).length).toBe(2)
  for (const { managementToken = '' } of [gallery, empty]) {
    await expect(deleteManaged(store, managementToken, DUE_MS)).rejects.toThrow(ContentDeleted)
  }
  expect(problems).toEqual([])
})

/** Prepares work of each kind for a tick a day later: a stale gallery, an empty one, and a deleted one with files. */
async function prepareWork(): Promise<void> {
  await madeGallery({ finalized: false })
  await createGallery(store, { name: 'x', wantsManagementToken: false }, NOW_MS)
  await deleteManaged(store, (await madeGallery()).token, NOW_MS)
}

const outcome = () =>
  rows('SELECT finalized_at IS NOT NULL AS public, deleted_at IS NOT NULL AS deleted FROM galleries ORDER BY id')
const DONE = [
  { public: 1, deleted: 0 },
  { public: 0, deleted: 1 },
  { public: 1, deleted: 1 },
]

/** Returns a store that dies before this call: later calls have no effect. */
function dyingStore(beforeCall: number): Store {
  let calls = 0
  const DB = runDatabaseCalls(env.DB, (_, call) => (++calls < beforeCall ? call() : Promise.reject(new Error('dead'))))
  return openStore({ DB, FILES: env.FILES })
}

describe('the cron', () => {
  test('two simultaneous ticks do what one does', async () => {
    await prepareWork()
    await Promise.all([tick(DUE_MS), tick(DUE_MS), tick(DUE_MS + 1)])
    expect(await outcome()).toEqual(DONE)
    expect(problems).toEqual([])
    expect(await storedKeys()).toHaveLength(2)
  })

  test('a tick that is killed at any call is completed by the next one', async () => {
    for (let call = 1; call <= 20; call++) {
      await emptyStore()
      await prepareWork()
      await tick(DUE_MS, dyingStore(call))
      await tick(DUE_MS + HOUR_MS)
      expect(await outcome(), `killed before call ${call}`).toEqual(DONE)
      expect(await storedKeys()).toHaveLength(2)
    }
  })

  test('missed days are made up for by the next tick, and the recheck comes an hour after it', async () => {
    await prepareWork()
    await env.DB.exec("INSERT INTO file_cleanup (image_id, name, due_at) VALUES (1, 'a.gif', 0)")
    const lateMs = NOW_MS + 100 * HOUR_MS
    await tick(lateMs)
    expect(await outcome()).toEqual(DONE)
    await env.FILES.put('images/0/1_a.gif', 'late')
    await tick(lateMs + HOUR_MS - 1)
    expect(await storedKeys()).toHaveLength(3)
    await tick(lateMs + HOUR_MS)
    expect(await storedKeys()).toHaveLength(2)
    expect(problems).toEqual([])
  })
})

describe('at the edge of 24 hours', () => {
  test.each([-1000, -1, 0, 1, 1000])(
    '%i ms from it, either the upload token is valid or the cron takes the gallery, never both',
    async (fromEdgeMs) => {
      const access = await createGallery(store, { name: 'x', wantsManagementToken: false }, NOW_MS)
      await uploadOf(store, access)
      const nowMs = DUE_MS + fromEdgeMs
      const refused = await finalizeGallery(store, access, nowMs).then(
        () => undefined,
        (error) => error.code,
      )
      expect(refused).toBe(fromEdgeMs < 0 ? undefined : 'upload_token_incorrect')

      await emptyStore()
      await madeGallery({ finalized: false })
      await tick(nowMs)
      expect(await countOf('finalized_at IS NOT NULL')).toBe(fromEdgeMs < 0 ? 0 : 1)
    },
  )
})
