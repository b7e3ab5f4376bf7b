import { env } from 'cloudflare:workers'
import { probe } from 'tintype-codec/interface'
import { ASSETS } from '#generated/assets.ts'
import { joinCover } from '../../../src/image/cover.ts'
import { FILE_KINDS, type FileKind } from '../../../src/storage/files.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/units.ts'
import { rows } from '../../domain/store.ts'
import { every } from '../../support/faulty-bindings.ts'
import { type Expected, freshNumber, gifOf, type Ledger } from './ledger.ts'
import {
  ANNOUNCING,
  type Ask,
  OPERATOR_KEY,
  type ReceivedResponse,
  receiveAt,
  type StruckService,
  struckService,
} from './struck-service.ts'

/** A prepared flow of a client: its request, and the facts that must hold afterwards. */
export interface ReadyFlow {
  /** The flow, whose calls are struck by faults. */
  act: (struck: StruckService) => Promise<ReceivedResponse>
  /**
   * Interprets the response, retries a failed request as a client would, and records in the ledger what must hold.
   * `first` has status 0 if the client got no response.
   */
  settle: (first: ReceivedResponse, ask: Ask, ledger: Ledger) => Promise<void>
  /** Returns the faults that remain when all due work is done. */
  finish?: (ask: Ask) => Promise<string[]>
}

/** Prepares a flow on a service without faults. */
export type Flow = (ask: Ask, ledger: Ledger) => Promise<ReadyFlow>

/** Later than the end of any lease of an Idempotency-Key. */
const LATER_MS = 2 * MINUTE_MS
const DAY_LATER_MS = 25 * HOUR_MS

interface UploadResponse {
  name: string
  show_url: string
  manage_url?: string
}

const jsonOf = <Body>(response: ReceivedResponse): Body => JSON.parse(new TextDecoder().decode(response.bytes))
const pathOf = ({ show_url }: UploadResponse) => new URL(show_url).pathname.replace('/show/', '')
const tokenOf = ({ manage_url = '' }: { manage_url?: string }) => manage_url.split('/').at(-1) ?? ''
const textOf = (response: ReceivedResponse, length = 200) => new TextDecoder().decode(response.bytes).slice(0, length)

/** Expects success, or an error of the storage or the service. */
function accept(ledger: Ledger, what: string, response: ReceivedResponse, ...others: number[]): boolean {
  if (response.status === 200) return true
  if (![0, 503, ...others].includes(response.status)) {
    ledger.problem(`${what} is answered with ${response.status}: ${textOf(response)}`)
  }
  return false
}

interface Gallery {
  hash: string
  uploadToken: string
  managementToken: string
}

async function createGallery(ask: Ask, name = 'a gallery', texts: Record<string, string> = {}): Promise<Gallery> {
  return galleryOf(await ask('/galleries', form({ gallery_name: name, include_manage_url: '1', ...texts })))
}

function galleryOf(response: ReceivedResponse): Gallery {
  const body = jsonOf<{ gallery_hash: string; gallery_upload_hash: string; manage_url: string }>(response)
  return { hash: body.gallery_hash, uploadToken: body.gallery_upload_hash, managementToken: tokenOf(body) }
}

const form = (texts: Record<string, string>, headers: Record<string, string> = {}) => ({
  method: 'POST',
  body: new URLSearchParams(texts),
  headers,
})

/** The shape of an image that needs a preview. */
const WIDE = { isWide: true }

/** An upload that can be repeated. */
interface Upload {
  name: string
  bytes: Uint8Array<ArrayBuffer>
  init: (headers?: Record<string, string>) => RequestInit
}

function uploadOf(
  gallery?: Gallery,
  shape?: { isWide: boolean },
  { prefix = 'p', texts = {} }: { prefix?: string; texts?: Record<string, string> } = {},
): Upload {
  const number = freshNumber()
  const name = `${prefix}${number}.gif`
  const bytes = gifOf(number, shape)
  return {
    name,
    bytes,
    init(headers = {}) {
      const body = new FormData()
      body.set('img', new File([bytes], name))
      body.set('content_type', '0')
      for (const [name, text] of Object.entries(texts)) body.set(name, text)
      setGallery(body, gallery)
      return { method: 'POST', body, headers }
    },
  }
}

function setGallery(body: FormData, gallery?: Gallery): void {
  if (gallery) {
    body.set('gallery_hash', gallery.hash)
    body.set('gallery_upload_hash', gallery.uploadToken)
  } else body.set('include_manage_url', '1')
}

/** Uploads an image with a preview. Returns its path and its token. */
async function madeImage(ask: Ask, ledger: Ledger, gallery?: Gallery, texts: Record<string, string> = {}) {
  const upload = uploadOf(gallery, WIDE, { texts })
  const response = jsonOf<UploadResponse>(await ask('/images', upload.init()))
  await ledger.expectImage(upload.name, upload.bytes, pathOf(response), gallery ? 'pending' : 'available')
  return { ...upload, path: pathOf(response), token: tokenOf(response) }
}

const finalize = (ask: Ask, { hash, uploadToken }: Gallery, offsetMs = 0) =>
  ask(`/galleries/${hash}/finalize`, form({ gallery_upload_hash: uploadToken }), offsetMs)

/** Creates a public gallery of one image. */
async function madeGallery(ask: Ask, ledger: Ledger) {
  const gallery = await createGallery(ask)
  const image = await madeImage(ask, ledger, gallery)
  await finalize(ask, gallery)
  ledger.expect(image.name, 'available')
  return { gallery, image }
}

