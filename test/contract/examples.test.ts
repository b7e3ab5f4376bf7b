import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PLACEHOLDER_DOMAIN } from '../../src/api/placeholder.ts'
import { freshAddress, mayStartServices, sharedApi } from './support/api.ts'
import { type ApiResponse, header } from './support/client.ts'
import { jpeg, photo, png } from './support/images.ts'
import { type Fields, file } from './support/multipart-body.ts'
import { expectJson, expectUploaded } from './support/responses.ts'
import { createGallery, galleryWithImage, LEAST_COVER, LEAST_IMAGE, SMALL_PNG, uploadImage } from './support/steps.ts'

/**
 * The examples of the OpenAPI document are responses of a running service. `npm run tintype -- record:examples`
 * rewrites them. Every other run compares them with today's responses: status, media type, and the names and types of
 * all fields.
 */
const RECORDED = join(import.meta.dirname, '../../src/api/examples.json')
const RECORDS = process.env.RECORD_EXAMPLES === '1'
const HOST = 'one.example'

const api = sharedApi()

type Walk = readonly [operation: string, title: string, response: ApiResponse]

test.skipIf(!mayStartServices())('the examples of the document match the responses of the service', async () => {
  const taken = (await walk()).map(([operation, title, response]) => exampleOf(operation, title, response))
  if (RECORDS) writeFileSync(RECORDED, `${JSON.stringify(taken, null, 2)}\n`)
  const recorded: unknown = JSON.parse(readFileSync(RECORDED, 'utf8'))
  expect(shapeOf(recorded)).toEqual(shapeOf(taken))
})

test('the examples contain no name of this machine', () => {
  expect(readFileSync(RECORDED, 'utf8')).not.toMatch(/127\.0\.0\.1|localhost|one\.example/)
})

