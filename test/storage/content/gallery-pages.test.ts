import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { GALLERY_MAX_IMAGES } from '../../../src/limits.ts'
import { findGalleryById, insertGallery } from '../../../src/storage/content/galleries.ts'
import { findImagesAfter, listGalleryImages } from '../../../src/storage/content/gallery-pages.ts'
import { setHidden } from '../../../src/storage/content/hiding.ts'
import { deleteImage, NO_PREVIEW } from '../../../src/storage/content/images.ts'
import { findNeighbours } from '../../../src/storage/content/neighbours.ts'
import { insertImage, reserveImageId } from '../../../src/storage/content/upload-records.ts'
import type { Image } from '../../../src/storage/schema.ts'
import { homeOf } from '../../../src/storage/store.ts'
import { emptyStore, rows, shard } from '../../domain/store.ts'
import { below, pick, type Random, seededRandom } from '../../support/random.ts'
import { rowsReadBy } from '../sent-statements.ts'

const LARGEST_GAP = 200
const DELETING = { nowMs: 1, operationId: 'operation' }

beforeEach(emptyStore)

describe('images that are added, deleted, hidden and shown again in any order', () => {
  test.for([1, 2])('the count and every page match the shown images (seed %i)', async (seed) => {
    const random = seededRandom(seed)
    const galleries = [await newGallery('one'), await newGallery('two')]
    const shown = new Map(galleries.map((id) => [id, new Set<number>()]))
    const hidden = new Map(galleries.map((id) => [id, new Set<number>()]))
    for (let round = 0; round < 16; round++) {
      const galleryId = pick(galleries, random)
      const ids = shown.get(galleryId) ?? new Set()
      const hiddenIds = hidden.get(galleryId) ?? new Set()
      const what = random()
      if (what < 0.4) await addSome(galleryId, ids, random)
      else if (what < 0.5) await deleteSome(ids, random)
      else if (what < 0.75) await move(ids, hiddenIds, random, 1)
      else await move(hiddenIds, ids, random, null)
      await expectPages(galleryId, ids, random)
    }
  })

  test('an image that is recorded or deleted twice counts once', async () => {
    const galleryId = await newGallery('one')
    const image = imageIn(galleryId, 5)
    await reserveImageId(shard, image.id, image.name, 0)
    await Promise.all([1, 2, 3].map(() => insertImage(shard, image, undefined, undefined, 0).catch(() => false)))
    expect(await countOf(galleryId)).toBe(1)
    await Promise.all([1, 2, 3].map(() => deleteImage(shard, image, DELETING)))
    expect(await countOf(galleryId)).toBe(0)
  })

  test('there are few images between two checkpoints, even if each comes before all others', async () => {
    const galleryId = await newGallery('one')
    for (let id = 2000; id > 0; id -= 100)
      await addAll(Array.from({ length: 100 }, (_, step) => imageIn(galleryId, id - step)))
    const checkpoints = await rows('SELECT images_before FROM gallery_marks ORDER BY image_id')
    const positions = [0, ...checkpoints.map(({ images_before }) => Number(images_before)), 2000]
    const gaps = positions.slice(1).map((position, index) => position - (positions[index] ?? 0))
    expect(Math.max(...gaps)).toBeLessThanOrEqual(LARGEST_GAP)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(LARGEST_GAP / 2)
  })
})

describe('in a gallery with the maximum number of images', () => {
  beforeEach(() => fillGallery(GALLERY_MAX_IMAGES))

  test('the last page costs as many rows as one of the first', async () => {
    const first = await rowsReadBy((read) => listGalleryImages(homeOf(read), 1, { limit: 100, offset: 100 }))
    const last = await rowsReadBy((read) =>
      listGalleryImages(homeOf(read), 1, { limit: 100, offset: GALLERY_MAX_IMAGES - 100 }),
    )
    expect(first).toBeGreaterThan(0)
    expect(last).toBeLessThan(100 + LARGEST_GAP + GALLERY_MAX_IMAGES / 100)
  })

  test('the position of the last image costs as many rows as that of one of the first', async () => {
    const [first, last] = await Promise.all(
      [150, GALLERY_MAX_IMAGES].map((id) => rowsReadBy((read) => findNeighbours(homeOf(read), 1, id, 0))),
    )
    expect(last).toBeLessThan((first ?? 0) + LARGEST_GAP)
  })

  test('the images after one of the last cost as many rows as those after one of the first', async () => {
    const hash = (await findGalleryById(shard, 1))?.hash ?? ''
    const [first, last] = await Promise.all(
      [150, GALLERY_MAX_IMAGES - 100].map((after) =>
        rowsReadBy((read) => findImagesAfter(homeOf(read), hash, after, 100, 0)),
      ),
    )
    expect(last).toBeLessThan((first ?? 0) + LARGEST_GAP)
  })

  test.for(['deleted_at', 'hidden_at'])('images with %s cost a page nothing', async (column) => {
    await env.DB.exec(`UPDATE images SET ${column} = 1 WHERE id <= 9900`)
    expect(await rowsReadBy((read) => listGalleryImages(homeOf(read), 1, { limit: 100, offset: 0 }))).toBeLessThan(500)
    expect((await listGalleryImages(shard, 1, { limit: 100, offset: 0 })).map(({ id }) => id)[0]).toBe(9901)
  })
})

test('a gallery accepts its maximum of images, also when they arrive at once', async () => {
  await fillGallery(GALLERY_MAX_IMAGES - 2)
  const late = Array.from({ length: 5 }, (_, index) => imageIn(1, GALLERY_MAX_IMAGES + index))
  for (const { id, name } of late) await reserveImageId(shard, id, name, 0)
  const recorded = await Promise.all(late.map((image) => insertImage(shard, image, undefined, undefined, 0)))
  expect(recorded.filter((isRecorded) => isRecorded)).toHaveLength(2)
  expect(await countOf(1)).toBe(GALLERY_MAX_IMAGES)
})