async function intoEdgeCache(ask: Ask, path: string): Promise<void> {
  for (const kind of FILE_KINDS) await ask(`/${kind}/${path}`)
}

/**
 * Records the first response to an upload. Without a response the outcome is unknown; after a failure nothing may be
 * stored.
 */
async function settleUpload(first: ReceivedResponse, { name, bytes }: Upload, ledger: Ledger, inGallery: boolean) {
  // A codec that traps has met an unreadable image.
  if (accept(ledger, 'the upload', first, 422)) {
    await ledger.expectImage(name, bytes, pathOf(jsonOf(first)), inGallery ? 'pending' : 'available')
  } else if (first.status === 0) await ledger.expectImage(name, bytes, undefined, 'maybe')
}

const uploadImage =
  (shape?: { isWide: boolean }): Flow =>
  async () => {
    const upload = uploadOf(undefined, shape)
    return {
      act: ({ ask: struck }) => struck('/images', upload.init()),
      async settle(first, ask, ledger) {
        await settleUpload(first, upload, ledger, false)
        if (first.status !== 200) return
        const token = tokenOf(jsonOf(first))
        const managed = await ask(`/manage/${token}`)
        if (managed.status !== 200) ledger.problem(`the token of ${upload.name} is answered with ${managed.status}`)
      },
    }
  }

/** Between the first audit and the ticks of a day later. */
const AN_HOUR = { expires_in: '3600' }

const uploadExpiring: Flow = async () => {
  const upload = uploadOf(undefined, WIDE, { texts: AN_HOUR })
  return {
    act: ({ ask: struck }) => struck('/images', upload.init()),
    async settle(first, _, ledger) {
      await settleUpload(first, upload, ledger, false)
      if (first.status === 200) ledger.expect(upload.name, 'expiring')
    },
  }
}

const uploadIntoGallery: Flow = async (ask) => {
  const gallery = await createGallery(ask)
  const upload = uploadOf(gallery)
  return {
    act: ({ ask: struck }) => struck('/images', upload.init()),
    settle: (first, _, ledger) => settleUpload(first, upload, ledger, true),
  }
}

const uploadCover: Flow = async (ask) => {
  const gallery = await createGallery(ask)
  const number = freshNumber()
  const name = `p${number}.jpg`
  const halves = [gifOf(number), gifOf(freshNumber())]
  const [left, right] = halves.map((bytes) => ({ bytes, facts: probe(bytes) ?? unreadable() }))
  const joined = await joinCover(left ?? unreadable(), right ?? unreadable())
  const sent = () => {
    const body = new FormData()
    for (const [at, field] of ['img_left', 'img_right'].entries()) {
      body.set(field, new File([halves[at] ?? ''], `p${number}.gif`))
    }
    body.set('content_type', '0')
    setGallery(body, gallery)
    return { method: 'POST', body }
  }
  return {
    act: ({ ask: struck }) => struck('/covers', sent()),
    settle: (first, _, ledger) =>
      settleUpload(first, { name, bytes: new Uint8Array(joined.bytes), init: sent }, ledger, true),
  }
}

function unreadable(): never {
  throw new Error('a GIF of one pixel must be readable')
}

const uploadWithKey: Flow = async () => {
  const upload = uploadOf()
  const send = (ask: Ask, offsetMs?: number) =>
    ask('/images', upload.init({ 'Idempotency-Key': `key-of-${upload.name}` }), offsetMs)
  return {
    act: ({ ask: struck }) => send(struck),
    async settle(first, ask, ledger) {
      accept(ledger, 'the upload', first, 422)
      const again = await send(ask, LATER_MS)
      if (again.status !== 200) return ledger.problem(`the retry of ${upload.name}: ${again.status} ${textOf(again)}`)
      if (first.status === 200 && textOf(first) !== textOf(again)) {
        ledger.problem(`the retry of ${upload.name} is answered differently`)
      }
      await ledger.expectImage(upload.name, upload.bytes, pathOf(jsonOf(again)), 'available')
    },
  }
}

const replay: Flow = async (ask, ledger) => {
  const upload = uploadOf()
  const send = (from: Ask) => from('/images', upload.init({ 'Idempotency-Key': `key-of-${upload.name}` }))
  const before = await send(ask)
  await ledger.expectImage(upload.name, upload.bytes, pathOf(jsonOf(before)), 'available')
  return {
    act: ({ ask: struck }) => send(struck),
    async settle(first) {
      if (accept(ledger, 'the replay', first) && textOf(first) !== textOf(before)) {
        ledger.problem(`the replay of ${upload.name} differs`)
      }
    },
  }
}

const newGallery: Flow = async () => {
  const name = `g${freshNumber()}`
  let isKnown = false
  return {
    act: ({ ask: struck }) => struck('/galleries', form({ gallery_name: name, include_manage_url: '1' })),
    async settle(first, ask, ledger) {
      if (!accept(ledger, 'the gallery', first)) return
      isKnown = true
      const gallery = galleryOf(first)
      const image = await madeImage(ask, ledger, gallery)
      await finalize(ask, gallery)
      ledger.expect(image.name, 'available')
      const managed = await ask(`/manage/${gallery.managementToken}`)
      if (managed.status !== 200) ledger.problem(`the token of ${name} is answered with ${managed.status}`)
    },
    async finish() {
      const left = await rows(`SELECT finalized_at FROM galleries WHERE name = '${name}' AND deleted_at IS NULL`)
      return left.length === (isKnown ? 1 : 0) ? [] : [`${left.length} galleries called ${name} are left`]
    },
  }
}

