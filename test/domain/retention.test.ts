import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { imageStatuses } from '../../src/domain/content/image-status.ts'
import { deleteManaged, requireManaged } from '../../src/domain/content/management.ts'
import { findPublicImage } from '../../src/domain/content/public-image.ts'
import { createGallery, finalizeGallery } from '../../src/domain/galleries/gallery.ts'
import { imagePath, parseImagePath } from '../../src/domain/ids/links.ts'
import { maintain } from '../../src/domain/maintenance/maintenance.ts'
import { dismissReports } from '../../src/domain/moderation/moderation.ts'
import { receiveReport } from '../../src/domain/moderation/report.ts'
import {
  HANDLED_CONTACT_LIFETIME_MS,
  MAINTENANCE_BATCH_FORGOTTEN,
  RECHECK_MS,
  REMOVED_GALLERY_LIFETIME_MS,
} from '../../src/limits.ts'
import { MINUTE_MS } from '../../src/units.ts'
import { madeGallery, madeImage, NOW_MS } from './made-content.ts'
import { emptyStore, onShard, rows, shard, store, storedKeys } from './store.ts'

beforeEach(emptyStore)

const tick = (nowMs = NOW_MS) =>
  maintain(store, nowMs, (what, error) => {
    throw new Error(what, { cause: error })
  })

const statusAt = async (path: string) => (await imageStatuses(store, [parseImagePath(path)], NOW_MS))[0]

/**
 * Returns the columns of the images besides the id: the gallery, the operation and time of the deletion, and since when
 * they are hidden.
 */
async function stored() {
  const found = await rows('SELECT * FROM images')
  return found.map(({ id: _, gallery_id: __, deleted_at: ___, deleted_by: ____, hidden_at: _____, ...rest }) => rest)
}
const NOTHING = {
  ...{
    name: '',
    media_type: '',
    bytes: 0,
    width: 0,
    height: 0,
    nsfw: 0,
    sent_digest: null,
    crc32: null,
    thumbnail_crc32: null,
    display_name: null,
    animated: null,
    caption: null,
    alt: null,
    sort_anchor: null,
    sort_rank: null,
    expires_at: null,
  },
  ...{ thumbnail_bytes: 0, thumbnail_width: 0, thumbnail_height: 0 },
  ...{ preview_media_type: null, preview_bytes: null, preview_width: null, preview_height: null, preview_crc32: null },
  path_digest: expect.stringMatching(/^[0-9a-f]{16}$/),
}

