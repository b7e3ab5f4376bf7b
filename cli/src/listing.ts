import { originalOf } from '../../src/pages/shell/codes.ts'
import { gallery as galleryRoute, prefixOf, show as showRoute } from '../../src/routes.ts'
import { RequestFailed, UsageError } from './problems.ts'
import type { Response } from './requests/http.ts'
import { isObject, parseObject } from './requests/responses.ts'

/** An image that can be downloaded. */
export interface ListedImage {
  /** The name that its page shows. */
  name: string
  /** The address of the original. */
  url: string
  /** Its public page, where the host says it. */
  pageUrl: string | undefined
  /** Its size, where the host says it. */
  bytes: number | undefined
  /** When it was uploaded, where the host says it. */
  uploadedMs: number | undefined
  mediaType: string | undefined
}

/** A page of a gallery, or one image. */
export interface Listing {
  /** The name of the gallery; empty for an untitled one, and for an image. */
  name: string
  images: ListedImage[]
  /** The address of the next page. */
  next: string | undefined
}

/** A link to download from. */
export interface Source {
  url: URL
  kind: 'gallery' | 'image'
  /** The last part of its path. */
  id: string
}

const WEB_ADDRESS = /^https?:\/\/[^\s"<>\p{Cc}]+$/u

/** Reads the link of a gallery or of an image's page. Throws `UsageError`. */
export function readSource(link: string): Source {
  const url = WEB_ADDRESS.test(link) && URL.canParse(link) ? new URL(link) : undefined
  const path = url?.pathname.replace(/\/+$/, '').replace(/\.json$/, '') ?? ''
  const id = path.split('/').at(-1) ?? ''
  if (url && !url.username && !url.password) {
    url.hash = ''
    if (path.includes(prefixOf(galleryRoute))) return { url, kind: 'gallery', id }
    if (path.includes(prefixOf(showRoute))) return { url, kind: 'image', id }
  }
  throw new UsageError(`"${link}" is no link of a gallery or of a picture's page`)
}

/** Reads a page of a gallery, or the page of an image: as JSON or, from hosts that have none, as HTML. Throws `RequestFailed`. */
export function readListing({ text, headers }: Response, { url, kind }: Source): Listing {
  const listing = /json/.test(headers['content-type'] ?? '') ? listingOfJson(text, kind) : listingOfPage(text, kind)
  if (listing === undefined) {
    throw new RequestFailed(`${url.href} is no ${kind} of this API`)
  }
  return listing
}

/** Returns the address of the next page of a gallery. Throws `RequestFailed` if its host is another one. */
export function nextPage({ next, images }: Listing, { origin }: URL): URL | undefined {
  if (next === undefined || images.length === 0) return undefined
  const url = URL.canParse(next) ? new URL(next) : undefined
  if (url?.origin !== origin) throw new RequestFailed('the next page of the gallery is at another host')
  return url
}

function listingOfJson(text: string, kind: Source['kind']): Listing | undefined {
  const fields = parseObject(text)
  if (fields === undefined) return undefined
  if (kind === 'image') {
    const image = imageOf(fields)
    return image && { name: '', images: [image], next: undefined }
  }
  if (!Array.isArray(fields.images)) return undefined
  const images = fields.images.map((image: unknown) => {
    const listed = imageOf(image)
    if (listed === undefined) throw new RequestFailed('the host lists a picture without a name or an address')
    return listed
  })
  return { name: textOf(fields.name) ?? '', images, next: textOf(fields.next) }
}

function imageOf(value: unknown): ListedImage | undefined {
  if (!isObject(value)) return undefined
  const [name, url] = [textOf(value.name), textOf(value.image_url)]
  if (name === undefined || url === undefined || !WEB_ADDRESS.test(url)) return undefined
  const uploadedMs = Date.parse(textOf(value.created_at) ?? '')
  return {
    name,
    url,
    pageUrl: textOf(value.show_url),
    bytes: typeof value.bytes === 'number' && Number.isSafeInteger(value.bytes) ? value.bytes : undefined,
    uploadedMs: Number.isNaN(uploadedMs) ? undefined : uploadedMs,
    mediaType: textOf(value.media_type),
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Images of a page as all services of this API write them. Names are those of addresses, after their number. */
function listingOfPage(html: string, kind: Source['kind']): Listing | undefined {
  const pattern =
    kind === 'gallery'
      ? /<a href="(?<page>[^"]+)"><img src="(?<image>[^"]+)" alt="[0-9]+_(?<name>[^"]+)"/g
      : /<img id="image"[^>]* src="(?<image>[^"]+)" alt="[0-9]+_(?<name>[^"]+)"/g
  const start = kind === 'gallery' ? html.indexOf('<div class="images">') : html.indexOf('<img id="image"')
  if (start < 0) return undefined
  const images = [...html.slice(start).matchAll(pattern)]
    .map(({ groups = {} }) => groups)
    .map(({ page, image = '', name = '' }) => ({
      name: decoded(name),
      url: kind === 'gallery' ? originalOf(decoded(image)) : decoded(image),
      pageUrl: page && decoded(page),
      bytes: undefined,
      uploadedMs: undefined,
      mediaType: undefined,
    }))
  const next = /<link rel="next" href="([^"]+)"/.exec(html)?.[1]
  return { name: decoded(/<h2>([^<]*)<\/h2>/.exec(html)?.[1] ?? ''), images, next: next && decoded(next) }
}

function decoded(text: string): string {
  return text
    .replace(/&quot;|&#34;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
}
