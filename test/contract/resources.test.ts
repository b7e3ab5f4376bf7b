import { describe, expect, test } from 'vitest'
import { leaveContent, sharedApi } from './support/api.ts'
import { header } from './support/client.ts'
import { FORMATS, photo, plain, png } from './support/images.ts'
import { file } from './support/multipart-body.ts'
import { expectCreated, expectJson, expectUploaded } from './support/responses.ts'
import { createGallery, LEAST_COVER, LEAST_IMAGE, SMALL_PNG, uploadCover, uploadImage } from './support/steps.ts'

const api = sharedApi()

const TOKEN = /^[A-Za-z0-9_-]{43}$/
const UPLOAD_FIELDS = ['name', 'show_url', 'th_url', 'thumb_height', 'thumb_width']
const OPTIMIZATION = {
  requested: true,
  applied: expect.any(Boolean),
  converted: expect.any(Boolean),
  reason: expect.stringMatching(
    /^(animated|gif_not_optimized|metadata_only|kept_avif|reencoded_webp|converted_to_webp|webp_not_smaller)$/,
  ),
  source_mime: expect.stringMatching(/^image\/(jpeg|png|gif|webp|avif)$/),
  stored_mime: expect.stringMatching(/^image\/(jpeg|png|gif|webp|avif)$/),
  source_bytes: expect.any(Number),
  stored_bytes: expect.any(Number),
}
const OPTIMIZATION_OPTIONAL = [
  'source_width',
  'source_height',
  'stored_width',
  'stored_height',
  'original_candidate_bytes',
  'webp_candidate_bytes',
]