/** Returns the tables that contain this text, with the number of rows. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*'")
  const found = await Promise.all(
    tables.map(async ({ name }) => (JSON.stringify(await rows(`SELECT * FROM ${name}`)).includes(text) ? [name] : [])),
  )
  return found.flat().map(String)
}

test('of a deleted image only the record for its path is stored once its files are removed', async () => {
  const { image, token } = await madeImage()
  const path = imagePath(image)
  await env.DB.exec(
    "UPDATE images SET sent_digest = 'digest of what was sent', display_name = 'A.GIF', caption = 'C', alt = 'A'",
  )
  await deleteManaged(store, token, NOW_MS)
  expect(await statusAt(path)).toBe('deleted')
  await tick()
  expect(await storedKeys()).toEqual([])
  expect(await stored()).toEqual([NOTHING])
  expect(await tablesWith('a.gif')).toEqual([])
  await tick(NOW_MS + RECHECK_MS)
  expect(await statusAt(path)).toBe('deleted')
  expect(await statusAt(path.replace('a.gif', 'b.gif'))).toBe('not_found')
  expect(await findPublicImage(store, path, NOW_MS)).toBeUndefined()
  expect(await rows('SELECT * FROM file_cleanup')).toEqual([])
})

test('an older version, which does not know display names, erases them with the path', async () => {
  await madeImage()
  await env.DB.exec("UPDATE images SET display_name = 'A.GIF', caption = 'C', alt = 'A'")
  await env.DB.exec("UPDATE images SET name = '', path_digest = '0123456789abcdef'")
  expect(await rows('SELECT display_name, caption, alt FROM images')).toEqual([
    { display_name: null, caption: null, alt: null },
  ])
})

test('the same for images of a deleted gallery, one deleted before among them; its checkpoints and tokens are removed', async () => {
  const { hash, image, token } = await madeGallery({ finalized: false })
  await env.DB.exec(`INSERT INTO gallery_marks SELECT id, 1, 0 FROM galleries`)
  await env.DB.exec(`INSERT INTO gallery_order_marks SELECT id, 1, 0, 1, 0 FROM galleries`)
  await env.DB.exec('UPDATE images SET deleted_at = 1')
  await tick()
  const [before] = await rows('SELECT path_digest FROM images')
  await env.DB.exec('UPDATE images SET deleted_at = NULL')
  await deleteManaged(store, token, NOW_MS)
  expect(await rows('SELECT upload_token_digest FROM galleries')).toEqual([{ upload_token_digest: '' }])
  await tick()
  expect(await rows('SELECT path_digest FROM images')).toEqual([before])
  expect(await rows('SELECT hash, name, forgotten FROM galleries')).toEqual([{ hash, name: '', forgotten: 1 }])
  for (const table of [
    'gallery_marks',
    'gallery_order_marks',
    'management_tokens',
    'gallery_cleanup',
    'file_cleanup',
  ]) {
    expect(await rows(`SELECT * FROM ${table}`), table).toEqual([])
  }
  expect(await statusAt(imagePath(image.image))).toBe('deleted')
})

test('an image whose files cannot be removed has its name until they are', async () => {
  const { image, token } = await madeGallery()
  const path = imagePath(image.image)
  await deleteManaged(store, token, NOW_MS)
  const files = { ...shard.files, delete: () => Promise.reject(new Error('planted')) }
  await maintain(onShard({ ...shard, files }), NOW_MS, () => {})
  expect(await rows('SELECT name FROM images')).toEqual([{ name: 'a.gif' }])
  await tick(NOW_MS + MINUTE_MS)
  expect(await storedKeys()).toEqual([])
  expect(await stored()).toEqual([NOTHING])
  expect(await statusAt(path)).toBe('deleted')
})

test('a management link of deleted content is 410 for ever, and the rest of its token leads nowhere', async () => {
  const [image, gallery] = [await madeImage(), await madeGallery()]
  for (const { token } of [image, gallery]) await deleteManaged(store, token, NOW_MS)
  await tick()
  expect(await rows('SELECT * FROM management_tokens')).toEqual([])
  expect(await rows('SELECT length(digest) AS length FROM revoked_tokens')).toEqual([{ length: 16 }, { length: 16 }])
  for (const { token } of [image, gallery]) {
    await expect(requireManaged(store, token, NOW_MS)).rejects.toMatchObject({ code: 'content_deleted' })
    await expect(requireManaged(store, token.slice(0, -1), NOW_MS)).rejects.toMatchObject({
      code: 'management_token_not_found',
    })
  }
  await expect(requireManaged(store, 'w'.repeat(43), NOW_MS)).rejects.toMatchObject({
    code: 'management_token_not_found',
  })
})

test('content that was deleted by earlier versions is swept again, and its name forgotten', async () => {
  const [alone, inside] = [await madeImage(), await madeGallery()]
  const paths = [imagePath(alone.image), imagePath(inside.image.image)]
  await env.DB.exec(`UPDATE images SET deleted_at = ${NOW_MS} WHERE gallery_id IS NULL`)
  await env.DB.exec(`UPDATE galleries SET deleted_at = ${NOW_MS}`)
  await tick(NOW_MS + REMOVED_GALLERY_LIFETIME_MS)
  // The gallery is due again in the same tick, and swept in the next.
  await tick(NOW_MS + REMOVED_GALLERY_LIFETIME_MS)
  expect(await stored()).toEqual([NOTHING, NOTHING])
  expect(await Promise.all(paths.map(statusAt))).toEqual(['deleted', 'deleted'])
  expect(await rows('SELECT forgotten FROM galleries')).toEqual([{ forgotten: 1 }])
})

test('existing content keeps everything', async () => {
  const [alone, inside] = [await madeImage(), await madeGallery()]
  const before = await rows('SELECT * FROM images')
  await env.DB.exec("INSERT INTO file_cleanup (image_id, name, due_at) SELECT id, 'x.gif', 0 FROM images")
  await tick(NOW_MS + 10 * HANDLED_CONTACT_LIFETIME_MS)
  expect(await rows('SELECT * FROM images')).toEqual(before)
  for (const { token } of [alone, inside]) await requireManaged(store, token, NOW_MS)
})

test('a gallery that never had an image is forgotten after its time, except the newest, and its link stays 410', async () => {
  const [finalized, deleted, newest] = [await emptyGallery(), await emptyGallery(), await emptyGallery()]
  for (const gallery of [finalized, newest]) await finalizeGallery(store, gallery, NOW_MS)
  await deleteManaged(store, deleted.managementToken, NOW_MS)
  await tick(NOW_MS + REMOVED_GALLERY_LIFETIME_MS - 1)
  expect(await rows('SELECT hash FROM galleries')).toHaveLength(3)
  await tick(NOW_MS + REMOVED_GALLERY_LIFETIME_MS)
  // Without AUTOINCREMENT, the id of the newest would be issued again.
  expect(await rows('SELECT id, hash FROM galleries')).toEqual([{ id: 3, hash: newest.hash }])
  for (const { managementToken, ...gallery } of [finalized, deleted, newest]) {
    await expect(requireManaged(store, managementToken, NOW_MS)).rejects.toMatchObject({ code: 'content_deleted' })
    await expect(finalizeGallery(store, gallery, NOW_MS)).rejects.toMatchObject({ code: 'gallery_not_found' })
  }
  await emptyGallery()
  await tick(NOW_MS + REMOVED_GALLERY_LIFETIME_MS)
  expect(await rows('SELECT id FROM galleries')).toEqual([{ id: 4 }])
})

test('a tick forgets very many of them', async () => {
  await env.DB.exec(
    `INSERT INTO galleries (id, hash, name, upload_token_digest, created_at, deleted_at)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${3 * MAINTENANCE_BATCH_FORGOTTEN})
    SELECT i, 'hash' || i, '', '', 0, ${NOW_MS} FROM n`.replaceAll('\n', ' '),
  )
  await tick(NOW_MS + REMOVED_GALLERY_LIFETIME_MS)
  expect(await rows('SELECT count(*) AS left FROM galleries')).toEqual([{ left: 1 }])
})

test('the contact in a report is erased long after it was handled; the rest of the report stays', async () => {
  const { address } = await madeImage()
  const report = { reason: 'illegal', details: 'why', contact: 'me@x.example' } as const
  await receiveReport(store, address, report, NOW_MS)
  await dismissReports(store, address, { operator: 'anna', nowMs: NOW_MS })
  await receiveReport(store, address, report, NOW_MS)
  await tick(NOW_MS + HANDLED_CONTACT_LIFETIME_MS - 1)
  expect(await rows('SELECT DISTINCT contact FROM reports')).toEqual([{ contact: 'me@x.example' }])
  await tick(NOW_MS + HANDLED_CONTACT_LIFETIME_MS)
  expect(await rows('SELECT contact, details FROM reports ORDER BY id')).toEqual([
    { contact: '', details: 'why' },
    { contact: 'me@x.example', details: 'why' },
  ])
})

async function emptyGallery() {
  const { managementToken = '', ...gallery } = await createGallery(
    store,
    { name: '', wantsManagementToken: true },
    NOW_MS,
  )
  return { ...gallery, managementToken }
}
