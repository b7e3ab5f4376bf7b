import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Content } from '../../src/domain/content/content.ts'
import { imageStatuses } from '../../src/domain/content/image-status.ts'
import {
  deleteManaged,
  renameManagedGallery,
  requireManaged,
  requireManagedGallery,
} from '../../src/domain/content/management.ts'
import { findImageView } from '../../src/domain/content/public-image.ts'
import { admitToGallery, createGallery, finalizeGallery, findGalleryView } from '../../src/domain/galleries/gallery.ts'
import { shardOfImage } from '../../src/domain/ids/image-id.ts'
import { imagePath } from '../../src/domain/ids/links.ts'
import { shardOfGallery, shardOfManagement } from '../../src/domain/ids/token.ts'
import { maintain, sumBacklog } from '../../src/domain/maintenance/maintenance.ts'
import { reconcile } from '../../src/domain/maintenance/reconcile.ts'
import {
  findReports,
  hideContent,
  listBlockedImages,
  listDecisions,
  listHiddenContent,
  listReports,
  removeReported,
  unblockContent,
} from '../../src/domain/moderation/moderation.ts'
import { receiveReport } from '../../src/domain/moderation/report.ts'
import { MAINTENANCE_MAX_CALLS, UPLOAD_TOKEN_LIFETIME_MS } from '../../src/limits.ts'
import { runDatabaseCalls } from '../../src/storage/calls.ts'
import { insertEntry } from '../../src/storage/moderation/audit.ts'
import { homeOf, openStore, type StorageBindings, type Store } from '../../src/storage/store.ts'
import { MINUTE_MS } from '../../src/units.ts'
import { databasesIn } from '../support/faulty-bindings.ts'
import { addressOf, NOW_MS, shownImages, uploadOf } from './made-content.ts'
import { bindShards, emptyStore, logProblem, PIXEL_GIF, rows, storedKeys } from './store.ts'

const BY_ANNA = { operator: 'anna', nowMs: NOW_MS }

afterAll(() => bindShards(1))

