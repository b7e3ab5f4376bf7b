import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { handleRequest } from '../../../src/app.ts'
import { createGallery, finalizeGallery } from '../../../src/domain/galleries/gallery.ts'
import { imagePath } from '../../../src/domain/ids/links.ts'
import { GALLERY_PAGE_IMAGES } from '../../../src/limits.ts'
import { fileKey } from '../../../src/storage/files.ts'
import { madeGallery, madeImage, NOW_MS } from '../../domain/made-content.ts'
import { emptyStore, PIXEL_GIF, store } from '../../domain/store.ts'
import { readZip } from '../../support/zip.ts'

function download(hash: string, { method = 'GET', part = 1 } = {}): Promise<Response> {
  const url = `http://d.example/gallery/${hash}/download?part=${part}`
  const request = new Request(url, { method })
  return Promise.resolve(handleRequest(request, { ...env, PUBLIC_DOMAINS: 'd.example' }, createExecutionContext()))
}

beforeEach(emptyStore)

test('checksums of older images are computed during the download', async () => {
  const access = await createGallery(store, { name: '', wantsManagementToken: false }, NOW_MS)
  for (let count = 0; count < 3; count++) await madeImage(access)
  await env.DB.prepare('UPDATE images SET crc32 = NULL WHERE id = (SELECT max(id) FROM images)').run()
  await finalizeGallery(store, access, NOW_MS)
  const response = await download(access.hash)
  const files = readZip(await response.bytes())
  expect(files.map(({ name, bytes }) => [name, new Uint8Array(bytes)])).toEqual(
    ['a.gif', 'a-2.gif', 'a-3.gif'].map((name) => [name, PIXEL_GIF]),
  )
})

test('a missing file breaks it off, and it never ends as if it were whole', async () => {
  const { hash, image } = await madeGallery()
  await env.FILES.delete(fileKey('images', imagePath(image.image)))
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const response = await download(hash)
  await expect(response.bytes()).rejects.toThrow('is gone')
  // Requests of other files may log in the meantime.
  expect(log.mock.calls.filter(([line]) => String(line).includes('is gone'))).toHaveLength(1)
  log.mockRestore()
})

test('a part has the images of a page', async () => {
  const access = await createGallery(store, { name: 'Ü', wantsManagementToken: false }, NOW_MS)
  const { image } = await madeImage(access)
  await env.DB.prepare(`
    WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < ?1)
    INSERT INTO images (id, name, media_type, bytes, width, height, thumbnail_bytes, thumbnail_width, thumbnail_height, nsfw, gallery_id)
    SELECT id + n, name, media_type, bytes, width, height, thumbnail_bytes, thumbnail_width, thumbnail_height, nsfw, gallery_id
    FROM images, more WHERE id = ?2`)
    .bind(GALLERY_PAGE_IMAGES, image.id)
    .run()
  await finalizeGallery(store, access, NOW_MS)
  const parts = await Promise.all([1, 2, 3].map((part) => download(access.hash, { method: 'HEAD', part })))
  expect(parts.map(({ status }) => status)).toEqual([200, 200, 404])
  const sizes = parts.map(({ headers }) => Number(headers.get('Content-Length')))
  expect(sizes[0]).toBeGreaterThan(GALLERY_PAGE_IMAGES * PIXEL_GIF.length)
  expect(sizes[1]).toBeLessThan(PIXEL_GIF.length + 300)
  expect(parts[1]?.headers.get('Content-Disposition')).toBe(
    `attachment; filename="${access.hash}-2.zip"; filename*=UTF-8''%C3%9C-2.zip`,
  )
})