const finalizeGallery: Flow = async (ask, ledger) => {
  const gallery = await createGallery(ask)
  const image = await madeImage(ask, ledger, gallery)
  return {
    act: ({ ask: struck }) => finalize(struck, gallery),
    async settle(first) {
      // After a failure the state of the gallery is unknown; a retry publishes it.
      if (!accept(ledger, 'the finalize', first)) {
        const again = await finalize(ask, gallery)
        if (again.status !== 200) ledger.problem(`finalized again: ${again.status} ${textOf(again)}`)
      }
      ledger.expect(image.name, 'available')
    },
  }
}

const finalizeEmpty: Flow = async (ask, ledger) => {
  const gallery = await createGallery(ask, `g${freshNumber()}`)
  return {
    act: ({ ask: struck }) => finalize(struck, gallery),
    async settle(first) {
      if (accept(ledger, 'the finalize', first)) return
      const again = await finalize(ask, gallery)
      if (![200, 415].includes(again.status)) ledger.problem(`finalized again: ${again.status} ${textOf(again)}`)
    },
    async finish() {
      const { status } = await ask(`/gallery/${gallery.hash}`)
      return status === 404 ? [] : [`an empty gallery is answered with ${status}`]
    },
  }
}

const rename: Flow = async (ask, ledger) => {
  const { gallery } = await madeGallery(ask, ledger)
  const name = `g${freshNumber()}`
  const send = (from: Ask) => from(`/management/${gallery.managementToken}/rename`, form({ name }))
  return {
    act: ({ ask: struck }) => send(struck),
    async settle(first) {
      if (accept(ledger, 'the rename', first)) return
      const again = await send(ask)
      if (again.status !== 200) ledger.problem(`renamed again: ${again.status} ${textOf(again)}`)
    },
    async finish() {
      const page = await ask(`/gallery/${gallery.hash}`)
      return new TextDecoder().decode(page.bytes).includes(name) ? [] : [`the gallery is not called ${name}`]
    },
  }
}

/** Deletes by token. After a failure, the retry finds the content deleted by either request. */
function deleting(token: string, name: string, ledger: Ledger, header: Record<string, string> = {}): ReadyFlow {
  const send = (ask: Ask, offsetMs?: number) =>
    ask(`/management/${token}/delete`, { method: 'POST', headers: header }, offsetMs)
  const isKeyed = Object.keys(header).length > 0
  return {
    act: ({ ask: struck }) => send(struck),
    async settle(first, ask) {
      const isDone = accept(ledger, 'the delete', first)
      if (!isDone || isKeyed) {
        const again = await send(ask, LATER_MS)
        if (!(again.status === 200 || (!isKeyed && again.status === 410))) {
          ledger.problem(`deleted again: ${again.status} ${textOf(again)}`)
        }
      }
      ledger.expect(name, 'deleted')
      const revoked = await ask(`/manage/${token}`)
      if (revoked.status !== 410) ledger.problem(`a revoked token is answered with ${revoked.status}`)
    },
  }
}

const deleteImage =
  ({ isCached }: { isCached: boolean }): Flow =>
  async (ask, ledger) => {
    const { token, name, path } = await madeImage(ask, ledger)
    if (isCached) await intoEdgeCache(ask, path)
    return deleting(token, name, ledger)
  }

const deleteImageWithKey: Flow = async (ask, ledger) => {
  const { token, name } = await madeImage(ask, ledger)
  return deleting(token, name, ledger, { 'Idempotency-Key': `delete-${name}` })
}

const deleteGallery =
  ({ isCached }: { isCached: boolean }): Flow =>
  async (ask, ledger) => {
    const { gallery, image } = await madeGallery(ask, ledger)
    if (isCached) await intoEdgeCache(ask, image.path)
    return deleting(gallery.managementToken, image.name, ledger)
  }

const deleteImageOfGallery: Flow = async (ask, ledger) => {
  const gallery = await createGallery(ask)
  const [remaining, { name, path }] = [await madeImage(ask, ledger, gallery), await madeImage(ask, ledger, gallery)]
  await finalize(ask, gallery)
  ledger.expect(remaining.name, 'available')
  const send = (from: Ask) => from(`/manage/${gallery.managementToken}`, form({ action: 'delete-image', image: path }))
  return {
    act: ({ ask: struck }) => send(struck),
    async settle(first, ask) {
      if (!accept(ledger, 'the delete', first)) {
        const again = await send(ask)
        if (![200, 410].includes(again.status)) ledger.problem(`deleted again: ${again.status} ${textOf(again)}`)
      }
      ledger.expect(name, 'deleted')
    },
    async finish() {
      const page = textOf(await ask(`/manage/${gallery.managementToken}`), Infinity)
      return page.includes(remaining.path) && !page.includes(path) ? [] : ['the page lists other images than are left']
    },
  }
}

const json = (body: object) => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json' },
})

/** Adds an image to a public gallery: it is public as soon as it is recorded. */
const addToGallery: Flow = async (ask, ledger) => {
  const { gallery } = await madeGallery(ask, ledger)
  const upload = uploadOf()
  return {
    act: ({ ask: struck }) => struck(`/management/${gallery.managementToken}/images`, upload.init()),
    settle: (first) => settleUpload(first, upload, ledger, false),
  }
}

