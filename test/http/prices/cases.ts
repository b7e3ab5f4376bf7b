import { env } from 'cloudflare:workers'
import { deflateSync } from 'node:zlib'
import { vi } from 'vitest'
import { ASSETS } from '#generated/assets.ts'
import { imagePath } from '../../../src/domain/ids/links.ts'
import {
  BLOCK_MAX_IMAGES,
  GALLERY_MAX_IMAGES,
  GALLERY_PAGE_IMAGES,
  HEALTH_FRESH_MS,
  PREVIEW_MAX_BYTES,
  REMOVED_MAX_IMAGES,
  STATUS_MAX_URLS,
  UPLOAD_MAX_BYTES,
} from '../../../src/limits.ts'
import { fileKey } from '../../../src/storage/files.ts'
import { isolateNowMs } from '../../../src/time.ts'
import { ihdrChunk, pngChunk, pngOfChunks } from '../../support/png.ts'
import { freshNumber, gifOf } from '../faults/ledger.ts'
import { type Asked, ask, OPERATOR_KEY, ORIGIN } from './priced-service.ts'

/** The three prepared requests of a route in the price list. */
type Cases = Readonly<Record<'cheapest' | 'usual' | 'worst', () => Asked | Promise<Asked>>>

const UNKNOWN_TOKEN = 'A'.repeat(43)
const UNKNOWN_IMAGE = '0/1_a.gif'
const UNKNOWN_GALLERY = 'AAAAAAAAAAAA'
const BROWSER = { 'Accept-Encoding': 'gzip, br', 'Accept-Language': 'en' }
const OPERATOR = { Authorization: `Bearer ${OPERATOR_KEY}` }
const TURNSTILE = { TURNSTILE_SITE_KEY: 'site-key', TURNSTILE_SECRET: 'secret' }
const LISTED = 10
const SHARED_FILES = 100

