import { beforeAll, describe, expect, test } from 'vitest'
import { sharedApi } from './support/api.ts'
import type { CreatedGallery, Uploaded } from './support/responses.ts'
import { createGallery, galleryWithImage, uploadImage } from './support/steps.ts'

const api = sharedApi()
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/**
 * Paths are compared as sent: a percent-encoded path differs from the plain one, although both mean the same
 * characters.
 */
describe('a path with a percent-encoded letter is not the path without', () => {
  let image: Uploaded
  let gallery: CreatedGallery
  let open: CreatedGallery

  beforeAll(async () => {
    image = await uploadImage(api, { include_manage_url: '1' })
    gallery = (await galleryWithImage(api, { finalized: true })).gallery
    open = await createGallery(api)
  })

  /** Returns the text with its first letter or digit percent-encoded. */
  const encoded = (text: string) => text.replace(/[a-z0-9]/i, (character) => `%${character.charCodeAt(0).toString(16)}`)
  const pathOf = (link: string) => new URL(link).pathname
  /** Returns the path with its last segment encoded, and with its first. */
  const variants = (path: string) => {
    const [, first = '', ...rest] = path.split('/')
    const last = rest.pop() ?? ''
    return [['', first, ...rest, encoded(last)].join('/'), ['', encoded(first), ...rest, last].join('/')]
  }
  const post = (path: string, body = '') => api.send({ path, body, headers: FORM })
  const identify = (of: string) => (of.startsWith('http') ? pathOf(of) : of)

  test.for<[page: string, link: () => string, host?: string]>([
    ['the page of an image', () => image.showUrl],
    ['a thumbnail', () => image.thumbnailUrl, 't1.one.example'],
    ['an original', () => image.originalUrl, 'img1.one.example'],
    ['a gallery', () => gallery.url],
    ['a management page', () => `/manage/${image.managementToken}`],
    ['a page of the documentation', () => '/docs/errors'],
  ])('GET of %s is 404', async ([, link, host = 'one.example']) => {
    const path = identify(link())
    expect((await api.get(path, { host })).status).toBe(200)
    for (const other of variants(path)) expect([other, (await api.get(other, { host })).status]).toEqual([other, 404])
  })

  test('a management token is 404, in pages and operations, without any effect', async () => {
    const token = encoded(open.managementToken)
    expect((await post(`/management/${token}/rename`, 'name=x')).status).toBe(404)
    expect((await post(`/management/${token}/delete`)).status).toBe(404)
    expect((await post(`/manage/${token}`, 'action=delete&confirm=yes')).status).toBe(404)
    expect((await api.rename(open.managementToken, 'still there')).status).toBe(200)
  })

  test('a gallery hash matches no gallery (415)', async () => {
    const body = `gallery_upload_hash=${open.uploadToken}`
    expect((await post(`/galleries/${encoded(open.hash)}/finalize`, body)).status).toBe(415)
    expect((await post(`/galleries/${open.hash}/%66inalize`, body)).status).toBe(400)
  })

  test('percent signs that encode nothing are other paths, too', async () => {
    for (const path of ['/%', '/%zz', '/manage/%', `/manage/${image.managementToken}%`, '/docs%2Ferrors']) {
      expect([path, (await api.get(path)).status]).toEqual([path, 404])
    }
  })
})
