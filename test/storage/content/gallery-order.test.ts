import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { GALLERY_MAX_IMAGES, POSITION_MAX } from '../../../src/limits.ts'
import { type Destination, moveImages } from '../../../src/storage/content/arranging.ts'
import { findImagesAfter, listGalleryImages } from '../../../src/storage/content/gallery-pages.ts'
import { setHidden } from '../../../src/storage/content/hiding.ts'
import { deleteImage } from '../../../src/storage/content/images.ts'
import { findNeighbours } from '../../../src/storage/content/neighbours.ts'
import { homeOf } from '../../../src/storage/store.ts'
import { emptyStore, rows, shard } from '../../domain/store.ts'
import { below, pick, type Random, seededRandom } from '../../support/random.ts'
import { rowsReadBy } from '../sent-statements.ts'

const GALLERY = 1
const LARGEST_GAP = 201
const DELETING = { nowMs: 1, operationId: 'operation' }

beforeEach(async () => {
  await emptyStore()
  await env.DB.exec(
    "INSERT INTO galleries (id, hash, name, upload_token_digest, created_at) VALUES (1, 'g', '', '', 0)",
  )
})

describe('images that are added, moved, deleted, hidden and shown again in any order', () => {
  test.for([1, 2, 3])('every page, count and neighbour matches a list (seed %i)', async (seed) => {
    const random = seededRandom(seed)
    const model = new Model()
    for (let round = 0; round < 24; round++) {
      const what = random()
      if (what < 0.4) await addSome(model, random)
      else if (what < 0.75) await moveSome(model, random)
      else if (what < 0.85) await deleteSome(model, random)
      else await hideSome(model, random)
      await expectOrder(model, random)
    }
  })
})

test('moves between the same two images find a rank however many there are', async () => {
  const model = new Model()
  await model.add([10, 11, 12].map((id) => ({ id })))
  for (let round = 0; round < 60; round++) {
    const [first, second, third] = model.shown
    // The last one goes between the first two, so that the ranks between them are halved.
    if (first === undefined || second === undefined || third === undefined) throw new Error('three images')
    expect(await model.move([third], { after: first })).toBe('moved')
  }
  expect(await shownIds()).toEqual(model.shown)
})

test('images with a position come first, in the order of their positions; equal ones by their arrival', async () => {
  const model = new Model()
  await model.add([
    { id: 5 },
    { id: 6, position: POSITION_MAX },
    { id: 7, position: 2 },
    { id: 9, position: 0 },
    { id: 8, position: 2 },
  ])
  expect(await shownIds()).toEqual([9, 7, 8, 6, 5])
  await model.add([{ id: 4 }])
  expect(await shownIds()).toEqual([9, 7, 8, 6, 4, 5])
})

test('an image that is uploaded after others were moved to the end comes last', async () => {
  const model = new Model()
  await model.add([10, 20, 30].map((id) => ({ id })))
  await model.move([10], { after: 30 })
  await model.add([{ id: 31 }])
  expect(await shownIds()).toEqual([20, 30, 10, 31])
})

test('nothing is moved beside an image that is not shown, nor in a deleted gallery', async () => {
  const model = new Model()
  await model.add([10, 20, 30].map((id) => ({ id })))
  await setHidden(shard, { kind: 'image', imageId: 20, galleryId: GALLERY }, 1)
  expect(await moveImages(shard, GALLERY, [30], { before: 20 })).toBe('no_destination')
  expect(await moveImages(shard, GALLERY, [30], { after: 99 })).toBe('no_destination')
  expect(await shownIds()).toEqual([10, 30])
  await env.DB.exec('UPDATE galleries SET deleted_at = 1')
  expect(await moveImages(shard, GALLERY, [30], 'beginning')).toBe('gallery_deleted')
})

test('images that are listed but not shown stay where they are', async () => {
  const model = new Model()
  await model.add([10, 20, 30].map((id) => ({ id })))
  await setHidden(shard, { kind: 'image', imageId: 20, galleryId: GALLERY }, 1)
  expect(await moveImages(shard, GALLERY, [30, 20, 99], 'beginning')).toBe('moved')
  await setHidden(shard, { kind: 'image', imageId: 20, galleryId: GALLERY }, null)
  expect(await shownIds()).toEqual([30, 10, 20])
})

