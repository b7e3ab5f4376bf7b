import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { type ContentAddress, findContent, parseContentPath, stateOf } from '../../../src/domain/content/content.ts'
import { imageStatuses } from '../../../src/domain/content/image-status.ts'
import { deleteManaged, renameManagedGallery, requireManagedGallery } from '../../../src/domain/content/management.ts'
import { findPublicImage } from '../../../src/domain/content/public-image.ts'
import { Failure } from '../../../src/domain/failure.ts'
import { createGallery, finalizeGallery } from '../../../src/domain/galleries/gallery.ts'
import { imagePath } from '../../../src/domain/ids/links.ts'
import { maintain } from '../../../src/domain/maintenance/maintenance.ts'
import {
  type Decider,
  dismissReports,
  findReports,
  hideContent,
  listBlockedImages,
  listDecisions,
  listHiddenContent,
  listReports,
  removeReported,
  unblockContent,
  unhideContent,
} from '../../../src/domain/moderation/moderation.ts'
import { receiveReport, type SubmittedReport } from '../../../src/domain/moderation/report.ts'
import { OPERATOR_LISTED, UPLOAD_TOKEN_LIFETIME_MS } from '../../../src/limits.ts'
import { madeGallery, madeImage, NOW_MS, shownImages, uploadOf } from '../made-content.ts'
import { emptyStore, rows, store } from '../store.ts'

beforeEach(emptyStore)

test('reported content is listed once with the number of its reports, child abuse first, then the longest reported', async () => {
  const [one, other, third] = [await madeImage(), await madeGallery(), await madeImage()]
  await report(one.address, { reason: 'illegal' }, NOW_MS)
  await report(other.address, { reason: 'copyright' }, NOW_MS + 1)
  await report(third.address, { reason: 'violence' }, NOW_MS + 2)
  await report(third.address, { reason: 'child' }, NOW_MS + 3)
  await report(one.address, { reason: 'illegal' }, NOW_MS + 4)
  expect(await listReports(store)).toMatchObject({
    items: [
      { content: { image: { id: third.image.id } }, reports: 2, reasons: { violence: 1, child: 1 } },
      {
        content: { image: { id: one.image.id } },
        reports: 2,
        reasons: { illegal: 2 },
        firstMs: NOW_MS,
        lastMs: NOW_MS + 4,
      },
      { content: { gallery: { hash: other.hash } }, reports: 1, reasons: { copyright: 1 } },
    ],
    contents: 3,
    total: 5,
  })
})

test('content that was deleted in the meantime is listed as deleted', async () => {
  const { address, token } = await madeImage()
  await report(address)
  await deleteManaged(store, token, NOW_MS)
  const { items: reported } = await listReports(store)
  expect(reported.map(({ content }) => stateOf(content, NOW_MS))).toEqual(['deleted'])
})

