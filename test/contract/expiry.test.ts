import { describe, expect, test } from 'vitest'
import { sharedApi } from './support/api.ts'
import { type ApiResponse, header } from './support/client.ts'
import { expectCreated } from './support/responses.ts'
import { LEAST_COVER, LEAST_IMAGE, PUBLISHED_KEYS, uploadImage } from './support/steps.ts'

const api = sharedApi()

/** The operations that take `expires_in`, each with its error style. */
const OPERATIONS = [
  ['POST /images', (fields) => api.uploadImage({ ...LEAST_IMAGE, ...fields })],
  ['POST /covers', (fields) => api.uploadCover({ ...LEAST_COVER, ...fields })],
  ['POST /new-upload/', (fields) => api.postMultipart('/new-upload/', { ...NEW_UPLOAD, ...fields })],
  ['POST /galleries', (fields) => api.createGallery(fields)],
] as const satisfies readonly (readonly [string, (fields: Record<string, string>) => Promise<ApiResponse>])[]
const NEW_UPLOAD = { file: LEAST_IMAGE.img ?? '', content_type: '0' }

describe('expires_in', () => {
  test.each(OPERATIONS)('%s returns expires_at if it was sent, else exactly the published keys', async (_, send) => {
    const plain = await send({})
    expect(Object.keys(JSON.parse(plain.text))).not.toContain('expires_at')
    expect(Object.keys(JSON.parse((await send({ expires_in: '' })).text))).toEqual(Object.keys(JSON.parse(plain.text)))
    for (const seconds of [60, 86_400, 315_360_000]) {
      const beforeMs = Date.now()
      const { expires_at: expiresAt } = JSON.parse((await send({ expires_in: String(seconds) })).text)
      expect(expiresAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
      expect(Date.parse(expiresAt)).toBeGreaterThanOrEqual(beforeMs + seconds * 1000)
      expect(Date.parse(expiresAt)).toBeLessThan(Date.now() + (seconds + 1) * 1000)
    }
  })

  test.each(OPERATIONS)('%s refuses anything but 60 to 315360000 in plain digits', async (_, send) => {
    for (const wrong of ['59', '0', '-60', '060', '60.0', '6e3', ' 60', '315360001', '1d', 'never']) {
      const response = await send({ expires_in: wrong })
      expect([wrong, response.status]).toEqual([wrong, 422])
      expect(response.text).toContain('expires_in must be an integer from 60 to 315360000')
    }
  })

  test('an upload of a program that does not know it has exactly the published keys', async () => {
    expect(Object.keys((await uploadImage(api)).fields)).toEqual(PUBLISHED_KEYS)
  })

  test('of an image and its gallery the earlier time is told', async () => {
    const gallery = expectCreated(await api.createGallery({ expires_in: '3600' }))
    const { expires_at: ofGallery } = JSON.parse((await api.createGallery({ expires_in: '3600' })).text)
    const sooner = await uploadImage(api, { ...gallery.fields, expires_in: '60' })
    const later = await uploadImage(api, { ...gallery.fields, expires_in: '7200' })
    expect(Date.parse(String(sooner.fields.expires_at))).toBeLessThan(Date.parse(ofGallery) - 3_500_000)
    expect(Date.parse(String(later.fields.expires_at))).toBeLessThanOrEqual(Date.parse(ofGallery))
    expect((await uploadImage(api, gallery.fields)).fields).not.toHaveProperty('expires_at')
  })

  test('JSON for programs has it, of an image the earlier one', async () => {
    const { gallery_hash, gallery_upload_hash, expires_at } = JSON.parse(
      (await api.createGallery({ expires_in: '3600' })).text,
    )
    const fields = { gallery_hash, gallery_upload_hash }
    const [sooner, inside] = [
      await uploadImage(api, { ...fields, expires_in: '60' }),
      await uploadImage(api, { ...fields, caption: 'x' }),
    ]
    await api.finalize(gallery_hash, gallery_upload_hash)
    const { text } = await api.get(`/gallery/${gallery_hash}.json`)
    expect(JSON.parse(text)).toMatchObject({
      expires_at,
      images: [{ expires_at: sooner.fields.expires_at }, { expires_at }],
    })
    const recordOf = async (image: typeof inside) => JSON.parse((await api.follow(`${image.showUrl}.json`)).text)
    expect(await recordOf(sooner)).toMatchObject({ expires_at: sooner.fields.expires_at })
    expect(await recordOf(inside)).toMatchObject({ expires_at })
    expect(await recordOf(await uploadImage(api))).not.toHaveProperty('expires_at')
  })

  test('no cache may keep a file beyond its time', async () => {
    const { originalUrl, thumbnailUrl } = await uploadImage(api, { expires_in: '120' })
    for (const link of [originalUrl, thumbnailUrl]) {
      const [, browserS, edgeS] =
        /max-age=(\d+), s-maxage=(\d+)$/.exec(header(await api.follow(link), 'cache-control') ?? '') ?? []
      for (const seconds of [browserS, edgeS].map(Number)) {
        expect(seconds).toBeGreaterThan(60)
        expect(seconds).toBeLessThanOrEqual(120)
      }
    }
    const { originalUrl: longer } = await uploadImage(api, { expires_in: '86400' })
    expect(header(await api.follow(longer), 'cache-control')).toBe('public, max-age=14400, s-maxage=300')
  })
})
