import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { type ContentAddress, findContent, stateOf } from '../../src/domain/content.ts'
import { deleteManaged } from '../../src/domain/management.ts'
import { dismissReports, listReports, removeReported } from '../../src/domain/moderation.ts'
import { receiveReport } from '../../src/domain/report.ts'
import { OPERATOR_LISTED_REPORTS } from '../../src/limits.ts'
import { madeGallery, madePicture, NOW_MS } from './made-content.ts'
import { emptyStore, rows, store } from './store.ts'

beforeEach(emptyStore)

test('reports are listed by what they are of, that with the newest report last', async () => {
  const [one, other] = [await madePicture(), await madeGallery()]
  await report(one.address, 'first', NOW_MS)
  await report(other.address, 'second', NOW_MS + 1)
  expect(await listed()).toEqual([['first'], ['second']])
  await report(one.address, 'third', NOW_MS + 2)
  expect(await listed()).toEqual([['second'], ['first', 'third']])
  expect(await listReports(store)).toMatchObject({ total: 3 })
})

test('what was deleted meanwhile is listed as such', async () => {
  const { address, token } = await madePicture()
  await report(address)
  await deleteManaged(store, token, NOW_MS)
  const { reported } = await listReports(store)
  expect(reported.map(({ content }) => stateOf(content))).toEqual(['deleted'])
})

test('the oldest are listed when there are very many, and all are counted', async () => {
  const { image } = await madePicture()
  await env.DB.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= ${OPERATOR_LISTED_REPORTS})
    INSERT INTO reports (image_id, reason, details, contact, created_at) SELECT ${image.id}, 'illegal', i, '', i FROM n`,
  ).run()
  const { reported, total } = await listReports(store)
  expect(total).toBe(OPERATOR_LISTED_REPORTS + 1)
  expect(reported[0]?.reports).toHaveLength(OPERATOR_LISTED_REPORTS)
  expect(reported[0]?.reports.at(-1)?.details).toBe(String(OPERATOR_LISTED_REPORTS))
})

test('a removed picture is deleted, its files are due, and its reports are settled', async () => {
  const { image, address } = await madePicture()
  await report(address)
  await report(address)
  expect(await removeReported(store, address, NOW_MS + 5)).toMatchObject({
    kind: 'image',
    deleted: { kind: 'image', image: { id: image.id } },
    handled: 2,
  })
  expect(await stateAt(address)).toBe('deleted')
  expect(await rows('SELECT image_id, due_at FROM file_cleanup')).toEqual([{ image_id: image.id, due_at: NOW_MS + 5 }])
  expect(await listReports(store)).toEqual({ reported: [], total: 0 })
})

test('a picture is removed from its gallery, which stays', async () => {
  const { address, picture } = await madeGallery()
  await report(address)
  await removeReported(store, picture.address, NOW_MS)
  expect([await stateAt(picture.address), await stateAt(address)]).toEqual(['deleted', 'available'])
  expect(await listReports(store)).toMatchObject({ total: 1 })
})

test('a removed gallery settles the reports of its pictures, and those of no other', async () => {
  const [gallery, other] = [await madeGallery(), await madePicture()]
  for (const { address } of [gallery, gallery.picture, other]) await report(address)
  expect(await removeReported(store, gallery.address, NOW_MS)).toMatchObject({
    deleted: { kind: 'gallery' },
    handled: 2,
  })
  expect(await stateAt(gallery.picture.address)).toBe('deleted')
  expect(await listReports(store)).toMatchObject({ total: 1 })
})

test('removing what is gone already deletes nothing and settles its reports', async () => {
  const [picture, gallery] = [await madePicture(), await madeGallery()]
  for (const { address } of [picture, gallery, gallery.picture]) await report(address)
  await deleteManaged(store, picture.token, NOW_MS)
  await deleteManaged(store, gallery.token, NOW_MS)
  for (const { address } of [picture, gallery.picture, gallery]) {
    expect(await removeReported(store, address, NOW_MS)).toMatchObject({ deleted: undefined, handled: 1 })
  }
  expect(await removeReported(store, picture.address, NOW_MS)).toMatchObject({ deleted: undefined, handled: 0 })
})

test('of simultaneous removals one deletes', async () => {
  const { address } = await madeGallery()
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => removeReported(store, address, NOW_MS)))
  expect(outcomes.filter(({ deleted }) => deleted)).toHaveLength(1)
})

test('an unfinished gallery can be removed', async () => {
  const { address } = await madeGallery({ finalized: false })
  expect(await removeReported(store, address, NOW_MS)).toMatchObject({ deleted: { kind: 'gallery' } })
})

test('dismissing settles the reports of this alone and deletes nothing', async () => {
  const gallery = await madeGallery()
  for (const { address } of [gallery, gallery.picture]) await report(address)
  expect(await dismissReports(store, gallery.address, NOW_MS)).toEqual({
    kind: 'gallery',
    deleted: undefined,
    handled: 1,
    blocked: 0,
  })
  expect(await stateAt(gallery.address)).toBe('available')
  expect(await listReports(store)).toMatchObject({ total: 1 })
})

test('settled reports stay settled, a new one is open', async () => {
  const { address } = await madePicture()
  await report(address)
  await dismissReports(store, address, NOW_MS + 1)
  await report(address, 'again')
  await dismissReports(store, address, NOW_MS + 2)
  expect(await rows('SELECT handled_at FROM reports ORDER BY id')).toEqual([
    { handled_at: NOW_MS + 1 },
    { handled_at: NOW_MS + 2 },
  ])
})

test('what never was cannot be judged', async () => {
  const unknown: ContentAddress = { kind: 'gallery', hash: 'unknown' }
  const failure = { code: 'content_not_found' }
  await expect(removeReported(store, unknown, NOW_MS)).rejects.toMatchObject(failure)
  await expect(dismissReports(store, unknown, NOW_MS)).rejects.toMatchObject(failure)
})

function report(address: ContentAddress, details = '', nowMs = NOW_MS) {
  return receiveReport(store, address, { reason: 'illegal', details, contact: '' }, nowMs)
}

async function listed() {
  const { reported } = await listReports(store)
  return reported.map(({ reports }) => reports.map(({ details }) => details))
}

async function stateAt(address: ContentAddress) {
  const content = await findContent(store, address)
  return content && stateOf(content)
}
