import { randomUUID } from 'node:crypto'
import { below, pick, type Random } from '../../support/random.ts'
import { type ApiResponse, type Ask, send } from './client.ts'
import { file, multipartBody, parts } from './multipart-body.ts'

const COMMENT_MAX_BYTES = 200_000
/** Wider than a preview. */
const CANVAS_WIDTH = 1281

/** An image whose upload was acknowledged. */
interface Image {
  showUrl: string
  thumbnailUrl: string
  bytes: Buffer
  /** The thumbnail of an earlier read. */
  thumbnail: Buffer | undefined
  gallery: Gallery | undefined
  token: string | undefined
  isDeleted: boolean
}

/** A gallery whose creation was acknowledged. */
interface Gallery {
  hash: string
  uploadToken: string
  token: string
  name: string
  state: 'open' | 'public' | 'deleted'
  images: Image[]
}

/** A request, and the handler of its response. Without a response it is sent again. */
interface Operation {
  ask: Ask
  /** Further statuses that are right if the request is sent again. */
  againToo?: readonly number[]
  take: (response: ApiResponse) => void
}

/** A response that was stored for its key. */
interface StoredResponse {
  ask: Ask
  text: string
}

/** Returns a GIF of one pixel with this number as its colours, on a canvas that needs a preview. `commentBytes` make it larger. */
function gifOf(number: number, commentBytes: number): Buffer {
  const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')
  gif.writeUInt16LE(CANVAS_WIDTH, 6)
  gif.writeUIntBE(number % 2 ** 48, 13, 6)
  if (commentBytes === 0) return gif
  const block = Buffer.concat([Buffer.from([255]), Buffer.alloc(255, String(number))])
  const blocks = Array.from({ length: Math.ceil(commentBytes / block.length) }, () => block)
  const comment = [Buffer.from([0x21, 0xfe]), ...blocks, Buffer.from([0])]
  return Buffer.concat([gif.subarray(0, 19), ...comment, gif.subarray(19)])
}

function isPublicImage(one: Image | Gallery): boolean {
  return 'showUrl' in one && !one.isDeleted && (one.gallery === undefined || one.gallery.state === 'public')
}

/** Returns whether these bytes are a complete WebP, equal to an earlier read. */
function isWebp(bytes: Buffer, earlier?: Buffer): boolean {
  const isWhole =
    bytes.length > 20 && bytes.readUInt32LE(4) === bytes.length - 8 && bytes.toString('latin1', 8, 12) === 'WEBP'
  return isWhole && (earlier === undefined || bytes.equals(earlier))
}

/** One client of a service that is killed repeatedly. It remembers all responses, and checks that they still hold. */
export class CrashClient {
  readonly #random: Random
  readonly #images: Image[] = []
  readonly #galleries: Gallery[] = []
  readonly #storedResponses: StoredResponse[] = []
  readonly problems: string[] = []
  /** The request without a response when the service was killed. */
  #unanswered: Operation | undefined
  #touched = new Set<Image | Gallery>()
  acknowledged = 0
  retried = 0
  /** The number of checks of public images, and how many of these differed from what was acknowledged. */
  looked = 0
  lost = 0
  #number: number

  constructor(number: number, random: Random) {
    this.#random = random
    this.#number = number * 1_000_000_000
  }

