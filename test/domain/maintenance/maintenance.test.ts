import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { deleteManaged } from '../../../src/domain/content/management.ts'
import { createGallery } from '../../../src/domain/galleries/gallery.ts'
import { imagePath } from '../../../src/domain/ids/links.ts'
import { maintain, sumBacklog } from '../../../src/domain/maintenance/maintenance.ts'
import { describeBacklog } from '../../../src/http/log.ts'
import {
  CLEANUP_BATCH_IMAGES,
  MAINTENANCE_BATCH_GALLERIES,
  MAINTENANCE_BATCH_RESPONSES,
  MAINTENANCE_MAX_BATCHES,
  UPLOAD_TOKEN_LIFETIME_MS,
} from '../../../src/limits.ts'
import { openStore, type Store } from '../../../src/storage/store.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/units.ts'
import { runBucketCalls } from '../../support/faulty-bindings.ts'
import { madeGallery } from '../made-content.ts'
import { emptyStore, onShard, rows, shard, store, storedKeys } from '../store.ts'

const NOW_MS = Date.UTC(2026, 10, 21)
const DUE_MS = NOW_MS + UPLOAD_TOKEN_LIFETIME_MS

const INSERT_IMAGES =
  'INSERT INTO images (id, name, media_type, bytes, width, height, thumbnail_bytes, thumbnail_width, thumbnail_height, nsfw, gallery_id)'

const problems: string[] = []
const logged = (what: string) => void problems.push(what)
const tick = (nowMs: number) => maintain(store, nowMs, logged)

beforeEach(async () => {
  problems.length = 0
  await emptyStore()
})

