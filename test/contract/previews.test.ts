import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { sharedApi } from './support/api.ts'
import { header } from './support/client.ts'
import { animated, encoder, gif, jpeg, photo, png } from './support/images.ts'
import { file } from './support/multipart-body.ts'
import type { Uploaded } from './support/responses.ts'
import { galleryWithImage, previewUrlOf, uploadImage } from './support/steps.ts'

const api = sharedApi()

/** D50: a preview of every image, for pages, link previews and embedding. */

const EDGE = 1280
const MAX_BYTES = 300_000
const LARGE = photo(1300, 500)
const WIDE = photo(1300, 100)
const large = (): Sharp => encoder(LARGE)
const small = (side = 100): Sharp => large().resize(side)

const previewOf = (image: Uploaded) => api.follow(previewUrlOf(image))

const noise = () => encoder(photo(1300, 1000, 240))

describe.each<[string, () => Promise<Buffer>, string, Record<string, string>]>([
  ['a JPEG', () => jpeg(LARGE), 'image/jpeg', {}],
  ['an optimized JPEG', () => jpeg(LARGE), 'image/jpeg', { optimize_for_web: '1' }],
  ['a JPEG on its side', () => large().withMetadata({ orientation: 6 }).jpeg().toBuffer(), 'image/jpeg', {}],
  ['a PNG', () => png(LARGE), 'image/jpeg', {}],
  ['a PNG with transparency', () => large().ensureAlpha(0.5).png().toBuffer(), 'image/webp', {}],
  ['an AVIF', () => large().resize(1300, 100).avif({ effort: 0 }).toBuffer(), 'image/jpeg', {}],
  ['a small AVIF', () => small().avif({ effort: 0 }).toBuffer(), 'image/jpeg', {}],
  ['a small WebP', () => small().webp().toBuffer(), 'image/jpeg', {}],
  ['a GIF', () => large().gif({ effort: 1 }).toBuffer(), 'image/jpeg', {}],
  ['noise', () => noise().png().toBuffer(), 'image/jpeg', {}],
])('the preview of %s', (_, make, type, fields) => {
  test(`is ${type} of at most ${EDGE} pixels and ${MAX_BYTES} bytes, upright and without metadata`, async () => {
    const bytes = await make()
    const image = await uploadImage(api, { img: file('picture', bytes), ...fields })
    const response = await previewOf(image)
    expect(response.status).toBe(200)
    expect(header(response, 'content-type')).toBe(type)
    expect(response.bytes.length).toBeLessThanOrEqual(MAX_BYTES)
    const { width = 0, height = 0, exif, icc, xmp, orientation } = await sharp(response.bytes).metadata()
    expect([exif, icc, xmp, orientation]).toEqual([undefined, undefined, undefined, undefined])
    const upright = await sharp(bytes).autoOrient().toBuffer({ resolveWithObject: true })
    expect(Math.max(width, height)).toBe(Math.min(EDGE, Math.max(upright.info.width, upright.info.height)))
    expect(width > height).toBe(upright.info.width > upright.info.height)
  })
})

test.each<[string, () => Promise<Buffer>]>([
  ['JPEG', () => small(EDGE).jpeg({ quality: 40 }).toBuffer()],
  ['PNG', () => small().png().toBuffer()],
  ['GIF', () => small().gif().toBuffer()],
])('a small %s is its own preview', async (_, make) => {
  const bytes = await make()
  const image = await uploadImage(api, { img: file('picture', bytes) })
  const [preview, original] = [await previewOf(image), await api.follow(image.originalUrl)]
  expect(preview.bytes.equals(bytes)).toBe(true)
  for (const name of ['content-type', 'etag', 'cache-control'])
    expect(header(preview, name)).toBe(header(original, name))
})

test('it is served as originals and thumbnails are, on both hosts of files', async () => {
  const image = await uploadImage(api, { img: file('picture', await jpeg(LARGE)) })
  const [thumbnail, preview] = [await api.follow(image.thumbnailUrl), await previewOf(image)]
  const names = ['cache-control', 'content-security-policy', 'cross-origin-resource-policy', 'accept-ranges']
  for (const name of names) expect(header(preview, name), name).toBe(header(thumbnail, name))
  const url = previewUrlOf(image)
  const onOriginals = await api.follow(image.originalUrl.replace('/images/', '/previews/'))
  expect(onOriginals.bytes.equals(preview.bytes)).toBe(true)
  const head = await api.follow(url, { method: 'HEAD' })
  expect([head.status, head.text, header(head, 'content-length')]).toEqual([200, '', String(preview.bytes.length)])
  const part = await api.follow(url, { headers: { range: 'bytes=10-19' } })
  expect([part.status, part.bytes.equals(preview.bytes.subarray(10, 20))]).toEqual([206, true])
  const same = await api.follow(url, { headers: { 'if-none-match': header(preview, 'etag') ?? '' } })
  expect(same.status).toBe(304)
})

test('it is public with its image alone: not before the gallery is finalized, and not after a delete', async () => {
  const { gallery, image: first } = await galleryWithImage(api)
  const image = await uploadImage(api, { ...gallery.fields, img: file('picture', await jpeg(LARGE)) })
  expect((await previewOf(image)).status).toBe(404)
  await api.finalize(gallery.hash, gallery.uploadToken)
  expect((await previewOf(image)).status).toBe(200)
  expect((await previewOf(first)).status).toBe(200)
  await api.remove(gallery.managementToken)
  expect([(await previewOf(image)).status, (await previewOf(first)).status]).toEqual([404, 404])
})

test('the page of an image names it in a header, that of an adult image does not', async () => {
  const img = file('picture', await jpeg(LARGE))
  for (const nsfw of ['0', '1']) {
    const image = await uploadImage(api, { img, content_type: nsfw })
    const page = await api.follow(image.showUrl)
    const link = nsfw === '0' ? `<${previewUrlOf(image)}>; rel="preview"; type="image/jpeg"` : undefined
    expect(header(page, 'link')).toBe(link)
  }
})

test.each<[string, boolean, () => Promise<Buffer>]>([
  ['a PNG', false, () => png(WIDE)],
  ['a GIF', false, () => gif(WIDE)],
  ['an animated GIF', true, () => animated('gif', [WIDE, photo(1300, 100, 24, 2)])],
  ['an animated WebP', true, () => animated('webp', [WIDE, photo(1300, 100, 24, 2)])],
])(
  '%s is shown by it on its page unless it is an animation, which has a badge in a gallery',
  async (_, moves, make) => {
    const { gallery } = await galleryWithImage(api)
    const image = await uploadImage(api, { ...gallery.fields, img: file('picture', await make()) })
    await api.finalize(gallery.hash, gallery.uploadToken)
    const [page, pageOfGallery] = [await api.follow(image.showUrl), await api.follow(gallery.url)]
    expect(/id="image"[^>]* srcset="[^"]*\/previews\//.test(page.text)).toBe(!moves)
    expect(pageOfGallery.text.includes('--badge:"')).toBe(moves)
  },
)

test('the response to an upload does not name it', async () => {
  const image = await uploadImage(api, { img: file('picture', await jpeg(LARGE)) })
  expect(JSON.stringify(image)).not.toContain('preview')
})