describe.each([2, 8])('on %i shards', (count) => {
  let bindings: StorageBindings
  let store: Store

  beforeAll(async () => {
    bindings = await bindShards(count)
  })

  beforeEach(async () => {
    await emptyStore()
    store = openStore(bindings)
  })

  test('new content alternates between them, and its address contains the shard', async () => {
    const images = await inTurn(3 * count, () => uploadOf(store))
    const galleries = await inTurn(3 * count, () => newGallery(store))
    const even = Array.from({ length: count }, (_, shard) => [shard, 3])
    expect(countedBy(images, ({ image }) => shardOfImage(image.id))).toEqual(even)
    expect(countedBy(galleries, ({ hash }) => shardOfGallery(hash))).toEqual(even)
    for (const { image, managementToken = '' } of images) {
      expect(shardOfManagement(managementToken)).toBe(shardOfImage(image.id))
      expect(await requireManaged(store, managementToken, NOW_MS)).toMatchObject({
        kind: 'image',
        image: { id: image.id },
      })
    }
  })

  test('closed shards accept nothing new, except images of their galleries', async () => {
    const last = count - 1
    const closed = openStore(bindings, { writeShards: [last] })
    const gallery = await newGallery(openStore(bindings, { writeShards: [0] }))
    const { image } = await uploadOf(closed, gallery)
    expect([shardOfGallery(gallery.hash), shardOfImage(image.id)]).toEqual([0, 0])
    const images = await inTurn(4, () => uploadOf(closed))
    expect(countedBy(images, (image) => shardOfImage(image.image.id))).toEqual([[last, 4]])
  })

  test('a gallery and its images are on one of them, from the first upload to the sweep', async () => {
    for (const gallery of await inTurn(count, () => newGallery(store))) {
      const images = await inTurn(3, () => uploadOf(store, gallery))
      const addresses = images.map(({ image }) => addressOf(image).image)
      expect(new Set(images.map(({ image }) => shardOfImage(image.id)))).toEqual(
        new Set([shardOfGallery(gallery.hash)]),
      )
      expect(await imageStatuses(store, addresses, NOW_MS)).toEqual(['pending', 'pending', 'pending'])
      await finalizeGallery(store, gallery, NOW_MS)
      expect((await shownImages(store, gallery.hash))?.map(({ id }) => id)).toEqual(images.map(({ image }) => image.id))
      const [, second] = images
      expect(await findImageView(store, second ? imagePath(second.image) : '', NOW_MS)).toMatchObject({
        inGallery: { position: 2, gallery: { hash: gallery.hash } },
      })
      const { managementToken = '' } = gallery
      await renameManagedGallery(store, await requireManagedGallery(store, managementToken, NOW_MS), 'renamed')
      await deleteManaged(store, managementToken, NOW_MS)
      expect(await imageStatuses(store, addresses, NOW_MS)).toEqual(['deleted', 'deleted', 'deleted'])
      await expect(requireManaged(store, managementToken, NOW_MS)).rejects.toMatchObject({ code: 'content_deleted' })
    }
    await maintain(store, NOW_MS, logProblem)
    expect(await storedKeys()).toEqual([])
    expect(await rows('SELECT * FROM gallery_cleanup')).toEqual([])
  })

  test('the status of a hundred URLs takes one query per shard', async () => {
    const images = await inTurn(3 * count, () => uploadOf(store))
    let queries = 0
    const counted = openStore(
      withEachDatabase(bindings, (database) =>
        runDatabaseCalls(database, (_, call) => {
          queries++
          return call()
        }),
      ),
    )
    const addresses = images.map(({ image }) => addressOf(image).image)
    const hundred = Array.from({ length: 100 }, (_, at) => addresses[at % addresses.length])
    const statuses = await imageStatuses(counted, hundred, NOW_MS)
    expect([...new Set(statuses)]).toEqual(['available'])
    expect(queries).toBe(count)
  })

  test('links and tokens from before sharding are valid', async () => {
    const before = openStore({ DB: env.DB, FILES: env.FILES })
    const [alone, deleted] = [await uploadOf(before), await uploadOf(before)]
    const [open, finished] = [await newGallery(before), await newGallery(before)]
    const inside = await uploadOf(before, finished)
    await finalizeGallery(before, finished, NOW_MS)
    await deleteManaged(before, deleted.managementToken ?? '', NOW_MS)

    const addresses = [alone, deleted, inside].map(({ image }) => addressOf(image).image)
    expect(await imageStatuses(store, addresses, NOW_MS)).toEqual(['available', 'deleted', 'available'])
    expect(await requireManaged(store, alone.managementToken ?? '', NOW_MS)).toMatchObject({
      image: { id: alone.image.id },
    })
    expect((await admitToGallery(store, open, NOW_MS)).gallery.hash).toBe(open.hash)
    const added = await uploadOf(store, open)
    expect(shardOfImage(added.image.id)).toBe(0)
    await finalizeGallery(store, open, NOW_MS)
    expect((await shownImages(store, open.hash))?.map(({ id }) => id)).toEqual([added.image.id])
    expect(await shownImages(store, finished.hash)).toHaveLength(1)
    await deleteManaged(store, open.managementToken ?? '', NOW_MS)
    await expect(requireManaged(store, deleted.managementToken ?? '', NOW_MS)).rejects.toMatchObject({
      code: 'content_deleted',
    })
  })

  test('forged links are not found, whatever shard they name', async () => {
    const id = 2 ** 52 + 5 * 2 ** 30 + 31
    expect(await imageStatuses(store, [{ id, path: imagePath({ id, name: 'a.gif' }) }], NOW_MS)).toEqual(['not_found'])
    const access = { hash: `${'a'.repeat(12)}z`, uploadToken: 'x' }
    await expect(admitToGallery(store, access, NOW_MS)).rejects.toMatchObject({ code: 'gallery_not_found' })
    const unknown = requireManaged(store, `${'a'.repeat(42)}_`, NOW_MS)
    await expect(unknown).rejects.toMatchObject({ code: 'management_token_not_found' })
  })

  test('moderation includes all of them', async () => {
    const images = await inTurn(count, () => uploadOf(store))
    const galleries = await inTurn(count, async () => {
      const gallery = await newGallery(store)
      await uploadOf(store, gallery)
      await finalizeGallery(store, gallery, NOW_MS)
      return { kind: 'gallery' as const, hash: gallery.hash }
    })
    const contents = [...images.map(({ image }) => addressOf(image)), ...galleries]
    for (const [at, content] of contents.entries()) {
      const reason = at === contents.length - 1 ? 'child' : 'illegal'
      await receiveReport(store, content, { reason, details: '', contact: '' }, NOW_MS + at)
    }
    const { items: reported, contents: total, total: open } = await listReports(store)
    expect([total, open]).toEqual([2 * count, 2 * count])
    expect(reported.map(({ content }) => nameOf(content))).toEqual(
      [contents.at(-1), ...contents.slice(0, -1)].map((one) => one && nameOfAddress(one)),
    )
    for (const content of contents) {
      expect((await findReports(store, content)).reports).toHaveLength(1)
      expect(await hideContent(store, content, BY_ANNA)).toMatchObject({ state: 'hidden', changed: true })
    }
    expect((await listHiddenContent(store, NOW_MS)).items).toHaveLength(2 * count)

    const last = contents.at(-1) ?? expect.fail('nothing is reported')
    const removed = await removeReported(openStore(bindings), contents[count - 1] ?? last, BY_ANNA, { block: true })
    expect(removed).toMatchObject({ state: 'deleted', handled: 1, images: 1 })
    await expect(uploadOf(store)).rejects.toMatchObject({ code: 'blocked_content' })
    expect(await rows('SELECT DISTINCT image_id FROM blocked_files')).toHaveLength(1)
    expect((await listBlockedImages(store, NOW_MS)).items).toHaveLength(1)
    expect(await unblockContent(store, contents[count - 1] ?? last, BY_ANNA)).toMatchObject({ images: 1 })
    await uploadOf(store)
    const { items: decisions } = await listDecisions(store, NOW_MS)
    expect(decisions).toHaveLength(2 * count + 2)
    expect(decisions.filter(({ entry, image }) => entry.imageId !== null && !image)).toEqual([])
  })

  test('a tick finalizes, sweeps and forgets on each', async () => {
    const galleries = await inTurn(count, async () => {
      const gallery = await newGallery(store)
      await uploadOf(store, gallery)
      return gallery
    })
    const empty = await inTurn(count, () => newGallery(store))
    for (const { managementToken = '' } of await inTurn(count, () => uploadOf(store))) {
      await deleteManaged(store, managementToken, NOW_MS)
    }
    const dueMs = NOW_MS + UPLOAD_TOKEN_LIFETIME_MS
    const left = (await maintain(store, dueMs, logProblem)) ?? expect.fail('nothing was measured')
    expect(sumBacklog(left)).toMatchObject({ galleries: { count: 0 }, files: { count: 0 } })
    for (const { hash } of galleries) expect(await findGalleryView(store, hash, 1, 10, NOW_MS)).toBeDefined()
    for (const { hash } of empty) expect(await findGalleryView(store, hash, 1, 10, NOW_MS)).toBeUndefined()
    expect(await storedKeys()).toHaveLength(2 * count)
    expect(await rows('SELECT beat_at FROM heartbeat')).toEqual(Array(count).fill({ beat_at: dueMs }))
  })

  test('files are compared with the records of all, batch by batch', async () => {
    const images = await inTurn(3 * count, () => uploadOf(store))
    const [first, second] = images
    const orphan = imagePath({ id: (second?.image.id ?? 0) + 32 * 128, name: 'x.gif' })
    await env.FILES.put(`images/${orphan}`, PIXEL_GIF)
    await env.FILES.delete(`thumbs/${first ? imagePath(first.image) : ''}`)
    const found: string[] = []
    const cursors: string[] = []
    let records = 0
    // R2 records by its own clock when a file was stored.
    const laterMs = Math.max(NOW_MS, Date.now()) + 2 * 86_400_000
    for (let after: string | undefined = 'files:'; after !== undefined; ) {
      cursors.push(after)
      const batch: Awaited<ReturnType<typeof reconcile>> = await reconcile(store, { after, limit: 2 }, laterMs)
      found.push(...batch.findings.map(({ kind, key }) => `${kind} ${key}`))
      records += batch.records
      after = batch.next
    }
    expect(records).toBe(3 * count)
    expect(found).toEqual([`orphan images/${orphan}`, `missing thumbs/${first ? imagePath(first.image) : ''}`])
    expect(cursors).toContain(`records:${count - 1}/0`)
    await expect(reconcile(store, { after: `records:${count}/0` }, NOW_MS)).rejects.toMatchObject({
      code: 'invalid_option',
    })
  })
})