  /** Works until the service stops responding. */
  async work(baseUrl: string): Promise<void> {
    while (await this.#step(baseUrl));
  }

  /** Repeats the request that had no response. */
  async finish(baseUrl: string): Promise<void> {
    if (this.#unanswered && !(await this.#step(baseUrl))) this.problems.push('a retry has no answer')
  }

  /** Sends one request. Returns whether there was a response. */
  async #step(baseUrl: string): Promise<boolean> {
    const isRetry = this.#unanswered !== undefined
    const operation = this.#unanswered ?? this.#next()
    this.#unanswered = operation
    let response: ApiResponse
    try {
      response = await send(baseUrl, operation.ask)
    } catch {
      return false
    }
    this.#unanswered = undefined
    // The service reports that it could not do it.
    if (response.status === 503) return true
    if (response.status === 200 && operation.ask.method !== 'GET') {
      this.acknowledged++
      if (isRetry) this.retried++
      if (operation.ask.headers?.['idempotency-key'])
        this.#storedResponses.push({ ask: operation.ask, text: response.text })
    } else if (response.status !== 200 && !(isRetry && operation.againToo?.includes(response.status))) {
      this.problems.push(`${operation.ask.path}: ${response.status} ${response.text.slice(0, 200)}`)
      return true
    }
    operation.take(response)
    return true
  }

  /** Forgets the request without a response, if it must not be repeated: its outcome is unknown. */
  forgetUnrepeatable(): void {
    const { ask } = this.#unanswered ?? {}
    if (!ask) return
    const isRepeatable = ask.headers?.['idempotency-key'] !== undefined || !/^\/(?:images|galleries)$/.test(ask.path)
    if (!isRepeatable) this.#unanswered = undefined
  }

  /** Checks everything that changed since the last check, and some of the rest, or all of it. */
  async check(baseUrl: string, isAll: boolean): Promise<void> {
    const all = [...this.#images, ...this.#galleries]
    const some = all.length === 0 ? [] : Array.from({ length: 5 }, () => pick(all, this.#random))
    for (const one of new Set(isAll ? all : [...this.#touched, ...some])) {
      // Its state is unknown until the retry.
      if (this.#isInQuestion(one)) continue
      const problemsBefore = this.problems.length
      try {
        await ('showUrl' in one ? this.#checkImage(baseUrl, one) : this.#checkGallery(baseUrl, one))
      } catch (error) {
        const name = 'showUrl' in one ? new URL(one.showUrl).pathname : `the gallery ${one.hash}`
        this.problems.push(`${name} breaks the connection: ${error instanceof Error ? error.message : error}`)
      }
      if (!isPublicImage(one)) continue
      this.looked++
      if (this.problems.length > problemsBefore) this.lost++
    }
    if (this.#storedResponses.length > 0) {
      const storedResponse = pick(this.#storedResponses, this.#random)
      const again = await send(baseUrl, storedResponse.ask)
      if (again.status !== 200 || again.text !== storedResponse.text)
        this.problems.push(`the key of ${storedResponse.ask.path} is forgotten`)
    }
    this.#touched = new Set()
  }

  #isInQuestion(one: Image | Gallery): boolean {
    const path = this.#unanswered?.ask.path ?? ''
    const gallery = 'showUrl' in one ? one.gallery : one
    const tokens = [one.token, gallery?.token, gallery?.hash]
    return tokens.some((token) => token !== undefined && path.includes(token))
  }

  async #checkImage(baseUrl: string, image: Image): Promise<void> {
    const { showUrl, thumbnailUrl, bytes, gallery } = image
    const state =
      image.isDeleted || gallery?.state === 'deleted' ? 'deleted' : gallery?.state === 'open' ? 'pending' : 'available'
    const [show, thumbnail] = [new URL(showUrl), new URL(thumbnailUrl)]
    const { status, text } = await send(baseUrl, {
      path: '/images/status',
      headers: { 'content-type': 'application/json', 'cf-connecting-ip': `2001:db8:${this.#hex()}:${this.#hex()}::1` },
      body: JSON.stringify({ urls: [showUrl] }),
    })
    if (!text.includes(`"status":"${state}"`))
      this.problems.push(`${show.pathname} should be ${state}: ${status} ${text}`)
    const original = await send(baseUrl, get(show.pathname.replace('/show/', '/images/')))
    const small = await send(baseUrl, get(thumbnail.pathname))
    const preview = await send(baseUrl, get(thumbnail.pathname.replace('/thumbs/', '/previews/')))
    const statuses = [original, small, preview].map((one) => one.status)
    const isRight =
      state === 'available'
        ? statuses.every((one) => one === 200) &&
          original.bytes.equals(bytes) &&
          isWebp(small.bytes, image.thumbnail) &&
          isWebp(preview.bytes)
        : statuses.every((one) => one === 404)
    if (!isRight) this.problems.push(`the files of ${show.pathname} (${state}): ${statuses}`)
    if (image.token) await this.#checkToken(baseUrl, image.token, image.isDeleted)
  }

  async #checkGallery(baseUrl: string, gallery: Gallery): Promise<void> {
    const page = await send(baseUrl, get(`/gallery/${gallery.hash}`))
    const isPublic = gallery.state === 'public'
    if (page.status !== (isPublic ? 200 : 404)) {
      this.problems.push(`the gallery ${gallery.hash} (${gallery.state}) is ${page.status}`)
    } else if (isPublic) {
      const lost = gallery.images.filter(({ showUrl }) => !page.text.includes(new URL(showUrl).pathname))
      if (lost.length > 0) this.problems.push(`the gallery ${gallery.hash} lacks ${lost.length} pictures`)
      if (!page.text.includes(gallery.name)) this.problems.push(`the gallery ${gallery.hash} has another name`)
    }
    await this.#checkToken(baseUrl, gallery.token, gallery.state === 'deleted')
  }

  async #checkToken(baseUrl: string, token: string, isRevoked: boolean): Promise<void> {
    const { status } = await send(baseUrl, get(`/manage/${token}`))
    if (status !== (isRevoked ? 410 : 200))
      this.problems.push(`a token (${isRevoked ? 'revoked' : 'good'}) is ${status}`)
  }

  #next(): Operation {
    const alone = this.#images.filter(({ isDeleted, token }) => token !== undefined && !isDeleted)
    const galleries = this.#galleries.filter(({ state }) => state !== 'deleted')
    const open = galleries.filter(({ state }) => state === 'open')
    const filled = open.filter(({ images }) => images.length > 0)
    const kind = this.#random()
    const [oneAlone, oneOpen, oneFilled, oneGallery] = [alone, open, filled, galleries].map((list) => list.length > 0)
    if (kind < 0.12 || !oneOpen) return this.#create()
    if (kind < 0.42) return this.#upload(pick(open, this.#random))
    if (kind < 0.52 && oneFilled) return this.#finalize(pick(filled, this.#random))
    if (kind < 0.6 && oneGallery) return this.#rename(pick(galleries, this.#random))
    if (kind < 0.7 && oneAlone) return this.#deleteImage(pick(alone, this.#random))
    if (kind < 0.74 && galleries.length > 5) return this.#deleteGallery(pick(galleries, this.#random))
    if (kind < 0.8 && oneAlone) return this.#readThumbnail(pick(alone, this.#random))
    return this.#upload(undefined)
  }

  #upload(gallery: Gallery | undefined): Operation {
    const isLarge = this.#random() < 0.1
    const bytes = gifOf(++this.#number, isLarge ? below(COMMENT_MAX_BYTES, this.#random) : 0)
    const fields = gallery
      ? { gallery_hash: gallery.hash, gallery_upload_hash: gallery.uploadToken }
      : { include_manage_url: '1' }
    const body = multipartBody(parts({ img: file(`c${this.#number}.gif`, bytes), content_type: '0', ...fields }))
    return {
      ask: { path: '/images', body: body.bytes, headers: { 'content-type': body.contentType, ...this.#maybeKey() } },
      take: ({ text }) => {
        const { show_url, th_url, manage_url } = JSON.parse(text)
        const image = {
          showUrl: show_url,
          thumbnailUrl: th_url,
          bytes,
          thumbnail: undefined,
          gallery,
          token: tokenOf(manage_url),
          isDeleted: false,
        }
        this.#images.push(image)
        gallery?.images.push(image)
        this.#touched.add(image)
      },
    }
  }

  #readThumbnail(image: Image): Operation {
    return {
      ask: get(new URL(image.thumbnailUrl).pathname),
      take: ({ bytes }) => {
        image.thumbnail = bytes
      },
    }
  }

  #create(): Operation {
    const name = `g${++this.#number}`
    return {
      ask: form('/galleries', { gallery_name: name, include_manage_url: '1' }, this.#maybeKey()),
      take: ({ text }) => {
        const { gallery_hash, gallery_upload_hash, manage_url } = JSON.parse(text)
        const token = tokenOf(manage_url) ?? ''
        const gallery: Gallery = {
          hash: gallery_hash,
          uploadToken: gallery_upload_hash,
          token,
          name,
          state: 'open',
          images: [],
        }
        this.#galleries.push(gallery)
        this.#touched.add(gallery)
      },
    }
  }

  #finalize(gallery: Gallery): Operation {
    return {
      ask: form(`/galleries/${gallery.hash}/finalize`, { gallery_upload_hash: gallery.uploadToken }),
      take: () => this.#change(gallery, { state: 'public' }),
    }
  }

  #rename(gallery: Gallery): Operation {
    const name = `g${++this.#number}`
    return {
      ask: form(`/management/${gallery.token}/rename`, { name }),
      take: () => this.#change(gallery, { name }),
    }
  }

  #deleteImage(image: Image): Operation {
    return this.#delete(image.token ?? '', () => this.#change(image, { isDeleted: true }))
  }

  #deleteGallery(gallery: Gallery): Operation {
    return this.#delete(gallery.token, () => this.#change(gallery, { state: 'deleted' }))
  }

  /** With a key, the retry returns the stored response; without one, 410. */
  #delete(token: string, take: () => void): Operation {
    const headers = this.#maybeKey()
    const isKeyed = Object.keys(headers).length > 0
    return { ask: { path: `/management/${token}/delete`, headers }, againToo: isKeyed ? [] : [410], take }
  }

  #change<One extends Image | Gallery>(one: One, to: Partial<One>): void {
    Object.assign(one, to)
    this.#touched.add(one)
    if ('images' in one) for (const image of one.images) this.#touched.add(image)
  }

  #maybeKey(): Record<string, string> {
    return this.#random() < 0.5 ? { 'idempotency-key': randomUUID() } : {}
  }

  #hex(): string {
    return (1 + below(65_535, this.#random)).toString(16)
  }
}

function get(path: string): Ask {
  return { method: 'GET', path }
}

function form(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Ask {
  const body = new URLSearchParams(fields).toString()
  return { path, body, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } }
}

function tokenOf(manageUrl: string | undefined): string | undefined {
  return manageUrl?.split('/').at(-1)
}
