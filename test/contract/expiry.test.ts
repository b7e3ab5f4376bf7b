import { afterAll, describe, expect, test } from 'vitest'
import { apiAt, mayStartServices, sharedApi } from './support/api.ts'
import { type ApiResponse, header } from './support/client.ts'
import { firstTick } from './support/process-group.ts'
import { expectApiError, expectCreated, expectStatuses, expectTextError, expectUploaded } from './support/responses.ts'
import { startService, temporaryData } from './support/service.ts'
import { LEAST_COVER, LEAST_IMAGE, statusOf, uploadImage } from './support/steps.ts'

const api = sharedApi()
const HOUR_MS = 3_600_000
const PUBLISHED_KEYS = ['name', 'show_url', 'th_url', 'thumb_width', 'thumb_height']

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

describe.skipIf(!mayStartServices())('when its time is over (needs services of its own)', async () => {
  if (!mayStartServices()) return
  const data = await temporaryData()
  let service = await startService({ data: data.path })
  let at = apiAt(service.baseUrl)
  const restart = async (clockOffsetMs: number, args: string[] = []) => {
    await service.stop()
    service = await startService({ data: data.path, clockOffsetMs, args })
    at = apiAt(service.baseUrl)
  }
  afterAll(async () => {
    await service.stop()
    await data.remove()
  })

  const HOUR = { expires_in: '3600', include_manage_url: '1' }
  const alone = await uploadImage(at, HOUR)
  const stays = await uploadImage(at)
  const gallery = expectCreated(await at.createGallery(HOUR))
  const inside = await uploadImage(at, gallery.fields)
  await at.finalize(gallery.hash, gallery.uploadToken)
  const guestToken = String(
    JSON.parse((await at.postUrlencoded(`/management/${gallery.managementToken}/guests`, {})).text).guest_url,
  )
    .split('/')
    .at(-1)
  const open = expectCreated(await at.createGallery(HOUR))
  await uploadImage(at, open.fields)
  const mixed = expectCreated(await at.createGallery({ include_manage_url: '1' }))
  const soon = await uploadImage(at, { ...mixed.fields, expires_in: '3600' })
  const left = await uploadImage(at, mixed.fields)
  await at.finalize(mixed.hash, mixed.uploadToken)
  const key = { headers: { 'idempotency-key': 'of-an-expired-image' } }
  const keyed = await at.uploadImage({ ...LEAST_IMAGE, ...HOUR }, key)

  const links = (image: typeof alone) => [image.showUrl, image.originalUrl, image.thumbnailUrl]
  const previewOf = (image: typeof alone) => image.thumbnailUrl.replace('/thumbs/', '/previews/')
  const galleryLinks = ['', '/codes', '/download'].map((path) => gallery.url + path)

  test('before it, everything is there', async () => {
    await restart(HOUR_MS - 5 * 60_000)
    for (const link of [...links(alone), ...links(inside), ...links(soon), ...galleryLinks]) {
      expect([link, (await at.follow(link)).status]).toEqual([link, 200])
    }
  })

  test('the response that is stored under an Idempotency-Key stays the response', async () => {
    await restart(2 * HOUR_MS)
    const again = await at.uploadImage({ ...LEAST_IMAGE, ...HOUR }, key)
    expect(again.text).toBe(keyed.text)
    expect((await at.follow(expectUploaded(again).showUrl)).status).toBe(410)
  })

  // Once before the cron has come, and again after it, and a day later, when what was deleted is forgotten.
  test.each([
    ['at once', HOUR_MS, false],
    ['after the cron', HOUR_MS, true],
    ['after days', 50 * HOUR_MS, true],
  ])('%s pages and files are 410 and no-store, with the text of deleted ones', async (_, offsetMs, waits) => {
    await restart(offsetMs)
    if (waits) await firstTick(service.output)
    for (const link of [...links(alone), previewOf(alone), ...links(inside), ...links(soon)]) {
      const response = await at.follow(link)
      expect([link, response.status, header(response, 'cache-control')]).toEqual([link, 410, 'no-store'])
      expect(response.text).toContain("Picture doesn't exist")
    }
    for (const link of galleryLinks) {
      const response = await at.follow(link)
      expect([link, response.status, header(response, 'cache-control')]).toEqual([link, 410, 'no-store'])
      expect(response.text).toContain("Gallery doesn't exist")
    }
    for (const url of [alone.showUrl, gallery.url]) {
      expectApiError(await at.get(`/oembed?url=${encodeURIComponent(url)}`), 410)
    }
    const shown = [alone, inside, soon, left, stays].map(({ showUrl }) => showUrl)
    expect(expectStatuses(await at.status(shown))).toEqual(['deleted', 'deleted', 'deleted', 'available', 'available'])
    for (const url of [alone.showUrl, inside.showUrl, gallery.url]) {
      expectApiError(await at.follow(`${url}.json`), 410)
    }
    expectTextError(await at.postMultipart(`/guests/${guestToken}/images`, LEAST_IMAGE), 410)
    expect((await at.get(`/add/${guestToken}`)).status).toBe(410)
    const change = { images: new URL(inside.showUrl).pathname.replace('/show/', '') }
    expectApiError(await at.postUrlencoded(`/management/${gallery.managementToken}/order`, change), 410)
    expectApiError(await at.postMultipart(`/management/${gallery.managementToken}/images`, LEAST_IMAGE), 410)
    for (const token of [alone.managementToken, gallery.managementToken]) {
      expectApiError(await at.remove(token), 410)
      expect((await at.get(`/manage/${token}`)).status).toBe(410)
    }
    expectTextError(await at.uploadImage({ ...LEAST_IMAGE, ...open.fields }), 415)
    expectTextError(await at.finalize(open.hash, open.uploadToken), 415)
    expect((await at.follow(open.url)).status).toBe(404)
  })

  test('a gallery leaves out an image that expired before it', async () => {
    const page = await at.follow(mixed.url)
    expect(page.text).toContain(new URL(left.showUrl).pathname)
    expect(page.text).not.toContain(new URL(soon.showUrl).pathname)
    expect((await at.follow(left.showUrl)).text).not.toContain(new URL(soon.showUrl).pathname)
  })

  test('what stays is there', async () => {
    expect(await statusOf(at, stays.showUrl)).toBe('available')
    expect((await at.follow(stays.originalUrl)).status).toBe(200)
  })

  test('an operator may set a maximum, which holds for those who do not ask', async () => {
    await restart(0, ['--max-expiry', '7d', '--default-expiry', '1h'])
    const refused = await at.uploadImage({ ...LEAST_IMAGE, expires_in: '604801' })
    expectTextError(refused, 422)
    expect(refused.text).toContain('expires_in must be an integer from 60 to 604800')
    expectApiError(await at.createGallery({ expires_in: '604801' }), 422)
    await uploadImage(at, { expires_in: '604800' })
    const byDefault = await uploadImage(at)
    expect(Object.keys(byDefault.fields)).toEqual(PUBLISHED_KEYS)
    const { hash, uploadToken, url, fields } = expectCreated(await at.createGallery({ expires_in: '604800' }))
    const inLonger = await uploadImage(at, fields)
    await at.finalize(hash, uploadToken)
    await restart(HOUR_MS + 60_000)
    expect(await statusOf(at, byDefault.showUrl)).toBe('deleted')
    // The default is of the gallery: its images stay as long as it.
    expect(await statusOf(at, inLonger.showUrl)).toBe('available')
    expect((await at.follow(url)).status).toBe(200)
  })
})