test('an older version inserts images without a key: they come in their order of arrival', async () => {
  const model = new Model()
  await model.add([10, 20, 30].map((id) => ({ id })))
  await model.move([30], 'beginning')
  await env.DB.exec(
    `INSERT INTO images (id, name, media_type, bytes, width, height, thumbnail_bytes, thumbnail_width,
    thumbnail_height, nsfw, gallery_id) VALUES (40, 'a.gif', 'image/gif', 1, 1, 1, 1, 1, 1, 0, 1)`.replaceAll(
      '\n',
      ' ',
    ),
  )
  expect(await shownIds()).toEqual([30, 10, 20, 40])
})

describe('in a gallery with the maximum number of images', () => {
  beforeEach(async () => {
    await env.DB.prepare(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
      INSERT INTO images (id, name, media_type, bytes, width, height, thumbnail_bytes, thumbnail_width, thumbnail_height, nsfw, gallery_id)
      SELECT i, 'a.gif', 'image/gif', 1, 1, 1, 1, 1, 1, 0, 1 FROM n`)
      .bind(GALLERY_MAX_IMAGES)
      .run()
    await moveImages(shard, GALLERY, [GALLERY_MAX_IMAGES], 'beginning')
  })

  test('the last page costs as many rows as one of the first, and so does the position of an image', async () => {
    const pageAt = (offset: number) =>
      rowsReadBy((read) => listGalleryImages(homeOf(read), GALLERY, { limit: 100, offset }))
    expect(await pageAt(100)).toBeGreaterThan(0)
    expect(await pageAt(GALLERY_MAX_IMAGES - 100)).toBeLessThan(3 * 100 + LARGEST_GAP + GALLERY_MAX_IMAGES / 50)
    const [first, last] = await Promise.all(
      [150, GALLERY_MAX_IMAGES - 1].map((id) => rowsReadBy((read) => findNeighbours(homeOf(read), GALLERY, id, 0))),
    )
    expect(last).toBeLessThan((first ?? 0) + LARGEST_GAP)
  })

  test('pages are exact after an image was moved from one end to the other', async () => {
    await moveImages(shard, GALLERY, [1, 2], { after: GALLERY_MAX_IMAGES - 1 })
    const last = await listGalleryImages(shard, GALLERY, { limit: 3, offset: GALLERY_MAX_IMAGES - 3 })
    expect(last.map(({ id }) => id)).toEqual([GALLERY_MAX_IMAGES - 1, 1, 2])
  })
})

/** A list of the images of the gallery, in its order. */
class Model {
  order: number[] = []
  readonly hidden = new Set<number>()
  readonly #keys = new Map<number, readonly [position: number, id: number]>()
  #isMoved = false

  get shown(): number[] {
    return this.order.filter((id) => !this.hidden.has(id))
  }

  /** Adds images that are newer than all others, or any before the first move. */
  async add(images: readonly { id: number; position?: number }[]): Promise<void> {
    const insert = env.DB.prepare(`
      INSERT INTO images (id, name, media_type, bytes, width, height, thumbnail_bytes, thumbnail_width, thumbnail_height,
        nsfw, gallery_id, sort_anchor, sort_rank)
      VALUES (?1, 'a.gif', 'image/gif', 1, 1, 1, 1, 1, 1, 0, 1, ?2, ?3)`)
    await env.DB.batch(
      images.map(({ id, position }) =>
        position === undefined ? insert.bind(id, null, null) : insert.bind(id, position - POSITION_MAX - 1, id),
      ),
    )
    for (const { id, position } of images) this.#keys.set(id, [position ?? Number.POSITIVE_INFINITY, id])
    if (this.#isMoved) this.order.push(...images.map(({ id }) => id).sort((one, other) => one - other))
    else this.order = [...this.#keys.keys()].sort((one, other) => this.#compare(one, other))
  }

  #compare(one: number, other: number): number {
    const [position, id] = this.#keys.get(one) ?? [0, 0]
    const [otherPosition, otherId] = this.#keys.get(other) ?? [0, 0]
    return position === otherPosition ? id - otherId : position - otherPosition
  }

  async move(ids: readonly number[], destination: Destination) {
    const outcome = await moveImages(shard, GALLERY, ids, destination)
    this.#isMoved = true
    const others = this.order.filter((id) => !ids.includes(id))
    const at = typeof destination === 'string' ? 0 : indexIn(others, destination)
    this.order = [...others.slice(0, at), ...ids, ...others.slice(at)]
    return outcome
  }

  remove(id: number): void {
    this.order = this.order.filter((other) => other !== id)
    this.#keys.delete(id)
  }
}

function indexIn(order: readonly number[], destination: Exclude<Destination, string>): number {
  return 'before' in destination ? order.indexOf(destination.before) : order.indexOf(destination.after) + 1
}

let lastId = 1_000_000

async function addSome(model: Model, random: Random): Promise<void> {
  const images = Array.from({ length: 1 + below(250, random) }, () => {
    lastId += 1 + below(40, random)
    return { id: lastId }
  })
  await model.add(images.sort(() => random() - 0.5))
}

async function moveSome(model: Model, random: Random): Promise<void> {
  const { shown } = model
  const ids = new Set(Array.from({ length: 1 + below(6, random) }, () => pick(shown.length > 0 ? shown : [0], random)))
  const others = shown.filter((id) => !ids.has(id))
  if (others.length === 0) return
  const target = pick(others, random)
  const destination = pick<Destination>([{ before: target }, { after: target }, 'beginning'], random)
  // Hidden images have no place beside those that are shown: this model would have to know their keys.
  for (const id of [...model.hidden]) {
    await setHidden(shard, { kind: 'image', imageId: id, galleryId: GALLERY }, null)
    model.hidden.delete(id)
  }
  expect(await model.move([...ids], destination)).toBe('moved')
}

async function deleteSome(model: Model, random: Random): Promise<void> {
  for (const id of model.shown.filter(() => random() < 0.3).slice(0, 60)) {
    expect(await deleteImage(shard, { id, name: 'a.gif', galleryId: GALLERY }, DELETING)).toBe(true)
    model.remove(id)
  }
}

async function hideSome(model: Model, random: Random): Promise<void> {
  for (const id of model.order.filter(() => random() < 0.2).slice(0, 20)) {
    const hiddenAt = model.hidden.has(id) ? null : 1
    expect(await setHidden(shard, { kind: 'image', imageId: id, galleryId: GALLERY }, hiddenAt)).toBe(true)
    if (hiddenAt === null) model.hidden.delete(id)
    else model.hidden.add(id)
  }
}

async function expectOrder({ shown }: Model, random: Random): Promise<void> {
  const [row] = await rows('SELECT hash, image_count, arranged FROM galleries')
  expect(row?.image_count).toBe(shown.length)
  for (const offset of [0, below(shown.length + 1, random), below(shown.length + 1, random), shown.length]) {
    const page = await listGalleryImages(shard, GALLERY, { limit: 50, offset })
    expect(page.map(({ id }) => id)).toEqual(shown.slice(offset, offset + 50))
  }
  if (row?.arranged === 1) await expectMarkers(shown.length)
  for (const at of [0, below(shown.length + 1, random)]) {
    const found = await findImagesAfter(shard, String(row?.hash), shown[at - 1] ?? 0, 50, 0)
    expect(found?.images.map(({ id }) => id)).toEqual(shown.slice(at, at + 50))
    expect(found?.before).toBe(at)
  }
  if (shown.length === 0) return
  const index = below(shown.length, random)
  const { previous, next, position } = (await findNeighbours(shard, GALLERY, shown[index] ?? 0, 0)) ?? {}
  expect([previous?.id, next?.id, position]).toEqual([shown[index - 1], shown[index + 1], index + 1])
}

/** Few images are between two markers, so that a page reads few rows more than it returns. */
async function expectMarkers(count: number): Promise<void> {
  const found = await rows('SELECT images_before FROM gallery_order_marks ORDER BY sort_anchor, sort_rank, image_id')
  const positions = [0, ...found.map(({ images_before }) => Number(images_before)), count]
  const gaps = positions.slice(1).map((position, at) => position - (positions[at] ?? 0))
  expect(Math.max(...gaps)).toBeLessThanOrEqual(LARGEST_GAP)
}

async function shownIds(): Promise<number[]> {
  return (await listGalleryImages(shard, GALLERY, { limit: 100, offset: 0 })).map(({ id }) => id)
}
