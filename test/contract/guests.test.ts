import { describe, expect, test } from 'vitest'
import { type Api, sharedApi } from './support/api.ts'
import { type ApiResponse, header } from './support/client.ts'
import { file, filePart } from './support/multipart-body.ts'
import {
  type CreatedGallery,
  expectApiError,
  expectJson,
  expectTextError,
  expectUploaded,
} from './support/responses.ts'
import { createGallery, galleryWithImage, LEAST_IMAGE, SMALL_PNG, statusOf, uploadImage } from './support/steps.ts'

/** D64: guests add images to a gallery by a link of its owner. */

const api = sharedApi()
const UNKNOWN_TOKEN = 'u'.repeat(43)
const IMG = filePart('img', 'guest.png', SMALL_PNG)

interface Link {
  token: string
  fields: Record<string, unknown>
}

async function linkOf({ managementToken }: CreatedGallery, limits: object = {}, at: Api = api): Promise<Link> {
  const fields = expectJson(await at.postJson(`/management/${managementToken}/guests`, limits))
  return { token: String(fields.guest_url).split('/').at(-1) ?? '', fields }
}

const add = (token: string, more = {}) => api.postMultipart(`/guests/${token}/images`, LEAST_IMAGE, more)
const close = (token: string) => api.send({ path: `/management/${token}/guests/close` })
const codeOf = (response: ApiResponse) => header(response, 'x-error-code')

async function countOf({ hash }: CreatedGallery): Promise<unknown> {
  return expectJson(await api.get(`/gallery/${hash}.json`)).image_count
}

describe('the link', () => {
  test('sends guests no management link, also where they ask for one', async () => {
    const gallery = await createGallery(api)
    const { token } = await linkOf(gallery)
    const image = { ...LEAST_IMAGE, include_manage_url: '1' }
    const { text } = await api.postMultipart(`/guests/${token}/images`, image)
    expect(text).toContain('show_url')
    expect(text).not.toContain('manage')
    expect(text).not.toContain(gallery.managementToken)
  })

  test('has its addresses on the domain of the request, and no limits by default', async () => {
    const { fields, token } = await linkOf(await createGallery(api))
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(fields).toEqual({
      success: true,
      guest_url: `https://one.example/add/${token}`,
      guest_upload_url: `https://one.example/guests/${token}/images`,
    })
  })

  test('has the limits that were sent', async () => {
    const before = Date.now()
    const { fields } = await linkOf(await createGallery(api), { max_images: 7, expires_in: 3600 })
    expect(fields.max_images).toBe(7)
    expect(Date.parse(String(fields.expires_at)) - before).toBeGreaterThanOrEqual(3_500_000)
  })

  test.for([
    { max_images: -1 },
    { max_images: 10_001 },
    { max_images: 1.5 },
    { expires_in: 31_536_001 },
    { expires_in: {} },
  ])('the limits %o are refused', async (limits) => {
    const { managementToken } = await createGallery(api)
    expectApiError(await api.postJson(`/management/${managementToken}/guests`, limits), 422)
  })

  test('only a gallery has one', async () => {
    const { managementToken } = await uploadImage(api, { include_manage_url: '1' })
    expectApiError(await api.send({ path: `/management/${managementToken}/guests` }), 422)
    expectApiError(await api.send({ path: `/management/${UNKNOWN_TOKEN}/guests` }), 404)
    expectApiError(await close(UNKNOWN_TOKEN), 404)
  })

  test('is no management link', async () => {
    const { token } = await linkOf(await createGallery(api))
    expectApiError(await api.remove(token), 404)
    expect((await api.get(`/manage/${token}`)).status).toBe(404)
  })
})

