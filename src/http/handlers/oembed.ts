import { type Content, findContent, hasContentExpired, type Image, stateOf } from '../../domain/content/content.ts'
import { type Box, filesThatFit, type ShownFile } from '../../domain/content/embed.ts'
import { expiryOf } from '../../domain/content/expiry.ts'
import { nameForPeople } from '../../domain/content/filename.ts'
import { Failure } from '../../domain/failure.ts'
import { type ImageAddress, originalUrl, previewUrl, type Site, thumbnailUrl } from '../../domain/ids/links.ts'
import { OEMBED_CACHE_AGE_S } from '../../limits.ts'
import { messagesIn } from '../../pages/shell/messages.ts'
import { optionalInteger } from '../body/fields.ts'
import { parseContentUrl } from '../content-url.ts'
import type { AppContext } from '../context.ts'
import { remainingS } from '../file-caching.ts'
import { languageOf } from '../responses/page-response.ts'

/** A response of oEmbed 1.0 (https://oembed.com, "Response parameters"), with its fields in order. */
type Embed = Readonly<Record<string, string | number>>

const FORMATS: Readonly<Record<string, { mediaType: string; write: (embed: Embed) => string }>> = {
  json: { mediaType: 'application/json; charset=UTF-8', write: (embed) => JSON.stringify(embed) },
  xml: { mediaType: 'text/xml; charset=UTF-8', write: writeXml },
}

const FILE_URLS: Readonly<Record<ShownFile['kind'], (site: Site, image: ImageAddress) => string>> = {
  images: originalUrl,
  thumbs: thumbnailUrl,
  previews: previewUrl,
}

// Without a limit: larger than any image.
const ANY_SIZE = { min: 1, max: Number.MAX_SAFE_INTEGER, byDefault: Number.MAX_SAFE_INTEGER }

/** `GET /oembed?url=&maxwidth=&maxheight=&format=`: how to embed a public page. Any web page may ask. */
export async function serveOembed(c: AppContext): Promise<Response> {
  c.header('Access-Control-Allow-Origin', '*')
  const format = requireFormat(c.req.query('format') || 'json')
  const content = await requirePublicContent(c)
  const expiresAt = content.kind === 'image' ? expiryOf(content) : content.gallery.expiresAt
  const cacheAgeS = remainingS(expiresAt, c.var.nowMs, OEMBED_CACHE_AGE_S)
  const found = content.kind === 'image' ? embedImage(c, content.image, readBox(c)) : embedGallery(c, content.gallery)
  const embed = { ...found, cache_age: cacheAgeS }
  return c.body(format.write(embed), 200, {
    'Content-Type': format.mediaType,
    Vary: 'Accept-Language',
  })
}

/** A photo in the largest file that fits: at most the preview. If none fits, or the image is NSFW, only a link. */
function embedImage(c: AppContext, image: Image, box: Box): Embed {
  const { site } = c.var.host
  const files = image.nsfw ? [] : filesThatFit(image, box)
  const [shown] = files
  const common = commonFields(site, nameForPeople(image))
  if (!shown) return { type: 'link', ...common }
  const url = FILE_URLS[shown.kind](site, image)
  const photo = { type: 'photo', url, width: shown.width, height: shown.height, ...common }
  // Thumbnails must respect the box too.
  if (!files.some(({ kind }) => kind === 'thumbs')) return photo
  return {
    ...photo,
    thumbnail_url: thumbnailUrl(site, image),
    thumbnail_width: image.thumbnailWidth,
    thumbnail_height: image.thumbnailHeight,
  }
}

function embedGallery(c: AppContext, { name }: { name: string }): Embed {
  return { type: 'link', ...commonFields(c.var.host.site, name || messagesIn(languageOf(c)).untitledGallery) }
}

function commonFields(site: Site, title: string): Embed {
  return {
    version: '1.0',
    title,
    provider_name: 'Tintype',
    provider_url: `${site.pages}/`,
    cache_age: OEMBED_CACHE_AGE_S,
  }
}

function requireFormat(name: string) {
  const format = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined
  if (!format) throw new Failure('unsupported_format')
  return format
}

async function requirePublicContent(c: AppContext): Promise<Content> {
  const url = c.req.query('url')
  if (!url) throw new Failure('missing_field', 'url is missing: send the address of a picture page or gallery')
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new Failure('malformed_request', 'url must be a complete address that begins with https:// or http://')
  }
  const address = parseContentUrl(c, url)
  const { store, nowMs } = c.var
  const content = address && (await findContent(store, address))
  if (content && hasContentExpired(content, nowMs)) {
    const what = content.kind === 'image' ? 'Picture' : 'Gallery'
    throw new Failure('content_deleted', `${what} doesn't exist: its time is over`)
  }
  if (!content || stateOf(content, nowMs) !== 'available') {
    throw new Failure('content_not_found', 'there is no public picture or gallery at this url')
  }
  return content
}

function readBox(c: AppContext): Box {
  const sizes = new Map(Object.entries(c.req.query()))
  return {
    maxWidth: optionalInteger(sizes, 'maxwidth', ANY_SIZE),
    maxHeight: optionalInteger(sizes, 'maxheight', ANY_SIZE),
  }
}

function writeXml(embed: Embed): string {
  const elements = Object.entries(embed).map(([name, value]) => `<${name}>${escapeXml(String(value))}</${name}>`)
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<oembed>${elements.join('')}</oembed>\n`
}

/** U+FFFE and U+FFFF are valid in strings, but not in XML 1.0, not even escaped. */
function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\uFFFE\uFFFF]/g, '\uFFFD')
}