let keys = 0
const withKey = (init: RequestInit): RequestInit => ({ ...init, headers: { 'Idempotency-Key': `key-${keys++}` } })
const get = (path: string, headers: Record<string, string> = {}): Asked => ({ path, init: { headers } })
const head = (path: string): Asked => ({ path, init: { method: 'HEAD' } })
const form = (path: string, texts: Record<string, string>): Asked => ({
  path,
  init: { method: 'POST', body: new URLSearchParams(texts) },
})
const json = (path: string, body: object, headers: Record<string, string> = {}): Asked => ({
  path,
  init: { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json', ...headers } },
})

/** Returns a small image with a fingerprint, which an image of one colour does not have. */
function gradient(): Uint8Array<ArrayBuffer> {
  const side = 32
  const row = (y: number) => [0, ...Array.from({ length: side * 3 }, (_, at) => (at * 2 + y * y) & 255)]
  const pixels = Uint8Array.from(Array.from({ length: side }, (_, y) => row(y)).flat())
  return pngOfChunks([
    ihdrChunk({ width: side, height: side }),
    pngChunk('IDAT', deflateSync(pixels)),
    pngChunk('IEND'),
  ])
}

/** Makes the service compare each upload with blocked content. */
async function blockSomething(): Promise<void> {
  await env.DB.prepare("INSERT OR IGNORE INTO blocked_fingerprints VALUES (0, 0, '0000000000000000', 1)").run()
}

function upload(
  path: string,
  texts: Record<string, string> = {},
  files: readonly string[] = ['img'],
  bytesOf = () => gifOf(freshNumber()),
): Asked {
  const body = new FormData()
  for (const field of files) body.append(field, new File([bytesOf()], 'a.gif'))
  for (const [name, text] of Object.entries({ content_type: '0', ...texts })) body.set(name, text)
  return { path, init: { method: 'POST', body } }
}

interface MadeImage {
  /** `<dir>/<id>_<name>`. */
  path: string
  token: string
}

interface MadeGallery {
  hash: string
  uploadToken: string
  token: string
  images: MadeImage[]
}

async function made(asked: Asked): Promise<Record<string, string>> {
  const { status, body } = await ask(asked)
  if (status !== 200) throw new Error(`${asked.path}: ${status} ${body}`)
  return body === '' ? {} : JSON.parse(body)
}

const tokenOf = ({ manage_url = '' }: Record<string, string>) => manage_url.split('/').at(-1) ?? ''

async function image(gallery?: MadeGallery): Promise<MadeImage> {
  const texts: Record<string, string> = gallery
    ? { gallery_hash: gallery.hash, gallery_upload_hash: gallery.uploadToken }
    : { include_manage_url: '1' }
  const response = await made(upload('/images', texts))
  return { path: response.show_url?.split('/show/')[1] ?? '', token: tokenOf(response) }
}

/** Creates a gallery of images with files, and then without files up to this number. */
async function openGallery(files = 1, inAll = files): Promise<MadeGallery> {
  const response = await made(form('/galleries', { gallery_name: 'G', include_manage_url: '1' }))
  const { gallery_hash: hash = '', gallery_upload_hash: uploadToken = '' } = response
  const gallery: MadeGallery = { hash, uploadToken, token: tokenOf(response), images: [] }
  for (let count = 0; count < files; count++) gallery.images.push(await image(gallery))
  if (inAll > files) await addRecords(gallery, inAll - files)
  return gallery
}

/**
 * Adds records with ids of ten minutes later, so that an image that is uploaded next comes before all of them, however long it takes: it
 * moves every mark.
 */
async function addRecords({ images }: MadeGallery, count: number): Promise<void> {
  await env.DB.prepare(`
    WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < ?1)
    INSERT INTO images (id, name, media_type, bytes, width, height, thumbnail_bytes, thumbnail_width, thumbnail_height, nsfw, gallery_id)
    SELECT id + (600000 + n) * 4096, name, media_type, bytes, width, height, thumbnail_bytes, thumbnail_width, thumbnail_height, nsfw, gallery_id
    FROM images, more WHERE id = ?2`)
    .bind(count, idOf(images[0]))
    .run()
}

const idOf = (one: MadeImage | undefined) => Number(/(\d+)_/.exec(one?.path ?? '')?.[1])

const finalizing = ({ hash, uploadToken }: MadeGallery) =>
  form(`/galleries/${hash}/finalize`, { gallery_upload_hash: uploadToken })

/** Creates a public gallery of this many images whose order was changed. */
async function arranged(inAll: number): Promise<MadeGallery> {
  const made = await gallery(1, inAll)
  await ask(form(`/management/${made.token}/order`, { images: made.images[0]?.path ?? '' }))
  return made
}

async function gallery(files = 1, inAll = files): Promise<MadeGallery> {
  const open = await openGallery(files, inAll)
  await made(finalizing(open))
  return open
}

/** Returns an original of the maximum size. */
async function largeImage(): Promise<MadeImage> {
  const { path, token } = await image()
  await env.FILES.put(fileKey('images', path), new Uint8Array(UPLOAD_MAX_BYTES))
  await env.DB.prepare('UPDATE images SET bytes = ? WHERE id = ?').bind(UPLOAD_MAX_BYTES, idOf({ path, token })).run()
  return { path, token }
}

/** An image that needs a preview. An interrupted attempt has left another file in its place. */
async function imageWithoutPreview(): Promise<void> {
  const wide = () => gifOf(freshNumber(), { isWide: true })
  const { show_url: showUrl = '' } = await made(upload('/images', {}, ['img'], wide))
  await env.FILES.put(fileKey('previews', showUrl.split('/show/')[1] ?? ''), 'another')
  await env.DB.prepare('UPDATE images SET preview_bytes = NULL').run()
}

/** An image with the largest preview. */
async function photograph(): Promise<MadeImage> {
  const { path, token } = await image()
  await env.FILES.put(fileKey('previews', path), new Uint8Array(PREVIEW_MAX_BYTES))
  await env.DB.prepare(
    "UPDATE images SET preview_media_type = 'image/jpeg', preview_bytes = ?, preview_width = 1280, preview_height = 960 WHERE id = ?",
  )
    .bind(PREVIEW_MAX_BYTES, idOf({ path, token }))
    .run()
  return { path, token }
}

function imagesOf({ hash }: MadeGallery): Promise<D1Result<{ id: number; name: string }>> {
  return env.DB.prepare('SELECT id, name FROM images WHERE gallery_id = (SELECT id FROM galleries WHERE hash = ?)')
    .bind(hash)
    .all()
}

/** Creates a gallery whose first page is as large as a ZIP may be, with files. */
async function fullPage(): Promise<MadeGallery> {
  const full = await openGallery(1, GALLERY_PAGE_IMAGES)
  const { results } = await imagesOf(full)
  const bytes = gifOf(0)
  await Promise.all(results.map((one) => env.FILES.put(fileKey('images', imagePath(one)), bytes)))
  await made(finalizing(full))
  return full
}

const showUrl = ({ path }: MadeImage) => `${ORIGIN}/show/${path}`
const galleryUrl = ({ hash }: MadeGallery) => `${ORIGIN}/gallery/${hash}`
const reportOf = (url: string) => form('/report', { url, reason: 'illegal', details: 'd', contact: '' })

/** Makes the guest link of a gallery. Returns its token. */
async function guestsOf({ token }: MadeGallery): Promise<string> {
  const { guest_url: guestUrl = '' } = await made(form(`/management/${token}/guests`, {}))
  return guestUrl.split('/').at(-1) ?? ''
}

/** Returns the cases of a page or text that is equal for everybody. */
const fixed = (path: string): Cases => ({
  cheapest: () => head(path),
  usual: () => get(path, BROWSER),
  worst: () => get(path),
})

/** Returns the cases of a list for operators. Everybody else is the cheapest case. */
const operatorList = (path: string, fill: () => Promise<string> = anImage): Cases => ({
  cheapest: () => get(path),
  usual: async () => {
    await fill()
    return get(path, { ...OPERATOR, ...BROWSER })
  },
  worst: async () => {
    for (let count = 0; count < LISTED; count++) await fill()
    return get(path, OPERATOR)
  },
})

const decision = (
  path: string,
  usual: () => Promise<string>,
  worst: () => Promise<string>,
  more: object = {},
): Cases => ({
  cheapest: () => json(path, {}),
  usual: async () => json(path, { url: await usual() }, OPERATOR),
  worst: async () => json(path, { url: await worst(), ...more }, OPERATOR),
})

async function anImage(): Promise<string> {
  return showUrl(await image())
}

const aLargeGallery = async () => galleryUrl(await gallery(1, GALLERY_MAX_IMAGES))
const aFullGallery = async () => galleryUrl(await gallery(BLOCK_MAX_IMAGES))

async function reported(): Promise<string> {
  const url = await anImage()
  await ask(reportOf(url))
  return url
}

async function hidden(): Promise<string> {
  const url = await anImage()
  await ask(json('/operator/hide', { url }, OPERATOR))
  return url
}

async function blocked(): Promise<string> {
  const url = await anImage()
  await ask(json('/operator/remove', { url, block: true }, OPERATOR))
  return url
}

/** Returns a request while the health is cached, because the clock does not advance. */
async function knownHealth(asked: Asked): Promise<Asked> {
  vi.setSystemTime(Date.now())
  await ask(get('/healthz'))
  return asked
}

/**
 * Returns a request after the cached health has expired. Tests of other files may have checked it at any time of their
 * own clocks, so it is checked once more before, at a known time.
 */
async function unknownHealth(asked: Asked | Promise<Asked>): Promise<Asked> {
  const ready = await asked
  await ask(get('/healthz'))
  vi.setSystemTime(isolateNowMs() + 2 * HEALTH_FRESH_MS)
  return ready
}

const digestAt = (at: number) => at.toString(16).padStart(64, '0')

function importing(entries: readonly string[]): Asked {
  return json('/operator/import', { list: 'a-list', operation: crypto.randomUUID(), entries, last: true }, OPERATOR)
}

const METRICS = operatorList('/operator/metrics')

/** Every request in the price list. */
export const CASES: Readonly<Record<string, Cases>> = {
  'POST /images': {
    cheapest: () => form('/images', {}),
    usual: async () => {
      const { hash, uploadToken } = await openGallery()
      return upload('/images', { gallery_hash: hash, gallery_upload_hash: uploadToken })
    },
    worst: async () => {
      await blockSomething()
      const texts = { include_manage_url: '1', optimize_for_web: '1', expires_in: '60' }
      const { path, init } = upload('/images', texts, ['img'], gradient)
      return { path, init: withKey(init ?? {}) }
    },
  },
  'POST /new-upload/': {
    cheapest: () => form('/new-upload/', {}),
    usual: async () => {
      const { hash, uploadToken } = await openGallery()
      return upload('/new-upload/', { gallery_hash: hash, gallery_upload_hash: uploadToken }, ['file'])
    },
    worst: async () => {
      await blockSomething()
      const texts = { include_manage_url: '1', optimize_for_web: '1', expires_in: '60' }
      const { path, init } = upload('/new-upload/', texts, ['file'], gradient)
      return { path, init: withKey(init ?? {}) }
    },
  },
  'POST /covers': {
    cheapest: () => form('/covers', {}),
    usual: () => upload('/covers', {}, ['img_left']),
    worst: async () => {
      await blockSomething()
      const { path, init } = upload(
        '/covers',
        { include_manage_url: '1', expires_in: '60' },
        ['img_left', 'img_right'],
        gradient,
      )
      return { path, init: withKey(init ?? {}) }
    },
  },
  'POST /images/status': {
    cheapest: () => form('/images/status', {}),
    usual: async () => json('/images/status', { urls: [showUrl(await image())] }),
    worst: async () => {
      const { results } = await imagesOf(await gallery(1, STATUS_MAX_URLS))
      return json('/images/status', { urls: results.map((one) => `${ORIGIN}/show/${imagePath(one)}`) })
    },
  },
  'POST /galleries': {
    cheapest: () => form('/galleries', { gallery_name: '<' }),
    usual: () => form('/galleries', { gallery_name: 'G' }),
    worst: () => {
      const { path, init } = form('/galleries', { gallery_name: 'G', include_manage_url: '1', expires_in: '60' })
      return { path, init: withKey(init ?? {}) }
    },
  },
  'POST /galleries/:gallery_hash/finalize': {
    cheapest: () => form(`/galleries/${UNKNOWN_GALLERY}/finalize`, { gallery_upload_hash: UNKNOWN_TOKEN }),
    usual: async () => finalizing(await openGallery()),
    worst: async () => finalizing(await openGallery(1, GALLERY_MAX_IMAGES)),
  },
  'POST /management/:token/rename': {
    cheapest: () => form(`/management/${UNKNOWN_TOKEN}/rename`, { name: 'N' }),
    usual: async () => form(`/management/${(await gallery()).token}/rename`, { name: 'N' }),
    worst: async () => json(`/management/${(await gallery(1, GALLERY_MAX_IMAGES)).token}/rename`, { name: 'N' }),
  },
  'POST /management/:token/guests': {
    cheapest: () => form(`/management/${UNKNOWN_TOKEN}/guests`, {}),
    usual: async () => form(`/management/${(await gallery()).token}/guests`, {}),
    worst: async () => {
      const { token } = await gallery(1, GALLERY_MAX_IMAGES)
      await made(form(`/management/${token}/guests`, {}))
      return json(`/management/${token}/guests`, { max_images: 5 })
    },
  },
  'POST /management/:token/guests/close': {
    cheapest: () => form(`/management/${UNKNOWN_TOKEN}/guests/close`, {}),
    usual: async () => form(`/management/${(await gallery()).token}/guests/close`, {}),
    worst: async () => {
      const { token } = await gallery(1, GALLERY_MAX_IMAGES)
      await made(form(`/management/${token}/guests`, {}))
      return form(`/management/${token}/guests/close`, {})
    },
  },
  'POST /guests/:token/images': {
    cheapest: () => upload(`/guests/${UNKNOWN_TOKEN}/images`),
    usual: async () => upload(`/guests/${await guestsOf(await gallery())}/images`),
    worst: async () => {
      await blockSomething()
      const token = await guestsOf(await arranged(GALLERY_MAX_IMAGES - 1))
      const { path, init } = upload(
        `/guests/${token}/images`,
        { optimize_for_web: '1', expires_in: '60' },
        ['img'],
        gradient,
      )
      return { path, init: withKey(init ?? {}) }
    },
  },
  'GET /add/:token': {
    cheapest: () => get(`/add/${UNKNOWN_TOKEN}`, BROWSER),
    usual: async () => get(`/add/${await guestsOf(await gallery())}`, BROWSER),
    worst: async () => get(`/add/${await guestsOf(await gallery(1, GALLERY_MAX_IMAGES))}`),
  },
  'POST /add/:token': {
    cheapest: () => upload(`/add/${UNKNOWN_TOKEN}`),
    usual: async () => upload(`/add/${await guestsOf(await gallery())}`),
    worst: async () =>
      upload(`/add/${await guestsOf(await gallery())}`, {}, Array<string>(SHARED_FILES).fill('img').slice(1)),
  },
  'POST /management/:token/images': {
    cheapest: () => upload(`/management/${UNKNOWN_TOKEN}/images`),
    usual: async () => upload(`/management/${(await gallery()).token}/images`),
    worst: async () => {
      await blockSomething()
      const { token } = await arranged(GALLERY_MAX_IMAGES - 1)
      const { path, init } = upload(
        `/management/${token}/images`,
        { optimize_for_web: '1', position: '1', expires_in: '60' },
        ['img'],
        gradient,
      )
      return { path, init: withKey(init ?? {}) }
    },
  },
  'POST /management/:token/remove': {
    cheapest: () => form(`/management/${UNKNOWN_TOKEN}/remove`, {}),
    usual: async () => {
      const { token, images } = await gallery(2)
      return form(`/management/${token}/remove`, { images: images[1]?.path ?? '' })
    },
    worst: async () => {
      const { token, images } = await gallery(REMOVED_MAX_IMAGES)
      return json(`/management/${token}/remove`, { images: images.map(({ path }) => path) })
    },
  },
  'POST /management/:token/order': {
    cheapest: () => form(`/management/${UNKNOWN_TOKEN}/order`, {}),
    usual: async () => {
      const { token, images } = await gallery(3)
      return form(`/management/${token}/order`, { images: images[2]?.path ?? '' })
    },
    worst: async () => {
      const { token, images } = await gallery(2, GALLERY_MAX_IMAGES)
      return json(`/management/${token}/order`, { images: [images[0]?.path], after: images[1]?.path })
    },
  },
  'POST /management/:token/cover': {
    cheapest: () => form(`/management/${UNKNOWN_TOKEN}/cover`, {}),
    usual: async () => {
      const { token, images } = await gallery(2)
      return form(`/management/${token}/cover`, { image: images[1]?.path ?? '' })
    },
    worst: async () => {
      const { token, images } = await gallery(1, GALLERY_MAX_IMAGES)
      return json(`/management/${token}/cover`, { image: images[0]?.path })
    },
  },
  'POST /management/:token/edit': {
    cheapest: () => form(`/management/${UNKNOWN_TOKEN}/edit`, {}),
    usual: async () => form(`/management/${(await image()).token}/edit`, { caption: 'C' }),
    worst: async () => {
      const { token, images } = await gallery(1, GALLERY_MAX_IMAGES)
      return json(`/management/${token}/edit`, { image: images[0]?.path, caption: 'C', alt: 'A' })
    },
  },
  'POST /management/:token/delete': {
    cheapest: () => form(`/management/${UNKNOWN_TOKEN}/delete`, {}),
    usual: async () => form(`/management/${(await image()).token}/delete`, {}),
    worst: async () => {
      const { token } = await gallery(1, GALLERY_MAX_IMAGES)
      return { path: `/management/${token}/delete`, init: withKey({ method: 'POST' }) }
    },
  },
  'GET /openapi.json': fixed('/openapi.json'),
  'GET /openapi.yaml': fixed('/openapi.yaml'),
  'GET /.well-known/api-catalog': fixed('/.well-known/api-catalog'),

  'GET /images/:directory/:file': {
    cheapest: () => get(`/images/${UNKNOWN_IMAGE}`),
    usual: async () => {
      const { path } = await image()
      await ask(get(`/images/${path}`))
      return get(`/images/${path}`)
    },
    worst: async () => get(`/images/${(await largeImage()).path}`),
  },
  'GET /thumbs/:directory/:file': {
    cheapest: () => get(`/thumbs/${UNKNOWN_IMAGE}`),
    usual: async () => {
      const { path } = await image()
      await ask(get(`/thumbs/${path}`))
      return get(`/thumbs/${path}`)
    },
    worst: async () => get(`/thumbs/${(await image()).path}`),
  },
  'GET /previews/:directory/:file': {
    cheapest: () => get(`/previews/${UNKNOWN_IMAGE}`),
    usual: async () => {
      const { path } = await photograph()
      await ask(get(`/previews/${path}`))
      return get(`/previews/${path}`)
    },
    worst: async () => get(`/previews/${(await photograph()).path}`),
  },
  'GET /show/:directory/:file': {
    cheapest: () => get(`/show/${UNKNOWN_IMAGE}`, BROWSER),
    usual: async () => get(`/show/${(await image()).path}`, BROWSER),
    worst: async () => get(`/show/${(await gallery(3)).images[1]?.path}`),
  },
  'GET /gallery/:gallery_hash': {
    cheapest: () => get(`/gallery/${UNKNOWN_GALLERY}`, BROWSER),
    usual: async () => get(`/gallery/${(await gallery(3)).hash}`, BROWSER),
    worst: async () => get(`/gallery/${(await gallery(1, GALLERY_MAX_IMAGES)).hash}`),
  },
  'GET /gallery/:gallery_hash/codes': {
    cheapest: () => get(`/gallery/${UNKNOWN_GALLERY}/codes`, BROWSER),
    usual: async () => get(`/gallery/${(await gallery(3)).hash}/codes`, BROWSER),
    worst: async () => get(`/gallery/${(await gallery(1, GALLERY_MAX_IMAGES)).hash}/codes`),
  },
  'GET /gallery/:gallery_hash/download': {
    cheapest: () => get(`/gallery/${UNKNOWN_GALLERY}/download`, BROWSER),
    usual: async () => get(`/gallery/${(await gallery(3)).hash}/download`),
    worst: async () => get(`/gallery/${(await fullPage()).hash}/download`),
  },
  'GET /manage/:token': {
    cheapest: () => get(`/manage/${UNKNOWN_TOKEN}`, BROWSER),
    usual: async () => get(`/manage/${(await image()).token}`, BROWSER),
    worst: async () => get(`/manage/${(await gallery(1, GALLERY_MAX_IMAGES)).token}`),
  },
  'POST /manage/:token': {
    cheapest: () => form(`/manage/${UNKNOWN_TOKEN}`, {}),
    usual: async () => {
      const { token, images } = await gallery(2)
      return form(`/manage/${token}`, { action: 'delete-image', image: images[1]?.path ?? '' })
    },
    worst: async () =>
      form(`/manage/${(await gallery(1, GALLERY_MAX_IMAGES)).token}`, { action: 'delete', confirm: '1' }),
  },
  'POST /manage/:token/images': {
    cheapest: () => upload(`/manage/${UNKNOWN_TOKEN}/images`),
    usual: async () => upload(`/manage/${(await gallery()).token}/images`),
    worst: async () => {
      await blockSomething()
      const { token } = await arranged(GALLERY_MAX_IMAGES - 1)
      return upload(`/manage/${token}/images`, { optimize_for_web: '1' }, ['img'], gradient)
    },
  },
  'GET /': fixed('/'),
  'POST /upload': {
    cheapest: () => form('/upload', {}),
    usual: () => upload('/upload'),
    worst: async () => {
      await blockSomething()
      return upload('/upload', { include_manage_url: '1', optimize_for_web: '1', expires_in: '60' }, ['img'], gradient)
    },
  },
  'POST /share': {
    cheapest: () => form('/share', {}),
    usual: () => upload('/share'),
    worst: () => upload('/share', {}, Array<string>(SHARED_FILES).fill('img').slice(1)),
  },
  'POST /human': {
    cheapest: () => form('/human', {}),
    usual: () => ({ ...form('/human', { token: 'x'.repeat(600) }), settings: TURNSTILE }),
    worst: () => ({ ...form('/human', { token: 'x' }), settings: TURNSTILE }),
  },
  'GET /share-worker.js': fixed('/share-worker.js'),
  'GET /uploads': fixed('/uploads'),
  'GET /report': fixed('/report'),
  'POST /report': {
    cheapest: () => form('/report', {}),
    usual: async () => reportOf(showUrl(await image())),
    worst: async () => reportOf(galleryUrl(await gallery())),
  },
  'GET /docs': fixed('/docs'),
  'GET /docs/reference': fixed('/docs/reference'),
  'GET /docs/errors': fixed('/docs/errors'),
  'GET /assets/:file': fixed(Object.values(ASSETS)[0]?.path ?? ''),
  'GET /oembed': {
    cheapest: () => get(`/oembed?url=${ORIGIN}/show/${UNKNOWN_IMAGE}`),
    usual: async () => get(`/oembed?url=${showUrl(await image())}`),
    worst: async () => get(`/oembed?url=${galleryUrl(await gallery())}&format=xml`),
  },
  'GET /tools': fixed('/tools'),
  'GET /embed.js': fixed('/embed.js'),
  'GET /llms.txt': fixed('/llms.txt'),
  'GET /favicon.ico': fixed('/favicon.ico'),
  'GET /sharex.sxcu': fixed('/sharex.sxcu'),
  'GET /picgo.json': fixed('/picgo.json'),
  'GET /flameshot.sh': fixed('/flameshot.sh'),
  'GET /postman.json': fixed('/postman.json'),
  'GET /manifest.webmanifest': fixed('/manifest.webmanifest'),
  'GET /robots.txt': fixed('/robots.txt'),
  'GET /.well-known/security.txt': fixed('/.well-known/security.txt'),
  'GET /healthz': {
    cheapest: () => knownHealth(head('/healthz')),
    usual: () => knownHealth(get('/healthz', BROWSER)),
    worst: () => unknownHealth(get('/healthz')),
  },

  'GET /operator/reports': operatorList('/operator/reports', reported),
  'POST /operator/remove': decision('/operator/remove', anImage, aFullGallery, { block: true }),
  'POST /operator/dismiss': decision('/operator/dismiss', anImage, reported),
  'POST /operator/reconcile': {
    cheapest: () => json('/operator/reconcile', {}),
    usual: () => json('/operator/reconcile', {}, OPERATOR),
    worst: () => json('/operator/reconcile', { verify: true, remove: true }, OPERATOR),
  },
  'POST /operator/previews': {
    cheapest: () => json('/operator/previews', {}),
    usual: () => json('/operator/previews', {}, OPERATOR),
    worst: async () => {
      await imageWithoutPreview()
      return json('/operator/previews', {}, OPERATOR)
    },
  },
  'POST /operator/show': decision('/operator/show', anImage, reported),
  'POST /operator/hide': decision('/operator/hide', anImage, aLargeGallery),
  'POST /operator/unhide': decision('/operator/unhide', anImage, hidden),
  'GET /operator/hidden': operatorList('/operator/hidden', hidden),
  'POST /operator/unblock': decision('/operator/unblock', anImage, blocked),
  'GET /operator/blocks': operatorList('/operator/blocks', blocked),
  'GET /operator/block-lists': operatorList('/operator/block-lists', async () => {
    await ask(importing([digestAt(1)]))
    return ''
  }),
  'POST /operator/import': {
    cheapest: () => json('/operator/import', {}),
    usual: () => importing([digestAt(1)]),
    worst: () => importing([...Array.from({ length: 1999 }, (_, at) => digestAt(at)), '0123456789abcdef']),
  },
  'POST /operator/withdraw': {
    cheapest: () => json('/operator/withdraw', {}),
    usual: () => json('/operator/withdraw', { list: 'none', operation: crypto.randomUUID() }, OPERATOR),
    worst: async () => {
      await ask(importing(Array.from({ length: 2000 }, (_, at) => digestAt(at))))
      return json('/operator/withdraw', { list: 'a-list', operation: crypto.randomUUID() }, OPERATOR)
    },
  },
  'GET /operator/export': {
    cheapest: () => get('/operator/export'),
    usual: () => get('/operator/export', OPERATOR),
    worst: async () => {
      await ask(importing(Array.from({ length: 2000 }, (_, at) => digestAt(at))))
      return get('/operator/export?list=a-list', OPERATOR)
    },
  },
  'GET /operator/audit': operatorList('/operator/audit', hidden),
  'GET /operator/metrics': {
    ...METRICS,
    usual: () => unknownHealth(METRICS.usual()),
    worst: () => unknownHealth(METRICS.worst()),
  },
}
