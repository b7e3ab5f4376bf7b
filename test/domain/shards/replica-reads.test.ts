import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { imageStatuses } from '../../../src/domain/content/image-status.ts'
import { deleteManaged, requireManaged } from '../../../src/domain/content/management.ts'
import { findImageView, findPublicImage } from '../../../src/domain/content/public-image.ts'
import { finalizeGallery } from '../../../src/domain/galleries/gallery.ts'
import { arrivalTimeMs } from '../../../src/domain/ids/image-id.ts'
import { imagePath } from '../../../src/domain/ids/links.ts'
import { REPLICA_COMPLETE_FROM_MS, REPLICA_MAX_LAG_MS, REPLICA_READS_FROM_MS } from '../../../src/limits.ts'
import { runDatabaseCalls } from '../../../src/storage/calls.ts'
import { beat } from '../../../src/storage/maintenance/heartbeat.ts'
import type { Image } from '../../../src/storage/schema.ts'
import { openStore } from '../../../src/storage/store.ts'
import { MINUTE_MS } from '../../../src/units.ts'
import { addressOf, madeGallery, madeImage, NOW_MS } from '../made-content.ts'
import { bindShards, emptyStore, shard, store } from '../store.ts'

/** A time at which the images are old enough for a replica, even those with sequence numbers of later milliseconds. */
const LATER_MS = NOW_MS + REPLICA_READS_FROM_MS + MINUTE_MS
const TABLES = ['galleries', 'images', 'gallery_marks', 'heartbeat']

/** The queries to each database since the last check. */
let asked: string[]

beforeEach(async () => {
  await bindShards(2)
  await emptyStore()
  await bindShards(1)
  asked = []
})

/** The database, with a copy of it as its replica, which `replicate` updates. */
const replicated = openStore({
  DB: new Proxy(
    runDatabaseCalls(env.DB, (_, call) => told('primary', call)),
    {
      get(target, name) {
        if (name !== 'withSession') return Reflect.get(target, name)
        return () => runDatabaseCalls(env.SPARE_1, (_, call) => told('replica', call))
      },
    },
  ),
  FILES: env.FILES,
})

function told<Result>(who: string, call: () => Promise<Result>): Promise<Result> {
  asked.push(who)
  return call()
}

async function replicate(): Promise<void> {
  for (const table of TABLES.toReversed()) await env.SPARE_1.exec(`DELETE FROM ${table}`)
  for (const table of TABLES) {
    const { results } = await env.DB.prepare(`SELECT * FROM ${table}`).all()
    const [first] = results
    if (!first) continue
    const insert = env.SPARE_1.prepare(
      `INSERT OR REPLACE INTO ${table} VALUES (${Object.keys(first)
        .map(() => '?')
        .join(', ')})`,
    )
    await env.SPARE_1.batch(results.map((row) => insert.bind(...Object.values(row))))
  }
}

const statusOf = async (image: Image, nowMs: number) => {
  const [status] = await imageStatuses(replicated, [addressOf(image).image], nowMs)
  return status
}
const isShown = async (image: Image, nowMs: number) =>
  (await findPublicImage(replicated, imagePath(image), nowMs)) !== undefined

/** Stores an image that the replica has, with a heartbeat of this time. */
async function replicatedImage(beatMs: number) {
  const image = await madeImage()
  await beat(shard, beatMs)
  await replicate()
  return image
}

test('an image that is older than a minute is read from a replica, by one query', async () => {
  const { image } = await replicatedImage(LATER_MS)
  expect([await isShown(image, LATER_MS), asked]).toEqual([true, ['replica']])
  asked = []
  expect([await statusOf(image, LATER_MS), asked]).toEqual(['available', ['replica']])
})

test('its whole page is read there, with its position in its gallery', async () => {
  const { image } = await madeGallery()
  await beat(shard, LATER_MS)
  await replicate()
  expect(await findImageView(replicated, imagePath(image.image), LATER_MS)).toMatchObject({
    inGallery: { position: 1 },
  })
  expect(new Set(asked)).toEqual(new Set(['replica']))
})

test('a younger one is read from the primary', async () => {
  const { image } = await replicatedImage(LATER_MS)
  const oldFromMs = arrivalTimeMs(image.id) + REPLICA_READS_FROM_MS
  expect([await isShown(image, oldFromMs - 1), await statusOf(image, oldFromMs - 1)]).toEqual([true, 'available'])
  expect(asked).toEqual(['primary', 'primary'])
  expect([await isShown(image, oldFromMs), asked.at(-1)]).toEqual([true, 'replica'])
})