const guestTokenIn = (response: ReceivedResponse) =>
  jsonOf<{ guest_url: string }>(response).guest_url.split('/').at(-1) ?? ''

const askForGuestLink = (ask: Ask, { managementToken }: Gallery, limits: object = {}) =>
  ask(`/management/${managementToken}/guests`, json(limits))

/** Creates a public gallery with a guest link. */
async function madeGuestGallery(ask: Ask, ledger: Ledger, limits?: object) {
  const { gallery } = await madeGallery(ask, ledger)
  return { gallery, token: guestTokenIn(await askForGuestLink(ask, gallery, limits)) }
}

/** Returns the faults of a link that must have counted these images, and accepts none beyond its limit. */
async function guestLinkFaults(ask: Ask, token: string, { hash }: Gallery, names: readonly string[], max: number) {
  const list = names.map((name) => `'${name}'`).join()
  const [found] = await rows(`
    SELECT guest_links.image_count, (SELECT count(*) FROM images WHERE name IN (${list})) AS recorded
    FROM guest_links JOIN galleries ON galleries.id = gallery_id WHERE hash = '${hash}'`)
  const counted = Number(found?.image_count)
  const page = await ask(`/add/${token}`)
  return [
    ...(counted === Number(found?.recorded) ? [] : [`a link counts ${counted} of ${found?.recorded} images`]),
    ...(page.status === (counted < max ? 200 : 403) ? [] : [`a link with ${counted} of ${max} is ${page.status}`]),
  ]
}

/** Uploads the only image that a guest link allows. An upload that failed leaves room for it. */
const addAsGuest: Flow = async (ask, ledger) => {
  const { gallery, token } = await madeGuestGallery(ask, ledger, { max_images: 1 })
  const upload = uploadOf()
  return {
    act: ({ ask: struck }) => struck(`/guests/${token}/images`, upload.init()),
    settle: (first) => settleUpload(first, upload, ledger, false),
    finish: () => guestLinkFaults(ask, token, gallery, [upload.name], 1),
  }
}

/** Sends two images by the form of a guest's page, which says how many were added. */
const addByForm: Flow = async (ask, ledger) => {
  const { gallery, token } = await madeGuestGallery(ask, ledger, { max_images: 2 })
  const uploads = [uploadOf(), uploadOf()]
  const body = new FormData()
  for (const { name, bytes } of uploads) body.append('img', new File([bytes], name))
  let added: number | undefined
  return {
    act: ({ ask: struck }) => struck(`/add/${token}`, { method: 'POST', body }),
    async settle(first) {
      if (first.status !== 0 && !accept(ledger, 'the form', first, 422)) return
      if (first.status === 200) added = Number(/Pictures added: (\d)/.exec(textOf(first, Infinity))?.[1] ?? 0)
      for (const { name, bytes } of uploads) await ledger.expectImage(name, bytes, undefined, 'maybe')
    },
    async finish() {
      const names = uploads.map(({ name }) => name)
      const faults = await guestLinkFaults(ask, token, gallery, names, 2)
      if (added === undefined) return faults
      const [page] = await rows(`SELECT image_count FROM galleries WHERE hash = '${gallery.hash}'`)
      return Number(page?.image_count) === 1 + added ? faults : [...faults, `${added} images were reported as added`]
    },
  }
}

/** Makes a guest link in place of an earlier one. */
const replaceGuestLink: Flow = async (ask, ledger) => {
  const { gallery, token: earlier } = await madeGuestGallery(ask, ledger)
  let token = ''
  return {
    act: ({ ask: struck }) => askForGuestLink(struck, gallery),
    async settle(first) {
      const last = accept(ledger, 'the guest link', first) ? first : await askForGuestLink(ask, gallery)
      if (last.status !== 200) return ledger.problem(`a guest link again: ${last.status} ${textOf(last)}`)
      token = guestTokenIn(last)
    },
    async finish() {
      const statuses = [(await ask(`/add/${earlier}`)).status, (await ask(`/add/${token}`)).status]
      return statuses.join() === '404,200' ? [] : [`the earlier link and its successor are ${statuses}`]
    },
  }
}

/** Closes a guest link, and makes another one, which stays open. */
const closeGuestLink: Flow = async (ask, ledger) => {
  const { gallery, token } = await madeGuestGallery(ask, ledger)
  const send = (from: Ask) => from(`/management/${gallery.managementToken}/guests/close`, { method: 'POST' })
  let next = ''
  return {
    act: ({ ask: struck }) => send(struck),
    async settle(first) {
      if (!accept(ledger, 'the close', first)) {
        const again = await send(ask)
        if (again.status !== 200) ledger.problem(`closed again: ${again.status} ${textOf(again)}`)
      }
      const refused = await ask(`/guests/${token}/images`, uploadOf().init())
      if (refused.status !== 410) ledger.problem(`an upload by a closed link is answered with ${refused.status}`)
      next = guestTokenIn(await askForGuestLink(ask, gallery))
    },
    async finish() {
      const statuses = [(await ask(`/add/${token}`)).status, (await ask(`/add/${next}`)).status]
      return statuses.join() === '404,200' ? [] : [`the closed link and a new one are ${statuses}`]
    },
  }
}

