import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPENAPI_JSON_PATH } from '../../src/api/contract.ts'
import {
  HEADERS,
  pageSecurityPolicy,
  type ResponseKind,
  STRICT_TRANSPORT_SECURITY,
} from '../../src/http/responses/headers.ts'
import { ORDER_BODY_MAX_BYTES } from '../../src/limits.ts'
import * as routes from '../../src/routes.ts'
import { readStaticText } from '../support/static-assets.ts'
import { type Api, apiAt, freshAddress, mayStartServices } from './support/api.ts'
import { type ApiResponse, type Ask, header } from './support/client.ts'
import { inDatabase } from './support/database.ts'
import { type Fields, file } from './support/multipart-body.ts'
import type { CreatedGallery, Uploaded } from './support/responses.ts'
import { type Service, startService, temporaryData } from './support/service.ts'
import {
  createGallery,
  galleryWithImage,
  LEAST_COVER,
  LEAST_IMAGE,
  previewUrlOf,
  uploadImage,
} from './support/steps.ts'

/** One request of each kind of route for each kind of status, with the kind of response, which decides its headers. */
type Row = readonly [route: string, status: number, kind: ResponseKind, ask: () => Promise<ApiResponse>]

const NAMES = new Set(Object.values(HEADERS).flatMap((headers) => Object.keys(headers)))
const POLICY = 'Content-Security-Policy'
const UNKNOWN_TOKEN = 'u'.repeat(43)
/** Statuses that other tests cause. support/header-check.ts checks their headers. */
const OF_TROUBLE = / (?:401|408|409|417|429|500|503|507)$|^\/(?:images|covers|galleries|new-upload\/) 403$/