/** Stores galleries with these numbers of images, as records alone. */
async function galleries(...imageCounts: number[]): Promise<void> {
  for (const [index, imageCount] of imageCounts.entries()) {
    const id = index + 1
    await env.DB.prepare(
      "INSERT INTO galleries (id, hash, name, upload_token_digest, created_at) VALUES (?1, 'hash' || ?1, 'named', 'digest', ?2)",
    )
      .bind(id, NOW_MS)
      .run()
    await env.DB.prepare(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
      ${INSERT_IMAGES} SELECT ?1 * 1000000 + i, 'a.gif', 'image/gif', 1, 1, 1, 1, 1, 1, 0, ?1 FROM n WHERE ?2 > 0`)
      .bind(id, imageCount)
      .run()
  }
}

async function emptyGalleries(count: number): Promise<void> {
  await env.DB.prepare(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
    INSERT INTO galleries (id, hash, name, upload_token_digest, created_at) SELECT i, 'hash' || i, '', '', ?2 FROM n`)
    .bind(count, NOW_MS)
    .run()
}

const states = () => rows('SELECT id, finalized_at, deleted_at, name FROM galleries ORDER BY id')

test('galleries are unchanged for 24 hours, then finalized if they contain an image and removed if not (D26)', async () => {
  await galleries(1, 0)
  await tick(DUE_MS - 1)
  expect(await states()).toMatchObject([{ finalized_at: null }, { finalized_at: null, deleted_at: null }])
  await tick(DUE_MS)
  expect(await states()).toEqual([
    { id: 1, finalized_at: DUE_MS, deleted_at: null, name: 'named' },
    { id: 2, finalized_at: null, deleted_at: DUE_MS, name: '' },
  ])
})

test('a bad row stops neither the rest nor the sweep', async () => {
  await galleries(1, 1, 1)
  await env.DB.exec("INSERT INTO file_cleanup (image_id, name, due_at) VALUES (1000001, 'a.gif', 0)")
  await env.DB.exec(
    "CREATE TRIGGER bad BEFORE UPDATE ON galleries WHEN old.id = 1 BEGIN SELECT RAISE(ABORT, 'bad row'); END",
  )
  await tick(DUE_MS)
  await env.DB.exec('DROP TRIGGER bad')
  expect(problems).toEqual(['finalize gallery 1'])
  expect(await states()).toMatchObject([{ finalized_at: null }, { finalized_at: DUE_MS }, { finalized_at: DUE_MS }])
  expect(await rows('SELECT * FROM file_cleanup')).toEqual([])
})

test('failing galleries, as many as are allowed, block no others, and are retried at growing intervals', async () => {
  await galleries(...Array<number>(101).fill(1))
  const mend = await makeGalleriesFail('old.id <= 100')
  await tick(DUE_MS)
  expect(problems).toHaveLength(100)
  expect(await rows('SELECT id FROM galleries WHERE finalized_at IS NOT NULL')).toEqual([{ id: 101 }])
  expect(await rows('SELECT DISTINCT attempts, retry_at FROM gallery_retries')).toEqual([
    { attempts: 1, retry_at: DUE_MS + MINUTE_MS },
  ])
  await tick(DUE_MS + MINUTE_MS - 1)
  expect(problems).toHaveLength(100)
  await tick(DUE_MS + MINUTE_MS)
  expect(await rows('SELECT DISTINCT attempts, retry_at FROM gallery_retries')).toEqual([
    { attempts: 2, retry_at: DUE_MS + 3 * MINUTE_MS },
  ])
  await mend()
  await tick(DUE_MS + 3 * MINUTE_MS)
  expect(await rows('SELECT count(*) AS left FROM galleries WHERE finalized_at IS NULL')).toEqual([{ left: 0 }])
  expect(await rows('SELECT * FROM gallery_retries')).toEqual([])
})

test('a whole batch that fails delays the next one by no tick', async () => {
  await emptyGalleries(MAINTENANCE_BATCH_GALLERIES + 1)
  const mend = await makeGalleriesFail(`old.id <= ${MAINTENANCE_BATCH_GALLERIES}`)
  await tick(DUE_MS)
  await mend()
  expect(await rows('SELECT id FROM galleries WHERE deleted_at IS NOT NULL')).toEqual([
    { id: MAINTENANCE_BATCH_GALLERIES + 1 },
  ])
})

test('a tick finalizes more galleries than a minute can create, and a bounded number', async () => {
  const most = MAINTENANCE_BATCH_GALLERIES * MAINTENANCE_MAX_BATCHES
  expect(most).toBeGreaterThan(230 * 60)
  await emptyGalleries(most + 1)
  const left = await tick(DUE_MS + 5000)
  expect(left && sumBacklog(left).galleries).toEqual({ count: 1, oldestMs: DUE_MS, failing: 0 })
  expect(await rows('SELECT count(*) AS left FROM galleries WHERE deleted_at IS NULL')).toEqual([{ left: 1 }])
})

test('a file that cannot be removed blocks no others, and is retried later', async () => {
  for (const id of [1, 2, 3]) {
    await env.FILES.put(`images/0/${id}_a.gif`, 'picture')
    await env.DB.exec(`INSERT INTO file_cleanup (image_id, name, due_at, swept) VALUES (${id}, 'a.gif', ${id}, 1)`)
  }
  const left = await maintain(undeletable('0/1_a.gif'), NOW_MS, logged)
  expect(problems).toEqual(['remove the files of image 1'])
  expect(await storedKeys()).toEqual(['images/0/1_a.gif'])
  expect(await rows('SELECT image_id, due_at, attempts FROM file_cleanup')).toEqual([
    { image_id: 1, due_at: NOW_MS + MINUTE_MS, attempts: 1 },
  ])
  expect(left && sumBacklog(left).files).toEqual({ count: 0, oldestMs: undefined, failing: 1 })
  await tick(NOW_MS + MINUTE_MS)
  expect(await storedKeys()).toEqual([])
})

test('two simultaneous sweeps act as one: a late file is rechecked after an hour', async () => {
  await env.DB.exec("INSERT INTO file_cleanup (image_id, name, due_at, claimed) VALUES (1, 'a.gif', 0, 1)")
  const sweepWithAnother = openStore({
    DB: env.DB,
    FILES: runBucketCalls(env.FILES, async (_, call) => {
      await tick(NOW_MS)
      return call()
    }),
  })
  await maintain(sweepWithAnother, NOW_MS + 1, logged)
  await env.FILES.put('images/0/1_a.gif', 'late')
  await tick(NOW_MS + HOUR_MS + 1)
  expect(await storedKeys()).toEqual([])
  expect(await rows('SELECT * FROM file_cleanup')).toEqual([])
})

test('a file of a deleted gallery that cannot be removed blocks neither the gallery nor other files', async () => {
  const made = [await madeGallery(), await madeGallery()]
  for (const { token } of made) await deleteManaged(store, token, NOW_MS)
  const [bad] = made.map(({ image }) => imagePath(image.image))
  await maintain(undeletable(bad ?? ''), NOW_MS, logged)
  expect(await storedKeys()).toEqual([`images/${bad}`, `thumbs/${bad}`])
  expect(await rows('SELECT * FROM gallery_cleanup')).toEqual([])
  await tick(NOW_MS + MINUTE_MS)
  expect(await storedKeys()).toEqual([])
  expect(await rows('SELECT * FROM file_cleanup')).toEqual([])
})

test('the backlog is logged in one line of numbers', () => {
  const nothing = { count: 0, oldestMs: undefined, failing: 0 }
  const galleriesOn = (count: number, ageMs: number, failing: number) => ({
    shard,
    result: {
      galleries: { count, oldestMs: NOW_MS - ageMs, failing },
      expired: nothing,
      files: nothing,
      deletedGalleries: nothing,
    },
  })
  const results = [galleriesOn(2, 1000, 2), galleriesOn(1, 65_000, 0)]
  expect(describeBacklog({ results, unavailable: [] }, NOW_MS)).toBe(
    'maintenance backlog: galleries 3 (oldest 65 s, 2 failing)',
  )
  expect(describeBacklog({ results: [], unavailable: [{ number: 2, error: undefined }] }, NOW_MS)).toBe(
    'maintenance backlog: shard 2 unavailable',
  )
})

test('the files of a deleted gallery are removed page by page over several ticks, however many there are', async () => {
  const images = CLEANUP_BATCH_IMAGES * MAINTENANCE_MAX_BATCHES + 1
  const { managementToken } = await createGallery(store, { name: 'x', wantsManagementToken: true }, NOW_MS)
  await env.DB.prepare(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
    ${INSERT_IMAGES} SELECT i, 'a.gif', 'image/gif', 1, 1, 1, 1, 1, 1, 0, (SELECT id FROM galleries) FROM n`)
    .bind(images)
    .run()
  await env.FILES.put('images/0/1_a.gif', 'first')
  await env.FILES.put(`thumbs/0/${images}_a.gif`, 'last')
  await deleteManaged(store, managementToken ?? '', NOW_MS)

  await tick(NOW_MS)
  expect(await storedKeys()).toEqual([`thumbs/0/${images}_a.gif`])
  await tick(NOW_MS)
  expect(await storedKeys()).toEqual([])
  expect(await rows('SELECT * FROM gallery_cleanup')).toEqual([])
  expect(problems).toEqual([])
})

test('finalizing and deleting write as many rows for a gallery of 1000 images as for one of 1', async () => {
  const written = async (imageCount: number) => {
    await emptyStore()
    await galleries(imageCount)
    const before = await totalChanges()
    await tick(DUE_MS)
    await env.DB.exec("INSERT INTO management_tokens VALUES ('d', NULL, 1)")
    return (await totalChanges()) - before
  }
  expect(await written(1000)).toBe(await written(1))
})

test('expired responses are removed, many batches of them in a tick, and no others', async () => {
  await env.DB.prepare(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
    INSERT INTO idempotency_keys SELECT 'due' || i, 'claim', 'fingerprint', iif(i % 2, 'answer', NULL), ?2, NULL FROM n`)
    .bind(2 * MAINTENANCE_BATCH_RESPONSES + 1, NOW_MS)
    .run()
  await env.DB.prepare("INSERT INTO idempotency_keys VALUES ('kept', 'claim', 'fingerprint', 'answer', ?, NULL)")
    .bind(NOW_MS + 1)
    .run()
  await tick(NOW_MS - 1)
  expect(await rows('SELECT count(*) AS left FROM idempotency_keys')).toEqual([
    { left: 2 * MAINTENANCE_BATCH_RESPONSES + 2 },
  ])
  await tick(NOW_MS)
  expect(await rows('SELECT digest FROM idempotency_keys')).toEqual([{ digest: 'kept' }])
  expect(problems).toEqual([])
})

async function totalChanges(): Promise<number> {
  const [row] = await rows('SELECT total_changes() AS total')
  return Number(row?.total)
}

/** Makes writes to these galleries fail. Returns a function that restores them. */
async function makeGalleriesFail(which: string): Promise<() => Promise<unknown>> {
  await env.DB.exec(
    `CREATE TRIGGER bad BEFORE UPDATE ON galleries WHEN ${which} BEGIN SELECT RAISE(ABORT, 'bad row'); END`,
  )
  return () => env.DB.exec('DROP TRIGGER bad')
}

/** Returns the store with a bucket that cannot delete the files of this path, nor a batch that includes them. */
function undeletable(path: string): Store {
  const { files } = shard
  const refuse = async (keys: readonly string[]) => {
    if (keys.join().includes(path)) throw new Error('it cannot be deleted')
    await files.delete(keys)
  }
  return onShard({ ...shard, files: { ...files, delete: refuse } })
}