const viewGuestPage: Flow = async (ask, ledger) => {
  const { token } = await madeGuestGallery(ask, ledger)
  return {
    act: ({ ask: struck }) => struck(`/add/${token}`),
    async settle(first) {
      if (accept(ledger, 'the page of a guest', first) && textOf(first, Infinity).includes('/manage/')) {
        ledger.problem('the page of a guest has a management link')
      }
    },
  }
}

/** Creates a public gallery of two images. */
async function madePair(ask: Ask, ledger: Ledger) {
  const gallery = await createGallery(ask)
  const images = [await madeImage(ask, ledger, gallery), await madeImage(ask, ledger, gallery)] as const
  await finalize(ask, gallery)
  for (const { name } of images) ledger.expect(name, 'available')
  return { gallery, images }
}

const moveImages: Flow = async (ask, ledger) => {
  const { gallery, images } = await madePair(ask, ledger)
  const [first, second] = images
  const send = (from: Ask) => from(`/management/${gallery.managementToken}/order`, json({ images: [second.path] }))
  return {
    act: ({ ask: struck }) => send(struck),
    async settle(response) {
      if (accept(ledger, 'the move', response)) return
      const again = await send(ask)
      if (again.status !== 200) ledger.problem(`moved again: ${again.status} ${textOf(again)}`)
    },
    async finish() {
      const page = textOf(await ask(`/gallery/${gallery.hash}`), Infinity)
      return page.indexOf(second.path) < page.indexOf(first.path) ? [] : ['the image is not where it was moved to']
    },
  }
}

const removeImages: Flow = async (ask, ledger) => {
  const { gallery, images } = await madePair(ask, ledger)
  const body = json({ images: images.map(({ path }) => path) })
  const send = (from: Ask) => from(`/management/${gallery.managementToken}/remove`, body)
  return {
    act: ({ ask: struck }) => send(struck),
    async settle(first) {
      if (!accept(ledger, 'the removal', first)) {
        const again = await send(ask)
        if (again.status !== 200) ledger.problem(`removed again: ${again.status} ${textOf(again)}`)
      }
      for (const { name } of images) ledger.expect(name, 'deleted')
    },
  }
}

const editImage: Flow = async (ask, ledger) => {
  const { gallery, image } = await madeGallery(ask, ledger)
  const caption = `caption ${freshNumber()}`
  const send = (from: Ask) => from(`/management/${gallery.managementToken}/edit`, json({ image: image.path, caption }))
  return {
    act: ({ ask: struck }) => send(struck),
    async settle(first) {
      if (accept(ledger, 'the edit', first)) return
      const again = await send(ask)
      if (again.status !== 200) ledger.problem(`edited again: ${again.status} ${textOf(again)}`)
    },
    async finish() {
      const page = textOf(await ask(`/show/${image.path}`), Infinity)
      return page.includes(caption) ? [] : [`the image has not the caption ${caption}`]
    },
  }
}

/** Announcements that arrived, and the number of further requests that the receiver refuses, by the name of the image. */
const announced = new Map<string, { ids: Set<string | null>; bodies: string[]; refusals: number }>()

function receiveAnnouncement({ headers, body }: { headers: Headers; body: string }): Response {
  const { data } = JSON.parse(body)
  const known = announced.get(data.name)
  if (known && known.refusals-- > 0) return new Response(null, { status: 503 })
  known?.ids.add(headers.get('webhook-id'))
  known?.bodies.push(body)
  return new Response(null, { status: 204 })
}

/**
 * Uploads an image that is announced to a receiver, which refuses the first requests. Whatever is stored is announced at last, at least
 * once, and nothing else is.
 */
const uploadAnnounced =
  ({ refusals }: { refusals: number }): Flow =>
  async () => {
    receiveAt(ANNOUNCING.UPLOAD_WEBHOOK, receiveAnnouncement)
    const upload = uploadOf()
    const { name } = upload
    const received = { ids: new Set<string | null>(), bodies: [] as string[], refusals }
    announced.set(name, received)
    return {
      act: ({ ask: struck }) => struck('/images', upload.init(), 0, ANNOUNCING),
      settle: (first, _, ledger) => settleUpload(first, upload, ledger, false),
      async finish() {
        const { length: stored } = await rows(`SELECT 1 FROM images WHERE name = '${name}'`)
        const { length: left } = await rows(`SELECT 1 FROM upload_events WHERE body LIKE '%"${name}"%'`)
        const { ids, bodies } = received
        return [
          ...(bodies.length >= stored ? [] : ['a stored image is not announced']),
          ...(stored > 0 || bodies.length === 0 ? [] : ['an image that is not stored is announced']),
          ...(bodies.length <= 3 ? [] : [`an image is announced ${bodies.length} times`]),
          ...(ids.size <= 1 && !bodies.join().includes('manage')
            ? []
            : ['an announcement has several ids, or a token']),
          ...(left === 0 ? [] : ['an announcement is left']),
        ]
      },
    }
  }

const HOOK = 'https://check.example/'