const API: { paths: Record<string, Record<string, { responses: Record<string, unknown> }>> } = JSON.parse(
  readStaticText(OPENAPI_JSON_PATH),
)
const LARGE = { urls: ['x'], unknown: 'x'.repeat(65_536) }
const LARGE_FORM = `unknown=${'x'.repeat(65_536)}`
/** Beyond the limit of a list of images, which is the largest of these forms. */
const LARGE_LIST = `unknown=${'x'.repeat(ORDER_BODY_MAX_BYTES)}`
const LONG_FIELD = `gallery_upload_hash=${'x'.repeat(20_000)}`
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe.skipIf(!mayStartServices())('every response has the headers of its kind (needs a service of its own)', () => {
  let service: Service
  let data: { path: string; remove: () => Promise<void> }
  let api: Api
  let image: Uploaded
  let managed: Uploaded
  let gallery: CreatedGallery
  let galleryImage: Uploaded
  let open: CreatedGallery
  let expired: Uploaded
  let expiredGallery: CreatedGallery
  let operatorKey: string

  beforeAll(async () => {
    data = await temporaryData()
    service = await startService({ data: data.path, singleHostDomains: ['three.example'] })
    api = apiAt(service.baseUrl)
    operatorKey = readFileSync(join(data.path, 'operator.key'), 'utf8').trim()
    image = await uploadImage(api)
    managed = await uploadImage(api, { include_manage_url: '1' })
    const made = await galleryWithImage(api, { finalized: true })
    gallery = made.gallery
    galleryImage = made.image
    open = await createGallery(api)
    expired = await uploadImage(api, { expires_in: '60' })
    expiredGallery = (await galleryWithImage(api, { finalized: true })).gallery
    inDatabase(data.path, (database) => {
      database.exec('UPDATE images SET expires_at = 1 WHERE expires_at IS NOT NULL')
      database.prepare('UPDATE galleries SET expires_at = 1 WHERE hash = ?').run(expiredGallery.hash)
    })
  })
  afterAll(async () => {
    await service.stop()
    await data.remove()
  })

  const get = (path: string, more?: Partial<Ask>) => api.get(path, more)
  const post = (path: string, body = '', more?: Partial<Ask>) => api.send({ path, body, headers: FORM, ...more })
  const pathIn = (link: string) => new URL(link).pathname
  const withKey = () => ({ headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' } })
  const media = (link: string, headers: Record<string, string>) => api.follow(link, { headers })
  const fresh = async () => (await uploadImage(api, { include_manage_url: '1' })).managementToken

  const revoked = async () => {
    const token = await fresh()
    await api.remove(token)
    return token
  }
  const withIdempotencyKey = (key: string) => ({ headers: { 'idempotency-key': key } })
  const usedKey = async () => {
    const more = withIdempotencyKey(randomUUID())
    await api.remove(await fresh(), more)
    return more
  }
  const from = (address: string) => ({ headers: { 'cf-connecting-ip': address } })
  const finalizing = (hash: string) => routes.pathOf(routes.finalizeGallery, { gallery_hash: hash })
  const { img = '', ...options } = LEAST_IMAGE
  const UPLOADS = [
    { path: routes.images, field: 'img', least: LEAST_IMAGE },
    { path: routes.newUpload, field: 'file', least: { file: img, ...options } },
    { path: routes.covers, field: 'img_left', least: LEAST_COVER },
  ]

  const mediaRows = (route: string, link: (of: Uploaded) => string): Row[] => [
    [route, 200, 'file', () => media(link(image), {})],
    [route, 200, 'file', () => api.follow(link(image), { method: 'HEAD' })],
    [route, 206, 'file', () => media(link(image), { range: 'bytes=0-9' })],
    [route, 304, 'file', () => media(link(image), { 'if-none-match': '*' })],
    [route, 412, 'privateData', () => media(link(image), { 'if-match': '"x"' })],
    [route, 416, 'privateData', () => media(link(image), { range: 'bytes=99999999-' })],
    [route, 404, 'privateData', () => get(`${routes.prefixOf(route)}1/2_a.png`)],
    [route, 410, 'privateData', () => api.follow(link(expired))],
    [route, 404, 'privatePage', () => get(`${routes.prefixOf(route)}x`)],
    [route, 400, 'privateData', () => post(`${routes.prefixOf(route)}1/2_a.png`)],
  ]
  const PAGES = [routes.home, routes.quickStart, routes.reference, routes.errors, routes.tools]
  const DATA = [
    routes.shareX,
    routes.picGo,
    routes.flameshot,
    routes.postman,
    routes.manifest,
    routes.robotsTxt,
    routes.securityTxt,
    routes.apiCatalog,
    routes.llmsTxt,
    routes.embedScript,
    routes.favicon,
    routes.openApiYaml,
    routes.openApi,
  ]
  const OPERATIONS = [
    routes.images,
    routes.newUpload,
    routes.covers,
    routes.imageStatus,
    routes.galleries,
    routes.pathOf(routes.finalizeGallery, { gallery_hash: 'abcdefghij' }),
    routes.pathOf(routes.renameContent, { token: UNKNOWN_TOKEN }),
    routes.pathOf(routes.deleteContent, { token: UNKNOWN_TOKEN }),
  ]

  const guestToken = async (limits: Readonly<Record<string, string>> = {}) => {
    const made = await api.postUrlencoded(`/management/${gallery.managementToken}/guests`, limits)
    return String(JSON.parse(made.text).guest_url).split('/').at(-1) ?? ''
  }
  const fullGuestToken = async () => {
    const token = await guestToken({ max_images: '1' })
    await api.postMultipart(`/guests/${token}/images`, LEAST_IMAGE)
    return token
  }
  const closedGuestToken = async () => {
    const token = await guestToken()
    await post(`/management/${gallery.managementToken}/guests/close`)
    return token
  }
  /** Uploads into a gallery by a private link: `pathOf` has the path for a token. */
  const uploadRows = (
    route: string,
    pathOf: (token: string) => string,
    validToken: () => Promise<string>,
    revokedToken: () => Promise<string>,
  ): Row[] => {
    const upload = (fields: Fields) => async () => api.postMultipart(pathOf(await validToken()), fields)
    return [
      [route, 200, 'privateData', upload(LEAST_IMAGE)],
      [route, 400, 'privateData', upload({})],
      [route, 404, 'privateData', () => api.postMultipart(pathOf(UNKNOWN_TOKEN), LEAST_IMAGE)],
      [route, 410, 'privateData', async () => api.postMultipart(pathOf(await revokedToken()), LEAST_IMAGE)],
      [route, 413, 'privateData', upload({ ...LEAST_IMAGE, img: file('a', Buffer.alloc(10_485_761)) })],
      [route, 414, 'privateData', upload({ ...LEAST_IMAGE, img: file('a', Buffer.from('x')) })],
      [route, 422, 'privateData', upload({ ...LEAST_IMAGE, content_type: '2' })],
    ]
  }
  /** Changes of a gallery by its management token: bodies that it accepts and refuses. */
  const changeRows = (
    route: `/management/:token/${string}`,
    accepted: () => Promise<Record<string, string>>,
    refused: Record<string, string>,
  ): Row[] => {
    const pathFor = (token: string) => route.replace(':token', token)
    const change = async (form: Record<string, string>) => api.postUrlencoded(pathFor(gallery.managementToken), form)
    const json = { headers: { 'content-type': 'application/json' } }
    return [
      [route, 200, 'privateData', async () => change(await accepted())],
      [route, 400, 'privateData', () => post(pathFor(gallery.managementToken), '{', json)],
      [route, 404, 'privateData', () => post(pathFor(UNKNOWN_TOKEN))],
      [route, 410, 'privateData', async () => post(pathFor(await revoked()))],
      [route, 413, 'privateData', () => post(pathFor(gallery.managementToken), LARGE_LIST)],
      [route, 422, 'privateData', () => change(refused)],
    ]
  }
  const addedImage = async () => {
    const { text } = await api.postMultipart(`/management/${gallery.managementToken}/images`, LEAST_IMAGE)
    return String(JSON.parse(text).show_url)
  }

  const ROWS: Row[] = [
    [routes.images, 200, 'privateData', () => api.uploadImage({ ...LEAST_IMAGE, include_manage_url: '1' })],
    ...UPLOADS.flatMap(({ path, field, least }): Row[] => {
      const upload = (fields: Fields | (() => Fields)) => () =>
        api.postMultipart(path, { ...least, ...(typeof fields === 'function' ? fields() : fields) })
      const unknown = { gallery_hash: 'abcdefghij', gallery_upload_hash: UNKNOWN_TOKEN }
      return [
        [path, 200, 'privateData', upload({})],
        [path, 400, 'privateData', () => api.postMultipart(path, {})],
        [path, 413, 'privateData', upload({ [field]: file('a', Buffer.alloc(10_485_761)) })],
        [path, 414, 'privateData', upload({ [field]: file('a', Buffer.from('x')) })],
        [path, 415, 'privateData', upload(unknown)],
        [path, 416, 'privateData', upload(() => ({ ...open.fields, gallery_upload_hash: UNKNOWN_TOKEN }))],
        [path, 422, 'privateData', upload({ content_type: '2' })],
      ]
    }),
    [routes.imageStatus, 200, 'privateData', () => api.status(['x'])],
    [routes.imageStatus, 400, 'privateData', () => api.postJson(routes.imageStatus, {}, from(freshAddress()))],
    [routes.imageStatus, 413, 'privateData', () => api.postJson(routes.imageStatus, LARGE, from(freshAddress()))],
    [routes.imageStatus, 422, 'privateData', () => api.status([])],
    [routes.imageStatus, 415, 'privateData', () => post(routes.imageStatus)],
    [routes.imageStatus, 405, 'privateData', () => get(routes.imageStatus)],
    [routes.galleries, 200, 'privateData', () => api.createGallery({ include_manage_url: '1' })],
    [routes.galleries, 413, 'privateData', () => post(routes.galleries, LARGE_FORM)],
    [routes.galleries, 422, 'privateData', () => api.createGallery({ gallery_name: '<' })],
    [routes.finalizeGallery, 200, 'privateData', () => api.finalize(gallery.hash, gallery.uploadToken)],
    [routes.finalizeGallery, 400, 'privateData', () => post(finalizing(gallery.hash))],
    [routes.finalizeGallery, 413, 'privateData', () => post(finalizing(gallery.hash), LARGE_FORM)],
    [routes.finalizeGallery, 415, 'privateData', () => api.finalize('abcdefghij', UNKNOWN_TOKEN)],
    [routes.finalizeGallery, 422, 'privateData', () => post(finalizing(gallery.hash), LONG_FIELD)],
    [routes.finalizeGallery, 416, 'privateData', () => api.finalize(gallery.hash, UNKNOWN_TOKEN)],
    [routes.renameContent, 200, 'privateData', () => api.rename(open.managementToken, 'x')],
    [routes.renameContent, 400, 'privateData', () => post(`/management/${open.managementToken}/rename`)],
    [routes.renameContent, 410, 'privateData', async () => api.rename(await revoked(), 'x')],
    [routes.renameContent, 413, 'privateData', () => post(`/management/${open.managementToken}/rename`, LARGE_FORM)],
    [routes.renameContent, 422, 'privateData', () => api.rename(open.managementToken, '<')],
    [routes.renameContent, 404, 'privateData', () => api.rename(UNKNOWN_TOKEN, 'x')],
    [routes.deleteContent, 200, 'privateData', async () => api.remove(await fresh())],
    [routes.deleteContent, 400, 'privateData', () => api.remove(UNKNOWN_TOKEN, withIdempotencyKey('x y'))],
    [routes.deleteContent, 410, 'privateData', async () => api.remove(await revoked())],
    [routes.deleteContent, 422, 'privateData', async () => api.remove(UNKNOWN_TOKEN, await usedKey())],
    [routes.deleteContent, 404, 'privateData', () => api.remove(UNKNOWN_TOKEN)],
    ...uploadRows(
      routes.addImage,
      (token) => `/management/${token}/images`,
      async () => gallery.managementToken,
      revoked,
    ),
    ...uploadRows(routes.guestImages, (token) => `/guests/${token}/images`, guestToken, closedGuestToken),
    [
      routes.guestImages,
      403,
      'privateData',
      async () => api.postMultipart(`/guests/${await fullGuestToken()}/images`, LEAST_IMAGE),
    ],
    ...changeRows(routes.removeImages, async () => ({ images: await addedImage() }), { images: UNKNOWN_TOKEN }),
    ...changeRows(routes.orderImages, async () => ({ images: galleryImage.showUrl }), { images: UNKNOWN_TOKEN }),
    ...changeRows(routes.chooseCover, async () => ({ image: galleryImage.showUrl }), { image: UNKNOWN_TOKEN }),
    ...changeRows(routes.editImage, async () => ({ image: galleryImage.showUrl, alt: 'x' }), {
      image: UNKNOWN_TOKEN,
      alt: 'x',
    }),
    ...changeRows(routes.createGuests, async () => ({}), { max_images: '-1' }),
    [routes.closeGuests, 200, 'privateData', () => post(`/management/${gallery.managementToken}/guests/close`)],
    [routes.closeGuests, 400, 'privateData', () => get(`/management/${gallery.managementToken}/guests/close`)],
    [routes.closeGuests, 404, 'privateData', () => post(`/management/${UNKNOWN_TOKEN}/guests/close`)],
    [routes.closeGuests, 410, 'privateData', async () => post(`/management/${await revoked()}/guests/close`)],
    [routes.closeGuests, 422, 'privateData', () => post(`/management/${managed.managementToken}/guests/close`)],
    [routes.addImages, 200, 'privatePage', async () => get(`/add/${await guestToken()}`)],
    [routes.addImages, 404, 'privatePage', () => get(`/add/${UNKNOWN_TOKEN}`)],
    [
      routes.manageImages,
      200,
      'privatePage',
      () => api.postMultipart(`/manage/${gallery.managementToken}/images`, LEAST_IMAGE),
    ],
    [routes.manageImages, 404, 'privatePage', () => api.postMultipart(`/manage/${UNKNOWN_TOKEN}/images`, LEAST_IMAGE)],
    ...OPERATIONS.map((path): Row => [path, 204, 'privateData', () => api.send({ method: 'OPTIONS', path })]),
    ...OPERATIONS.filter((path) => path !== routes.imageStatus).map(
      (path): Row => [path, 400, 'privateData', () => get(path)],
    ),
    ...mediaRows(routes.original, ({ originalUrl }) => originalUrl),
    ...mediaRows(routes.thumbnail, ({ thumbnailUrl }) => thumbnailUrl),
    ...mediaRows(routes.preview, previewUrlOf),
    ...PAGES.map((path): Row => [path, 200, 'page', () => get(path)]),
    ...PAGES.map((path): Row => [path, 200, 'page', () => get(path, { method: 'HEAD' })]),
    ...PAGES.map((path): Row => [path, 400, 'privateData', () => post(path)]),
    [routes.show, 200, 'page', () => get(pathIn(image.showUrl))],
    ...(
      [
        [routes.jsonOf(routes.show), () => `${pathIn(image.showUrl)}.json`, () => expired.showUrl],
        [routes.jsonOf(routes.gallery), () => `${pathIn(gallery.url)}.json`, () => expiredGallery.url],
      ] as const
    ).flatMap(([route, path, expiredUrl]): Row[] => [
      [route, 200, 'data', () => get(path())],
      [route, 304, 'data', () => unchanged(path())],
      [route, 404, 'privateData', () => get(path().replace(/\w+\.json$/, 'abcdefghij.json'))],
      [route, 410, 'privateData', () => get(`${pathIn(expiredUrl())}.json`)],
    ]),
    [routes.jsonOf(routes.gallery), 422, 'privateData', () => get(`${pathIn(gallery.url)}.json?after=x`)],
    [routes.show, 404, 'privatePage', () => get('/show/1/2_a.png')],
    [routes.show, 410, 'privatePage', () => get(pathIn(expired.showUrl))],
    [routes.gallery, 200, 'page', () => get(pathIn(gallery.url))],
    [routes.gallery, 404, 'privatePage', () => get(pathIn(open.url))],
    [routes.gallery, 410, 'privatePage', () => get(pathIn(expiredGallery.url))],
    [routes.galleryCodes, 200, 'page', () => get(`${pathIn(gallery.url)}/codes`)],
    [routes.galleryDownload, 200, 'data', () => get(`${pathIn(gallery.url)}/download`)],
    [routes.galleryDownload, 404, 'privatePage', () => get(`${pathIn(open.url)}/download`)],
    [routes.galleryCodes, 404, 'privatePage', () => get(`${pathIn(open.url)}/codes`)],
    [routes.manage, 200, 'privatePage', () => get(`/manage/${managed.managementToken}`)],
    [routes.manage, 200, 'privatePage', () => post(`/manage/${open.managementToken}`, 'action=rename&name=x')],
    [routes.manage, 404, 'privatePage', () => get(`/manage/${UNKNOWN_TOKEN}`)],
    [routes.manage, 422, 'privatePage', () => post(`/manage/${open.managementToken}`, 'action=delete')],
    [routes.uploads, 200, 'page', () => get('/uploads')],
    [routes.share, 303, 'privateData', () => api.postMultipart('/share', LEAST_IMAGE)],
    [routes.share, 400, 'privatePage', () => post('/share')],
    [routes.home, 200, 'popupPage', () => get('/?embed=1&origin=https%3A%2F%2Fforum.example')],
    [routes.home, 200, 'popupPage', () => get('/?embed=1')],
    [routes.manage, 404, 'privatePage', () => get(`/manage/${UNKNOWN_TOKEN}?embed=1`)],
    // The service of this test has no Turnstile.
    [routes.human, 400, 'privateData', () => post('/human', 'token=x')],
    [routes.shareWorker, 200, 'worker', () => get('/share-worker.js')],
    [routes.uploadForm, 200, 'privatePage', () => api.postMultipart('/upload', LEAST_IMAGE)],
    [routes.uploadForm, 400, 'privatePage', () => post('/upload')],
    [routes.report, 200, 'privatePage', () => get('/report')],
    [routes.report, 422, 'privatePage', () => post('/report', 'url=x')],
    [routes.asset, 200, 'asset', async () => get(await anAsset())],
    [routes.asset, 404, 'privatePage', () => get('/assets/x.css')],
    ...DATA.map((path): Row => [path, 200, 'data', () => get(path)]),
    [routes.health, 200, 'privateData', () => get(routes.health)],
    [routes.health, 400, 'privateData', () => post(routes.health)],
    [routes.openApi, 304, 'data', async () => unchanged(routes.openApi)],
    [routes.oembed, 200, 'data', () => get(`${routes.oembed}?url=${encodeURIComponent(image.showUrl)}`)],
    [routes.oembed, 400, 'privateData', () => get(routes.oembed)],
    [
      routes.oembed,
      422,
      'privateData',
      () => get(`${routes.oembed}?url=${encodeURIComponent(image.showUrl)}&maxwidth=x`),
    ],
    [routes.oembed, 404, 'privateData', () => get(`${routes.oembed}?url=https://a.example`)],
    [routes.oembed, 410, 'privateData', () => get(`${routes.oembed}?url=${encodeURIComponent(expired.showUrl)}`)],
    [routes.oembed, 501, 'privateData', () => get(`${routes.oembed}?format=x`)],
    [routes.openReports, 200, 'privateData', () => get(routes.openReports, withKey())],
    [routes.openReports, 401, 'privateData', () => get(routes.openReports)],
    [routes.removeReported, 400, 'privateData', () => post(routes.removeReported, '{}', withKey())],
    [routes.dismissReports, 400, 'privateData', () => post(routes.dismissReports, '{}', withKey())],
    [routes.makePreviews, 401, 'privateData', () => post(routes.makePreviews)],
    [routes.reconcileFiles, 401, 'privateData', () => post(routes.reconcileFiles)],
    ...[
      routes.hiddenContent,
      routes.blocks,
      routes.blockLists,
      routes.exportBlocks,
      routes.audit,
      routes.metrics,
    ].flatMap((path): Row[] => [
      [path, 200, 'privateData', () => get(path, withKey())],
      [path, 401, 'privateData', () => get(path)],
    ]),
    ...[routes.reportsOf, routes.hideContent, routes.unhideContent, routes.unblockContent].map(
      (path): Row => [path, 400, 'privateData', () => post(path, '{}', withKey())],
    ),
    ...[routes.importBlocks, routes.withdrawBlocks].map(
      (path): Row => [path, 422, 'privateData', () => post(path, '{}', withKey())],
    ),
    ['an unknown path', 404, 'privatePage', () => get('/unknown')],
    ['an unknown path', 400, 'privateData', () => post('/unknown')],
    ['an unknown path', 400, 'privateData', () => api.send({ method: 'OPTIONS', path: '/unknown' })],
    ['a page, at the host of the API', 404, 'privatePage', () => get('/', { host: 'api.one.example' })],
    ['a page, at a host of thumbnails', 404, 'privatePage', () => get('/', { host: 't1.one.example' })],
  ]

  async function anAsset(): Promise<string> {
    return /\/assets\/[^"]+\.css/.exec((await get('/')).text)?.[0] ?? 'no style sheet'
  }

  async function unchanged(path: string): Promise<ApiResponse> {
    return get(path, { headers: { 'if-none-match': header(await get(path), 'etag') ?? '' } })
  }

  test.for(ROWS)('%s, %i: %s', async ([route, status, kind, ask]) => {
    // Only the upload page requests images of other servers, for a pasted address.
    expectHeaders(await ask(), status, kind, { fetchesImages: route === routes.home })
  })

  test('there is a row for every route', () => {
    const paths = Object.values(routes).filter((value) => typeof value === 'string' && value !== routes.OPERATOR_PREFIX)
    const asked = new Set(ROWS.map(([route]) => route))
    expect(paths.filter((path) => !asked.has(String(path)))).toEqual([])
  })

  test('there is a row for every documented status of an operation, except those of overload and failures', () => {
    const rows = new Set(ROWS.map(([route, status]) => `${routes.templateOf(route)} ${status}`))
    const documented = Object.entries(API.paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap(({ responses }) => Object.keys(responses).map((status) => `${path} ${status}`)),
    )
    const missing = documented.filter((row) => !rows.has(row) && !OF_TROUBLE.test(row))
    expect(missing).toEqual([])
  })

  describe('Strict-Transport-Security: at public domains, by https', () => {
    const https = { 'x-forwarded-proto': 'https' }
    test.for([
      ['one.example', https, STRICT_TRANSPORT_SECURITY],
      ['www.two.example', https, STRICT_TRANSPORT_SECURITY],
      ['api.one.example', https, STRICT_TRANSPORT_SECURITY],
      ['t1.one.example', https, STRICT_TRANSPORT_SECURITY],
      ['three.example', https, STRICT_TRANSPORT_SECURITY],
      ['one.example', {}, undefined],
      ['one.example', { 'x-forwarded-proto': 'http' }, undefined],
      ['unknown.example', https, undefined],
      ['localhost', https, undefined],
      ['127.0.0.1:8787', https, undefined],
    ] as const)('%s %j: %s', async ([host, headers, expected]) => {
      for (const path of ['/', '/images', '/thumbs/1/2_a.png']) {
        expect(header(await get(path, { host, headers }), 'strict-transport-security')).toBe(expected)
      }
    })

    test('it lasts a year and excludes subdomains, which may belong to others', () => {
      expect(STRICT_TRANSPORT_SECURITY).toBe('max-age=31536000')
    })
  })

  // The last test, because nothing works after it.
  test('500, once the database has lost its tables', async () => {
    // No request has read it, so it is in no cache.
    const unread = await uploadImage(api)
    dropTables(data.path)
    expectHeaders(await api.uploadImage(LEAST_IMAGE), 500, 'privateData')
    expectHeaders(await api.createGallery(), 500, 'privateData')
    expectHeaders(await api.remove(managed.managementToken), 500, 'privateData')
    expectHeaders(await api.follow(unread.originalUrl), 500, 'privateData')
    expectHeaders(await api.follow(unread.showUrl), 500, 'privatePage')
    expectHeaders(await get(`/manage/${managed.managementToken}`), 500, 'privatePage')
  })
})

function expectHeaders(
  response: ApiResponse,
  status: number,
  kind: ResponseKind,
  { fetchesImages = false } = {},
): void {
  expect(response.status, response.text).toBe(status)
  const expected = Object.fromEntries([...NAMES].map((name) => [name, HEADERS[kind][name]]))
  const found = Object.fromEntries([...NAMES].map((name) => [name, header(response, name)]))
  if (['page', 'popupPage', 'privatePage'].includes(kind))
    expected[POLICY] = policyOf(found[POLICY] ?? '', fetchesImages)
  expect(found).toEqual(expected)
}

/** Returns the policy of pages, with the hashes of the styles of this page. */
function policyOf(found: string, fetchesImages: boolean): string {
  const sources = found.match(/'sha256-[A-Za-z0-9+/]{43}='/g) ?? []
  const [, domain = 'no domain'] = /form-action 'self' https:\/\/(\S+);/.exec(found) ?? []
  const [pages, thumbnails, originals] = ['', 't1.', 'img1.'].map((prefix) => `https://${prefix}${domain}`)
  const site = { pages: pages ?? '', thumbnails: thumbnails ?? '', originals: originals ?? '' }
  return pageSecurityPolicy(site, sources, { fetchesImages })
}

function dropTables(data: string): void {
  inDatabase(data, (database) => {
    for (const table of ['images', 'galleries', 'management_tokens']) database.exec(`DROP TABLE ${table}`)
  })
}
