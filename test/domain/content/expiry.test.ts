import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { findContent, hasContentExpired, stateOf } from '../../../src/domain/content/content.ts'
import { deleteGalleryImage, deleteManaged, requireManagedGallery } from '../../../src/domain/content/management.ts'
import { findImageView } from '../../../src/domain/content/public-image.ts'
import { findGalleryImages, findGalleryView } from '../../../src/domain/galleries/gallery.ts'
import {
  arrangeImages,
  chooseCover,
  describeGalleryImage,
  moveByOne,
  removeImages,
} from '../../../src/domain/galleries/gallery-changes.ts'
import { createGuestLink, requireGuestGallery } from '../../../src/domain/galleries/guests.ts'
import { imagePath } from '../../../src/domain/ids/links.ts'
import { maintain, sumBacklog } from '../../../src/domain/maintenance/maintenance.ts'
import { reconcile } from '../../../src/domain/maintenance/reconcile.ts'
import { hideContent, removeReported, unhideContent } from '../../../src/domain/moderation/moderation.ts'
import { shareGallery } from '../../../src/domain/uploads/share.ts'
import { receiveImage } from '../../../src/domain/uploads/upload.ts'
import { MAINTENANCE_BATCH_EXPIRED, RECONCILE_MIN_AGE_MS, SWEPT_AGAIN_IMAGES } from '../../../src/limits.ts'
import { findExpiredGalleries, findExpiredImages } from '../../../src/storage/content/expiry.ts'
import { findGalleryById } from '../../../src/storage/content/galleries.ts'
import { findGalleryPage, findImagesAfter } from '../../../src/storage/content/gallery-pages.ts'
import { listGalleryIds } from '../../../src/storage/content/images.ts'
import { homeOf } from '../../../src/storage/store.ts'
import { HOUR_MS, HOUR_S, MINUTE_MS } from '../../../src/units.ts'
import { rowsReadBy } from '../../storage/sent-statements.ts'
import { below, pick, seededRandom } from '../../support/random.ts'
import { madeGallery, madeImage, NOW_MS } from '../made-content.ts'
import { emptyStore, logProblem, PIXEL_GIF, rows, shard, store, storedKeys } from '../store.ts'

const SEED = Number(env.TEST_SETTINGS.TINTYPE_SEED ?? 20261128)
const END_MS = NOW_MS + HOUR_MS

beforeEach(emptyStore)

const expire = (table: 'images' | 'galleries', where: string, endMs = END_MS) =>
  env.DB.exec(`UPDATE ${table} SET expires_at = ${endMs} WHERE ${where}`)

/** Stores records of images in a gallery, without files. */
const addRecords = (galleryId: number | null, count: number, firstId: number) =>
  env.DB.prepare(`
    WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1)
    INSERT INTO images (id, name, media_type, bytes, width, height, thumbnail_bytes, thumbnail_width, thumbnail_height, nsfw, gallery_id)
    SELECT ?2 + i, 'a.gif', 'image/gif', 1, 1, 1, 1, 1, 1, 0, ?3 FROM n`)
    .bind(count, firstId, galleryId)
    .run()

test('content that has expired has its files until the cron deletes it, and leaves no orphans', async () => {
  const [image] = [await madeImage(), await madeGallery()]
  await expire('images', `id = ${image.image.id}`)
  await expire('galleries', '1')
  const laterMs = Math.max(Date.now(), END_MS) + RECONCILE_MIN_AGE_MS + MINUTE_MS
  const reconcileAll = async () => {
    const files = await reconcile(store, { remove: true }, laterMs)
    const records = await reconcile(store, { after: files.next }, laterMs)
    return [...files.findings, ...records.findings]
  }
  expect(await reconcileAll()).toEqual([])
  expect(await storedKeys()).toHaveLength(4)
  await maintain(store, END_MS, logProblem)
  await maintain(store, END_MS + HOUR_MS, logProblem)
  expect([await storedKeys(), await reconcileAll()]).toEqual([[], []])
})

test('the operator can block an image that has expired, as long as it has its files', async () => {
  const { image, address } = await madeImage()
  await expire('images', `id = ${image.id}`)
  await removeReported(store, address, { operator: 'anna', nowMs: END_MS }, { block: true })
  await maintain(store, END_MS, logProblem)
  await expect(madeImage()).rejects.toMatchObject({ code: 'blocked_content' })
})

