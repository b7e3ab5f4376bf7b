import { afterAll, describe, expect, test } from 'vitest'
import { apiAt, mayStartServices } from './support/api.ts'
import { header } from './support/client.ts'
import { firstTick } from './support/process-group.ts'
import { expectApiError, expectCreated, expectStatuses, expectTextError, expectUploaded } from './support/responses.ts'
import { startService, temporaryData } from './support/service.ts'
import { LEAST_IMAGE, PUBLISHED_KEYS, previewUrlOf, statusOf, uploadImage } from './support/steps.ts'

const HOUR_MS = 3_600_000

describe.skipIf(!mayStartServices())('content whose time is over (needs services of its own)', async () => {
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
    for (const link of [...links(alone), previewUrlOf(alone), ...links(inside), ...links(soon)]) {
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