/** Uploads an image that a hook allows or denies. Without its decision, the upload is refused or, if the operator says so, stored. */
const uploadChecked =
  ({ allow, fails }: { allow: boolean; fails: 'open' | 'closed' }): Flow =>
  async () => {
    receiveAt(HOOK, ({ body }) => Response.json({ allow: !JSON.parse(body).data.filename.includes('denied') }))
    const upload = allow ? uploadOf() : uploadOf(undefined, undefined, { prefix: 'denied' })
    let service: StruckService | undefined
    return {
      act(struck) {
        service = struck
        return struck.ask('/images', upload.init(), 0, { UPLOAD_HOOK: HOOK, UPLOAD_HOOK_FAILS: fails })
      },
      async settle(first, _, ledger) {
        const isUndecided = service?.struckCalls.includes('fetch') === true
        const mayBeStored = isUndecided ? fails === 'open' : allow
        if (first.status === 200 && !mayBeStored) ledger.problem('an upload is stored that the hook did not allow')
        const expected = fails === 'open' ? 200 : 503
        if (isUndecided && first.status !== 0 && first.status !== expected) {
          ledger.problem(`an upload without a decision is ${first.status}: ${textOf(first)}`)
        }
        await settleUpload(first, upload, ledger, false)
      },
    }
  }

const status: Flow = async (ask, ledger) => {
  const { path } = await madeImage(ask, ledger)
  const urls = [`https://d.example/show/${path}`, `https://d.example/show/${path.replace('_p', '_q')}`, 'x']
  return {
    act: ({ ask: struck }) =>
      struck('/images/status', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ urls }),
      }),
    async settle(first) {
      if (!accept(ledger, 'the status', first)) return
      const found = jsonOf<{ results: { status: string }[] }>(first).results.map((result) => result.status)
      if (found.join() !== 'available,not_found,invalid') ledger.problem(`the status is ${found}`)
    },
  }
}

/** Reads an image: its page, or one of its files. */
const view =
  (kind: FileKind | 'show'): Flow =>
  async (ask, ledger) => {
    const { path, bytes } = await madeImage(ask, ledger)
    return {
      act: ({ ask: struck }) => struck(`/${kind}/${path}`),
      async settle(first) {
        if (!accept(ledger, 'the look', first) || kind !== 'images') return
        if (textOf(first) !== new TextDecoder().decode(bytes)) ledger.problem('the file has other bytes')
      },
    }
  }

/** Reads a static asset of the Worker, or a response that is made of one, and expects these words in it. */
const viewStatic =
  (path: string, words: string): Flow =>
  async () => ({
    act: ({ ask: struck }) => struck(path),
    async settle(first, _, ledger) {
      if (accept(ledger, path, first) && !textOf(first, Infinity).includes(words))
        ledger.problem(`${path} has other text`)
    },
  })

const report: Flow = async (ask, ledger) => {
  const { path } = await madeImage(ask, ledger)
  const id = /(\d+)_/.exec(path)?.[1]
  const send = (from: Ask) =>
    from('/report', form({ url: `https://d.example/show/${path}`, reason: 'illegal', details: 'mine', contact: '' }))
  let most = 1
  return {
    act: ({ ask: struck }) => send(struck),
    async settle(first) {
      if (accept(ledger, 'the report', first)) return
      most = 2
      if ((await send(ask)).status !== 200) ledger.problem('the report cannot be sent again')
    },
    async finish() {
      const { length: times } = await rows(`SELECT id FROM reports WHERE image_id = ${id}`)
      return times >= 1 && times <= most ? [] : [`a report is kept ${times} times`]
    },
  }
}

const decide = (ask: Ask, operation: 'remove' | 'dismiss' | 'reconcile', body: unknown, offsetMs = 0) =>
  ask(
    `/operator/${operation}`,
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${OPERATOR_KEY}` },
      body: JSON.stringify(body),
    },
    offsetMs,
  )

/** Runs an operator's decision about a reported image, and repeats it after a failure. */
function deciding(decision: 'remove' | 'dismiss'): Flow {
  return async (ask, ledger) => {
    const { path, name, bytes } = await madeImage(ask, ledger)
    const url = `https://d.example/show/${path}`
    const id = /(\d+)_/.exec(path)?.[1]
    await ask('/report', form({ url, reason: 'illegal', details: '', contact: '' }))
    const send = (from: Ask) => decide(from, decision, decision === 'remove' ? { url, block: true } : { url })
    return {
      act: ({ ask: struck }) => send(struck),
      async settle(first) {
        if (!accept(ledger, decision, first)) {
          const again = await send(ask)
          if (again.status !== 200) ledger.problem(`${decision} again: ${again.status} ${textOf(again)}`)
        }
        if (decision === 'remove') ledger.expect(name, 'deleted')
      },
      async finish() {
        const open = await rows(`SELECT 1 FROM reports WHERE image_id = ${id} AND handled_at IS NULL`)
        if (open.length > 0) return ['a report is open still']
        if (decision === 'dismiss') return []
        const body = new FormData()
        body.set('img', new File([bytes], `again-${name}`))
        body.set('content_type', '0')
        const again = await ask('/images', { method: 'POST', body })
        return again.status === 422 ? [] : [`a blocked picture is answered with ${again.status}`]
      },
    }
  }
}

const openReports: Flow = async (ask, ledger) => {
  const { path } = await madeImage(ask, ledger)
  await ask('/report', form({ url: `https://d.example/show/${path}`, reason: 'illegal', details: '', contact: '' }))
  return {
    act: ({ ask: struck }) => struck('/operator/reports', { headers: { Authorization: `Bearer ${OPERATOR_KEY}` } }),
    async settle(first) {
      if (!accept(ledger, 'the reports', first)) return
      const isComplete = jsonOf<{ unavailable_shards: number[] }>(first).unavailable_shards.length === 0
      if (isComplete && !new TextDecoder().decode(first.bytes).includes(path)) {
        ledger.problem('a report is not listed')
      }
    },
  }
}