test('many reports about one item hide no other, and the oldest of them can be read', async () => {
  const [loud, quiet] = [await madeImage(), await madeImage()]
  await env.DB.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= ${OPERATOR_LISTED})
    INSERT INTO reports (image_id, reason, details, contact, created_at) SELECT ${loud.image.id}, 'illegal', i, '', i FROM n`,
  ).run()
  await report(quiet.address)
  expect((await listReports(store)).items.map(({ reports }) => reports)).toEqual([OPERATOR_LISTED + 1, 1])
  const { reports } = await findReports(store, loud.address)
  expect([reports[0]?.details, reports.at(-1)?.details]).toEqual(['1', String(OPERATOR_LISTED)])
})

test('a removed image is deleted, its files are due, and its reports are settled', async () => {
  const { image, address } = await madeImage()
  await report(address)
  await report(address)
  expect(await removeReported(store, address, at(NOW_MS + 5))).toMatchObject({
    kind: 'image',
    toPurge: { kind: 'image', image: { id: image.id } },
    state: 'deleted',
    handled: 2,
  })
  expect(await stateAt(address)).toBe('deleted')
  expect(await rows('SELECT image_id, due_at FROM file_cleanup')).toEqual([{ image_id: image.id, due_at: NOW_MS + 5 }])
  expect(await listReports(store)).toEqual({ items: [], contents: 0, total: 0, unavailable: [] })
})

test('an image is removed from its gallery, which stays', async () => {
  const { address, image } = await madeGallery()
  await report(address)
  await removeReported(store, image.address, at(NOW_MS))
  expect([await stateAt(image.address), await stateAt(address)]).toEqual(['deleted', 'available'])
  expect(await listReports(store)).toMatchObject({ total: 1 })
})

test('a removed gallery settles the reports of its images, and no others', async () => {
  const [gallery, other] = [await madeGallery(), await madeImage()]
  for (const { address } of [gallery, gallery.image, other]) await report(address)
  expect(await removeReported(store, gallery.address, at(NOW_MS))).toMatchObject({
    toPurge: { kind: 'gallery' },
    handled: 2,
  })
  expect(await stateAt(gallery.image.address)).toBe('deleted')
  expect(await listReports(store)).toMatchObject({ total: 1 })
})

test('removing deleted content deletes nothing and settles its reports', async () => {
  const [image, gallery] = [await madeImage(), await madeGallery()]
  for (const { address } of [image, gallery, gallery.image]) await report(address)
  await deleteManaged(store, image.token, NOW_MS)
  await deleteManaged(store, gallery.token, NOW_MS)
  for (const { address } of [image, gallery.image, gallery]) {
    expect(await removeReported(store, address, at(NOW_MS))).toMatchObject({ changed: false, handled: 1 })
  }
  expect(await removeReported(store, image.address, at(NOW_MS))).toMatchObject({ changed: false, handled: 0 })
})

test('of simultaneous removals one deletes', async () => {
  const { address } = await madeGallery()
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => removeReported(store, address, at(NOW_MS))))
  expect(outcomes.filter(({ changed }) => changed)).toHaveLength(1)
})

test('an unfinished gallery can be removed', async () => {
  const { address } = await madeGallery({ finalized: false })
  expect(await removeReported(store, address, at(NOW_MS))).toMatchObject({
    changed: true,
    toPurge: { kind: 'gallery' },
  })
})

test('dismissing settles the reports of this content alone and deletes nothing', async () => {
  const gallery = await madeGallery()
  for (const { address } of [gallery, gallery.image]) await report(address)
  expect(await dismissReports(store, gallery.address, at(NOW_MS))).toEqual({
    kind: 'gallery',
    state: 'available',
    changed: false,
    toPurge: undefined,
    handled: 1,
    images: 0,
  })
  expect(await stateAt(gallery.address)).toBe('available')
  expect(await listReports(store)).toMatchObject({ total: 1 })
})

test('settled reports stay settled, a new one is open', async () => {
  const { address } = await madeImage()
  await report(address)
  await dismissReports(store, address, at(NOW_MS + 1))
  await report(address, { details: 'again' })
  await dismissReports(store, address, at(NOW_MS + 2))
  expect(await rows('SELECT handled_at FROM reports ORDER BY id')).toEqual([
    { handled_at: NOW_MS + 1 },
    { handled_at: NOW_MS + 2 },
  ])
})

describe('hidden content', () => {
  test('an image is neither public nor deleted, and returns unchanged', async () => {
    const { image, address } = await madeImage()
    const [before] = await rows('SELECT * FROM images')
    expect(await hideContent(store, address, at(NOW_MS))).toMatchObject({ state: 'hidden', changed: true })
    expect(await findPublicImage(store, imagePath(image), NOW_MS)).toBeUndefined()
    expect(await imageStatuses(store, [address.image], NOW_MS)).toEqual(['pending'])
    await expect(report(address)).rejects.toMatchObject({ code: 'content_not_found' })
    expect(await hideContent(store, address, at(NOW_MS + 1))).toMatchObject({ state: 'hidden', changed: false })
    expect(await unhideContent(store, address, at(NOW_MS))).toMatchObject({ state: 'available', changed: true })
    expect(await rows('SELECT * FROM images')).toEqual([before])
    expect(await unhideContent(store, address, at(NOW_MS))).toMatchObject({ state: 'available', changed: false })
  })

  test('a gallery hides its images; an image that is hidden itself is missing from it alone', async () => {
    const { hash, address, image } = await madeGallery()
    const shown = async () => (await shownImages(store, hash))?.length
    await hideContent(store, image.address, at(NOW_MS))
    expect([await shown(), await stateAt(address)]).toEqual([0, 'available'])
    await hideContent(store, address, at(NOW_MS + 1))
    expect([await shown(), await stateAt(image.address)]).toEqual([undefined, 'hidden'])
    expect((await listHiddenContent(store, NOW_MS + 1)).items.map(({ kind }) => kind)).toEqual(['image', 'gallery'])
    expect(await unhideContent(store, image.address, at(NOW_MS))).toMatchObject({ state: 'hidden', changed: true })
    await unhideContent(store, address, at(NOW_MS))
    expect([await shown(), await stateAt(image.address)]).toEqual([1, 'available'])
    expect((await listHiddenContent(store, NOW_MS + 1)).items).toEqual([])
  })

  test.for(['finalize', 'cron'])('%s neither shows it nor treats a gallery of hidden images as empty', async (by) => {
    const gallery = await createGallery(store, { name: 'x', wantsManagementToken: true }, NOW_MS)
    const image = await madeImage(gallery)
    const address = { kind: 'gallery', hash: gallery.hash } as const
    for (const one of [address, image.address]) await hideContent(store, one, at(NOW_MS))
    if (by === 'finalize') await finalizeGallery(store, gallery, NOW_MS)
    else await maintain(store, NOW_MS + UPLOAD_TOKEN_LIFETIME_MS, () => {})
    await renameManagedGallery(store, await requireManagedGallery(store, gallery.managementToken ?? '', NOW_MS), 'y')
    expect([await stateAt(address), await stateAt(image.address)]).toEqual(['hidden', 'hidden'])
    for (const one of [address, image.address]) await unhideContent(store, one, at(NOW_MS))
    expect([await stateAt(address), await stateAt(image.address)]).toEqual(['available', 'available'])
    expect(await shownImages(store, gallery.hash)).toHaveLength(1)
  })

  test('its owner can delete it, and then it stays deleted', async () => {
    const [image, gallery] = [await madeImage(), await madeGallery()]
    for (const { address, token } of [image, gallery]) {
      await hideContent(store, address, at(NOW_MS))
      await deleteManaged(store, token, NOW_MS)
      expect(await unhideContent(store, address, at(NOW_MS))).toMatchObject({ state: 'deleted', changed: false })
    }
    expect((await listHiddenContent(store, NOW_MS)).items).toEqual([])
    await maintain(store, NOW_MS, () => {})
    expect(await imageStatuses(store, [image.address.image, gallery.image.address.image], NOW_MS)).toEqual([
      'deleted',
      'deleted',
    ])
  })
})

describe('the audit', () => {
  test('has who decided what and when, and the result, the newest first', async () => {
    const [image, gallery] = [await madeImage(), await madeGallery()]
    await report(image.address)
    await hideContent(store, gallery.address, at(NOW_MS))
    await removeReported(store, image.address, { operator: 'ben', nowMs: NOW_MS + 1 }, { block: true })
    await unblockContent(store, image.address, at(NOW_MS + 2))
    const entries = (await listDecisions(store, NOW_MS + 2)).items.map(
      ({ entry: { id: _, operation: __, ...entry } }) => entry,
    )
    const done = { completed: true, changed: true, galleryHash: null, imageId: image.image.id, list: null }
    expect(entries).toEqual([
      { ...done, decidedAt: NOW_MS + 2, operator: 'anna', action: 'unblock', reports: 0, images: 1 },
      { ...done, decidedAt: NOW_MS + 1, operator: 'ben', action: 'remove and block', reports: 1, images: 1 },
      {
        ...done,
        decidedAt: NOW_MS,
        operator: 'anna',
        action: 'hide',
        reports: 0,
        images: 0,
        imageId: null,
        galleryHash: gallery.hash,
      },
    ])
  })

  test('is written before anything is done, and states what was not completed', async () => {
    const { address } = await madeImage()
    await env.DB.exec(
      "CREATE TRIGGER bad BEFORE UPDATE OF deleted_at ON images BEGIN SELECT RAISE(ABORT, 'bad row'); END",
    )
    await expect(removeReported(store, address, at(NOW_MS))).rejects.toThrow()
    await env.DB.exec('DROP TRIGGER bad')
    expect(await rows('SELECT action, completed FROM moderation_audit')).toEqual([{ action: 'remove', completed: 0 }])
    await env.DB.exec("CREATE TRIGGER bad BEFORE INSERT ON moderation_audit BEGIN SELECT RAISE(ABORT, 'bad row'); END")
    await expect(removeReported(store, address, at(NOW_MS))).rejects.toThrow()
    await env.DB.exec('DROP TRIGGER bad')
    expect(await stateAt(address)).toBe('available')
  })
})

describe('blocks', () => {
  const isBlocked = () =>
    uploadOf(store).then(
      () => false,
      (error: unknown) => error instanceof Failure && error.code === 'blocked_content',
    )

  test('are removed by the address of the image, even when nothing else of it is left', async () => {
    const { image, address } = await madeImage()
    await removeReported(store, address, at(NOW_MS), { block: true })
    await maintain(store, NOW_MS, () => {})
    expect(await isBlocked()).toBe(true)
    const { items: blocks } = await listBlockedImages(store, NOW_MS)
    expect(blocks).toMatchObject([{ image: { id: image.id, name: '' }, blockedAt: NOW_MS }])
    const left = parseContentPath(`/show/${blocks[0] ? imagePath(blocks[0].image) : ''}`)
    expect(await unblockContent(store, left ?? expect.fail(), at(NOW_MS))).toMatchObject({ changed: true, images: 1 })
    expect(await isBlocked()).toBe(false)
    for (const table of ['blocked_files', 'blocked_fingerprints'])
      expect(await rows(`SELECT * FROM ${table}`)).toEqual([])
    expect(await unblockContent(store, address, at(NOW_MS))).toMatchObject({ changed: false, images: 0 })
  })

  test('of the images of a gallery are removed by its address; of an image that was blocked twice, by the later one', async () => {
    const [first, gallery] = [await madeImage(), await madeGallery()]
    for (const { address } of [first, gallery]) await removeReported(store, address, at(NOW_MS), { block: true })
    expect((await listBlockedImages(store, NOW_MS)).items).toMatchObject([{ image: { id: gallery.image.image.id } }])
    expect(await unblockContent(store, first.address, at(NOW_MS))).toMatchObject({ images: 0 })
    expect(await unblockContent(store, gallery.address, at(NOW_MS))).toMatchObject({ images: 1 })
    expect(await isBlocked()).toBe(false)
  })
})

test('decisions need existing content', async () => {
  const unknown: ContentAddress = { kind: 'gallery', hash: 'unknown' }
  const failure = { code: 'content_not_found' }
  expect(await rows('SELECT * FROM moderation_audit')).toEqual([])
  await expect(removeReported(store, unknown, at(NOW_MS))).rejects.toMatchObject(failure)
  await expect(dismissReports(store, unknown, at(NOW_MS))).rejects.toMatchObject(failure)
})

function at(nowMs: number): Decider {
  return { operator: 'anna', nowMs }
}

function report(address: ContentAddress, wanted: Partial<SubmittedReport> = {}, nowMs = NOW_MS) {
  return receiveReport(store, address, { reason: 'illegal', details: '', contact: '', ...wanted }, nowMs)
}

async function stateAt(address: ContentAddress) {
  const content = await findContent(store, address)
  return content && stateOf(content, NOW_MS)
}