describe.for([
  ['Image', (more: object) => api.uploadImage({ ...LEAST_IMAGE, ...more })],
  ['Cover', (more: object) => api.uploadCover({ ...LEAST_COVER, ...more })],
] as const)('%s: UploadResponse', ([, upload]) => {
  test('name, show_url, th_url, thumb_width and thumb_height, and no other field', async () => {
    leaveContent()
    const { fields } = expectUploaded(await upload({}))
    expect(Object.keys(fields).sort()).toEqual(UPLOAD_FIELDS)
    expect(fields).toEqual({
      name: expect.stringMatching(/^[a-z0-9_-]+\.png$/),
      show_url: expect.stringMatching(/^https:\/\/one\.example\/show\//),
      th_url: expect.stringMatching(/^https:\/\/t1\.one\.example\/thumbs\//),
      thumb_width: 30,
      thumb_height: 20,
    })
  })

  test('manage_url is present only when include_manage_url=1 was sent', async () => {
    expect(expectUploaded(await upload({ include_manage_url: '0' })).fields).not.toHaveProperty('manage_url')
    expect(expectUploaded(await upload({ include_manage_url: '' })).fields).not.toHaveProperty('manage_url')
    const { fields } = expectUploaded(await upload({ include_manage_url: '1' }))
    expect(Object.keys(fields).sort()).toEqual(['manage_url', ...UPLOAD_FIELDS])
    expect(fields.manage_url).toMatch(/^https:\/\/one\.example\/manage\/[A-Za-z0-9_-]{43}$/)
  })

  test('include_manage_url is ignored for an upload into a gallery', async () => {
    const gallery = await createGallery(api)
    const { fields } = expectUploaded(await upload({ ...gallery.fields, include_manage_url: '1' }))
    expect(Object.keys(fields).sort()).toEqual(UPLOAD_FIELDS)
  })

  test('optimization is present only when web optimization was requested', async () => {
    expect(expectUploaded(await upload({ optimize_for_web: '0' })).optimization).toBeUndefined()
    const { fields } = expectUploaded(await upload({ optimize_for_web: '1', include_manage_url: '1' }))
    expect(Object.keys(fields).sort()).toEqual([
      'manage_url',
      ...UPLOAD_FIELDS.slice(0, 1),
      'optimization',
      ...UPLOAD_FIELDS.slice(1),
    ])
  })
})

describe('OptimizationResult: all fields below; no other fields', () => {
  test.for(FORMATS)('$format', async ({ extension, encode }) => {
    const bytes = await encode(photo(64, 48))
    const { optimization } = await uploadImage(api, { img: file(`a.${extension}`, bytes), optimize_for_web: '1' })
    expect(optimization).toMatchObject(OPTIMIZATION)
    const optional = Object.entries(optimization ?? {}).filter(([name]) => !(name in OPTIMIZATION))
    for (const [name, value] of optional) {
      expect(OPTIMIZATION_OPTIONAL).toContain(name)
      expect(Number.isInteger(value), `${name} is an integer: ${value}`).toBe(true)
    }
  })
})

describe('Image and Cover: the rules of the fields', () => {
  test('thumb_width and thumb_height are the actual thumbnail width and height in pixels', async () => {
    const bytes = await png(photo(401, 300))
    const { thumbnail, thumbnailUrl } = await uploadImage(api, { img: file('a.png', bytes) })
    expect(thumbnail).toEqual({ width: 200, height: 149 })
    expect((await api.follow(thumbnailUrl)).status).toBe(200)
  })

  test('a cover has the name of its left image', async () => {
    const right = file('right.png', SMALL_PNG)
    const { name } = await uploadCover(api, { img_left: file('The Left.png', SMALL_PNG), img_right: right })
    expect(name).toMatch(/^the-left\.(jpg|png)$/)
  })

  test('show_url is the public page, th_url the direct thumbnail', async () => {
    const { showUrl, thumbnailUrl } = await uploadImage(api)
    expect(header(await api.follow(showUrl), 'content-type')).toMatch(/^text\/html/)
    expect(header(await api.follow(thumbnailUrl), 'content-type')).toBe('image/webp')
  })

  test('the name can change its extension when web optimization converts the upload', async () => {
    const bytes = await png(photo(300, 300))
    const stored = await uploadImage(api, { img: file('photo.png', bytes) })
    const converted = await uploadImage(api, { img: file('photo.png', bytes), optimize_for_web: '1' })
    expect([stored.name, converted.name]).toEqual(['photo.png', 'photo.webp'])
  })
})

describe('Gallery: GalleryCreateResponse (no other fields)', () => {
  test('without include_manage_url', async () => {
    const response = expectJson(await api.createGallery({ gallery_name: 'Holidays' }, { asIs: true }))
    expect(response).toEqual({
      gallery_name: 'Holidays',
      gallery_hash: expect.stringMatching(/^[A-Za-z0-9]{10,}$/),
      gallery_url: `https://one.example/gallery/${response.gallery_hash}`,
      gallery_upload_hash: expect.stringMatching(/^[A-Za-z0-9]{32,}$/),
    })
  })

  test('with include_manage_url=1, manage_url is added', async () => {
    const response = expectJson(await api.createGallery({ include_manage_url: '1' }))
    expect(Object.keys(response).sort()).toEqual([
      'gallery_hash',
      'gallery_name',
      'gallery_upload_hash',
      'gallery_url',
      'manage_url',
    ])
    expect(response.manage_url).toMatch(/^https:\/\/one\.example\/manage\/[A-Za-z0-9_-]{43}$/)
  })

  test('untitled galleries have an empty name', async () => {
    expect(expectCreated(await api.createGallery()).name).toBe('')
    expect(expectCreated(await api.createGallery({ gallery_name: '' })).name).toBe('')
  })

  test('gallery_url is unchanged by renaming', async () => {
    const gallery = await createGallery(api, 'before')
    const renamed = expectJson(await api.rename(gallery.managementToken, 'after'))
    expect(renamed.gallery_url).toBe(gallery.url)
  })
})

describe('Management token: a private 43-character string, never the same', () => {
  test('of images, covers and galleries', async () => {
    const tokens = [
      (await uploadImage(api, { include_manage_url: '1' })).managementToken,
      (await uploadImage(api, { include_manage_url: '1' })).managementToken,
      (await uploadCover(api, { include_manage_url: '1' })).managementToken,
      (await createGallery(api)).managementToken,
      (await createGallery(api)).managementToken,
    ]
    for (const token of tokens) expect(token).toMatch(TOKEN)
    expect(new Set(tokens).size).toBe(tokens.length)
  })

  test('it is on no public page', async () => {
    const { managementToken, showUrl } = await uploadImage(api, { include_manage_url: '1' })
    expect((await api.follow(showUrl)).text).not.toContain(managementToken)
  })
})

describe('Other response shapes', () => {
  test('ImageStatusResponse: results of {url, status}', async () => {
    const { showUrl } = await uploadImage(api)
    expect(expectJson(await api.status([showUrl, 'x']))).toEqual({
      results: [
        { url: showUrl, status: 'available' },
        { url: 'x', status: 'invalid' },
      ],
    })
  })

  test('GalleryRenameResponse: success, resource_type, gallery_name, gallery_url', async () => {
    const { managementToken, url } = await createGallery(api)
    expect(expectJson(await api.rename(managementToken, 'New'))).toEqual({
      success: true,
      resource_type: 'gallery',
      gallery_name: 'New',
      gallery_url: url,
    })
  })

  test('DeleteResponse: success, resource_type (image or gallery), deleted', async () => {
    const image = await uploadImage(api, { include_manage_url: '1' })
    const cover = await uploadCover(api, { include_manage_url: '1' })
    const gallery = await createGallery(api)
    const deleted = (type: string) => ({ success: true, resource_type: type, deleted: true })
    expect(expectJson(await api.remove(image.managementToken))).toEqual(deleted('image'))
    expect(expectJson(await api.remove(cover.managementToken))).toEqual(deleted('image'))
    expect(expectJson(await api.remove(gallery.managementToken))).toEqual(deleted('gallery'))
  })
})

test('thumbnails of very narrow or flat images are at least 1 pixel', async () => {
  const bytes = await png(plain(1000, 1, [255, 0, 0]))
  const { thumbnail } = await uploadImage(api, { img: file('line.png', bytes) })
  expect(thumbnail).toEqual({ width: 200, height: 1 })
})