/** Every flow of a client, by its name. */
export const FLOWS: Record<string, Flow> = {
  'an image': uploadImage(),
  'an image with a preview': uploadImage(WIDE),
  'an image that expires': uploadExpiring,
  'an image into a gallery': uploadIntoGallery,
  'a cover': uploadCover,
  'an image with a key': uploadWithKey,
  'an announced image': uploadAnnounced({ refusals: 0 }),
  'a replay': replay,
  'a new gallery': newGallery,
  'a finalize': finalizeGallery,
  'a finalize of an empty gallery': finalizeEmpty,
  'a rename': rename,
  'a delete of a picture': deleteImage({ isCached: false }),
  'a delete of a picture with a key': deleteImageWithKey,
  'a delete of a gallery': deleteGallery({ isCached: false }),
  'a delete of a picture of a gallery': deleteImageOfGallery,
  'an image into a public gallery': addToGallery,
  'a move of pictures': moveImages,
  'a removal of pictures': removeImages,
  'a caption': editImage,
  'an image of a guest': addAsGuest,
  'a form of a guest': addByForm,
  'a guest link': replaceGuestLink,
  'a close of a guest link': closeGuestLink,
  'a look at the page of a guest': viewGuestPage,
  'a status': status,
  'a look at a page': view('show'),
  'a look at an original': view('images'),
  'a look at a thumbnail': view('thumbs'),
  'a look at a preview': view('previews'),
  'a look at a style sheet': viewStatic(ASSETS.style.path, 'color-scheme'),
  'a look at the OpenAPI document': viewStatic('/openapi.json', '"openapi":"3.1.0"'),
  'a look at the tools': viewStatic('/tools', 'javascript:'),
  'a report': report,
  'a removal by the operator': deciding('remove'),
  'a dismissal by the operator': deciding('dismiss'),
  'a list of reports': openReports,
}

/** Uploads that call the UPLOAD_HOOK, or an UPLOAD_WEBHOOK that is down at first. They may take longer than others. */
export const OPERATOR_FLOWS: Record<string, Flow> = {
  'an image whose receiver is down for two attempts': uploadAnnounced({ refusals: 2 }),
  'an image that the hook allows': uploadChecked({ allow: true, fails: 'closed' }),
  'an image that the hook denies': uploadChecked({ allow: false, fails: 'closed' }),
  'an image that the hook allows, which fails open': uploadChecked({ allow: true, fails: 'open' }),
}

/** Runs a batch of `npm run reconcile --remove` a day later, which removes the orphaned file and no other. */
const reconcile =
  (after: 'files:' | 'records:0'): Flow =>
  async (ask, ledger) => {
    await madeImage(ask, ledger)
    if (after === 'files:') await env.FILES.put('images/0/1_a.gif', 'of nobody')
    const send = (from: Ask) => decide(from, 'reconcile', { after, remove: true }, 30 * HOUR_MS)
    return {
      act: ({ ask: struck }) => send(struck),
      async settle(first) {
        const responses = [first, ...(accept(ledger, 'the comparison', first) ? [] : [await send(ask)])]
        const { status } = responses.at(-1) ?? first
        if (status !== 200) ledger.problem(`compared again: ${status}`)
        // A failed call may have removed it already.
        const missing = responses.some((response) => new TextDecoder().decode(response.bytes).includes('"missing"'))
        if (missing) ledger.problem('a file is said to be missing')
      },
    }
  }

/**
 * Flows that run alone. Once another flow's sweep has forgotten their images, nobody can purge these from the edge
 * cache. A comparison reads all files.
 */
export const LONE_FLOWS: Record<string, Flow> = {
  'a delete of a picture in the edge cache': deleteImage({ isCached: true }),
  'a delete of a gallery in the edge cache': deleteGallery({ isCached: true }),
  'a comparison of files with records': reconcile('files:'),
  'a comparison of records with files': reconcile('records:0'),
}

/** Requests between the calls of an upload into a gallery. Each returns its response. */
export const INTERRUPTIONS: Record<string, (struck: StruckService, gallery: Gallery) => Promise<ReceivedResponse>> = {
  'a delete': ({ ask }, { managementToken }) => ask(`/management/${managementToken}/delete`, { method: 'POST' }),
  'a finalize': ({ ask }, gallery) => finalize(ask, gallery),
  'a sweep of what is older than an hour': async ({ tick }) => {
    await tick(HOUR_MS + LATER_MS)
    return { status: 200, bytes: new Uint8Array() }
  },
  'a tick a day later': async ({ tick }) => {
    await tick(DAY_LATER_MS)
    return { status: 200, bytes: new Uint8Array() }
  },
}

/**
 * Uploads into a gallery, interrupted before one of its calls by another request, which ends before the upload
 * continues. The gallery has an image before, or none.
 */