describe('until the cron has deleted them, galleries look as they do after it', () => {
  test.for([1, 2, 3, 4])('with random images that have expired (%i)', async (round) => {
    const random = seededRandom(SEED + round)
    const { hash, token } = await madeGallery()
    const gallery = await requireManagedGallery(store, token, NOW_MS)
    await addRecords(gallery.id, 249, 1_000_000)
    const ids = await listGalleryIds(shard, gallery.id)
    const pathFor = (id: number) => imagePath({ id, name: 'a.gif' })
    if (round % 2 === 0) {
      for (let move = 0; move < 5; move++) {
        const [moved, beside] = [pick(ids, random), pick(ids, random)]
        if (moved !== beside) {
          await arrangeImages(store, gallery, [pathFor(moved)], { after: pathFor(beside) }, NOW_MS)
        }
      }
    }
    const cover = pick(ids, random)
    await chooseCover(store, gallery, pathFor(cover), NOW_MS)
    const share = [0.01, 0.3, 0.9][below(3, random)] ?? 0
    const expired = [cover, ...ids.filter(() => random() < share)]
    await expire('images', `id IN (${expired.join()})`)
    const samples = Array.from({ length: 12 }, () => pick(ids, random))

    const isLater = await seen(hash, samples, END_MS - 1)
    expect(isLater.imageCount).toBe(250)
    const before = await seen(hash, samples, END_MS)
    expect(before.imageCount).toBe(250 - new Set(expired).size)
    await maintain(store, END_MS, logProblem)
    expect(await rows('SELECT 1 FROM images WHERE deleted_at IS NULL')).toHaveLength(before.imageCount)
    expect(await seen(hash, samples, END_MS)).toEqual(before)
  })

  /** The pages of a gallery, the images after some of them, and the pages of these. */
  async function seen(hash: string, samples: readonly number[], nowMs: number) {
    const pages = []
    let pageCount = 1
    for (let page = 1; page <= pageCount; page++) {
      const view = await findGalleryView(store, hash, page, 100, nowMs)
      if (!view || view === 'expired') break
      pageCount = view.pageCount
      pages.push({ images: view.images.map(({ id }) => id), cover: view.cover?.id, count: view.gallery.imageCount })
    }
    const after = await Promise.all(
      [0, ...samples].map(async (id) => {
        const found = await findGalleryImages(store, hash, id, 20, nowMs)
        return found && found !== 'expired' && [found.firstPosition, found.hasMore, found.images.map((one) => one.id)]
      }),
    )
    const views = await Promise.all(
      samples.map(async (id) => {
        const view = await findImageView(store, imagePath({ id, name: 'a.gif' }), nowMs)
        if (!view || view === 'expired') return view
        const { position, previous, next, gallery } = view.inGallery ?? {}
        return [position, previous?.id, next?.id, gallery?.imageCount]
      }),
    )
    return { pages, pageCount, after, views, imageCount: pages[0]?.count ?? 0 }
  }
})