describe('guests add images', () => {
  test('to a gallery that is not finalized: they are public with it', async () => {
    const { gallery } = await galleryWithImage(api)
    const { token } = await linkOf(gallery)
    const { showUrl, managementToken } = expectUploaded(await add(token))
    expect(managementToken).toBe('')
    expect(await statusOf(api, showUrl)).toBe('pending')
    await api.finalize(gallery.hash, gallery.uploadToken)
    expect(await statusOf(api, showUrl)).toBe('available')
  })

  test('to a public gallery: they are public at once, and pages of the others know', async () => {
    const { gallery, image } = await galleryWithImage(api, { finalized: true })
    const { token } = await linkOf(gallery)
    await api.follow(image.showUrl)
    const { showUrl } = expectUploaded(await add(token))
    expect(await countOf(gallery)).toBe(2)
    expect((await api.follow(image.showUrl)).text).toContain(`href="${showUrl}"`)
  })

  test('once for each key', async () => {
    const { gallery } = await galleryWithImage(api, { finalized: true })
    const { token } = await linkOf(gallery, { max_images: 1 })
    const more = { headers: { 'idempotency-key': crypto.randomUUID() } }
    const first = await add(token, more)
    expectUploaded(first)
    expect((await add(token, more)).text).toBe(first.text)
    expect(await countOf(gallery)).toBe(2)
  })

  test('not with a management token, an upload token or half of a token', async () => {
    const gallery = await createGallery(api)
    const { token } = await linkOf(gallery)
    for (const wrong of [UNKNOWN_TOKEN, gallery.managementToken, gallery.uploadToken, token.slice(1)]) {
      const response = await add(wrong, { beyondContract: 'refused' })
      expectTextError(response, 404)
      expect(codeOf(response)).toBe('guest_link_not_found')
    }
  })
})

describe('a limited number of images', () => {
  test('is exact when guests upload at once', async () => {
    const { gallery } = await galleryWithImage(api, { finalized: true })
    const { token } = await linkOf(gallery, { max_images: 2 })
    const responses = await Promise.all([1, 2, 3, 4, 5].map(() => add(token)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 403, 403, 403])
    expect(await countOf(gallery)).toBe(3)
    expect(codeOf(await add(token))).toBe('guest_link_full')
  })

  test('is not used by uploads that fail', async () => {
    const { gallery } = await galleryWithImage(api, { finalized: true })
    const { token } = await linkOf(gallery, { max_images: 1 })
    const broken = { ...LEAST_IMAGE, img: file('a.png', SMALL_PNG.subarray(0, 40)) }
    for (let tries = 0; tries < 3; tries++) {
      expectTextError(await api.postMultipart(`/guests/${token}/images`, broken), 422)
    }
    expectUploaded(await add(token))
  })

  test('is not given back by a delete of the owner', async () => {
    const { gallery } = await galleryWithImage(api, { finalized: true })
    const { token } = await linkOf(gallery, { max_images: 1 })
    const { showUrl } = expectUploaded(await add(token))
    const form = { action: 'delete-image', image: showUrl.split('/show/')[1] ?? '' }
    await api.postUrlencoded(`/manage/${gallery.managementToken}`, form)
    expect(await countOf(gallery)).toBe(1)
    expectTextError(await add(token), 403)
  })
})

describe('the end of a link', () => {
  test.for<[how: string, end: (gallery: CreatedGallery) => Promise<unknown>, status: number, code: string]>([
    ['closed', ({ managementToken }) => close(managementToken), 410, 'guest_link_closed'],
    ['replaced', (gallery) => linkOf(gallery), 404, 'guest_link_not_found'],
    ['its gallery is deleted', ({ managementToken }) => api.remove(managementToken), 404, 'guest_link_not_found'],
  ])('%s', async ([, end, status, code]) => {
    const { gallery } = await galleryWithImage(api, { finalized: true })
    const { token } = await linkOf(gallery)
    expectUploaded(await add(token))
    await end(gallery)
    const response = await add(token)
    expectTextError(response, status)
    expect(codeOf(response)).toBe(code)
    expect((await api.get(`/add/${token}`)).status).toBe(status)
  })

  test('expired', async () => {
    const { gallery } = await galleryWithImage(api, { finalized: true })
    const { token } = await linkOf(gallery, { expires_in: 1 })
    await expect.poll(async () => (await api.get(`/add/${token}`)).status, { timeout: 60_000 }).toBe(410)
    expectTextError(await add(token), 410)
  })

  test('closing twice is fine, and a new link is another one', async () => {
    const gallery = await createGallery(api)
    const first = await linkOf(gallery)
    for (let time = 0; time < 2; time++) {
      expect(expectJson(await close(gallery.managementToken))).toEqual({ success: true, closed: true })
    }
    const second = await linkOf(gallery)
    expect(second.token).not.toBe(first.token)
    expectUploaded(await add(second.token))
  })
})