describe('the primary decides if the replica does not have an image as public', () => {
  test('an image that has not arrived there', async () => {
    await replicatedImage(LATER_MS)
    const { image } = await madeImage()
    expect([await isShown(image, LATER_MS), await statusOf(image, LATER_MS)]).toEqual([true, 'available'])
    expect(asked).toEqual(['replica', 'primary', 'replica', 'primary'])
  })

  test('an image whose gallery was finalized in the meantime', async () => {
    const gallery = await madeGallery({ finalized: false })
    await beat(shard, LATER_MS)
    await replicate()
    await finalizeGallery(store, gallery.access, NOW_MS)
    const { image } = gallery.image
    expect([await isShown(image, LATER_MS), await statusOf(image, LATER_MS)]).toEqual([true, 'available'])
  })

  test('every image, if the lag is too long', async () => {
    const beatMs = LATER_MS - REPLICA_MAX_LAG_MS
    const { image, token } = await replicatedImage(beatMs)
    await deleteManaged(store, token, LATER_MS)
    expect([await isShown(image, LATER_MS + 1), await statusOf(image, LATER_MS + 1)]).toEqual([false, 'deleted'])
  })
})

describe('a miss costs one query, as a hit does', () => {
  const missesOf = async (address: { id: number; name: string }, nowMs: number) => {
    asked = []
    const isThere = (await findPublicImage(replicated, imagePath(address), nowMs)) !== undefined
    const byPage = asked.splice(0)
    const [status] = await imageStatuses(replicated, [{ id: address.id, path: imagePath(address) }], nowMs)
    return { isThere, status, byPage, byStatus: asked.splice(0) }
  }
  const REPLICA_ONLY = { isThere: false, byPage: ['replica'], byStatus: ['replica'] }
  /** A time at which an image of NOW_MS has long been recorded, if ever. */
  const COMPLETE_MS = LATER_MS + REPLICA_COMPLETE_FROM_MS

  test('if the id is so old that the replica would have it', async () => {
    const { image } = await replicatedImage(COMPLETE_MS)
    expect(await missesOf({ id: image.id - 1, name: image.name }, COMPLETE_MS)).toEqual({
      ...REPLICA_ONLY,
      status: 'not_found',
    })
  })

  test('not if an upload of that id may still be running', async () => {
    const { image } = await replicatedImage(COMPLETE_MS)
    const younger = { id: image.id - 1, name: image.name }
    const completeMs = arrivalTimeMs(younger.id) + REPLICA_COMPLETE_FROM_MS
    expect((await missesOf(younger, completeMs - 1)).byPage).toEqual(['replica', 'primary'])
    expect((await missesOf(younger, completeMs)).byPage).toEqual(['replica'])
  })

  test('not if the lag is too long', async () => {
    const { image } = await replicatedImage(COMPLETE_MS - REPLICA_MAX_LAG_MS - 1)
    const missing = await missesOf({ id: image.id - 1, name: image.name }, COMPLETE_MS)
    expect([missing.byPage, missing.byStatus]).toEqual([
      ['replica', 'primary'],
      ['replica', 'primary'],
    ])
  })

  test('if the id belongs to another path', async () => {
    const { image } = await replicatedImage(LATER_MS)
    expect(await missesOf({ id: image.id, name: `x${image.name}` }, LATER_MS)).toEqual({
      ...REPLICA_ONLY,
      status: 'not_found',
    })
  })

  test('if the replica has it as deleted', async () => {
    const { image, token } = await madeImage()
    await deleteManaged(store, token, NOW_MS)
    await beat(shard, LATER_MS)
    await replicate()
    expect(await missesOf(image, LATER_MS)).toEqual({ ...REPLICA_ONLY, status: 'deleted' })
  })
})

test('deleted content may be shown for the maximum lag, and no longer', async () => {
  const { image, token } = await replicatedImage(LATER_MS)
  await deleteManaged(store, token, LATER_MS)
  const lastMs = LATER_MS + REPLICA_MAX_LAG_MS
  expect([await isShown(image, lastMs), await statusOf(image, lastMs)]).toEqual([true, 'available'])
  expect([await isShown(image, lastMs + 1), await statusOf(image, lastMs + 1)]).toEqual([false, 'deleted'])
})

test('management queries the primary, and so does every write', async () => {
  const { token } = await replicatedImage(LATER_MS)
  await requireManaged(replicated, token, NOW_MS)
  await deleteManaged(replicated, token, LATER_MS)
  await expect(requireManaged(replicated, token, NOW_MS)).rejects.toMatchObject({ code: 'content_deleted' })
  expect(new Set(asked)).toEqual(new Set(['primary']))
})