describe('changes of a gallery treat an expired image as a deleted one', () => {
  const made = async () => {
    const { hash, access, token, image } = await madeGallery({ finalized: false })
    const left = await madeImage(access)
    await expire('images', `id = ${image.image.id}`)
    const gallery = await requireManagedGallery(store, token, END_MS)
    return { hash, gallery, expired: image.address.image.path, left: left.address.image.path }
  }
  const refused = { code: 'image_not_in_gallery' }

  test('as a destination, a cover image or with a caption it is refused', async () => {
    const { gallery, expired, left } = await made()
    await arrangeImages(store, gallery, [left], { before: expired }, END_MS - 1)
    for (const to of [{ before: expired }, { after: expired }]) {
      await expect(arrangeImages(store, gallery, [left], to, END_MS)).rejects.toMatchObject(refused)
    }
    await expect(moveByOne(store, gallery, expired, 'later', END_MS)).rejects.toMatchObject(refused)
    await expect(chooseCover(store, gallery, expired, END_MS)).rejects.toMatchObject(refused)
    const texts = { caption: 'x', alt: undefined }
    await expect(describeGalleryImage(store, gallery, expired, texts, END_MS)).rejects.toMatchObject(refused)
    await expect(deleteGalleryImage(store, gallery, expired, END_MS)).rejects.toMatchObject({ code: 'content_deleted' })
  })

  test('in a list it is left out', async () => {
    const { gallery, expired, left } = await made()
    await arrangeImages(store, gallery, [expired, left], 'beginning', END_MS)
    const removed = await removeImages(store, gallery, [expired, left], END_MS)
    expect(removed.map((one) => one.kind === 'image' && imagePath(one.image))).toEqual([left])
  })

  test('none is added to a gallery that has expired, by any right', async () => {
    const { access, token, hash } = await madeGallery({ finalized: false })
    const managed = await requireManagedGallery(store, token, NOW_MS)
    const link = await createGuestLink(store, managed, token, { maxImages: undefined, expiresAtMs: undefined }, NOW_MS)
    const guest = await requireGuestGallery(store, link.token, NOW_MS)
    await expire('galleries', '1')
    await expect(requireGuestGallery(store, link.token, END_MS)).rejects.toMatchObject({ code: 'guest_link_closed' })
    // Admitted before, and stored after.
    for (const [gallery, code] of [
      [access, 'gallery_not_found'],
      [{ hash, managed }, 'content_deleted'],
      [guest, 'content_deleted'],
    ] as const) {
      const wanted = { file: { filename: 'a.gif', bytes: PIXEL_GIF.slice() }, nsfw: false, optimizeForWeb: false }
      const upload = { ...wanted, gallery, wantsManagementToken: false, maxThumbnailSizePx: 200 }
      const arrival = { sequenceNumber: 1, nowMs: NOW_MS, clock: () => END_MS, logProblem }
      await expect(receiveImage(store, upload, arrival)).rejects.toMatchObject({ code })
    }
    expect(await rows('SELECT 1 FROM images')).toHaveLength(1)
    for (const hours of [0, 2, 4]) await maintain(store, END_MS + hours * HOUR_MS, logProblem)
    expect(await storedKeys()).toEqual([])
    const later = requireGuestGallery(store, link.token, END_MS + 5 * HOUR_MS)
    await expect(later).rejects.toMatchObject({ code: 'guest_link_closed' })
  })
})

describe('states', () => {
  const now = async (address: Parameters<typeof findContent>[1]) => {
    const content = await findContent(store, address)
    return content && [stateOf(content, END_MS), hasContentExpired(content, END_MS)]
  }

  test('hidden content expires, and cannot be shown again', async () => {
    const { address } = await madeImage()
    await expire('images', '1')
    const by = { operator: 'anna', nowMs: NOW_MS }
    expect(await hideContent(store, address, by)).toMatchObject({ state: 'hidden' })
    expect(await now(address)).toEqual(['deleted', true])
    await maintain(store, END_MS, logProblem)
    expect(await unhideContent(store, address, { ...by, nowMs: END_MS })).toMatchObject({ state: 'deleted' })
  })

  test('an image that was deleted before its time did not expire, and one of an unfinished gallery was never there', async () => {
    const alone = await madeImage()
    await deleteManaged(store, alone.token, NOW_MS)
    const { image, address } = await madeGallery({ finalized: false })
    await expire('images', '1')
    await expire('galleries', '1')
    expect(await now(alone.address)).toEqual(['deleted', false])
    expect(await now(image.address)).toEqual(['deleted', false])
    expect(await now(address)).toEqual(['deleted', false])
    expect(await findImageView(store, image.address.image.path, END_MS)).toBeUndefined()
  })

  test('an image that expired stays so when its gallery is deleted later, and its name erased', async () => {
    const { image, token } = await madeGallery()
    await expire('images', '1')
    await maintain(store, END_MS, logProblem)
    await deleteManaged(store, token, END_MS + 1)
    for (const hours of [1, 30, 60]) await maintain(store, END_MS + hours * HOUR_MS, logProblem)
    expect(await rows('SELECT 1 FROM images WHERE path_digest IS NULL')).toEqual([])
    expect(await findImageView(store, image.address.image.path, END_MS + 90 * HOUR_MS)).toBe('expired')
  })

  test('a gallery that a phone shared has the time of its images', async () => {
    const upload = () => ({
      file: { filename: 'a.gif', bytes: PIXEL_GIF.slice() },
      ...{ nsfw: false, optimizeForWeb: false, gallery: undefined, wantsManagementToken: false },
      ...{ maxThumbnailSizePx: 200, lifetime: { seconds: HOUR_S, isRequested: false } },
    })
    let sequenceNumber = 1
    await shareGallery(store, [upload(), upload()], {
      receive: (wanted) =>
        receiveImage(store, wanted, {
          ...{ sequenceNumber: sequenceNumber++, nowMs: NOW_MS + 5, clock: () => NOW_MS, logProblem },
        }),
      nowMs: NOW_MS,
      logProblem,
    })
    expect(await rows('SELECT expires_at FROM galleries')).toEqual([{ expires_at: END_MS }])
    // They go with it.
    expect(await rows('SELECT expires_at FROM images')).toEqual([{ expires_at: null }, { expires_at: null }])
  })
})