describe('the page of a guest', () => {
  test('names the gallery, and no management link', async () => {
    const { gallery } = await galleryWithImage(api, { finalized: true, name: 'Party' })
    const { token } = await linkOf(gallery)
    const response = await api.get(`/add/${token}`)
    expect(response.status).toBe(200)
    expect(response.text).toContain('<h1 dir="auto">Party</h1>')
    expect(response.text).toContain(`href="${gallery.url}"`)
    expect(response.text).not.toContain('/manage/')
    expect(header(response, 'cache-control')).toBe('no-store')
    expect(header(response, 'x-robots-tag')).toBe('noindex')
  })

  test('its form adds images without a script, and says how many', async () => {
    const { gallery } = await galleryWithImage(api, { finalized: true })
    const { token } = await linkOf(gallery)
    const broken = filePart('img', 'b.png', SMALL_PNG.subarray(0, 40))
    const response = await api.postMultipart(`/add/${token}`, [IMG, broken, IMG])
    expect(response.status).toBe(200)
    expect(response.text).toContain('Pictures added: 2')
    expect(response.text).toContain('1 picture could not be uploaded.')
    expect(await countOf(gallery)).toBe(3)
  })

  test('its form stops at the limit', async () => {
    const { gallery } = await galleryWithImage(api, { finalized: true })
    const { token } = await linkOf(gallery, { max_images: 1 })
    const response = await api.postMultipart(`/add/${token}`, [IMG, IMG])
    expect(response.text).toContain('Pictures added: 1')
    expect(await countOf(gallery)).toBe(2)
    expect((await api.postMultipart(`/add/${token}`, [IMG])).status).toBe(403)
  })

  test('refuses the form of another site', async () => {
    const { token } = await linkOf(await createGallery(api))
    const response = await api.postMultipart(`/add/${token}`, [IMG], { headers: { origin: 'https://other.example' } })
    expect(response.status).toBe(403)
  })
})

describe('the management page', () => {
  const page = ({ managementToken }: CreatedGallery, form?: Record<string, string>) =>
    form ? api.postUrlencoded(`/manage/${managementToken}`, form) : api.get(`/manage/${managementToken}`)
  const linkIn = ({ text }: ApiResponse) => /https:\/\/one\.example\/add\/([\w-]{43})/.exec(text)?.[1]

  test('makes a link, shows it and its QR code again, and closes it', async () => {
    const { gallery } = await galleryWithImage(api, { finalized: true })
    expect(linkIn(await page(gallery))).toBeUndefined()
    const made = await page(gallery, { action: 'create-guests', max_images: '2', days: '1' })
    const token = linkIn(made) ?? ''
    expectUploaded(await add(token))
    const again = await page(gallery)
    expect(linkIn(again)).toBe(token)
    expect(again.text).toContain('class="qr-image"')
    expect(linkIn(await page(gallery, { action: 'close-guests' }))).toBeUndefined()
    expectTextError(await add(token), 410)
  })

  test('shows the link that a program has made', async () => {
    const gallery = await createGallery(api)
    const { token } = await linkOf(gallery)
    expect(linkIn(await page(gallery))).toBe(token)
  })
})