test('a tick stops before the other shards if one has much work, and the next begins with another', async () => {
  const bindings = await bindShards(2)
  await emptyStore()
  const worked: number[][] = []
  for (const minute of [0, 1]) {
    const store = openStore(bindings)
    let calls = 0
    // As if each of its shards took half of a tick's work, and one call more.
    const busy = { ...store, calls: () => (calls += MAINTENANCE_MAX_CALLS / 2 + 1) }
    const order: number[] = []
    const shards = store.shards.map((shard) => ({
      ...shard,
      db: new Proxy(shard.db, {
        get(target, name) {
          if (name === 'update') order.push(shard.number)
          return Reflect.get(target, name, target)
        },
      }),
    }))
    const [first, ...others] = shards
    if (first) await maintain({ ...busy, shards: [first, ...others] }, minute * MINUTE_MS, logProblem)
    worked.push([...new Set(order)])
  }
  expect(worked).toEqual([[0], [1]])
})

test('the audit is listed by time over all shards, in pages, with entries of older versions on the first', async () => {
  const bindings = await bindShards(3)
  await emptyStore()
  const store = openStore(bindings)
  const images = await inTurn(6, () => uploadOf(store))
  const [{ image } = expect.fail('no picture')] = images.filter((one) => shardOfImage(one.image.id) === 2)
  const old = { operation: 'old', decidedAt: NOW_MS - 1, operator: 'anna', action: 'hide', galleryHash: null }
  await insertEntry(homeOf(store), { ...old, imageId: image.id })
  for (const [at, image] of images.entries()) {
    await hideContent(store, addressOf(image.image), { operator: 'anna', nowMs: NOW_MS + Math.floor(at / 4) })
  }
  expect(await homeOf(store).db.all('SELECT id FROM moderation_audit')).toHaveLength(3)
  const all = (await listDecisions(store, NOW_MS + 9)).items.map(({ entry }) => entry)
  expect(all.map(({ decidedAt }) => decidedAt - NOW_MS)).toEqual([1, 1, 0, 0, 0, 0, -1])
  for (const limit of [1, 2, 3, 7, 8]) {
    const paged: unknown[] = []
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const { items, next } = await listDecisions(store, NOW_MS + 9, { cursor, limit })
      paged.push(...items.map(({ entry }) => entry))
      cursor = next
    }
    expect(paged).toEqual(all)
  }
  await expect(listDecisions(store, NOW_MS, { cursor: 'x' })).rejects.toMatchObject({ code: 'invalid_option' })
})