export function interruptedUpload(interruption: {
  name: string
  beforeCall: number
  other: StruckService
  hasImage: boolean
}): Flow {
  return async (ask, ledger) => {
    const gallery = await createGallery(ask)
    const before = interruption.hasImage ? await madeImage(ask, ledger, gallery) : undefined
    const upload = uploadOf(gallery)
    const interrupt = INTERRUPTIONS[interruption.name]
    let interrupted: Promise<ReceivedResponse> | undefined
    let isOver = false
    return {
      act(struck) {
        struck.beforeCalls(async (call) => {
          // Later calls of a dead isolate interrupt nothing.
          if (isOver || call !== interruption.beforeCall) return
          interrupted = interrupt?.(interruption.other, gallery)
          await interrupted
        })
        return struck.ask('/images', upload.init())
      },
      async settle(first) {
        isOver = true
        // The upload may have its response already, if its call had to wait for too long.
        const second = await interrupted
        await interruption.other.release()
        // Whichever came first, the other is rejected because of it.
        const isStored = accept(ledger, 'the upload', first, 415, 422)
        if (isStored) await ledger.expectImage(upload.name, upload.bytes, pathOf(jsonOf(first)), 'pending')
        else if (first.status === 0) await ledger.expectImage(upload.name, upload.bytes, undefined, 'maybe')
        if (second) accept(ledger, interruption.name, second, 415)
        const state = await stateOf(ask, ledger, gallery)
        if (before) ledger.expect(before.name, state)
        if (isStored) ledger.expect(upload.name, state)
        if ((isStored || before) && state === 'deleted' && interruption.name !== 'a delete') {
          ledger.problem('a gallery with a picture was removed as if it were empty')
        }
      },
    }
  }
}

/** Returns the state of a gallery, which its images share. */
async function stateOf(ask: Ask, ledger: Ledger, gallery: Gallery): Promise<Expected> {
  const [row] = await rows(`SELECT finalized_at, deleted_at FROM galleries WHERE hash = '${gallery.hash}'`)
  const managed = await ask(`/manage/${gallery.managementToken}`)
  const isDeleted = row?.deleted_at !== null
  if (managed.status !== (isDeleted ? 410 : 200)) ledger.problem(`the token is answered with ${managed.status}`)
  if (isDeleted) return 'deleted'
  return row.finalized_at === null ? 'pending' : 'available'
}

/** Times of the ticks after a flow: soon, when an upload counts as interrupted, an hour later, and after a day. */
export const TICKS_MS = [
  LATER_MS,
  HOUR_MS + LATER_MS,
  2 * HOUR_MS + 2 * LATER_MS,
  25 * HOUR_MS,
  27 * HOUR_MS,
  29 * HOUR_MS,
]

/** Deletes, and dies before any file is removed. */
async function deleteUnswept(token: string): Promise<void> {
  let isDead = false
  const strikes = (_: number, name: string) => {
    isDead ||= name === 'R2.delete'
    return isDead
  }
  const dying = struckService({ fault: 'hangs', strikes })
  await Promise.race([dying.ask(`/management/${token}/delete`, { method: 'POST' }), dying.struck])
}

/** Prepares one item of each kind of work for a tick after a day, which `tickAfterDay` runs. */
export const prepareWork: Flow = async (ask, ledger) => {
  const stale = await madeImage(ask, ledger, await createGallery(ask))
  const empty = await createGallery(ask, `g${freshNumber()}`)
  const image = await madeImage(ask, ledger)
  await deleteUnswept(image.token)
  const { gallery, image: inGallery } = await madeGallery(ask, ledger)
  await deleteUnswept(gallery.managementToken)
  for (const { name } of [image, inGallery]) ledger.expect(name, 'deleted')
  const unrecorded = struckService({ fault: 'throws before', strikes: every('D1.batch'), message: 'D1 is away' })
  const abandoned = await unrecorded.ask('/images', uploadOf().init())
  if (abandoned.status !== 503) ledger.problem(`an upload without D1 is answered with ${abandoned.status}`)
  const expired = await madeImage(ask, ledger, undefined, AN_HOUR)
  const expiredGallery = await createGallery(ask, `g${freshNumber()}`, AN_HOUR)
  const expiredInside = await madeImage(ask, ledger, expiredGallery)
  await finalize(ask, expiredGallery)
  const keyed = uploadOf()
  const response = await ask('/images', keyed.init({ 'Idempotency-Key': `key-of-${keyed.name}` }))
  await ledger.expectImage(keyed.name, keyed.bytes, pathOf(jsonOf(response)), 'available')
  return {
    act: async () => ({ status: 200, bytes: new Uint8Array() }),
    // The tick may have published it, or left that to the next one.
    settle: async () => {
      for (const { name } of [stale, expired, expiredInside]) ledger.expect(name, 'maybe')
    },
    async finish() {
      const keys = await rows('SELECT 1 FROM idempotency_keys')
      const { status } = await ask(`/gallery/${empty.hash}`)
      const page = await ask(`/show/${stale.path}`)
      const responses = await Promise.all(
        [expired, expiredInside].map(({ path }) => ask(`/previews/${path}`, {}, WORK_AT_MS)),
      )
      const due = await rows('SELECT 1 FROM images WHERE expires_at IS NOT NULL AND path_digest IS NULL')
      return [
        ...responses.flatMap(({ status }) => (status === 410 ? [] : [`an expired picture is answered with ${status}`])),
        ...(due.length === 0 ? [] : ['an expired picture has its name still']),
        ...(keys.length === 0 ? [] : ['an answer is kept for longer than a day']),
        ...(status === 404 ? [] : [`an empty gallery is answered with ${status}`]),
        ...(page.status === 200 ? [] : [`a picture of a gallery that is due is answered with ${page.status}`]),
      ]
    },
  }
}

/** Times of the tick with work of each kind, and of the ticks after it. */
export const WORK_AT_MS = DAY_LATER_MS
export const TICKS_AFTER_WORK_MS = [2 * MINUTE_MS, 62 * MINUTE_MS, 130 * MINUTE_MS, 4 * HOUR_MS].map(
  (ms) => DAY_LATER_MS + ms,
)