async function newGallery(hash: string): Promise<number> {
  await insertGallery(
    shard,
    { hash, name: '', uploadTokenDigest: '', createdAt: 0, removedIfUnfinished: false, expiresAt: null },
    undefined,
    undefined,
  )
  const [row] = await rows(`SELECT id FROM galleries WHERE hash = '${hash}'`)
  return Number(row?.id)
}

/** Fills gallery 1 with the images 1 to `count`. */
async function fillGallery(count: number): Promise<void> {
  await env.DB.exec(
    "INSERT INTO galleries (id, hash, name, upload_token_digest, created_at) VALUES (1, 'full', '', '', 0)",
  )
  await env.DB.prepare(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
    INSERT INTO images (id, name, media_type, bytes, width, height, thumbnail_bytes, thumbnail_width, thumbnail_height, nsfw, gallery_id)
    SELECT i, 'a.gif', 'image/gif', 1, 1, 1, 1, 1, 1, 0, 1 FROM n`)
    .bind(count)
    .run()
}

function imageIn(galleryId: number, id: number): Image {
  return {
    id,
    name: 'a.gif',
    mediaType: 'image/gif',
    bytes: 1,
    width: 1,
    height: 1,
    thumbnailBytes: 1,
    thumbnailWidth: 1,
    thumbnailHeight: 1,
    nsfw: false,
    galleryId,
    deletedAt: null,
    deletedBy: null,
    sentDigest: null,
    pathDigest: null,
    crc32: null,
    hiddenAt: null,
    thumbnailCrc32: null,
    ...NO_PREVIEW,
    displayName: null,
    animated: null,
    caption: null,
    alt: null,
    sortAnchor: null,
    sortRank: null,
    expiresAt: null,
  }
}

async function addAll(images: readonly Image[]): Promise<void> {
  const insert = env.DB.prepare(`
    INSERT INTO images (id, name, media_type, bytes, width, height, thumbnail_bytes, thumbnail_width, thumbnail_height, nsfw, gallery_id)
    VALUES (?1, 'a.gif', 'image/gif', 1, 1, 1, 1, 1, 1, 0, ?2)`)
  await env.DB.batch(images.map(({ id, galleryId }) => insert.bind(id, galleryId)))
}

/** Adds images with random times of arrival, so that they are between others. */
async function addSome(galleryId: number, shown: Set<number>, random: Random): Promise<void> {
  const fresh = new Set<number>()
  for (let count = 1 + below(400, random); count > 0; count--) fresh.add(2 * below(1_000_000, random) + (galleryId % 2))
  const known = new Set((await rows('SELECT id FROM images')).map(({ id }) => Number(id)))
  const added = [...fresh].filter((id) => !known.has(id))
  await addAll(added.map((id) => imageIn(galleryId, id)))
  for (const id of added) shown.add(id)
}

async function deleteSome(shown: Set<number>, random: Random): Promise<void> {
  const share = random() * 0.6
  for (const id of [...shown].filter(() => random() < share).slice(0, 60)) {
    expect(await deleteImage(shard, imageIn(0, id), DELETING)).toBe(true)
    shown.delete(id)
  }
}

/** Hides some of the shown images, or shows some of the hidden ones and deletes one of these. */
async function move(from: Set<number>, to: Set<number>, random: Random, hiddenAt: number | null): Promise<void> {
  const share = random()
  for (const id of [...from].filter(() => random() < share).slice(0, 20)) {
    expect(await setHidden(shard, { kind: 'image', imageId: id, galleryId: null }, hiddenAt)).toBe(true)
    from.delete(id)
    to.add(id)
  }
  const [id] = to
  if (id === undefined) return
  expect(await setHidden(shard, { kind: 'image', imageId: id, galleryId: null }, hiddenAt)).toBe(false)
  if (hiddenAt === null) return
  expect(await deleteImage(shard, imageIn(0, id), DELETING)).toBe(true)
  to.delete(id)
}

async function expectPages(galleryId: number, shown: ReadonlySet<number>, random: Random): Promise<void> {
  const inOrder = [...shown].sort((a, b) => a - b)
  expect(await countOf(galleryId)).toBe(inOrder.length)
  for (const offset of [
    0,
    1,
    below(inOrder.length + 1, random),
    below(inOrder.length + 1, random),
    inOrder.length - 1,
    inOrder.length,
  ]) {
    const page = await listGalleryImages(shard, galleryId, { limit: 50, offset: Math.max(offset, 0) })
    expect(page.map(({ id }) => id)).toEqual(inOrder.slice(Math.max(offset, 0)).slice(0, 50))
  }
  const hash = (await findGalleryById(shard, galleryId))?.hash ?? ''
  // After an image that is shown, or after an id that is not.
  for (const after of [0, inOrder[below(inOrder.length + 1, random)] ?? 0, below(3000, random)]) {
    const found = await findImagesAfter(shard, hash, after, 50, 0)
    const following = inOrder.filter((id) => id > after)
    expect(found?.images.map(({ id }) => id)).toEqual(following.slice(0, 50))
    expect(found?.before).toBe(inOrder.length - following.length)
  }
  if (inOrder.length === 0) return
  const index = below(inOrder.length, random)
  const { previous, next, position } = (await findNeighbours(shard, galleryId, inOrder[index] ?? 0, 0)) ?? {}
  expect([previous?.id, next?.id, position]).toEqual([inOrder[index - 1], inOrder[index + 1], index + 1])
}

async function countOf(galleryId: number): Promise<number | undefined> {
  return (await findGalleryById(shard, galleryId))?.imageCount
}