test('rows that belong to no image are on the first', async () => {
  const store = openStore(await bindShards(2), { writeShards: [1] })
  expect(homeOf(store).number).toBe(0)
})

function newGallery(store: Store) {
  return createGallery(store, { name: 'x', wantsManagementToken: true }, NOW_MS)
}

async function inTurn<Made>(times: number, make: () => Promise<Made>): Promise<Made[]> {
  const made: Made[] = []
  for (let time = 0; time < times; time++) made.push(await make())
  return made
}

function countedBy<Item>(items: readonly Item[], shardOf: (item: Item) => number): [number, number][] {
  const counted = [...Map.groupBy(items, shardOf)].map(([shard, some]): [number, number] => [shard, some.length])
  return counted.sort(([one], [other]) => one - other)
}

function withEachDatabase(bindings: StorageBindings, change: (database: D1Database) => D1Database): StorageBindings {
  const changed = databasesIn(bindings).map(([name, database]) => [name, change(database)])
  return { ...bindings, ...Object.fromEntries(changed) }
}

function nameOf(content: Content): string {
  return content.kind === 'image' ? String(content.image.id) : content.gallery.hash
}

function nameOfAddress(address: ReturnType<typeof addressOf> | { kind: 'gallery'; hash: string }): string {
  return address.kind === 'image' ? String(address.image.id) : address.hash
}