/** Requests one response after the other, so that the file reads like the life of a gallery. */
async function walk(): Promise<Walk[]> {
  const image = (fields: Fields, key?: string) =>
    api.uploadImage({ ...LEAST_IMAGE, ...fields }, key === undefined ? {} : { headers: { 'idempotency-key': key } })
  const managed = { include_manage_url: '1' }
  const photograph = file('IMG_7411.JPG', await jpeg(photo(1200, 900)))
  const large = file('large.png', Buffer.alloc(10 * 1024 * 1024 + 1))
  const key = randomUUID()
  const open = await createGallery(api)
  const { gallery: finalized, image: shown } = await galleryWithImage(api, { finalized: true, name: 'Lake Garda' })
  const { image: pending } = await galleryWithImage(api)
  const own = await uploadImage(api, managed)
  const deleted = await uploadImage(api, managed)
  const adult = await uploadImage(api, { content_type: '1', ...managed })
  const unknown = { gallery_hash: 'unknown12345', gallery_upload_hash: 'u'.repeat(43) }
  const status = (body: string, type = 'application/json', address = freshAddress()) =>
    api.send({ path: '/images/status', body, headers: { 'content-type': type, 'cf-connecting-ip': address } })
  const oembed = (query: Record<string, string>) => api.get(`/oembed?${new URLSearchParams(query)}`)
  const hasty = freshAddress()
  const changes = `/management/${finalized.managementToken}`
  const extra = expectUploaded(await api.postMultipart(`${changes}/images`, LEAST_IMAGE))
  const urls = [
    shown.showUrl,
    deleted.showUrl,
    shown.showUrl.replace('.png', '-x.png'),
    pending.showUrl,
    'https://other.example/',
  ]

  const manage = `/management/${open.managementToken}`
  const guestLink = await api.postJson(`${manage}/guests`, { max_images: 1, expires_in: 86_400 })
  const guestPath = new URL(String(expectJson(guestLink).guest_upload_url)).pathname
  const addAsGuest = (path: string) => api.postMultipart(path, LEAST_IMAGE)

  return [
    ['uploadImage', 'A picture', await image({})],
    ['uploadImage', 'With a management link', await image(managed)],
    [
      'uploadImage',
      'Web optimization',
      await image({ img: photograph, optimize_for_web: '1', max_th_size: '300', ...managed }, key),
    ],
    ['uploadImage', 'missing_field', await api.uploadImage({ content_type: '0' })],
    ['uploadImage', 'invalid_idempotency_key', await image({}, 'a key')],
    ['uploadImage', 'unsupported_endpoint', await api.get('/images')],
    ['uploadImage', 'file_too_large', await image({ img: large })],
    ['uploadImage', 'unsupported_image_format', await image({ img: file('a.png', Buffer.from('no picture')) })],
    ['uploadImage', 'gallery_not_found', await image(unknown)],
    ['uploadImage', 'upload_token_incorrect', await image({ ...open.fields, gallery_upload_hash: 'w'.repeat(43) })],
    ['uploadImage', 'invalid_option', await image({ max_th_size: '9000' })],
    ['uploadImage', 'gallery_already_finalized', await image(finalized.fields)],
    ['uploadImage', 'unreadable_image', await image({ img: file('a.png', SMALL_PNG.subarray(0, 40)) })],
    ['uploadImage', 'idempotency_key_reused', await image({ max_th_size: '400', ...managed }, key)],

    [
      'uploadCover',
      'A cover of two pictures',
      await api.uploadCover({
        ...LEAST_COVER,
        img_left: photograph,
        img_right: file('right.png', await png(photo(600, 800))),
        ...managed,
      }),
    ],
    ['uploadCover', 'missing_field', await api.uploadCover({ content_type: '0' })],

    ['createGallery', 'A gallery', await api.createGallery({ gallery_name: 'Lake  Garda ', ...managed })],
    ['createGallery', 'An untitled gallery', await api.createGallery()],
    ['createGallery', 'invalid_gallery_name', await api.createGallery({ gallery_name: '<Lake>' })],
    ['createGallery', 'invalid_option', await api.createGallery({ include_manage_url: 'yes' })],

    ['finalizeGallery', 'missing_field', await api.postUrlencoded(`/galleries/${open.hash}/finalize`, {})],
    ['finalizeGallery', 'gallery_not_found', await api.finalize('unknown12345', 'u'.repeat(43))],
    ['finalizeGallery', 'upload_token_incorrect', await api.finalize(open.hash, 'w'.repeat(43))],

    ['renameManagedGallery', 'Renamed', await api.rename(finalized.managementToken, 'Lago di Garda')],
    [
      'renameManagedGallery',
      'missing_field',
      await api.postUrlencoded(`/management/${open.managementToken}/rename`, {}),
    ],
    ['renameManagedGallery', 'management_token_not_found', await api.rename('u'.repeat(43), 'x')],
    ['renameManagedGallery', 'operation_not_allowed', await api.rename(own.managementToken, 'x')],
    ['renameManagedGallery', 'invalid_gallery_name', await api.rename(open.managementToken, 'a'.repeat(256))],

    ['addManagedImage', 'A picture', await api.postMultipart(`${changes}/images`, { ...LEAST_IMAGE, position: '1' })],
    [
      'addManagedImage',
      'operation_not_allowed',
      await api.postMultipart(`/management/${own.managementToken}/images`, LEAST_IMAGE),
    ],
    ['orderManagedImages', 'Moved', await api.postJson(`${changes}/order`, { images: [shown.showUrl] })],
    ['orderManagedImages', 'image_not_in_gallery', await api.postJson(`${changes}/order`, { images: [own.showUrl] })],
    ['chooseManagedCover', 'Chosen', await api.postJson(`${changes}/cover`, { image: shown.showUrl })],
    [
      'editManagedImage',
      'Edited',
      await api.postJson(`${changes}/edit`, {
        image: shown.showUrl,
        caption: 'The harbour at noon',
        alt: 'Boats in front of a row of yellow houses',
      }),
    ],
    ['removeManagedImages', 'Removed', await api.postJson(`${changes}/remove`, { images: [extra.showUrl] })],

    ['deleteManagedResource', 'A picture', await api.remove(deleted.managementToken)],
    ['deleteManagedResource', 'content_deleted', await api.remove(deleted.managementToken)],
    ['deleteManagedResource', 'management_token_not_found', await api.remove('u'.repeat(43))],

    ['checkImageStatus', 'Each status', await api.status(urls)],
    ['checkImageStatus', 'malformed_request', await status('{')],
    ['checkImageStatus', 'missing_field', await status('{}')],
    ['checkImageStatus', 'method_not_allowed', await api.get('/images/status')],
    ['checkImageStatus', 'body_too_large', await status(' '.repeat(65_537))],
    ['checkImageStatus', 'unsupported_media_type', await status('{"urls":["x"]}', 'text/plain')],
    ['checkImageStatus', 'invalid_urls', await status('{"urls":[]}')],
    ['checkImageStatus', 'rate_limited', await sixthOf(() => status('{"urls":["x"]}', 'application/json', hasty))],

    ['createGuestLink', 'A link for one picture, for a day', guestLink],
    ['uploadGuestImage', 'A picture', await addAsGuest(guestPath)],
    ['uploadGuestImage', 'guest_link_full', await addAsGuest(guestPath)],
    ['closeGuestLink', 'Closed', await api.send({ path: `${manage}/guests/close` })],
    ['uploadGuestImage', 'guest_link_closed', await addAsGuest(guestPath)],
    ['uploadGuestImage', 'guest_link_not_found', await addAsGuest(`/guests/${'u'.repeat(43)}/images`)],

    ['getOriginal', 'No such picture', await api.get('/images/1/2_picture.png')],
    ['getThumbnail', 'No such picture', await api.get('/thumbs/1/2_picture.png')],

    ['getOembed', 'A picture', await oembed({ url: shown.showUrl })],
    ['getOembed', 'An NSFW picture', await oembed({ url: adult.showUrl })],
    ['getOembed', 'A gallery in XML', await oembed({ url: finalized.url, format: 'xml' })],
    ['getOembed', 'missing_field', await oembed({})],
    ['getOembed', 'content_not_found', await oembed({ url: deleted.showUrl })],
    ['getOembed', 'invalid_option', await oembed({ url: shown.showUrl, maxwidth: '0' })],
    ['getOembed', 'unsupported_format', await oembed({ url: shown.showUrl, format: 'yaml' })],

    ['deleteManagedResource', 'A gallery with its pictures', await api.remove(finalized.managementToken)],
  ]
}

/** Sends one request more than a full bucket allows. */
async function sixthOf(ask: () => Promise<ApiResponse>): Promise<ApiResponse> {
  for (let asked = 0; asked < 5; asked++) await ask()
  return ask()
}

function exampleOf(operation: string, title: string, response: ApiResponse) {
  const type = header(response, 'content-type')?.split(';')[0] ?? ''
  const text = response.text.replaceAll(HOST, PLACEHOLDER_DOMAIN)
  const body: unknown = type === 'application/json' ? JSON.parse(text) : text
  return { operation, title, status: response.status, type, body }
}

/** Returns the parts of an example that must not change from run to run: everything except the values of its body. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return typeof value
  const compared = ['operation', 'title', 'status', 'type', 'error']
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, compared.includes(name) ? inner : shapeOf(inner)]),
  )
}