describe('the cron', () => {
  const tick = (nowMs: number, problems?: string[]) =>
    maintain(store, nowMs, problems ? (what) => void problems.push(what) : logProblem)

  test('deletes what is over, with its files and tokens, and nothing else', async () => {
    const [expired, stays] = [await madeImage(), await madeImage()]
    const gallery = await madeGallery()
    await expire('images', `id = ${expired.image.id}`)
    await expire('galleries', `hash = '${gallery.hash}'`)
    await tick(END_MS - 1)
    expect(await storedKeys()).toHaveLength(6)
    await tick(END_MS)
    await tick(END_MS + 2 * HOUR_MS)
    expect(await storedKeys()).toHaveLength(2)
    expect(await rows('SELECT id FROM images WHERE path_digest IS NULL')).toEqual([{ id: stays.image.id }])
    expect(await rows('SELECT 1 FROM management_tokens')).toHaveLength(1)
    expect(await rows('SELECT 1 FROM image_retries')).toEqual([])
  })

  test('deletes several batches in one run, and a row that fails holds up none, is counted and tried again', async () => {
    const count = MAINTENANCE_BATCH_EXPIRED + 10
    await addRecords(null, count, 1)
    await expire('images', '1')
    await env.DB.exec(
      "CREATE TRIGGER bad BEFORE UPDATE ON images WHEN old.id = 7 BEGIN SELECT RAISE(ABORT, 'bad row'); END",
    )
    const problems: string[] = []
    const left = await tick(END_MS, problems)
    expect(problems).toEqual(['delete expired image 7'])
    expect(sumBacklog(left ?? expect.fail()).expired).toEqual({ count: 1, oldestMs: END_MS, failing: 1 })
    expect(await rows('SELECT id FROM images WHERE deleted_at IS NULL')).toEqual([{ id: 7 }])
    await tick(END_MS + MINUTE_MS - 1)
    await env.DB.exec('DROP TRIGGER bad')
    expect(await rows('SELECT 1 FROM images WHERE deleted_at IS NULL')).toHaveLength(1)
    const done = await tick(END_MS + MINUTE_MS)
    expect(sumBacklog(done ?? expect.fail()).expired.count).toBe(0)
    expect(await rows('SELECT 1 FROM image_retries')).toEqual([])
  })

  test('reads as many rows as it deletes, however many expire later', async () => {
    await addRecords(null, SWEPT_AGAIN_IMAGES, 1)
    await expire('images', '1', END_MS + HOUR_MS)
    await expire('images', 'id % 5 = 0')
    await env.DB.exec(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO galleries (id, hash, name, upload_token_digest, created_at, expires_at) SELECT i, 'hash' || i, '', '', 0, ${END_MS} + (i % 5) FROM n`)
    for (const find of [findExpiredImages, findExpiredGalleries]) {
      const read = await rowsReadBy((from) => find(homeOf(from), END_MS, MAINTENANCE_BATCH_EXPIRED))
      expect(read).toBeGreaterThanOrEqual(MAINTENANCE_BATCH_EXPIRED)
      expect(read).toBeLessThan(4 * MAINTENANCE_BATCH_EXPIRED)
    }
  })

  test('images that expire later cost the pages of their gallery nothing', async () => {
    const { hash, token } = await madeGallery()
    const { id } = await requireManagedGallery(store, token, NOW_MS)
    await addRecords(id, 2000, 1_000_000)
    const read = () =>
      rowsReadBy(async (from) => {
        await findGalleryPage(homeOf(from), hash, { limit: 100, offset: 1900 }, NOW_MS)
        await findImagesAfter(homeOf(from), hash, 1_001_800, 100, NOW_MS)
      })
    const before = await read()
    await expire('images', '1')
    expect(await read()).toBeLessThanOrEqual(before + 10)
    expect((await findGalleryById(shard, id))?.imageCount).toBe(2001)
  })
})
