import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { createGallery } from '../../src/domain/gallery.ts'
import { maintain } from '../../src/domain/maintenance.ts'
import { deleteManaged } from '../../src/domain/management.ts'
import {
  CLEANUP_BATCH_IMAGES,
  MAINTENANCE_BATCH_ANSWERS,
  MAINTENANCE_BATCH_GALLERIES,
  MAINTENANCE_MAX_BATCHES,
  UPLOAD_TOKEN_LIFETIME_MS,
} from '../../src/limits.ts'
import { emptyStore, rows, store, storedKeys } from './store.ts'

const NOW_MS = Date.UTC(2026, 10, 21)
const DUE_MS = NOW_MS + UPLOAD_TOKEN_LIFETIME_MS

const problems: string[] = []
const tick = (nowMs: number) => maintain(store, nowMs, (what) => problems.push(what))

beforeEach(async () => {
  problems.length = 0
  await emptyStore()
})

/** Galleries of this many pictures each, as records alone. */
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
      INSERT INTO images SELECT ?1 * 1000000 + i, 'a.gif', 'image/gif', 1, 1, 1, 1, 1, 1, 0, ?1, NULL, NULL FROM n WHERE ?2 > 0`)
      .bind(id, imageCount)
      .run()
  }
}

const states = () => rows('SELECT id, finalized_at, deleted_at, name FROM galleries ORDER BY id')

test('galleries are left alone for 24 hours, then finalized if they hold a picture and removed if not (D26)', async () => {
  await galleries(1, 0)
  await tick(DUE_MS - 1)
  expect(await states()).toMatchObject([{ finalized_at: null }, { finalized_at: null, deleted_at: null }])
  await tick(DUE_MS)
  expect(await states()).toEqual([
    { id: 1, finalized_at: DUE_MS, deleted_at: null, name: 'named' },
    { id: 2, finalized_at: null, deleted_at: DUE_MS, name: '' },
  ])
})

test('one bad row never stops the rest, nor the sweep', async () => {
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

test('a tick finalizes a bounded number of galleries, the next goes on', async () => {
  await galleries(...Array<number>(MAINTENANCE_BATCH_GALLERIES + 1).fill(0))
  await tick(DUE_MS)
  expect(await rows('SELECT count(*) AS left FROM galleries WHERE deleted_at IS NULL')).toEqual([{ left: 1 }])
  await tick(DUE_MS)
  expect(await rows('SELECT count(*) AS left FROM galleries WHERE deleted_at IS NULL')).toEqual([{ left: 0 }])
})

test('the files of a deleted gallery go page by page over several ticks, however many there are', async () => {
  const images = CLEANUP_BATCH_IMAGES * MAINTENANCE_MAX_BATCHES + 1
  const { managementToken } = await createGallery(store, { name: 'x', wantsManagementToken: true }, NOW_MS)
  await env.DB.prepare(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
    INSERT INTO images SELECT i, 'a.gif', 'image/gif', 1, 1, 1, 1, 1, 1, 0, (SELECT id FROM galleries), NULL, NULL FROM n`)
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

test('finalizing and deleting write as many rows for a gallery of 1000 pictures as for one of 1', async () => {
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

test('answers kept for their time are forgotten, many batches of them in a tick, and no others', async () => {
  await env.DB.prepare(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
    INSERT INTO idempotency_keys SELECT 'due' || i, 'claim', 'fingerprint', iif(i % 2, 'answer', NULL), ?2 FROM n`)
    .bind(2 * MAINTENANCE_BATCH_ANSWERS + 1, NOW_MS)
    .run()
  await env.DB.prepare("INSERT INTO idempotency_keys VALUES ('kept', 'claim', 'fingerprint', 'answer', ?)")
    .bind(NOW_MS + 1)
    .run()
  await tick(NOW_MS - 1)
  expect(await rows('SELECT count(*) AS left FROM idempotency_keys')).toEqual([
    { left: 2 * MAINTENANCE_BATCH_ANSWERS + 2 },
  ])
  await tick(NOW_MS)
  expect(await rows('SELECT digest FROM idempotency_keys')).toEqual([{ digest: 'kept' }])
  expect(problems).toEqual([])
})

async function totalChanges(): Promise<number> {
  const [row] = await rows('SELECT total_changes() AS total')
  return Number(row?.total)
}
